#include "tensors.h"

#include <cmath>

namespace bitexact::bridge {
namespace {

constexpr double kMostDimension = 9007199254740991;  // beyond, neighbouring integers are one number

Result<Shape> shape_from(const val& dims, const std::string& name, int64_t least) {
  const auto rank = dims["length"].as<uint32_t>();
  if (rank > Shape::kMaxRank)
    return error(Code::argument, name + ".shape: at most 6 dimensions, got " + std::to_string(rank));
  Shape shape;
  for (uint32_t i = 0; i < rank; ++i) {
    const auto d = dims[i].as<double>();
    if (!(d >= static_cast<double>(least) && d <= kMostDimension && std::floor(d) == d))
      return error(Code::argument, name + ".shape: expected integers from " + std::to_string(least));
    shape.push_back(static_cast<int64_t>(d));
  }
  return shape;
}

}  // namespace

Result<TensorType> type_from(const val& input, const std::string& name, int64_t least) {
  const auto dtype_text = input["dtype"].as<std::string>();
  const auto dtype = dtype_from_name(dtype_text);
  if (!dtype) return error(Code::unsupported, name + ": there is no dtype " + dtype_text);
  const auto shape = shape_from(input["shape"], name, least);
  return shape.ok() ? Result<TensorType>({*dtype, *shape}) : Result<TensorType>(shape.status());
}

Result<OwnedTensor> tensor_from(const val& input, const std::string& name) {
  const auto type = type_from(input, name, 0);
  if (!type.ok()) return type.status();
  const val data = input["data"];
  const auto expected = byte_size(type->dtype, type->shape);
  const auto got = data["byteLength"].as<uint32_t>();
  if (!expected || *expected != got) {
    const std::string bytes = expected ? std::to_string(*expected) + " bytes" : "more bytes than can be addressed";
    return error(Code::argument, name + ".data: " + dtype_name(type->dtype) + " " + type->shape.text() + " takes " +
                                     bytes + ", got " + std::to_string(got));
  }
  auto bytes = copy_in(data);
  if (!bytes.ok()) return bytes.status();
  const Tensor view{type->dtype, type->shape, bytes->data()};
  return OwnedTensor{view, std::move(*bytes)};
}

val to_js(const TensorType& type) {
  val o = val::object();
  o.set("dtype", std::string(dtype_name(type.dtype)));
  o.set("shape", numbers(type.shape));
  return o;
}

val to_js(const Tensor& tensor) {
  val o = to_js(TensorType{tensor.dtype, tensor.shape});
  o.set("data", copy_out({tensor.data, tensor.bytes()}));
  return o;
}

}  // namespace bitexact::bridge
