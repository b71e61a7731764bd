#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "bitexact/status.h"

namespace bitexact::bridge {

/// What JavaScript holds lives here under a number, so that no pointer or handle of ours leaves the package. A number
/// that is not, or no longer, in use is an `argument` error.
template <class T>
class Shelf {
 public:
  explicit Shelf(const char* what) : what_(what) {}

  int32_t put(T object) {
    all_.emplace(++last_, std::move(object));
    return last_;
  }
  [[nodiscard]] Result<T*> find(int32_t id) {
    const auto at = all_.find(id);
    if (at == all_.end()) return error(Code::argument, std::string("this ") + what_ + " has been disposed");
    return &at->second;
  }
  void remove(int32_t id) { all_.erase(id); }

 private:
  const char* what_;
  std::map<int32_t, T> all_;
  int32_t last_ = 0;
};

}  // namespace bitexact::bridge
