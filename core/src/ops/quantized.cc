#include "ops/quantized.h"

#include <algorithm>

#include "ops/axis.h"
#include "ops/bound.h"
#include "ops/broadcast.h"

namespace bitexact {

Range range_of(DType t) noexcept {
  const Activation whole = clamp_to({}, t);
  return {whole.min, whole.max};
}

int64_t reach(DType t, int64_t zero) noexcept {
  const Range r = range_of(t);
  return std::max(zero - r.lowest, r.highest - zero);
}

Status check_within(const char* name, int64_t value, int64_t lo, int64_t hi) {
  if (lo <= value && value <= hi) return {};
  return error(Code::argument, std::string(name) + " is " + std::to_string(value) + ", not between " +
                                   std::to_string(lo) + " and " + std::to_string(hi));
}

Status check_zero(const char* name, int32_t zero, DType t) {
  return check_within(name, zero, range_of(t).lowest, range_of(t).highest);
}

Status check_scaled(const char* name, int32_t multiplier, int32_t shift, int32_t highest_shift) {
  const std::string n(name);
  BITEXACT_TRY(check_within((n + "multiplier").c_str(), multiplier, 0, std::numeric_limits<int32_t>::max()));
  return check_within((n + "shift").c_str(), shift, -31, highest_shift);
}

Status check_length(const char* name, size_t length, int64_t count) {
  if (length == 1 || (length > 1 && count == -1) || static_cast<int64_t>(length) == count) return {};
  return error(Code::argument, std::string(name) + " has " + std::to_string(length) +
                                   " elements; expected one, or one for each of " + std::to_string(count));
}

Status check_zeros(const char* name, const std::vector<int32_t>& zeros, DType t, int64_t count) {
  if (zeros.empty()) return {};
  BITEXACT_TRY(check_length(name, zeros.size(), count));
  for (const int32_t zero : zeros) BITEXACT_TRY(check_zero(name, zero, t));
  return {};
}

Zeros zeros_of(const std::vector<int32_t>& zeros) {
  if (zeros.empty()) return {nullptr, 1};
  return {zeros.data(), static_cast<ptrdiff_t>(zeros.size())};
}

namespace {

template <class Weight>
uint64_t sum_of_constants(const WeightRun& run, int32_t zero) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run.count; ++i)
    sum += size_of_value(int64_t{static_cast<const Weight*>(run.at)[run.first + i * run.step]} - zero);
  return sum;
}

}  // namespace

uint64_t sum_of_sizes(const WeightRun& run, int32_t zero) {
  if (run.at == nullptr) return saturating_mul(run.count, static_cast<uint64_t>(reach(run.dtype, zero)));
  return run.dtype == DType::i8 ? sum_of_constants<int8_t>(run, zero) : sum_of_constants<uint8_t>(run, zero);
}

Status check_scales(std::span<const uint32_t> scales) {
  constexpr uint32_t kInfinity = 0x7f800000;
  for (const uint32_t bits : scales)
    if (bits == 0 || bits >= kInfinity)
      return error(Code::argument, "scale of bits " + std::to_string(bits) + " is not finite and above 0");
  return {};
}

namespace {

Status check_tflm(const QuantAttrs& q, bool wide, int64_t channels) {
  BITEXACT_TRY(check_length("multiplier", q.multiplier.size(), channels));
  if (q.shift.size() != q.multiplier.size())
    return error(Code::argument, "shift has " + std::to_string(q.shift.size()) + " elements, multiplier " +
                                     std::to_string(q.multiplier.size()));
  for (size_t i = 0; i < q.shift.size(); ++i)
    BITEXACT_TRY(check_scaled("", q.multiplier[i], q.shift[i], wide ? 14 : 30));
  return {};
}

Status check_xnnpack(const QuantAttrs& q, DType data, int64_t channels) {
  if (data == DType::i16) return error(Code::unsupported, "the rule xnnpack takes i8 and u8, not i16");
  BITEXACT_TRY(check_length("scale", q.scale.size(), channels));
  return check_scales(q.scale);
}

}  // namespace

Status check_requant(const QuantAttrs& q, DType data, bool wide, int64_t channels) {
  return q.rule == Requant::tflm ? check_tflm(q, wide, channels) : check_xnnpack(q, data, channels);
}

RequantParams requant_params(const QuantAttrs& q, bool wide) {
  const size_t channels = q.rule == Requant::tflm ? q.multiplier.size() : q.scale.size();
  return {q.rule,         q.input_zero,   q.weight_zero, q.output_zero, q.multiplier.data(),
          q.shift.data(), q.scale.data(), channels > 1,  wide};
}

