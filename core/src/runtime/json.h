#pragma once
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "bitexact/status.h"

// Built without exceptions: every access is preceded by a check of its type.
#include <nlohmann/json.hpp>

namespace bitexact {

inline constexpr int64_t kI32Min = std::numeric_limits<int32_t>::min(), kI32Max = std::numeric_limits<int32_t>::max();

/// What an enumerator is called, by its position.
template <class Enum, size_t N>
const char* name_of(const char* const (&names)[N], Enum e) {
  return names[static_cast<size_t>(e)];
}

using Json = nlohmann::json;  // objects are ordered by key: what canonical JSON needs

/// `malformed` when the text is not one JSON value or is nested too deep.
[[nodiscard]] Result<Json> parse_json(std::string_view text);
/// Sorted keys, no spaces.
[[nodiscard]] std::string canonical(const Json& value);

/// Reads the members of one object, remembers the first thing that is wrong, and notices unknown keys at the end.
class JsonReader {
 public:
  /// `what` names the object in messages: "task.pool".
  JsonReader(const Json& object, std::string what);

  /// The member, or null when absent; absent and JSON null are the same.
  [[nodiscard]] const Json* find(const char* key);
  void integer(const char* key, int64_t lo, int64_t hi, int64_t& out);
  void integer(const char* key, int32_t& out);
  void string(const char* key, std::string& out);
  /// Index of the member's text in `words`; untouched when absent.
  void word(const char* key, std::initializer_list<const char*> words, size_t& out);
  /// The same for an enum (or bool) whose values count from 0.
  template <class Enum>
  void choice(const char* key, std::initializer_list<const char*> words, Enum& out) {
    auto index = static_cast<size_t>(out);
    word(key, words, index);
    out = static_cast<Enum>(index);
  }
  void flag(const char* key, bool& out);
  void integers(const char* key, int64_t lo, int64_t hi, std::vector<int64_t>& out);
  void pair(const char* key, int64_t lo, int64_t hi, std::array<int64_t, 2>& out);
  void fail(Code code, std::string why);
  [[nodiscard]] Status finish();

 private:
  const Json& object_;
  std::string what_;
  std::vector<std::string> seen_;
  Status status_;
};

}  // namespace bitexact
