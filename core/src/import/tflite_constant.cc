// Known elements as numbers.
#include <bit>
#include <cstring>

#include "import/tflite_graph.h"

namespace bitexact::tflite {
namespace {

template <class T>
int64_t element(const std::byte* at) {
  T v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

// Of an integer dtype.
int64_t integer_at(const Constant& c, size_t i) {
  const std::byte* at = c.bytes.data() + i * size_of(c.type.dtype);
  switch (c.type.dtype) {
    case DType::i8:
      return element<int8_t>(at);
    case DType::u8:
      return element<uint8_t>(at);
    case DType::i16:
      return element<int16_t>(at);
    case DType::u16:
      return element<uint16_t>(at);
    case DType::i64:
      return element<int64_t>(at);
    default:
      return element<int32_t>(at);
  }
}

// Exact: every half is a binary32.
uint32_t float_of_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 31) return sign | 0x7f800000 | mantissa << 13;
  if (exponent != 0) return sign | (exponent + 112) << 23 | mantissa << 13;
  if (mantissa == 0) return sign;
  const auto up = static_cast<uint32_t>(std::countl_zero(mantissa)) - 21;  // until the leading one stands at bit 10
  return sign | (113 - up) << 23 | (mantissa << up & 1023) << 13;
}

size_t elements(const Constant& c) { return c.bytes.size() / size_of(c.type.dtype); }

// Where the scales change: element i has the one of i / inner % count.
struct Channels {
  size_t count = 1, inner = 1;
};

Result<Channels> channels_of(const Scales& s, const Shape& shape, size_t elements) {
  Channels c;
  if (s.scale.size() == 1) return Channels{1, elements == 0 ? 1 : elements};
  if (s.axis < 0 || s.axis >= static_cast<int64_t>(shape.rank()) ||
      shape[static_cast<size_t>(s.axis)] != static_cast<int64_t>(s.scale.size()))
    return error(Code::malformed, std::to_string(s.scale.size()) + " scales along axis " + std::to_string(s.axis) +
                                      " of " + shape.text());
  c.count = s.scale.size();
  for (size_t i = static_cast<size_t>(s.axis) + 1; i < shape.rank(); ++i) c.inner *= static_cast<size_t>(shape[i]);
  return c;
}

}  // namespace

Result<std::vector<int64_t>> Graph::integers(const Node& n, size_t i) {
  const auto c = constant(n, i);
  if (!c.ok()) return c.status();
  if ((*c)->type.dtype == DType::f32 || (*c)->type.dtype == DType::f16)
    return error(Code::unsupported, "input " + std::to_string(i) + " must be of integers");
  BITEXACT_TRY(charge(elements(**c) * sizeof(int64_t)));
  std::vector<int64_t> v(elements(**c));
  for (size_t k = 0; k < v.size(); ++k) v[k] = integer_at(**c, k);
  return v;
}

Result<ConstantPtr> Graph::floats(const Node& n, size_t i) {
  auto x = constant(n, i);
  if (!x.ok() || (*x)->type.dtype == DType::f32) return x;
  const Constant& c = **x;
  const size_t count = elements(c);
  BITEXACT_TRY(charge(count * sizeof(float)));
  std::vector<uint32_t> bits(count);
  if (c.type.dtype == DType::f16) {
    for (size_t k = 0; k < count; ++k)
      bits[k] = float_of_half(static_cast<uint16_t>(element<uint16_t>(&c.bytes[k * 2])));
  } else {
    const auto s = scales(n, i);
    if (!s.ok()) return s.status();
    if (s->scale.empty())
      return error(Code::unsupported, "input " + std::to_string(i) + " has integers without a scale");
    const auto along = channels_of(*s, c.type.shape, count);
    if (!along.ok()) return along.status();
    for (size_t k = 0; k < count; ++k) {
      const size_t channel = k / along->inner % along->count;
      const int64_t steps = integer_at(c, k) - (s->zero.empty() ? 0 : s->zero[channel]);
      bits[k] = __builtin_bit_cast(uint32_t, s->scale[channel] * static_cast<float>(steps));
    }
  }
  Constant real{{DType::f32, c.type.shape}, std::vector<std::byte>(count * sizeof(float))};
  if (count > 0) std::memcpy(real.bytes.data(), bits.data(), real.bytes.size());
  return std::make_shared<const Constant>(std::move(real));
}

}  // namespace bitexact::tflite
