// Each element alone, with another's, or along an axis.
#include <algorithm>
#include <cmath>
#include <limits>

#include "import/onnx_lower.h"

namespace bitexact::onnx {
namespace {

constexpr Activation kOpen;

bool single_scale(const Value* v) { return v != nullptr && v->scales && v->scales->single() && v->tensor; }

// A bound of Clip in units of the tensor; `fallback` when it is left out.
int32_t bound(Step& s, size_t input, const char* name, DType dtype, int32_t fallback) {
  if (s.version() < 11) {
    const Attribute* a = s.attribute(name);
    return a == nullptr ? fallback : to_q16(s, a->f);
  }
  if (!s.has(input)) return fallback;
  if (dtype == DType::q16) {
    const std::vector<float> v = s.need_floats(input, name);
    return v.empty() || v[0] != v[0] ? fallback : to_q16(s, v[0]);
  }
  const std::vector<int64_t> v = s.need_ints(input, name);
  if (v.empty()) return fallback;
  const int64_t within = std::clamp<int64_t>(v[0], kOpen.min, kOpen.max);
  if (within != v[0] && dtype == DType::i64) s.fail(Code::unsupported, std::string(name) + " beyond 32 bits");
  return static_cast<int32_t>(within);
}

Op binary_op(const std::string& op) {
  if (op == "Add" || op == "Sum") return Op::add;
  if (op == "Sub") return Op::sub;
  if (op == "Mul") return Op::mul;
  if (op == "Div") return Op::div;
  return op == "Max" ? Op::maximum : Op::minimum;
}

// All at once, as rows of one tensor: sums saturate at the end only.
TensorId sum_of(Step& s, std::vector<TensorId> rows) {
  std::vector<int64_t> dims;
  for (const TensorId id : rows) {
    const auto wider = broadcast_dims(dims, dims_of(s.shape(id)));
    if (!wider) s.fail(Code::shape, "shapes that do not fit each other");
    if (!s.ok()) return 0;
    dims = *wider;
  }
  for (TensorId& id : rows) {
    if (dims_of(s.shape(id)) != dims) id = s.emit(Op::expand, ExpandAttrs{dims}, {id});
    id = s.reshape(id, {1, product(dims)});
    if (!s.ok()) return 0;
  }
  const TensorId joined = s.emit(Op::concat, ConcatAttrs{0}, rows);
  return s.reshape(s.emit(s.node.op == "Mean" ? Op::reduce_mean : Op::reduce_sum, ReduceAttrs{{0}, false}, {joined}),
                   dims);
}

}  // namespace

Status lower_relu(Step& s) {
  Value* v = s.value(0);
  if (single_scale(v)) {
    const Quantization quant = v->scales->one();
    const ClampAttrs attrs{{quant.zero, kOpen.max}};
    const TensorId in = s.integer(0);
    const std::optional<Scales> scales = v->scales;
    return s.finish(s.emit(Op::clamp, attrs, {in}, quant), scales);
  }
  const TensorId in = s.tensor(0);
  if (s.ok() && s.dtype(in) != DType::q16) return s.finish(s.emit(Op::clamp, ClampAttrs{{0, kOpen.max}}, {in}));
  return s.finish(s.emit(Op::relu, {}, {in}));
}

Status lower_clip(Step& s) {
  const TensorId in = s.tensor(0);
  if (!s.ok()) return s.status;
  Activation act{bound(s, 1, "min", s.dtype(in), kOpen.min), bound(s, 2, "max", s.dtype(in), kOpen.max)};
  act.min = std::min(act.min, act.max);  // ONNX takes the minimum last
  return s.finish(s.emit(Op::clamp, ClampAttrs{act}, {in}));
}

Status lower_unary(Step& s) {
  const TensorId in = s.tensor(0);
  const std::string& op = s.node.op;
  if (op == "LeakyRelu") return s.finish(s.emit(Op::leaky_relu, LeakyReluAttrs{to_q16(s, s.f("alpha", 0.01F))}, {in}));
  if (op == "HardSigmoid") {
    const HardSigmoidAttrs attrs{to_q16(s, s.f("alpha", 0.2F)), to_q16(s, s.f("beta", 0.5F))};
    return s.finish(s.emit(Op::hard_sigmoid, attrs, {in}));
  }
  const Op plain = op == "Abs"         ? Op::abs
                   : op == "Neg"       ? Op::neg
                   : op == "Exp"       ? Op::exp
                   : op == "Tanh"      ? Op::tanh
                   : op == "HardSwish" ? Op::hard_swish
                                       : Op::sigmoid;
  return s.finish(s.emit(plain, {}, {in}));
}

Status lower_prelu(Step& s) {
  const TensorId in = s.tensor(0), slope = s.tensor(1);
  return s.finish(s.emit(Op::prelu, {}, {in, slope}));
}

Status lower_softmax(Step& s) {
  const TensorId in = s.tensor(0);
  const std::vector<int64_t> dims = s.dims(0);
  const bool flat = s.version() < 13;
  const size_t axis = s.ok() ? axis_in(s, s.i("axis", flat ? 1 : -1), dims.size()) : 0;
  if (!s.ok()) return s.status;
  if (!flat || axis + 1 == dims.size())
    return s.finish(s.emit(Op::softmax, SoftmaxAttrs{static_cast<int64_t>(axis)}, {in}));
  const TensorId rows = s.reshape(in, {product(dims, 0, axis), product(dims, axis, dims.size())});
  return s.finish(s.reshape(s.emit(Op::softmax, SoftmaxAttrs{1}, {rows}), dims));
}

Status lower_binary(Step& s) {
  const Value* first = s.value(0);
  const bool integer = first != nullptr && !first->scales &&
                       (first->tensor ? s.dtype(*first->tensor) != DType::q16
                                      : first->constant != nullptr && is_integer(first->constant->type));
  if (integer) {
    const Constant a = s.need(0, "an integer"), b = s.need(1, "an integer");
    const auto folded = s.ok() ? fold_arithmetic(s) : std::nullopt;
    return folded ? *folded : s.status;
  }
  const TensorId a = s.tensor(0), b = s.tensor(1);
  return s.finish(s.emit(binary_op(s.node.op), BinaryAttrs{}, {a, b}));
}

Status lower_variadic(Step& s) {
  constexpr size_t kMost = 1024;
  const size_t count = s.node.inputs.size();
  if (count > kMost) return s.refuse(Code::unsupported, "more than " + std::to_string(kMost) + " inputs");
  std::vector<TensorId> all;
  for (size_t i = 0; i < count; ++i) all.push_back(s.tensor(i));
  if (!s.ok() || count == 0) return s.refuse(Code::malformed, "it has no inputs");
  if (count > 1 && (s.node.op == "Mean" || (s.node.op == "Sum" && count > 2))) return s.finish(sum_of(s, all));
  TensorId result = all[0];
  for (size_t i = 1; i < count; ++i) result = s.emit(binary_op(s.node.op), BinaryAttrs{}, {result, all[i]});
  return s.finish(result);
}

Status lower_reduce(Step& s) {
  const int64_t since = s.node.op == "ReduceSum" ? 13 : 18;
  const std::vector<int64_t> axes = s.version() < since ? s.ints("axes") : s.ints_or_input("axes", 1);
  const TensorId in = s.tensor(0);
  if (s.ok() && axes.empty() && s.i("noop_with_empty_axes", 0) != 0) return s.finish(in);
  const Op op = s.node.op == "ReduceSum"    ? Op::reduce_sum
                : s.node.op == "ReduceMean" ? Op::reduce_mean
                : s.node.op == "ReduceMax"  ? Op::reduce_max
                                            : Op::reduce_min;
  return s.finish(s.emit(op, ReduceAttrs{axes, s.i("keepdims", 1) != 0}, {in}));
}

Status lower_argmax(Step& s) {
  const ArgmaxAttrs attrs{s.i("axis", 0), s.i("keepdims", 1) != 0, s.i("select_last_index", 0) != 0, DType::i64};
  const TensorId in = s.tensor(0);
  return s.finish(s.emit(s.node.op == "ArgMax" ? Op::argmax : Op::argmin, attrs, {in}));
}

Status lower_identity(Step& s) {
  const Value* v = s.value(0);
  if (v == nullptr || (v->scales && !s.charge(v->scales->scale.size()))) return s.status;
  s.l.values[s.node.outputs[0]] = Value(*v);
  return {};
}

Status lower_dropout(Step& s) {
  if (s.wants(1)) return s.refuse(Code::unsupported, "the output mask");
  if (s.has(2)) {
    const std::vector<int64_t> training = s.need_ints(2, "training_mode");
    if (!training.empty() && training[0] != 0) s.fail(Code::unsupported, "dropout while training");
  }
  return s.ok() ? lower_identity(s) : s.status;
}

// A Mul by constants, one or one for each of the last axis, makes reals of sums that may be larger than q16 holds: both
// nodes are one dequantization.
std::optional<Status> cast_and_mul(Step& s, TensorId in) {
  const Node* mul = s.l.sole_reader(s.node.outputs[0], "Mul");
  if (mul == nullptr || mul->inputs.size() != 2) return std::nullopt;
  Step m(s.l, *mul);
  const size_t other = mul->inputs[0] == s.node.outputs[0] ? 1 : 0;
  const auto found = s.l.values.find(mul->inputs[other]);
  const Constant c = found != s.l.values.end() && !found->second.scales ? m.known(other) : nullptr;
  const Shape shape = s.shape(in);
  if (c == nullptr || !is_float(c->type) || shape.rank() == 0 || c->dims.size() > 1) return std::nullopt;
  const std::vector<float> scale = floats(*c);
  const auto fits = [](float v) { return std::isfinite(v) && v > 0; };
  if (scale.size() != 1 && static_cast<int64_t>(scale.size()) != shape[shape.rank() - 1]) return std::nullopt;
  if (!std::all_of(scale.begin(), scale.end(), fits)) return std::nullopt;
  const DequantizeAttrs attrs{bits_of(scale), std::vector<int32_t>(scale.size()), -1};
  return s.finish_as(*mul, s.emit(Op::dequantize, attrs, {in}));
}

// Of what is computed: between floats nothing happens, and small integers are exact in q16.
Status lower_cast(Step& s) {
  const auto to = static_cast<Type>(s.i("to", 0));
  const Value* v = s.value(0);
  if (v == nullptr) return s.status;
  const TensorId in = s.tensor(0);
  if (!s.ok()) return s.status;
  const DType from = s.dtype(in);
  if (dtype_of(to) == from) return lower_identity(s);
  if (!is_float(to) || from == DType::u16 || from == DType::i64)
    return s.refuse(Code::unsupported, std::string("from ") + dtype_name(from) + " to " + type_name(to));
  if (from == DType::i32)
    if (auto done = cast_and_mul(s, in)) return *done;
  return s.finish(s.emit(Op::dequantize, DequantizeAttrs{{0x3f800000}, {0}, 0}, {in}));
}

}  // namespace bitexact::onnx
