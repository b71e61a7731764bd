// Scales of a model become multipliers, at most one rounding for each operation written here. No contraction: the
// build's options see to that.
#include "import/quantized.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "bitexact/quantize.h"

namespace bitexact {
namespace {

Status check_scale(float scale) {
  if (std::isfinite(scale) && scale > 0) return {};
  return error(Code::argument, "a scale of " + std::to_string(scale) + " is not finite and above 0");
}

Status check_real_scales(std::initializer_list<float> scales) {
  for (const float s : scales) BITEXACT_TRY(check_scale(s));
  return {};
}

Status push_multiplier(QuantAttrs& q, double real) {
  int32_t multiplier = 0, shift = 0;
  BITEXACT_TRY(quantize_multiplier(real, multiplier, shift));
  q.multiplier.push_back(multiplier);
  q.shift.push_back(shift);
  return {};
}

Status set_multiplier(QBinaryAttrs::Scaled& s, double real) { return quantize_multiplier(real, s.multiplier, s.shift); }

// real * 2^shift to nearest, ties to even.
int32_t scaled_to_even(float real, int32_t shift) {
  const double exact = std::ldexp(static_cast<double>(real), shift);
  const double down = std::floor(exact), rest = exact - down;
  const auto whole = static_cast<int32_t>(down);
  return whole + (rest > 0.5 || (rest == 0.5 && whole % 2 != 0) ? 1 : 0);
}

// The larger of the two ratios lies in [2^20, 2^21) once shifted.
Result<QBinaryAttrs> add_xnnpack(const Quantization& a, const Quantization& b, const Quantization& out, bool subtract) {
  const float ra = a.scale / out.scale, rb = b.scale / out.scale;
  const float larger = std::max(ra, rb);
  BITEXACT_TRY(check_real_scales({ra, rb}));
  const int32_t shift = 20 - std::ilogb(larger);
  if (shift < 1 || shift > 62) return error(Code::unsupported, "scales of an addition differ too much for xnnpack");
  const int32_t mb = scaled_to_even(rb, shift);
  return QBinaryAttrs{Requant::xnnpack,
                      {a.zero, scaled_to_even(ra, shift), 0},
                      {b.zero, subtract ? -mb : mb, 0},
                      {out.zero, 0, 0},
                      shift,
                      {}};
}

Result<QBinaryAttrs> add_tflm(DType dtype, const Quantization& a, const Quantization& b, const Quantization& out) {
  const int32_t left = dtype == DType::i16 ? 15 : 20;
  const double twice = 2 * std::max<double>(a.scale, b.scale);
  QBinaryAttrs q{Requant::tflm, {a.zero, 0, 0}, {b.zero, 0, 0}, {out.zero, 0, 0}, left, {}};
  BITEXACT_TRY(set_multiplier(q.in, a.scale / twice));
  BITEXACT_TRY(set_multiplier(q.b, b.scale / twice));
  BITEXACT_TRY(set_multiplier(q.output, twice / (static_cast<double>(1 << left) * out.scale)));
  return q;
}

}  // namespace

Result<QuantAttrs> quant_attrs(Requant rule, const Quantization& in, std::span<const float> weights,
                               int32_t weight_zero, const Quantization& out) {
  QuantAttrs q{rule, in.zero, weight_zero, out.zero, {}, {}, {}};
  BITEXACT_TRY(check_real_scales({in.scale, out.scale}));
  for (const float w : weights) {
    BITEXACT_TRY(check_scale(w));
    if (rule == Requant::tflm) {
      BITEXACT_TRY(push_multiplier(q, static_cast<double>(in.scale) * w / out.scale));
    } else {
      const float product = in.scale * w;
      q.scale.push_back(__builtin_bit_cast(uint32_t, product / out.scale));
    }
  }
  return q;
}

Result<RequantizeAttrs> requantize_attrs(Requant rule, const Quantization& in, const Quantization& out, DType output) {
  const float one = 1;
  auto quant = quant_attrs(rule, in, {&one, 1}, 0, out);
  if (!quant.ok()) return quant.status();
  return RequantizeAttrs{std::move(*quant), output};
}

Result<QuantAttrs> quant_reduce_attrs(Requant rule, const Quantization& in, const Quantization& out, int64_t count,
                                      bool mean) {
  BITEXACT_TRY(check_real_scales({in.scale, out.scale}));
  if (count < 1 || count > std::numeric_limits<int32_t>::max())
    return error(Code::shape, "a reduction of " + std::to_string(count) + " elements");
  QuantAttrs q{rule, in.zero, 0, out.zero, {}, {}, {}};
  if (rule == Requant::xnnpack) {
    const float unit = mean ? out.scale * static_cast<float>(count) : out.scale;
    q.scale.push_back(__builtin_bit_cast(uint32_t, in.scale / unit));
    return q;
  }
  BITEXACT_TRY(push_multiplier(q, static_cast<double>(in.scale) / out.scale));
  if (!mean) return q;
  // TFLite divides the multiplier by the count, with as many bits before as the shift allows.
  int32_t &multiplier = q.multiplier[0], &shift = q.shift[0];
  const int32_t bits =
      std::min({static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(count))) - 1, 32, 31 + shift});
  multiplier = static_cast<int32_t>((int64_t{multiplier} << bits) / count);
  shift -= bits;
  return q;
}

