#include "kernel_arg.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bitexact/fx.h"
#include "files.h"
#include "json_args.h"

namespace bitexact::cli {
namespace {

Status wrong(const std::string& option, const std::string& got, const std::string& expected) {
  return error(Code::argument, option + " " + got + ": expected " + expected);
}

// Integers of `text` separated by any of `separators`, all of it; empty when something else stands there.
std::vector<int64_t> integers(std::string_view text, std::string_view separators) {
  std::vector<int64_t> out;
  const char *p = text.data(), *end = p + text.size();
  while (true) {
    int64_t v = 0;
    const auto [next, problem] = std::from_chars(p, end, v);
    if (problem != std::errc() || v < INT32_MIN || v > INT32_MAX) return {};
    out.push_back(v);
    if (next == end) return out;
    if (separators.find(*next) == std::string_view::npos) return {};
    p = next + 1;
  }
}

Result<int32_t> to_q16(double real) {
  if (!std::isfinite(real) || real >= 32768.0 || real < -32768.0)
    return error(Code::argument, "numbers must lie in -32768 .. 32767.99998 (Q16.16)");
  return fixed_from_double(real);
}

Status fill(const Json& rows, PhotoTask& t) {
  if (!rows.is_array() || rows.empty() || !rows[0].is_array() || rows[0].empty())
    return error(Code::argument, "expected rows of numbers, for instance [[-1,0,1],[-2,0,2],[-1,0,1]]");
  t.kernel.clear();
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != rows[0].size()) return error(Code::shape, "rows differ in length");
    for (const Json& v : row) {
      if (!v.is_number()) return error(Code::argument, "expected numbers in the rows");
      const auto q = to_q16(v.get<double>());
      if (!q.ok()) return q.status();
      t.kernel.push_back(*q);
    }
  }
  t.kernel_rows = static_cast<int32_t>(rows.size());
  t.kernel_cols = static_cast<int32_t>(rows[0].size());
  return {};
}

Status fill_from_json(std::string_view text, PhotoTask& t) {
  const auto json = parse_json(text);
  if (!json.ok()) return json.status();
  if (!json->is_object()) return fill(*json, t);
  t.kernel_name = text_or(*json, "name", t.kernel_name);
  const Json* rows = member(*json, "rows");
  return fill(rows == nullptr ? Json() : *rows, t);
}

bool looks_like_rows(const std::string& s) {
  return s.find_first_not_of("0123456789+-.eE,; \t") == std::string::npos &&
         s.find_first_of("0123456789") != std::string::npos;
}

// "1 2; 3 4" as JSON: the numbers are then read by one parser, whatever the locale.
std::string rows_to_json(const std::string& s) {
  std::string json = "[[";
  bool gap = false, first = true;
  for (const char c : s) {
    if (c == ';')
      json += "],[", first = true, gap = false;
    else if (c == ' ' || c == ',' || c == '\t')
      gap = true;
    else {
      if (gap && !first) json += ',';
      json += c;
      gap = first = false;
    }
  }
  return json + "]]";
}

const fx_matrix_t* named(const std::string& name) {
  for (const fx_named_kernel_t& k : FX_NAMED_KERNELS)
    if (name == k.name) return k.kernel;
  return nullptr;
}

Status kernel_from(const std::string& argument, PhotoTask& t) {
  if (const fx_matrix_t* k = named(argument)) {
    t.kernel_name = argument;
    t.kernel_rows = k->rows;
    t.kernel_cols = k->cols;
    t.kernel.assign(k->data, k->data + static_cast<size_t>(k->rows) * k->cols);
    return {};
  }
  if (argument.starts_with("[") || argument.starts_with("{")) return fill_from_json(argument, t);
  if (looks_like_rows(argument)) return fill_from_json(rows_to_json(argument), t);
  if (!argument.ends_with(".json")) return error(Code::argument, "expected " + kernel_forms());
  const auto file = read_file(argument, kTextLimit);
  return file.ok() ? fill_from_json(text_of(*file), t) : file.status();
}

Status parse_window(const std::string& argument, std::string_view text, PhotoTask& t) {
  const std::vector<int64_t> n = integers(text, "x/");
  if (n.size() != 4 || text.find('/') == std::string_view::npos)
    return wrong("--pool", argument, "for instance max:3x3/2x2");
  t.pool_kernel = {n[0], n[1]};
  t.pool_stride = {n[2], n[3]};
  return {};
}

}  // namespace

