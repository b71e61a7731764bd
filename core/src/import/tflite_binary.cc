// Operators on two tensors that broadcast.
#include <cstring>

#include "import/tflite_ops.h"

namespace bitexact::tflite {
namespace {

struct Pair {
  Operand a, b;
};

Result<Pair> pair_of(Graph& g, const Node& n) {
  if (!Graph::has(n, 0) || !Graph::has(n, 1)) return error(Code::malformed, "two inputs are needed", at_node(n.index));
  if (g.type(n, 0) != g.type(n, 1) || g.type(n, 0) != g.output_type(n))
    return error(Code::unsupported, "of " + type_name(g.type(n, 0)) + " and " + type_name(g.type(n, 1)) + " to " +
                                        type_name(g.output_type(n)));
  const auto a = g.operand(n, 0), b = g.operand(n, 1);
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  return Pair{*a, *b};
}

// Arithmetic on shapes: two vectors of one length, or one of them a single number.
Status fold_integers(Graph& g, const Node& n, Op op) {
  const auto a = g.integers(n, 0), b = g.integers(n, 1);
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  const auto x = g.constant(n, 0), y = g.constant(n, 1);
  const Constant& longer = a->size() >= b->size() ? **x : **y;
  if (a->size() != b->size() && a->size() != 1 && b->size() != 1) return error(Code::shape, "integers that do not fit");
  if (longer.type.dtype != DType::i32 && longer.type.dtype != DType::i64)
    return error(Code::unsupported, "of constants of this type");
  Constant c{longer.type, longer.bytes};
  const size_t size = size_of(c.type.dtype), count = c.bytes.size() / size;
  for (size_t i = 0; i < count; ++i) {
    const auto u = static_cast<uint64_t>((*a)[a->size() == 1 ? 0 : i]),
               v = static_cast<uint64_t>((*b)[b->size() == 1 ? 0 : i]);
    const uint64_t wide = op == Op::add ? u + v : op == Op::sub ? u - v : u * v;
    const auto narrow = static_cast<uint32_t>(wide);
    std::memcpy(&c.bytes[i * size], size == 8 ? static_cast<const void*>(&wide) : &narrow, size);
  }
  return g.fold(n, std::move(c));
}

Status lower_quantized(Graph& g, const Node& n, Op op, const Activation& act, const Pair& inputs) {
  const auto a = g.quantization(n, 0), b = g.quantization(n, 1), out = g.output_quantization(n);
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  if (!out.ok()) return out.status();
  if (op == Op::maximum || op == Op::minimum) {
    if (!same(*a, *b) || !same(*a, *out)) return error(Code::unsupported, "tensors of different scales or zero points");
    return g.emit(n, op, BinaryAttrs{act}, {inputs.a, inputs.b});
  }
  if (op == Op::div) return error(Code::unsupported, "of quantized tensors");
  const DType dtype = g.type_of(inputs.a).dtype;
  auto attrs = op == Op::mul ? quant_mul_attrs(dtype, *a, *b, *out)
                             : quant_add_attrs(rule_of(g, n), dtype, *a, *b, *out, op == Op::sub);
  if (!attrs.ok()) return attrs.status();
  attrs->act = act;
  return g.emit(n, op == Op::mul ? Op::q_mul : Op::q_add, *attrs, {inputs.a, inputs.b});
}

Status lower_binary(Graph& g, const Node& n, Op op, fb::Fused fused) {
  const auto inputs = pair_of(g, n);
  if (!inputs.ok()) return inputs.status();
  const bool arithmetic = op == Op::add || op == Op::sub || op == Op::mul;
  if (!g.is_float(n, 0) && !g.is_quantized(n, 0)) {
    if (arithmetic && fused == fb::Fused::NONE && inputs->a.constant && inputs->b.constant)
      return fold_integers(g, n, op);
    if (arithmetic || op == Op::div) return error(Code::unsupported, "of " + type_name(g.type(n, 0)));
  }
  const auto act = activation(g, n, fused);
  if (!act.ok()) return act.status();
  if (g.is_quantized(n, 0)) return lower_quantized(g, n, op, *act, *inputs);
  return g.emit(n, op, BinaryAttrs{*act}, {inputs->a, inputs->b});
}

template <class Options>
Status lower_fused(Graph& g, const Node& n, Op op) {
  const auto* o = n.options<Options>();
  return lower_binary(g, n, op, o == nullptr ? fb::Fused::NONE : o->fused());
}

}  // namespace

Status lower_add(Graph& g, const Node& n) { return lower_fused<fb::AddOptions>(g, n, Op::add); }
Status lower_sub(Graph& g, const Node& n) { return lower_fused<fb::SubOptions>(g, n, Op::sub); }
Status lower_mul(Graph& g, const Node& n) { return lower_fused<fb::MulOptions>(g, n, Op::mul); }
Status lower_div(Graph& g, const Node& n) { return lower_fused<fb::DivOptions>(g, n, Op::div); }
Status lower_maximum(Graph& g, const Node& n) { return lower_binary(g, n, Op::maximum, fb::Fused::NONE); }
Status lower_minimum(Graph& g, const Node& n) { return lower_binary(g, n, Op::minimum, fb::Fused::NONE); }

}  // namespace bitexact::tflite