Result<QBinaryAttrs> quant_add_attrs(Requant rule, DType dtype, const Quantization& a, const Quantization& b,
                                     const Quantization& out, bool subtract) {
  BITEXACT_TRY(check_real_scales({a.scale, b.scale, out.scale}));
  // Of 16 bits the rule xnnpack knows nothing.
  if (rule == Requant::xnnpack && dtype != DType::i16) return add_xnnpack(a, b, out, subtract);
  if (subtract) return error(Code::unsupported, "a quantized subtraction needs the rule xnnpack and 8 bits");
  return add_tflm(dtype, a, b, out);
}

Result<QBinaryAttrs> quant_mul_attrs(DType dtype, const Quantization& a, const Quantization& b,
                                     const Quantization& out) {
  BITEXACT_TRY(check_real_scales({a.scale, b.scale, out.scale}));
  const auto reach = [](const Quantization& q) { return 32768 + std::abs(int64_t{q.zero}); };
  if (dtype == DType::i16 && reach(a) * reach(b) > std::numeric_limits<int32_t>::max())
    return error(Code::unsupported, "products of 16 bits about zeros " + std::to_string(a.zero) + " and " +
                                        std::to_string(b.zero) + " leave 32 bits");
  QBinaryAttrs q{Requant::tflm, {a.zero, 0, 0}, {b.zero, 0, 0}, {out.zero, 0, 0}, 0, {}};
  BITEXACT_TRY(set_multiplier(q.output, static_cast<double>(a.scale) * b.scale / out.scale));
  return q;
}

Result<QSoftmaxAttrs> quant_softmax_attrs(DType dtype, const Quantization& in, float beta) {
  BITEXACT_TRY(check_real_scales({in.scale, beta}));
  QSoftmaxAttrs q{0, 0, 0, dtype};
  if (dtype == DType::i16) {
    const double real = static_cast<double>(in.scale) * beta / (10.0 / 65535.0);
    BITEXACT_TRY(quantize_multiplier(real, q.input_multiplier, q.input_left_shift));
    return q;
  }
  constexpr int32_t kDifferenceBits = 5;
  const double most = static_cast<double>(std::numeric_limits<int32_t>::max());
  const double real = std::min(static_cast<double>(beta) * in.scale * (1 << (31 - kDifferenceBits)), most);
  BITEXACT_TRY(quantize_multiplier(real, q.input_multiplier, q.input_left_shift));
  if (real <= 1) return error(Code::unsupported, "softmax of a scale of " + std::to_string(in.scale));
  const double radius =
      std::ldexp(((1 << kDifferenceBits) - 1) * std::ldexp(1.0, 31 - kDifferenceBits), -q.input_left_shift);
  q.diff_min = -static_cast<int32_t>(std::min(std::floor(radius), most));
  return q;
}

namespace {

// TFLite takes a scale for a power of two when its logarithm is off by less than a thousandth.
bool is_power(float scale, int exponent) {
  return scale > std::exp2(exponent - 0.001) && scale < std::exp2(exponent + 0.001);
}

// To 1/12288ths, with 15 bits of the multiplier; 3/4096 and, of tanh, 6/4096 exactly.
Result<QCurveAttrs> curve_attrs16(Op op, const Quantization& in) {
  if (in.zero != 0) return error(Code::unsupported, "a 16-bit input whose zero is not 0");
  if (is_power(in.scale, -12)) return QCurveAttrs{0, 3, 0};
  if (op == Op::q_tanh && is_power(in.scale, -11)) return QCurveAttrs{0, 6, 0};
  constexpr double kMost = 32767;
  double multiplier = static_cast<double>(in.scale) * 4096.0 * 3.0;
  int32_t shift = 0;
  for (; multiplier <= kMost / 2 && shift <= 30; ++shift) multiplier *= 2;
  if (multiplier > kMost || shift > 30)
    return error(Code::unsupported, "a 16-bit input of scale " + std::to_string(in.scale));
  return QCurveAttrs{0, static_cast<int32_t>(multiplier), shift};
}

}  // namespace

Quantization curve_quantization(Op op, DType dtype) noexcept {
  if (dtype == DType::i16) return {1 / 32768.0F, 0};
  return op == Op::q_sigmoid ? Quantization{1 / 256.0F, -128} : Quantization{1 / 128.0F, 0};
}

Result<QCurveAttrs> quant_curve_attrs(Op op, DType dtype, const Quantization& in) {
  BITEXACT_TRY(check_real_scales({in.scale}));
  if (dtype == DType::i16) return curve_attrs16(op, in);
  QCurveAttrs q{in.zero, 0, 0};
  BITEXACT_TRY(quantize_multiplier(static_cast<double>(in.scale) * (1 << 27), q.input_multiplier, q.input_left_shift));
  return q;
}

int32_t quantized_of(float real, const Quantization& q) {
  const float steps = std::round(real / q.scale);
  const double sum = static_cast<double>(q.zero) + static_cast<double>(steps);
  if (!(sum > std::numeric_limits<int32_t>::min())) return std::numeric_limits<int32_t>::min();
  if (sum >= std::numeric_limits<int32_t>::max()) return std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(sum);
}

}  // namespace bitexact
