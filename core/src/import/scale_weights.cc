// ARITHMETIC 9: the one place where floats of a model become integers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "import/builder.h"

namespace bitexact {
namespace {

constexpr int32_t kMostShift = 30;

// floor(x * 2^n + 1/2), exactly. Saturates far outside what any caller accepts.
int64_t scaled(float x, int32_t n) {
  const auto bits = __builtin_bit_cast(uint32_t, x);
  const auto exponent = static_cast<int32_t>(bits >> 23 & 255);
  const int64_t mantissa = (bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
  const int64_t value = (bits >> 31) != 0 ? -mantissa : mantissa;
  const int32_t shift = std::max(exponent, 1) - 150 + n;  // x * 2^n = value * 2^shift
  if (shift >= 38)
    return value < 0 ? std::numeric_limits<int64_t>::min() : value > 0 ? std::numeric_limits<int64_t>::max() : 0;
  if (shift >= 0) return value * (int64_t{1} << shift);
  if (shift < -62) return 0;
  return (value + (int64_t{1} << (-shift - 1))) >> -shift;
}

Status finite(const std::string& name, std::span<const float> values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) return error(Code::argument, name + " holds NaN or infinity", at_element(i));
  return {};
}

// Where channel c's elements are: in its group, one of `groups` parts of `outer`, runs of `inner`.
struct Channels {
  size_t groups = 1, outer = 1, each_group = 1, inner = 1;
  [[nodiscard]] size_t count() const { return groups * each_group; }
  template <class Visit>
  void each(size_t c, Visit&& visit) const {
    const size_t runs = outer / groups, first = c / each_group * runs;
    for (size_t o = first; o < first + runs; ++o)
      for (size_t i = 0; i < inner; ++i) visit((o * each_group + c % each_group) * inner + i);
  }
};

Channels channels_of(const Shape& shape, size_t axis, int64_t groups) {
  Channels c{static_cast<size_t>(groups)};
  for (size_t i = 0; i < shape.rank(); ++i) {
    size_t& part = i < axis ? c.outer : i == axis ? c.each_group : c.inner;
    part *= static_cast<size_t>(shape[i]);
  }
  return c;
}

// The largest n for which the channel's largest weight stays within 32767; nothing when none does.
std::optional<int32_t> shift_of(float largest) {
  for (int32_t n = kMostShift; n >= 0; --n)
    if (scaled(largest, n) <= 32767) return n;
  return std::nullopt;
}

std::span<const std::byte> bytes_of(const auto& vector) { return std::as_bytes(std::span(vector)); }

Result<std::vector<int64_t>> scale_bias(const std::string& name, std::span<const float> bias,
                                        const std::vector<int32_t>& shift) {
  constexpr int64_t kMost = int64_t{1} << 62;
  std::vector<int64_t> out(bias.size());
  for (size_t c = 0; c < bias.size(); ++c) {
    out[c] = scaled(bias[c], shift[c] + 16);
    if (out[c] <= -kMost || out[c] >= kMost)
      return error(Code::unsupported,
                   name + ": the bias of channel " + std::to_string(c) + " is too large beside its weights");
  }
  return out;
}

}  // namespace

Result<ScaledWeights> scale_weights(Builder& b, const std::string& name, const Shape& shape, size_t channel_axis,
                                    std::span<const float> weights, std::span<const float> bias, int64_t groups) {
  BITEXACT_TRY(finite(name, weights));
  BITEXACT_TRY(finite(name + " (bias)", bias));
  const Channels channels = channels_of(shape, channel_axis, groups);
  if (weights.size() != element_count(shape).value_or(0) || (!bias.empty() && bias.size() != channels.count()))
    return error(Code::shape, name + ": " + std::to_string(weights.size()) + " weights and " +
                                  std::to_string(bias.size()) + " biases for " + shape.text());
  ScaledWeights out;
  std::vector<int16_t> integers(weights.size());
  for (size_t c = 0; c < channels.count(); ++c) {
    float largest = 0;
    channels.each(c, [&](size_t i) { largest = std::max(largest, std::fabs(weights[i])); });
    const auto n = shift_of(largest);
    if (!n) return error(Code::unsupported, name + ": weights of channel " + std::to_string(c) + " exceed 32767");
    out.shift.push_back(*n);
    channels.each(c, [&](size_t i) { integers[i] = static_cast<int16_t>(scaled(weights[i], *n)); });
  }
  const auto id = b.constant(name, {DType::i16, shape}, bytes_of(integers));
  if (!id.ok()) return id.status();
  out.weights = *id;
  if (bias.empty()) return out;
  const auto wide = scale_bias(name, bias, out.shift);
  if (!wide.ok()) return wide.status();
  const auto bias_id = b.constant("", {DType::i64, {static_cast<int64_t>(bias.size())}}, bytes_of(*wide));
  if (!bias_id.ok()) return bias_id.status();
  out.bias = *bias_id;
  return out;
}

Result<TensorId> constant_q16(Builder& b, const std::string& name, const Shape& shape, std::span<const float> values) {
  BITEXACT_TRY(finite(name, values));
  std::vector<int32_t> integers;
  integers.reserve(values.size());
  for (const float v : values)
    integers.push_back(static_cast<int32_t>(std::clamp<int64_t>(scaled(v, 16), INT32_MIN, INT32_MAX)));
  return b.constant(name, {DType::q16, shape}, bytes_of(integers));
}

}  // namespace bitexact
