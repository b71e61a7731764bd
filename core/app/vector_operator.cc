// Cases of the operators, through the public API that knows them by name.
#include "vector_case.h"

namespace bitexact::cli {
namespace {

// -1 is unknown, and [-2] a shape of which nothing is known.
Shape shape_from(const std::vector<int64_t>& dims) {
  Shape shape;
  for (const int64_t d : dims) shape.push_back(d);
  return shape;
}

Result<OwnedTensor> shape_only(const Result<TensorType>& type) {
  if (!type.ok()) return type.status();
  return OwnedTensor{{type->dtype, type->shape, nullptr}, {}};
}

DType dtype_at(const Json* names, size_t i) {
  const std::string name = names != nullptr && names->is_array() && i < names->size() && (*names)[i].is_string()
                               ? (*names)[i].get<std::string>()
                               : "q16";
  return dtype_from_name(name).value_or(DType::q16);
}

// {op, attributes, shapes, dtypes}; inputs stand in the operator's order.
Result<OwnedTensor> run_infer_shape(const Json& params) {
  const Json *shapes = member(params, "shapes"), *attributes = member(params, "attributes");
  if (shapes == nullptr || !shapes->is_array()) return error(Code::malformed, "shapes: expected an array");
  const std::string op = text_or(params, "op", "");
  const std::vector<std::string> names = operator_inputs(op, shapes->size());
  std::vector<NamedType> inputs;
  for (size_t i = 0; i < shapes->size(); ++i) {
    const Json wrapped{{"shape", (*shapes)[i]}};
    Params p(wrapped);
    const std::vector<int64_t> dims = p.integers("shape", -2, kI64Max);
    BITEXACT_TRY(p.finish());
    inputs.push_back({i < names.size() ? names[i] : "", {dtype_at(member(params, "dtypes"), i), shape_from(dims)}});
  }
  return shape_only(infer_operator(op, attributes == nullptr ? "" : json_text(*attributes), inputs));
}

}  // namespace

Result<OwnedTensor> run_operator_case(const VectorCase& c, KernelSet kernels) {
  std::vector<NamedTensor> inputs;
  for (const auto& [name, tensor] : c.inputs) inputs.push_back({name, tensor.view});
  return run_operator(c.op, json_text(c.params), inputs, {kernels});
}

Result<OwnedTensor> run_shape_case(const VectorCase& c) {
  if (c.op == "infer_shape") return run_infer_shape(c.params);
  Json attributes = c.params;
  if (!attributes.is_object()) return error(Code::malformed, "params: expected an object");
  Params p(c.params);
  const Shape shape = shape_from(p.integers("shape", -2, kI64Max));
  const auto dtype = dtype_from_name(text_or(c.params, "dtype", "q16"));
  if (!dtype) return error(Code::unsupported, "unknown dtype");
  attributes.erase("shape");
  attributes.erase("dtype");
  const NamedType in{"in", {*dtype, shape}};
  return shape_only(
      infer_operator(c.op == "infer_pool_shape" ? "max_pool2d" : "max_pool_ext2", json_text(attributes), {&in, 1}));
}

}  // namespace bitexact::cli
