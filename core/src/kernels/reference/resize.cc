#include <cstring>

#include "bitexact/fx.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

using Coordinates = ResizeAttrs::Coordinates;
using Rounding = ResizeAttrs::Rounding;

// Where an output index lies in the input: numerator / (2 * half). Sizes stay below 2^31, so no product leaves int64.
struct Coordinate {
  int64_t numerator, half;
};

Coordinate coordinate(Coordinates how, int64_t i, int64_t in, int64_t out) noexcept {
  const bool one = out == 1 && how != Coordinates::half_pixel && how != Coordinates::asymmetric;
  if (one) return {0, 1};
  switch (how) {
    case Coordinates::asymmetric:
      return {2 * i * in, out};
    case Coordinates::align_corners:
      return {2 * i * (in - 1), out - 1};
    case Coordinates::half_pixel:
    case Coordinates::pytorch_half_pixel:
      break;
  }
  return {(2 * i + 1) * in - out, out};
}

int64_t floor_div(int64_t a, int64_t b) noexcept { return a / b - (a % b < 0); }
int64_t ceil_div(int64_t a, int64_t b) noexcept { return a / b + (a % b > 0); }

int64_t rounded(const Coordinate& c, Rounding rounding) noexcept {
  switch (rounding) {
    case Rounding::round_prefer_floor:
      return ceil_div(c.numerator - c.half, 2 * c.half);
    case Rounding::round_prefer_ceil:
      return floor_div(c.numerator + c.half, 2 * c.half);
    case Rounding::floor:
      return floor_div(c.numerator, 2 * c.half);
    case Rounding::ceil:
      return ceil_div(c.numerator, 2 * c.half);
  }
  return 0;
}

int64_t within(int64_t i, int64_t n) noexcept { return i < 0 ? 0 : i >= n ? n - 1 : i; }

ptrdiff_t nearest(const ResizeParams& p, int64_t i, int64_t in, int64_t out) noexcept {
  return static_cast<ptrdiff_t>(within(rounded(coordinate(p.coordinates, i, in, out), p.rounding), in));
}

// The two input indices that an output index lies between. Their weights add up to `2 * half` of the coordinate.
struct Tap {
  ptrdiff_t low, high;
  int64_t low_weight, high_weight;
};

Tap bilinear(const ResizeParams& p, int64_t i, int64_t in, int64_t out) noexcept {
  const Coordinate c = coordinate(p.coordinates, i, in, out);
  const int64_t unit = 2 * c.half, numerator = c.numerator < 0 ? 0 : c.numerator;
  const int64_t low = numerator / unit, rest = numerator % unit;
  return {static_cast<ptrdiff_t>(low), static_cast<ptrdiff_t>(within(low + 1, in)), unit - rest, rest};
}

// Pictures whose pixels are vectors: all channels of NHWC, or a picture for each channel of NCHW. Calls
// visit(picture, y, x) in the order of the output.
template <class Visit>
void each_pixel(const ResizeParams& p, Visit&& visit) noexcept {
  const ptrdiff_t pictures = p.layout == Layout::nhwc ? p.batch : ptrdiff_t{p.batch} * p.channels;
  for (ptrdiff_t n = 0; n < pictures; ++n)
    for (int32_t y = 0; y < p.out_h; ++y)
      for (int32_t x = 0; x < p.out_w; ++x) visit(n, y, x);
}

ptrdiff_t pixel_length(const ResizeParams& p) noexcept { return p.layout == Layout::nhwc ? p.channels : 1; }

}  // namespace

void resize_nearest(const Args& args) noexcept {
  const ResizeParams& p = args.resize;
  const size_t bytes = static_cast<size_t>(pixel_length(p)) * p.element_bytes;
  const auto* in = static_cast<const std::byte*>(args.in[0]);
  auto* out = static_cast<std::byte*>(args.out);
  each_pixel(p, [&](ptrdiff_t n, int32_t y, int32_t x) {
    const ptrdiff_t row = n * p.in_h + nearest(p, y, p.in_h, p.out_h);
    const ptrdiff_t pixel = row * p.in_w + nearest(p, x, p.in_w, p.out_w);
    std::memcpy(out, in + static_cast<size_t>(pixel) * bytes, bytes);
    out += bytes;
  });
}

void resize_bilinear_q16(const Args& args) noexcept {
  const ResizeParams& p = args.resize;
  const ptrdiff_t length = pixel_length(p), row = p.in_w * length;
  auto* out = static_cast<int32_t*>(args.out);
  each_pixel(p, [&](ptrdiff_t n, int32_t y, int32_t x) {
    const Tap v = bilinear(p, y, p.in_h, p.out_h), h = bilinear(p, x, p.in_w, p.out_w);
    const int32_t* picture = static_cast<const int32_t*>(args.in[0]) + n * p.in_h * row;
    const int32_t *top = picture + v.low * row, *bottom = picture + v.high * row;
    const ptrdiff_t left = h.low * length, right = h.high * length;
    const int64_t unit = (v.low_weight + v.high_weight) * (h.low_weight + h.high_weight);
    for (ptrdiff_t c = 0; c < length; ++c) {
      const int64_t sum =
          top[left + c] * (v.low_weight * h.low_weight) + top[right + c] * (v.low_weight * h.high_weight) +
          bottom[left + c] * (v.high_weight * h.low_weight) + bottom[right + c] * (v.high_weight * h.high_weight);
      *out++ = static_cast<int32_t>(fx_round_div(sum, unit));
    }
  });
}

}  // namespace bitexact::reference