namespace {

Status check_add_tflm(const QBinaryAttrs& a, DType t) {
  BITEXACT_TRY(check_within("left_shift", a.left_shift, 0, 30));
  const int64_t largest = std::max(reach(t, a.in.zero), reach(t, a.b.zero));
  if (largest << a.left_shift > std::numeric_limits<int32_t>::max())
    return error(Code::argument, "left_shift " + std::to_string(a.left_shift) + " moves inputs of up to " +
                                     std::to_string(largest) + " beyond 32 bits");
  BITEXACT_TRY(check_scaled("input_", a.in.multiplier, a.in.shift, 30));
  return check_scaled("b_", a.b.multiplier, a.b.shift, 30);
}

Status check_rule(const Operands& o, const QBinaryAttrs& a) {
  if (a.rule == Requant::tflm) {
    if (o.op == Op::q_add) BITEXACT_TRY(check_add_tflm(a, o.in[0].dtype));
    return check_scaled("output_", a.output.multiplier, a.output.shift, 30);
  }
  if (o.op == Op::q_mul) return error(Code::unsupported, "q_mul knows the rule tflm alone");
  if (o.in[0].dtype == DType::i16) return error(Code::unsupported, "the rule xnnpack takes i8 and u8, not i16");
  return check_within("left_shift", a.left_shift, 1, 62);
}

}  // namespace

Result<TensorType> infer_q_binary(const Operands& o) {
  const auto& a = o.as<QBinaryAttrs>();
  BITEXACT_TRY(need_dtype(o, 0, kQuantized));
  BITEXACT_TRY(need_dtype(o, 1, only(o.in[0].dtype)));
  BITEXACT_TRY(check_activation(a.act));
  BITEXACT_TRY(check_zero("input_zero", a.in.zero, o.in[0].dtype));
  BITEXACT_TRY(check_zero("b_zero", a.b.zero, o.in[0].dtype));
  BITEXACT_TRY(check_zero("output_zero", a.output.zero, o.in[0].dtype));
  BITEXACT_TRY(check_rule(o, a));
  const auto shape = broadcast_shapes(o.in[0].shape, o.in[1].shape);
  if (!shape.ok()) return shape.status();
  return TensorType{o.in[0].dtype, *shape};
}

Status prepare_q_binary(Prepare& p) {
  const auto& a = p.operands.as<QBinaryAttrs>();
  const auto in = p.operands.in;
  p.args.q_binary =
      &p.keep(QBinaryParams{binary_params(in[0].shape, in[1].shape, p.out.shape, clamp_to(a.act, p.out.dtype)), &a});
  return {};
}

Result<TensorType> infer_q_softmax(const Operands& o) {
  const auto& a = o.as<QSoftmaxAttrs>();
  const TensorType& in = o.in[0];
  BITEXACT_TRY(need_dtype(o, 0, kQuantized));
  if (a.output != in.dtype && a.output != DType::i16)
    return error(Code::unsupported, std::string("from ") + dtype_name(in.dtype) + " softmax gives " +
                                        dtype_name(in.dtype) + " or i16, not " + dtype_name(a.output));
  const bool tables = in.dtype == DType::i16;
  BITEXACT_TRY(check_scaled("input_", a.input_multiplier, 0, 0));
  BITEXACT_TRY(check_within("input_left_shift", a.input_left_shift, tables ? -31 : 0, tables ? 30 : 31));
  if (!tables) BITEXACT_TRY(check_within("diff_min", a.diff_min, std::numeric_limits<int32_t>::min(), 0));
  const size_t rank = in.shape.rank();
  if (rank == 0 || in.shape[rank - 1] == 0)
    return error(Code::shape, "softmax needs an axis of at least one element, got " + in.shape.text());
  // So many elements that weigh 1 leave 32 bits.
  const int64_t most = tables ? 65536 : 8191;
  if (in.shape[rank - 1] > most)
    return error(Code::unsupported, "softmax sums at most " + std::to_string(most) + " elements in 32 bits, not " +
                                        std::to_string(in.shape[rank - 1]));
  return TensorType{a.output, in.shape};
}

Status prepare_q_softmax(Prepare& p) {
  const auto& a = p.operands.as<QSoftmaxAttrs>();
  p.args.q_softmax = {axis_params(p.out.shape, p.out.shape.rank() - 1), a.input_multiplier, a.input_left_shift,
                      a.diff_min};
  p.args.q_softmax.axis.output = a.output;
  return {};
}

Result<TensorType> infer_q_curve(const Operands& o) {
  const auto& a = o.as<QCurveAttrs>();
  const DType dtype = o.in[0].dtype;
  BITEXACT_TRY(need_dtype(o, 0, only(DType::i8) | only(DType::i16)));
  BITEXACT_TRY(check_zero("input_zero", a.input_zero, dtype));
  BITEXACT_TRY(check_scaled("input_", a.input_multiplier, a.input_left_shift, 30));
  if (dtype == DType::i16) {
    BITEXACT_TRY(check_within("input_zero", a.input_zero, 0, 0));
    BITEXACT_TRY(check_within("input_multiplier", a.input_multiplier, 0, std::numeric_limits<int16_t>::max()));
    BITEXACT_TRY(check_within("input_left_shift", a.input_left_shift, 0, 30));
  }
  return o.in[0];
}

// TFLite's radius: how many steps of the input reach 15. No i8 is 2^10 steps from its zero.
Status prepare_q_curve(Prepare& p) {
  const auto& a = p.operands.as<QCurveAttrs>();
  const int32_t places = 27 - a.input_left_shift, radius = places >= 6   ? 1 << 10
                                                           : places >= 0 ? 15 << places
                                                                         : 15 >> -places;
  p.args.q_curve = {*element_count(p.out.shape), a.input_zero, a.input_multiplier, a.input_left_shift, radius};
  return {};
}

}  // namespace bitexact
