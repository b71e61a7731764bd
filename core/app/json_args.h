#pragma once
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/status.h"

namespace bitexact::cli {

// Built without exceptions: a wrong type asked of it ends the program, so every access is preceded by a check.
using Json = nlohmann::json;

inline constexpr int64_t kI32Min = std::numeric_limits<int32_t>::min(), kI32Max = std::numeric_limits<int32_t>::max();
inline constexpr int64_t kI64Min = std::numeric_limits<int64_t>::min(), kI64Max = std::numeric_limits<int64_t>::max();

/// `malformed` when the text is not one JSON value or is nested more than 32 deep.
[[nodiscard]] Result<Json> parse_json(std::string_view text);
/// One line, whatever the strings in it hold.
[[nodiscard]] std::string json_text(const Json& value);

/// Null when absent, or when `value` is no object.
[[nodiscard]] const Json* member(const Json& value, const char* key);
[[nodiscard]] std::string text_or(const Json& object, const char* key, const std::string& fallback);
/// An integer, written as one, from lo to hi; `get<int64_t>` is then exact.
[[nodiscard]] bool integer_in(const Json& value, int64_t lo, int64_t hi);

/// The parameters of a case: remembers the first that is wrong (`malformed`), and notices those that nobody asked for.
class Params {
 public:
  explicit Params(const Json& object) : object_(object) {}

  /// Null when absent.
  [[nodiscard]] const Json* find(const char* key);
  /// Without a fallback it must be there.
  [[nodiscard]] int64_t integer(const char* key, std::optional<int64_t> fallback, int64_t lo, int64_t hi);
  /// Empty when absent.
  [[nodiscard]] std::vector<int64_t> integers(const char* key, int64_t lo, int64_t hi);
  /// Index of the value in `words`, 0 when absent; another text is an `argument` error.
  [[nodiscard]] size_t word(const char* key, std::initializer_list<const char*> words);
  void fail(Code code, const char* key);
  [[nodiscard]] Status finish() const;

 private:
  const Json& object_;
  std::set<std::string> known_;
  Status status_;
};

}  // namespace bitexact::cli
