// DequantizeLinear, an operator on reals, QuantizeLinear: one operator on integers, where there is one.
#include <algorithm>
#include <cmath>

#include "import/onnx_quantized.h"

namespace bitexact::onnx {
namespace {

// A known value of an input that may come later in the file: nothing is reported.
Constant peek(Step& s, size_t input) {
  if (!s.has(input) || !s.l.values.contains(s.node.inputs[input])) return nullptr;
  return s.known(input);
}

std::optional<float> bound_of(Step& clip, size_t input, const char* name, float open) {
  if (clip.version() < 11) return clip.f(name, open);
  if (!clip.has(input)) return open;
  const Constant c = peek(clip, input);
  const std::vector<float> v = c != nullptr && product(c->dims) == 1 ? floats(*c) : std::vector<float>{};
  return v.size() == 1 && v[0] == v[0] ? std::optional(v[0]) : std::nullopt;
}

bool set_activation(Step& s, Target& t) {
  if (t.activation == nullptr) return true;
  if (t.activation->op == "Relu") {
    t.act.min = t.quant.zero;
    return true;
  }
  Step clip(s.l, *t.activation);
  const auto low = bound_of(clip, 1, "min", -INFINITY), high = bound_of(clip, 2, "max", INFINITY);
  if (!low || !high || *low > *high) return false;
  t.act = {quantized_of(*low, t.quant), quantized_of(*high, t.quant)};
  return true;
}

// Integers of weights: [channels, ...], one zero for all.
std::optional<QuantizedWeights> weights_of(Step& s, int64_t axis) {
  const Value* v = s.value(1);
  if (v == nullptr || v->constant == nullptr || !v->scales) return std::nullopt;
  const Type type = v->constant->type;
  const Scales& w = *v->scales;
  if (type != Type::i8 && type != Type::u8) return std::nullopt;
  if (std::adjacent_find(w.zero.begin(), w.zero.end(), std::not_equal_to<>()) != w.zero.end()) return std::nullopt;
  const auto rank = static_cast<int64_t>(v->constant->dims.size());
  if (!w.single() && (w.axis < 0 ? w.axis + rank : w.axis) != axis) return std::nullopt;
  return QuantizedWeights{0, w.scale, w.zero[0]};
}

// The bias in units of its accumulator. Where the file has those integers already they are taken as they are.
std::optional<TensorId> bias_of(Step& s, const Quantization& in, const std::vector<float>& weights) {
  const Value* v = s.value(2);
  const Constant real = s.known(2);
  if (v == nullptr || real == nullptr || !s.charge(static_cast<uint64_t>(product(real->dims)))) return std::nullopt;
  const std::vector<double> b = reals(*real);
  std::vector<int64_t> out = v->scales ? integers(*v->constant) : std::vector<int64_t>(b.size());
  for (size_t c = 0; c < b.size(); ++c) {
    const double unit =
        static_cast<double>(in.scale) * weights[weights.size() == 1 ? 0 : std::min(c, weights.size() - 1)];
    const bool exact = v->scales && v->scales->zero[v->scales->single() ? 0 : c] == 0 &&
                       std::fabs(v->scales->scale[v->scales->single() ? 0 : c] - unit) <= unit * 1e-6;
    if (!(unit > 0) || !std::isfinite(b[c])) s.fail(Code::argument, "a bias or scale that is no finite number");
    if (!exact && s.ok())
      out[c] = static_cast<int64_t>(std::clamp(std::round(b[c] / unit), -2147483648.0, 2147483647.0));
  }
  const auto c = make_constant(Type::i32, {static_cast<int64_t>(b.size())}, out);
  std::vector<std::byte> bytes = c->bytes;
  swap_on_big_endian(bytes, 4);
  const auto id = s.b.constant(s.node.inputs[2], {DType::i32, {static_cast<int64_t>(b.size())}}, bytes);
  if (!id.ok()) s.fail(id.status().code, id.status().why);
  return id.ok() ? std::optional(*id) : std::nullopt;
}

Status finish_target(Step& s, const Target& t, TensorId out) {
  if (s.ok() && t.activation != nullptr) s.l.done.insert(static_cast<size_t>(t.activation - s.l.graph.nodes.data()));
  return s.finish_as(*t.quantize, out);
}

std::optional<Status> between_conv(Step& s, const Target& t, const Quantization& in) {
  auto w = weights_of(s, 0);
  if (!w || (s.has(2) && peek(s, 2) == nullptr)) return std::nullopt;
  std::optional<TensorId> bias;
  if (s.has(2)) bias = bias_of(s, in, w->scale);
  w->id = s.integer(1);
  const TensorId x = s.integer(0);
  return finish_target(s, t, quantized_conv(s, x, in, *w, bias, t.quant, t.act));
}

std::optional<Status> between_dense(Step& s, const Target& t, const Quantization& in) {
  const bool gemm = s.node.op == "Gemm", flipped = gemm && s.i("transB", 0) != 0;
  if (gemm && (s.i("transA", 0) != 0 || s.f("alpha", 1) != 1 || s.f("beta", 1) != 1)) return std::nullopt;
  auto w = weights_of(s, flipped ? 0 : 1);
  const Value* v = s.value(1);
  if (!w || v->constant->dims.size() != 2) return std::nullopt;
  const int64_t n = v->constant->dims[flipped ? 0 : 1];
  std::optional<TensorId> bias;
  if (s.has(2)) {
    const Constant c = peek(s, 2);
    // One number for each column.
    if (c == nullptr || product(c->dims) != n || (n != 1 && c->dims.back() != n)) return std::nullopt;
    bias = bias_of(s, in, w->scale);
  }
  w->id = flipped ? s.integer(1) : weights_by_output(s, 1);
  const TensorId x = s.integer(0);
  return finish_target(s, t, quantized_dense(s, x, in, *w, bias, t.quant, t.act));
}

std::optional<Status> between_binary(Step& s, const Target& t, const Quantization& a) {
  const auto b = single_scale(s, 1);
  if (!b) return std::nullopt;
  const bool sum = s.node.op == "Add";
  const TensorId x = s.integer(0), y = s.integer(1);
  if (!s.ok() || s.dtype(x) != s.dtype(y)) return std::nullopt;
  auto attrs = sum ? quant_add_attrs(s.l.options.requant, t.dtype, a, *b, t.quant, false)
                   : quant_mul_attrs(t.dtype, a, *b, t.quant);
  if (!attrs.ok()) return std::nullopt;
  attrs->act = t.act;
  return finish_target(s, t, s.emit(sum ? Op::q_add : Op::q_mul, *attrs, {x, y}, t.quant));
}

std::optional<Status> between_mean(Step& s, const Target& t, const Quantization& in) {
  const std::vector<int64_t> dims = s.dims(0);
  if (dims.size() < 3) return std::nullopt;
  auto q = quant_reduce_attrs(s.l.options.requant, in, t.quant, product(dims, 2, dims.size()), true);
  if (!q.ok()) return std::nullopt;
  QMeanAttrs attrs{{}, true, std::move(*q), t.act};
  for (size_t k = 2; k < dims.size(); ++k) attrs.axes.push_back(static_cast<int64_t>(k));
  const TensorId x = s.integer(0);
  return finish_target(s, t, s.emit(Op::q_mean, attrs, {x}, t.quant));
}

}  // namespace

std::optional<Quantization> single_scale(Step& s, size_t input) {
  const auto found = s.has(input) ? s.l.values.find(s.node.inputs[input]) : s.l.values.end();
  if (found == s.l.values.end() || !found->second.scales || !found->second.scales->single()) return std::nullopt;
  return found->second.scales->one();
}

std::optional<Target> target_of(Step& s) {
  Target t;
  std::string out = s.node.outputs[0];
  for (const char* op : {"Relu", "Clip"})
    if (t.activation == nullptr) t.activation = s.l.sole_reader(out, op);
  if (t.activation != nullptr && !t.activation->outputs.empty()) out = t.activation->outputs[0];
  t.quantize = s.l.sole_reader(out, "QuantizeLinear");
  if (t.quantize == nullptr || t.quantize->inputs.empty() || t.quantize->inputs[0] != out) return std::nullopt;
  Step q(s.l, *t.quantize);
  const Constant scale = peek(q, 1), zero = peek(q, 2);
  if (scale == nullptr || zero == nullptr || q.i("block_size", 0) != 0) return std::nullopt;
  if (product(scale->dims) != 1 || product(zero->dims) != 1) return std::nullopt;
  const std::vector<float> scales = floats(*scale);
  const std::vector<int64_t> zeros = integers(*zero);
  const auto dtype = dtype_of(zero->type);
  if (scales.size() != 1 || zeros.size() != 1 || !dtype) return std::nullopt;
  t.quant = {scales[0], static_cast<int32_t>(zeros[0])};
  t.dtype = *dtype;
  return set_activation(s, t) ? std::optional(t) : std::nullopt;
}

std::optional<Status> lower_between_quantized(Step& s) {
  const std::string& op = s.node.op;
  const bool conv = op == "Conv", dense = op == "Gemm" || op == "MatMul", binary = op == "Add" || op == "Mul";
  if (!conv && !dense && !binary && op != "GlobalAveragePool") return std::nullopt;
  const auto in = single_scale(s, 0);
  const auto target = in ? target_of(s) : std::nullopt;
  const Value* v = in ? s.value(0) : nullptr;
  if (!target || !v->tensor || s.dtype(*v->tensor) != target->dtype) return std::nullopt;
  if (conv) return between_conv(s, *target, *in);
  if (dense) return between_dense(s, *target, *in);
  return binary ? between_binary(s, *target, *in) : between_mean(s, *target, *in);
}

}  // namespace bitexact::onnx
