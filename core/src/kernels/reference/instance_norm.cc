// scale * (n * x - S) / sqrt(V) + bias, rounded once: S the sum, V = n * sum(x^2) - S^2 + epsilon * n^2. With n <=
// 2^20, V stays below 2^105 and |n * x - S| <= 2^10 * sqrt(V), whatever the data.
#include "kernels/exact.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

// An unsigned integer of 320 bits in digits of 32, the lowest first.
constexpr int kDigits = 10;
struct Wide {
  uint32_t digit[kDigits] = {};

  static Wide of(uint64_t x) noexcept { return {{static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)}}; }
};

Wide operator+(const Wide& a, const Wide& b) noexcept {
  Wide sum;
  uint64_t carry = 0;
  for (int i = 0; i < kDigits; ++i, carry >>= 32) {
    carry += uint64_t{a.digit[i]} + b.digit[i];
    sum.digit[i] = static_cast<uint32_t>(carry);
  }
  return sum;
}

// a - b modulo 2^320; `below` becomes 1 when a < b.
Wide subtract(const Wide& a, const Wide& b, uint32_t& below) noexcept {
  Wide difference;
  uint64_t borrow = 0;
  for (int i = 0; i < kDigits; ++i) {
    const uint64_t d = uint64_t{a.digit[i]} - b.digit[i] - borrow;
    difference.digit[i] = static_cast<uint32_t>(d);
    borrow = d >> 63;
  }
  below = static_cast<uint32_t>(borrow);
  return difference;
}

Wide operator*(const Wide& a, const Wide& b) noexcept {
  Wide product;
  for (int i = 0; i < kDigits; ++i) {
    uint64_t carry = 0;
    for (int j = 0; i + j < kDigits; ++j, carry >>= 32) {
      carry += uint64_t{a.digit[i]} * b.digit[j] + product.digit[i + j];
      product.digit[i + j] = static_cast<uint32_t>(carry);
    }
  }
  return product;
}

uint64_t is_zero(const Wide& x) noexcept {
  uint32_t any = 0;
  for (const uint32_t d : x.digit) any |= d;
  return 1 - ((any | (0 - any)) >> 31);
}

uint64_t size_of_value(int64_t x) noexcept { return static_cast<uint64_t>((x ^ (x >> 63)) - (x >> 63)); }

// floor(2^96 / sqrt(v)), bit by bit; v > 0.
Wide reciprocal_root(const Wide& v) noexcept {
  Wide limit, root;
  limit.digit[6] = 1;  // 2^192
  for (int bit = 96; bit >= 0; --bit) {
    Wide trial = root;
    trial.digit[bit / 32] |= uint32_t{1} << bit % 32;
    uint32_t above = 0;
    (void)subtract(limit, trial * trial * v, above);
    root.digit[bit / 32] |= (1 - above) << bit % 32;
  }
  return root;
}

struct Moments {
  int64_t sum;
  Wide variance, root;  ///< V, and 2^96 / sqrt(V)
};

Moments moments_of(const InstanceNormParams& p, const int32_t* in) noexcept {
  int64_t sum = 0;
  uint64_t low = 0, high = 0;  // of the squares
  for (ptrdiff_t i = 0; i < p.count; ++i) {
    const int64_t x = in[i * p.of_i], square = x * x;
    sum += x;
    low += static_cast<uint32_t>(square);
    high += static_cast<uint64_t>(square) >> 32;
  }
  const auto n = static_cast<uint64_t>(p.count);
  Wide shifted;
  shifted.digit[1] = static_cast<uint32_t>(high);
  shifted.digit[2] = static_cast<uint32_t>(high >> 32);
  const Wide squares = (Wide::of(low) + shifted) * Wide::of(n), magnitude = Wide::of(size_of_value(sum));
  uint32_t below = 0;
  Wide v =
      subtract(squares, magnitude * magnitude, below) + Wide::of(static_cast<uint64_t>(p.epsilon)) * Wide::of(n * n);
  v.digit[0] |= static_cast<uint32_t>(is_zero(v));  // all elements alike: 0 / 1
  return {sum, v, reciprocal_root(v)};
}

// scale * centred / sqrt(V) to nearest, ties upwards; centred = n * x - S.
int64_t normalised(const Moments& m, int64_t centred, int32_t scale) noexcept {
  const int64_t negative = (centred ^ scale) >> 63;
  const Wide a = Wide::of(size_of_value(centred)) * Wide::of(2 * size_of_value(scale));
  // The root is short by less than 1, so `c` = floor(a * root / 2^96) is floor(a / sqrt(V)) or one less.
  const Wide estimate = a * m.root;
  uint64_t c = uint64_t{estimate.digit[4]} << 32 | estimate.digit[3];
  uint32_t above = 0;
  Wide rest = subtract(a * a, Wide::of(c) * Wide::of(c) * m.variance, above);  // what c leaves of a^2
  const Wide next = subtract(rest, Wide::of(2 * c + 1) * m.variance, above);
  c += 1 - above;
  const uint64_t exact = (is_zero(rest) & above) | (is_zero(next) & (1 - above));
  // c / 2 to nearest: a negative tie goes towards zero, and one that is not exact is no tie.
  const auto up = static_cast<uint64_t>(negative + 1), down = 1 - up;
  const auto half = static_cast<int64_t>((c + up + (down & (1 - exact))) >> 1);
  return (half ^ negative) - negative;
}

}  // namespace

void instance_norm_q16(const Args& args) noexcept {
  const InstanceNormParams& p = args.instance_norm;
  for (ptrdiff_t n = 0; n < p.batch; ++n)
    for (ptrdiff_t c = 0; c < p.channels; ++c) {
      const ptrdiff_t first = n * p.of_n + c * p.of_c;
      const int32_t* in = static_cast<const int32_t*>(args.in[0]) + first;
      int32_t* out = static_cast<int32_t*>(args.out) + first;
      const int32_t scale = static_cast<const int32_t*>(args.in[1])[c],
                    bias = static_cast<const int32_t*>(args.in[2])[c];
      const Moments m = moments_of(p, in);
      for (ptrdiff_t i = 0; i < p.count; ++i)
        out[i * p.of_i] = saturate_steadily(normalised(m, in[i * p.of_i] * int64_t{p.count} - m.sum, scale) + bias);
    }
}

}  // namespace bitexact::reference
