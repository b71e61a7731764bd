#include "vector_case.h"

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

// The element as the JSON of a vector file writes it.
Json load(const Tensor& t, size_t i) {
  const auto get = [&](auto v) {
    std::memcpy(&v, t.data + i * sizeof v, sizeof v);
    return Json(v);
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
  return {};
}

uint64_t bits_of(const Json& v) {
  return v.is_number_unsigned() ? v.get<uint64_t>() : static_cast<uint64_t>(v.get<int64_t>());
}

Status paint(const Json& spec, const Tensor& t) {
  const size_t n = t.count();
  if (spec.contains("data")) {
    if (!spec["data"].is_array() || spec["data"].size() != n)
      return error(Code::malformed, "data does not have the shape's count");
    for (size_t i = 0; i < n; ++i) {
      if (!spec["data"][i].is_number_integer())
        return error(Code::malformed, "data holds something else than integers");
      store(t, i, bits_of(spec["data"][i]));
    }
    return {};
  }
  if (spec.contains("range") && spec["range"].is_number_integer()) {
    for (size_t i = 0; i < n; ++i) store(t, i, bits_of(spec["range"]) + i);
    return {};
  }
  const Json fill = spec.value("fill", Json::object());
  for (const char* key : {"seed", "lo", "hi"})
    if (!fill.contains(key) || !fill[key].is_number_integer())
      return error(Code::malformed, "a tensor needs data, range or fill {seed, lo, hi}");
  uint64_t state = bits_of(fill["seed"]);
  const uint64_t lo = bits_of(fill["lo"]), span = bits_of(fill["hi"]) - lo + 1;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t z = split_mix(state);
    store(t, i, lo + (span == 0 ? z : z % span));
  }
  return {};
}

Result<Shape> read_shape(const Json& spec) {
  if (!spec.is_object() || !spec.contains("shape") || !spec["shape"].is_array() ||
      spec["shape"].size() > Shape::kMaxRank)
    return error(Code::malformed, "a tensor needs a shape of at most 6 dimensions");
  Shape shape;
  for (const Json& d : spec["shape"]) {
    if (!d.is_number_integer()) return error(Code::malformed, "a dimension is not an integer");
    shape.push_back(d.get<int64_t>());
  }
  return shape;
}

Result<OwnedTensor> read_tensor(const Json& spec) {
  const auto shape = read_shape(spec);
  if (!shape.ok()) return shape.status();
  const auto dtype =
      dtype_from_name(spec.contains("dtype") && spec["dtype"].is_string() ? spec["dtype"].get<std::string>() : "");
  if (!dtype) return error(Code::malformed, "unknown dtype");
  auto t = make_tensor(*dtype, *shape);
  if (t.ok()) BITEXACT_TRY(paint(spec, t->view));
  return t;
}

std::string first_difference(const Json& expected, const char* key, const Tensor& got) {
  for (size_t i = 0; expected.contains(key) && i < expected[key].size() && i < got.count(); ++i)
    if (load(got, i) != expected[key][i])
      return "element " + std::to_string(i) + ": expected " + expected[key][i].dump() + ", got " + load(got, i).dump();
  return "";
}

std::string compare_tensor(const Json& expected, const Tensor& got) {
  const auto shape = read_shape(expected);
  if (!shape.ok() || got.shape != *shape)
    return "shape: expected " + (shape.ok() ? shape->text() : "?") + ", got " + got.shape.text();
  if (expected.value("dtype", "") != dtype_name(got.dtype)) return std::string("dtype: got ") + dtype_name(got.dtype);
  if (expected.contains("data")) return first_difference(expected, "data", got);
  const std::string digest = sha256_hex(got);
  if (expected.value("sha256", "") == digest) return "";
  const std::string head = first_difference(expected, "head", got);
  return head.empty()
             ? "sha256: expected " + expected.value("sha256", "") + ", got " + digest + " (the first values agree)"
             : head;
}

}  // namespace

Result<OwnedTensor> make_tensor(DType dtype, const Shape& shape) {
  const auto bytes = byte_size(dtype, shape);
  if (!bytes) return error(Code::too_large, "tensor " + shape.text());
  auto buffer = Buffer::make(*bytes);
  if (!buffer.ok()) return buffer.status();
  const Tensor view{dtype, shape, buffer->data()};
  return OwnedTensor{view, std::move(*buffer)};
}

const Tensor* VectorCase::input(const std::string& key) const {
  const auto it = inputs.find(key);
  return it == inputs.end() ? nullptr : &it->second.view;
}

Result<VectorCase> read_case(const Json& json) {
  if (!json.is_object() || !json.contains("op") || !json["op"].is_string())
    return error(Code::malformed, "a case needs an op");
  VectorCase c{json.value("name", "?"), json["op"].get<std::string>(), {}, json.value("params", Json::object())};
  const Json inputs = json.value("inputs", Json::object());
  for (const auto& [key, spec] : inputs.items()) {
    auto t = read_tensor(spec);
    if (!t.ok()) return error(t.status().code, "input " + key + ": " + t.status().why);
    c.inputs.emplace(key, std::move(*t));
  }
  return c;
}

Result<OwnedTensor> run_case(const VectorCase& c, KernelSet kernels, bool& unknown_op) {
  unknown_op = false;
  if (c.op.starts_with("fx_")) return run_fx_case(c, kernels);
  if (c.op.starts_with("image_")) return run_image_case(c);
  if (c.op == "conv2d" || c.op == "max_pool2d" || c.op == "avg_pool2d") return run_node_case(c, kernels);
  unknown_op = true;
  return error(Code::unsupported, "unknown op " + c.op);
}

std::string compare_case(const Json& json, const Result<OwnedTensor>& got) {
  if (json.contains("error")) {
    if (got.ok()) return "expected error " + json["error"].dump() + ", got a result";
    return json["error"] == code_name(got.status().code)
               ? ""
               : "expected error " + json["error"].dump() + ", got " + got.status().text();
  }
  if (!json.contains("output")) return "the case has neither output nor error";
  return got.ok() ? compare_tensor(json["output"], got->view) : "expected a result, got " + got.status().text();
}

}  // namespace bitexact::cli
