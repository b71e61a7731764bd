#include "json_args.h"

namespace bitexact::cli {
namespace {

// None of our formats nests deeper, and copies and destructors recurse.
constexpr int kMaxDepth = 32;

bool too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > kMaxDepth)
      return true;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (too_deep(text)) return error(Code::malformed, "JSON is nested more than " + std::to_string(kMaxDepth) + " deep");
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded()) return error(Code::malformed, "not valid JSON");
  return value;
}

std::string json_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

const Json* member(const Json& value, const char* key) {
  if (!value.is_object()) return nullptr;
  const auto it = value.find(key);
  return it == value.end() ? nullptr : &*it;
}

std::string text_or(const Json& object, const char* key, const std::string& fallback) {
  const Json* v = member(object, key);
  return v != nullptr && v->is_string() ? v->get<std::string>() : fallback;
}

bool integer_in(const Json& value, int64_t lo, int64_t hi) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(kI64Max)) return false;
  return value.get<int64_t>() >= lo && value.get<int64_t>() <= hi;
}

void Params::fail(Code code, const char* key) {
  const Json* v = member(object_, key);
  if (status_.ok())
    status_ = error(code, "parameter " + std::string(key) + (v == nullptr ? " is missing" : ": " + json_text(*v)));
}

const Json* Params::find(const char* key) {
  known_.insert(key);
  return member(object_, key);
}

int64_t Params::integer(const char* key, std::optional<int64_t> fallback, int64_t lo, int64_t hi) {
  const Json* v = find(key);
  if (v != nullptr && integer_in(*v, lo, hi)) return v->get<int64_t>();
  if (v != nullptr || !fallback) fail(Code::malformed, key);
  return fallback.value_or(0);
}

std::vector<int64_t> Params::integers(const char* key, int64_t lo, int64_t hi) {
  const Json* list = find(key);
  if (list == nullptr) return {};
  std::vector<int64_t> out;
  if (!list->is_array()) fail(Code::malformed, key);
  for (const Json& v : *list) {
    if (!integer_in(v, lo, hi)) return fail(Code::malformed, key), std::vector<int64_t>{};
    out.push_back(v.get<int64_t>());
  }
  return out;
}

size_t Params::word(const char* key, std::initializer_list<const char*> words) {
  const Json* v = find(key);
  if (v == nullptr) return 0;
  if (!v->is_string()) return fail(Code::malformed, key), 0;
  size_t i = 0;
  for (const char* w : words) {
    if (*v == w) return i;
    ++i;
  }
  return fail(Code::argument, key), 0;
}

Status Params::finish() const {
  if (!object_.is_object()) return error(Code::malformed, "params: expected an object");
  for (const auto& [key, value] : object_.items())
    if (!known_.contains(key)) return error(Code::malformed, "unknown parameter " + key);
  return status_;
}

}  // namespace bitexact::cli
