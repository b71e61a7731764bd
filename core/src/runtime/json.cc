#include "runtime/json.h"

#include <algorithm>
#include <limits>

namespace bitexact {
namespace {

// Deep nesting is never part of our formats and costs stack in any recursive consumer.
constexpr int kMaxDepth = 32;

bool fits(const Json& v, int64_t lo, int64_t hi) {
  if (v.is_number_unsigned())
    return v.get<uint64_t>() <= static_cast<uint64_t>(std::max<int64_t>(hi, 0)) &&
           static_cast<int64_t>(v.get<uint64_t>()) >= lo;
  return v.is_number_integer() && v.get<int64_t>() >= lo && v.get<int64_t>() <= hi;
}

std::string range(int64_t lo, int64_t hi) { return std::to_string(lo) + ".." + std::to_string(hi); }

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

std::string canonical(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

JsonReader::JsonReader(const Json& object, std::string what) : object_(object), what_(std::move(what)) {
  if (!object_.is_object()) fail(Code::malformed, "expected an object");
}

void JsonReader::fail(Code code, std::string why) {
  if (status_.ok()) status_ = error(code, what_ + ": " + std::move(why));
}

const Json* JsonReader::find(const char* key) {
  seen_.emplace_back(key);
  if (!object_.is_object()) return nullptr;
  const auto it = object_.find(key);
  return it == object_.end() || it->is_null() ? nullptr : &*it;
}

void JsonReader::integer(const char* key, int64_t lo, int64_t hi, int64_t& out) {
  const Json* v = find(key);
  if (v == nullptr) return;
  if (!fits(*v, lo, hi)) return fail(Code::argument, std::string(key) + ": expected an integer in " + range(lo, hi));
  out = v->get<int64_t>();
}

void JsonReader::integer(const char* key, int32_t& out) {
  int64_t wide = out;
  integer(key, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), wide);
  out = static_cast<int32_t>(wide);
}

void JsonReader::string(const char* key, std::string& out) {
  const Json* v = find(key);
  if (v == nullptr) return;
  if (!v->is_string()) return fail(Code::argument, std::string(key) + ": expected a string");
  out = v->get<std::string>();
}

void JsonReader::word(const char* key, std::initializer_list<const char*> words, size_t& out) {
  const Json* v = find(key);
  if (v == nullptr) return;
  std::string all;
  size_t i = 0;
  for (const char* w : words) {
    if (v->is_string() && v->get_ref<const std::string&>() == w) {
      out = i;
      return;
    }
    all += (i++ ? " | " : "") + std::string(w);
  }
  fail(Code::argument, std::string(key) + ": expected " + all);
}

void JsonReader::flag(const char* key, bool& out) {
  const Json* v = find(key);
  if (v == nullptr) return;
  if (!v->is_boolean()) return fail(Code::argument, std::string(key) + ": expected true or false");
  out = v->get<bool>();
}

void JsonReader::integers(const char* key, int64_t lo, int64_t hi, std::vector<int64_t>& out) {
  const Json* v = find(key);
  if (v == nullptr) return;
  const auto good = [&](const Json& e) { return fits(e, lo, hi); };
  if (!v->is_array() || !std::all_of(v->begin(), v->end(), good))
    return fail(Code::argument, std::string(key) + ": expected an array of integers in " + range(lo, hi));
  out.clear();
  for (const Json& e : *v) out.push_back(e.get<int64_t>());
}

void JsonReader::pair(const char* key, int64_t lo, int64_t hi, std::array<int64_t, 2>& out) {
  std::vector<int64_t> list{out[0], out[1]};
  integers(key, lo, hi, list);
  if (list.size() != 2) return fail(Code::argument, std::string(key) + ": expected two integers");
  out = {list[0], list[1]};
}

Status JsonReader::finish() {
  if (object_.is_object())
    for (const auto& [key, value] : object_.items())
      if (std::find(seen_.begin(), seen_.end(), key) == seen_.end())
        fail(Code::argument, "unknown key \"" + key + "\"");
  return status_;
}

}  // namespace bitexact