std::string kernel_forms() {
  std::string names;
  for (const fx_named_kernel_t& k : FX_NAMED_KERNELS) names += std::string(k.name) + ", ";
  return "one of " + names + "rows as \"0 1; 1 0\" or [[0,1],[1,0]], or a JSON file";
}

Status parse_kernel(const std::string& argument, PhotoTask& t) {
  Status s = kernel_from(argument, t);
  if (!s.ok()) s.why = "--kernel " + argument.substr(0, 60) + ": " + s.why;
  return s;
}

Status parse_pad(const std::string& a, PhotoTask& t) {
  const std::pair<const char*, Pad> words[] = {
      {"valid", Pad::valid}, {"same", Pad::same_upper}, {"same-lower", Pad::same_lower}, {"full", Pad::full}};
  for (const auto& [word, kind] : words)
    if (a == word) {
      t.pad = {kind, 0, 0, 0, 0};
      return {};
    }
  const std::vector<int64_t> n = integers(a, ",");
  if (n.size() != 4) return wrong("--pad", a, "valid, same, same-lower, full or TOP,LEFT,BOTTOM,RIGHT");
  t.pad = {Pad::explicit_, n[0], n[1], n[2], n[3]};
  return {};
}

Status parse_activation(const std::string& a, PhotoTask& t) {
  constexpr std::string_view kLeaky = "leaky-relu:";
  if (a == "none" || a == "relu") {
    t.activation = a == "relu" ? PhotoTask::Activation::relu : PhotoTask::Activation::none;
    return {};
  }
  std::vector<int32_t> alpha;
  if (!a.starts_with(kLeaky)) return wrong("--activation", a, "none, relu or leaky-relu:ALPHA");
  BITEXACT_TRY(parse_reals("--activation", a.substr(kLeaky.size()), alpha));
  if (alpha.size() != 1) return wrong("--activation", a, "one number after leaky-relu:");
  t.activation = PhotoTask::Activation::leaky_relu;
  t.alpha = alpha[0];
  return {};
}

Status parse_pool(const std::string& a, PhotoTask& t) {
  if (a == "none") return {};
  const bool max = a.starts_with("max"), avg = a.starts_with("avg");
  if (!max && !avg) return wrong("--pool", a, "none, max2x2, avg2x2, max:HxW/SHxSW or avg:HxW/SHxSW");
  t.pool = max ? PhotoTask::Pool::max : PhotoTask::Pool::avg;
  const std::string_view rest = std::string_view(a).substr(3);
  if (rest.starts_with(":")) return parse_window(a, rest.substr(1), t);
  const std::vector<int64_t> n = integers(rest, "x");
  if (n.size() != 2) return wrong("--pool", a, "for instance max2x2");
  t.pool_kernel = t.pool_stride = {n[0], n[1]};
  return {};
}

Status parse_resize(const std::string& a, Resampling method, PhotoTask& t) {
  const std::vector<int64_t> n = integers(a, "x");
  if (n.size() != 2 || n[0] < 1 || n[1] < 1) return wrong("--resize", a, "WIDTHxHEIGHT");
  t.resize = {static_cast<int32_t>(n[0]), static_cast<int32_t>(n[1]), method};
  return {};
}

Status parse_stride(const std::string& a, PhotoTask& t) {
  const std::vector<int64_t> n = integers(a, "x");
  if (n.empty() || n.size() > 2) return wrong("--stride", a, "HxW or one number");
  t.stride = {n.front(), n.back()};
  return {};
}

Status parse_background(const std::string& a, PhotoTask& t) {
  const std::vector<int64_t> n = integers(a, ",");
  if (n.size() != 3 || *std::min_element(n.begin(), n.end()) < 0 || *std::max_element(n.begin(), n.end()) > 255)
    return wrong("--background", a, "R,G,B with 0..255 each");
  t.background = Rgb8{static_cast<uint8_t>(n[0]), static_cast<uint8_t>(n[1]), static_cast<uint8_t>(n[2])};
  return {};
}

Status parse_reals(const std::string& name, const std::string& a, std::vector<int32_t>& out) {
  const auto list = parse_json("[" + a + "]");
  if (!list.ok()) return wrong(name, a, "numbers separated by commas");
  for (const Json& v : *list) {
    if (!v.is_number()) return wrong(name, a, "numbers separated by commas");
    const auto q = to_q16(v.get<double>());
    if (!q.ok()) return error(Code::argument, name + " " + a + ": " + q.status().why);
    out.push_back(*q);
  }
  return {};
}

}  // namespace bitexact::cli
