#include "vector_case.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "bitexact/digest.h"

namespace bitexact::cli {
namespace {

uint64_t split_mix(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

void store(const Tensor& t, size_t i, uint64_t bits) {
  const auto put = [&](auto v) { std::memcpy(t.data + i * sizeof v, &v, sizeof v); };
  switch (size_of(t.dtype)) {
    case 1:
      return put(static_cast<uint8_t>(bits));
    case 2:
      return put(static_cast<uint16_t>(bits));
    case 4:
      return put(static_cast<uint32_t>(bits));
    default:
      return put(bits);
  }
}

int64_t load(const Tensor& t, size_t i) {
  const auto get = [&](auto v) {
    std::memcpy(&v, t.data + i * sizeof v, sizeof v);
    return static_cast<int64_t>(v);
  };
  switch (t.dtype) {
    case DType::q16:
    case DType::i32:
      return get(int32_t{});
    case DType::i8:
      return get(int8_t{});
    case DType::u8:
      return get(uint8_t{});
    case DType::i16:
      return get(int16_t{});
    case DType::f16:
    case DType::u16:
      return get(uint16_t{});
    case DType::f32:
      return get(uint32_t{});
    case DType::i64:
      return get(int64_t{});
  }
  return 0;
}

// What a vector file may write for an element: f16 and f32 are bit patterns there.
bool is_element(const Json& v, DType dtype) {
  const bool bits = dtype == DType::f16 || dtype == DType::f32 || dtype == DType::u8 || dtype == DType::u16;
  const auto width = static_cast<int>(size_of(dtype) * 8);
  if (bits) return integer_in(v, 0, (int64_t{1} << width) - 1);
  return integer_in(v, kI64Min >> (64 - width), kI64Max >> (64 - width));
}

Status paint_data(const Json& data, const Tensor& t) {
  if (!data.is_array() || data.size() != t.count())
    return error(Code::malformed, "data does not have the shape's count");
  for (size_t i = 0; i < data.size(); ++i) {
    if (!is_element(data[i], t.dtype))
      return error(Code::malformed, "data holds something else than integers of its dtype", at_element(i));
    store(t, i, static_cast<uint64_t>(data[i].get<int64_t>()));
  }
  return {};
}

Status paint_range(const Json& first, const Tensor& t) {
  const size_t n = t.count();
  if (!is_element(first, t.dtype)) return error(Code::malformed, "range does not start at an integer of its dtype");
  const auto start = static_cast<uint64_t>(first.get<int64_t>());
  if (n > 0 && !is_element(Json(static_cast<int64_t>(start + n - 1)), t.dtype))
    return error(Code::malformed, "range leaves its dtype");
  for (size_t i = 0; i < n; ++i) store(t, i, start + i);
  return {};
}

Status paint_fill(const Json& fill, const Tensor& t) {
  const Json *seed = member(fill, "seed"), *lo = member(fill, "lo"), *hi = member(fill, "hi");
  if (seed == nullptr || !seed->is_number_integer() || lo == nullptr || hi == nullptr || !is_element(*lo, t.dtype) ||
      !is_element(*hi, t.dtype) || *lo > *hi)
    return error(Code::malformed, "fill needs an integer seed, and lo <= hi of its dtype");
  uint64_t state = seed->get<uint64_t>();
  const auto first = static_cast<uint64_t>(lo->get<int64_t>()),
             span = static_cast<uint64_t>(hi->get<int64_t>()) - first + 1;
  for (size_t i = 0; i < t.count(); ++i) {
    const uint64_t z = split_mix(state);
    store(t, i, first + (span == 0 ? z : z % span));
  }
  return {};
}

Status paint(const Json& spec, const Tensor& t) {
  if (const Json* data = member(spec, "data")) return paint_data(*data, t);
  if (const Json* first = member(spec, "range")) return paint_range(*first, t);
  if (const Json* fill = member(spec, "fill")) return paint_fill(*fill, t);
  return error(Code::malformed, "a tensor needs data, range or fill {seed, lo, hi}");
}

Result<Shape> read_shape(const Json& spec, int64_t least) {
  const Json* dims = member(spec, "shape");
  if (dims == nullptr || !dims->is_array() || dims->size() > Shape::kMaxRank)
    return error(Code::malformed, "a tensor needs a shape of at most 6 dimensions");
  Shape shape;
  for (const Json& d : *dims) {
    if (!integer_in(d, least, kI64Max))
      return error(Code::malformed, "a dimension is not an integer >= " + std::to_string(least));
    shape.push_back(d.get<int64_t>());
  }
  return shape;
}

Result<OwnedTensor> read_tensor(const Json& spec) {
  const auto shape = read_shape(spec, 0);
  if (!shape.ok()) return shape.status();
  const auto dtype = dtype_from_name(text_or(spec, "dtype", ""));
  if (!dtype) return error(Code::unsupported, "there is no such dtype");
  auto t = make_vector_tensor(*dtype, *shape);
  if (t.ok()) BITEXACT_TRY(paint(spec, t->view));
  return t;
}

// Empty when every one of `values` is the element of its place.
std::string first_wrong(const Json& values, const Tensor& got) {
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t is = load(got, i);
    if (!is_element(values[i], got.dtype) || values[i].get<int64_t>() != is)
      return "element " + std::to_string(i) + ": expected " + json_text(values[i]) + ", got " + std::to_string(is);
  }
  return "";
}

std::string compare_data(const Json& data, const Tensor& got) {
  if (!data.is_array() || data.size() != got.count())
    return "data: expected an array of the shape's " + std::to_string(got.count()) + " values";
  return first_wrong(data, got);
}

std::string compare_digest(const Json& expected, const Tensor& got) {
  if (const Json* head = member(expected, "head")) {
    if (!head->is_array() || head->size() > got.count())
      return "head: expected an array of at most " + std::to_string(got.count()) + " values";
    if (std::string wrong = first_wrong(*head, got); !wrong.empty()) return wrong;
  }
  const std::string digest = sha256_hex(got), wanted = text_or(expected, "sha256", "");
  return wanted == digest ? "" : "sha256: expected " + wanted + ", got " + digest + " (the first values agree)";
}

std::string compare_tensor(const Json& expected, const Tensor& got) {
  const auto shape = read_shape(expected, -1);
  if (!shape.ok() || got.shape != *shape)
    return "shape: expected " + (shape.ok() ? shape->text() : "?") + ", got " + got.shape.text();
  if (member(expected, "dtype") == nullptr) return "";  // of a case that infers a shape
  if (text_or(expected, "dtype", "") != dtype_name(got.dtype))
    return std::string("dtype: got ") + dtype_name(got.dtype);
  const Json* data = member(expected, "data");
  return data != nullptr ? compare_data(*data, got) : compare_digest(expected, got);
}

}  // namespace

Result<OwnedTensor> make_vector_tensor(DType dtype, const Shape& shape) {
  constexpr size_t kMostElements = size_t{64} << 20;
  const auto count = element_count(shape);
  if (!count || *count > kMostElements)
    return error(Code::too_large, "tensor " + shape.text() + ": at most 64 Mi elements are computed with");
  return make_tensor({dtype, shape});
}

const Tensor* VectorCase::input(const std::string& key) const {
  const auto it = inputs.find(key);
  return it == inputs.end() ? nullptr : &it->second.view;
}

Result<VectorCase> read_case(const Json& json) {
  static const Json kNothing = Json::object();
  const Json *params = member(json, "params"), *inputs = member(json, "inputs");
  VectorCase c{text_or(json, "name", ""), text_or(json, "op", ""), {}, params == nullptr ? kNothing : *params};
  if (c.name.empty() || c.op.empty()) return error(Code::malformed, "a case needs a name and an op");
  if (inputs != nullptr && !inputs->is_object()) return error(Code::malformed, "inputs: expected an object");
  for (const auto& [key, spec] : (inputs == nullptr ? kNothing : *inputs).items()) {
    auto t = read_tensor(spec);
    if (!t.ok()) return error(t.status().code, "input " + key + ": " + t.status().why, t.status().where);
    c.inputs.emplace(key, std::move(*t));
  }
  return c;
}

Result<OwnedTensor> run_case(const VectorCase& c, KernelSet kernels, bool& unknown_op) {
  unknown_op = false;
  constexpr std::array kShapeOps{"infer_shape", "infer_pool_shape", "max_pool_ext2_shape"};
  if (c.op.starts_with("fx_")) return run_fx_case(c, kernels);
  if (c.op.starts_with("image_")) return run_image_case(c);
  if (std::find(kShapeOps.begin(), kShapeOps.end(), c.op) != kShapeOps.end()) return run_shape_case(c);
  if (c.op == "max_pool_ext2" || op_from_name(c.op)) return run_operator_case(c, kernels);
  unknown_op = true;
  return error(Code::unsupported, "unknown op " + c.op);
}

std::string compare_case(const Json& json, const Result<OwnedTensor>& got) {
  if (got.status().code == Code::malformed) return got.status().text();  // of the case itself, never what it expects
  if (const Json* expected = member(json, "error")) {
    const std::string is = got.ok() ? "a result" : got.status().text();
    return !got.ok() && *expected == code_name(got.status().code)
               ? ""
               : "expected error " + json_text(*expected) + ", got " + is;
  }
  const Json* output = member(json, "output");
  if (output == nullptr) return "the case has neither output nor error";
  return got.ok() ? compare_tensor(*output, got->view) : "expected a result, got " + got.status().text();
}

}  // namespace bitexact::cli
