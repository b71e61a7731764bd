#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace bitexact {

/// The class of an error. The spelling of each (`code_name`) is the same in C++, TypeScript, vectors and receipts.
enum class Code : uint8_t {
  ok,
  argument,     ///< a parameter is out of its range or contradicts another
  shape,        ///< shapes do not fit each other or the operator
  unsupported,  ///< valid, but outside what bitexact does
  malformed,    ///< bytes that break their own format
  too_large,    ///< a size beyond the stated limit or beyond what this machine can address
  no_memory,    ///< an allocation within the limits failed
};

[[nodiscard]] const char* code_name(Code code) noexcept;

/// What `Where::at` counts.
enum class Place : uint8_t { nowhere, byte, node, tensor, element };

/// "byte", "node", "tensor", "element"; empty for nowhere. The spelling is the same in C++ and TypeScript.
[[nodiscard]] const char* place_name(Place place) noexcept;

/// The position an error is about: a byte of a file, a node or tensor of a model, an element of a tensor.
struct Where {
  Place place = Place::nowhere;
  uint64_t at = 0;
};

/// The outcome of a call that can fail. Nothing throws and nothing logs; on failure nothing was written.
/// `why` says what was wrong and what was expected, for people.
struct [[nodiscard]] Status {
  Code code = Code::ok;
  std::string why;
  Where where;

  [[nodiscard]] bool ok() const noexcept { return code == Code::ok; }
  /// One line: "malformed: PNG chunk IDAT: checksum does not match (byte 57)".
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] inline Status error(Code code, std::string why, Where where = {}) {
  return {code, std::move(why), where};
}
[[nodiscard]] inline Where at_byte(uint64_t n) { return {Place::byte, n}; }
[[nodiscard]] inline Where at_node(uint64_t n) { return {Place::node, n}; }
[[nodiscard]] inline Where at_tensor(uint64_t n) { return {Place::tensor, n}; }
[[nodiscard]] inline Where at_element(uint64_t n) { return {Place::element, n}; }

/// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {}

  [[nodiscard]] bool ok() const noexcept { return value_.has_value(); }
  [[nodiscard]] const Status& status() const noexcept { return status_; }
  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return &*value_; }
  const T* operator->() const noexcept { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

/// Returns from the calling function when `expression` (a Status) failed.
#define BITEXACT_TRY(expression)                                                  \
  do {                                                                            \
    if (::bitexact::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

}  // namespace bitexact
