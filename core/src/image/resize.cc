#include <algorithm>
#include <utility>

#include "bitexact/fx.h"
#include "bitexact/image.h"
#include "image/size.h"

namespace bitexact {
namespace {

/// The two source samples that a bilinear output sample lies between, and the 16-bit weight of the second.
struct Tap {
  size_t low, high;
  uint32_t weight;
};

/// Source coordinate of an output sample in 1/65536: half-pixel centres. Each neighbour is clamped to the image by
/// itself.
Tap bilinear_tap(int64_t i, int64_t in, int64_t out) noexcept {
  const int64_t numerator = (2 * i + 1) * in, denominator = 2 * out;
  const int64_t whole = numerator / denominator, rest = numerator % denominator;
  const int64_t c = (whole << 16) + (rest << 16) / denominator - (1 << 15);
  const auto clamped = [in](int64_t k) { return static_cast<size_t>(std::clamp<int64_t>(k, 0, in - 1)); };
  return {clamped(c >> 16), clamped((c >> 16) + 1), static_cast<uint32_t>(c & 0xffff)};
}

/// The source samples that an output sample covers, in units in which a source sample is `out` long: the first and last
/// are weighted by their overlap, those between by `out`.
struct Span {
  size_t first, last;
  uint64_t first_weight, last_weight;
};

Span area_span(uint64_t i, uint64_t in, uint64_t out) noexcept {
  const uint64_t begin = i * in, end = begin + in;
  const auto first = static_cast<size_t>(begin / out), last = static_cast<size_t>((end - 1) / out);
  if (first == last) return {first, last, in, 0};
  return {first, last, (uint64_t{first} + 1) * out - begin, end - uint64_t{last} * out};
}

/// Scratch memory of a resize: positions of every output column, and rows of horizontal sums.
template <class Position>
struct Scratch {
  Buffer columns, rows;

  [[nodiscard]] static Result<Scratch> make(const Image& out, size_t row_bytes) {
    Result<Buffer> columns = Buffer::make(static_cast<size_t>(out.width) * sizeof(Position));
    if (!columns.ok()) return columns.status();
    Result<Buffer> rows = Buffer::make(static_cast<size_t>(out.width) * static_cast<size_t>(out.channels) * row_bytes);
    if (!rows.ok()) return rows.status();
    return Scratch{std::move(*columns), std::move(*rows)};
  }
};

template <class T>
void blend_row(const T* in, const Tap* columns, size_t width, size_t channels, uint32_t* out) noexcept {
  for (size_t x = 0; x < width; ++x) {
    const Tap tap = columns[x];
    const T* low = in + tap.low * channels;
    const T* high = in + tap.high * channels;
    for (size_t c = 0; c < channels; ++c) *out++ = low[c] * (65536 - tap.weight) + high[c] * tap.weight;
  }
}

/// Horizontal sums of the two source rows in use, each computed once.
template <class T>
class BlendedRows {
 public:
  BlendedRows(const Image& in, const Tap* columns, size_t width, uint32_t* scratch)
      : in_(in),
        columns_(columns),
        width_(width),
        slots_{scratch, scratch + width * static_cast<size_t>(in.channels)} {}

  /// Both rows, the first one first. Consecutive calls ask for rows that never go back.
  std::pair<const uint32_t*, const uint32_t*> rows(size_t low, size_t high) {
    if (row_[0] != low) {
      std::swap(slots_[0], slots_[1]);
      std::swap(row_[0], row_[1]);
    }
    fill(0, low);
    if (high == low) return {slots_[0], slots_[0]};
    fill(1, high);
    return {slots_[0], slots_[1]};
  }

 private:
  void fill(size_t slot, size_t row) {
    if (row_[slot] == row) return;
    const size_t channels = static_cast<size_t>(in_.channels), stride = channels * static_cast<size_t>(in_.width);
    blend_row(in_.samples.as<T>() + row * stride, columns_, width_, channels, slots_[slot]);
    row_[slot] = row;
  }

  const Image& in_;
  const Tap* columns_;
  size_t width_;
  uint32_t* slots_[2];
  size_t row_[2] = {SIZE_MAX, SIZE_MAX};
};

template <class T>
Status bilinear(const Image& in, Image& out) {
  Result<Scratch<Tap>> scratch = Scratch<Tap>::make(out, 2 * sizeof(uint32_t));
  if (!scratch.ok()) return scratch.status();
  const size_t width = static_cast<size_t>(out.width), samples = width * static_cast<size_t>(out.channels);
  Tap* columns = scratch->columns.as<Tap>();
  for (size_t x = 0; x < width; ++x) columns[x] = bilinear_tap(static_cast<int64_t>(x), in.width, out.width);
  BlendedRows<T> blended(in, columns, width, scratch->rows.as<uint32_t>());
  T* to = out.samples.as<T>();
  for (int64_t y = 0; y < out.height; ++y) {
    const Tap tap = bilinear_tap(y, in.height, out.height);
    const auto [low, high] = blended.rows(tap.low, tap.high);
    const uint64_t high_weight = tap.weight, low_weight = 65536 - high_weight;
    for (size_t i = 0; i < samples; ++i) {
      *to++ = static_cast<T>((low[i] * low_weight + high[i] * high_weight + (uint64_t{1} << 31)) >> 32);
    }
  }
  return {};
}

template <class T>
void sum_row(const T* in, const Span* columns, size_t width, size_t channels, uint64_t unit, uint64_t* out) noexcept {
  for (size_t x = 0; x < width; ++x) {
    const Span span = columns[x];
    for (size_t c = 0; c < channels; ++c) {
      uint64_t between = 0;
      for (size_t k = span.first + 1; k < span.last; ++k) between += in[k * channels + c];
      *out++ = in[span.first * channels + c] * span.first_weight + in[span.last * channels + c] * span.last_weight +
               between * unit;
    }
  }
}

template <class T>
Status area(const Image& in, Image& out) {
  Result<Scratch<Span>> scratch = Scratch<Span>::make(out, 2 * sizeof(uint64_t));
  if (!scratch.ok()) return scratch.status();
  const size_t width = static_cast<size_t>(out.width), channels = static_cast<size_t>(out.channels),
               samples = width * channels;
  const uint64_t in_width = static_cast<uint64_t>(in.width), in_height = static_cast<uint64_t>(in.height);
  const uint64_t out_height = static_cast<uint64_t>(out.height);
  const int64_t window = static_cast<int64_t>(in_width * in_height);
  Span* columns = scratch->columns.as<Span>();
  for (size_t x = 0; x < width; ++x) columns[x] = area_span(x, in_width, width);
  uint64_t* row = scratch->rows.as<uint64_t>();
  uint64_t* sums = row + samples;
  size_t summed = SIZE_MAX;
  T* to = out.samples.as<T>();
  for (uint64_t y = 0; y < out_height; ++y) {
    const Span span = area_span(y, in_height, out_height);
    std::fill_n(sums, samples, 0);
    for (size_t k = span.first; k <= span.last; ++k) {
      if (k != summed) sum_row(in.samples.as<T>() + k * in_width * channels, columns, width, channels, width, row);
      summed = k;
      const uint64_t weight = k == span.first ? span.first_weight : k == span.last ? span.last_weight : out_height;
      for (size_t i = 0; i < samples; ++i) sums[i] += row[i] * weight;
    }
    for (size_t i = 0; i < samples; ++i) *to++ = static_cast<T>(fx_round_div(static_cast<int64_t>(sums[i]), window));
  }
  return {};
}

}  // namespace

Result<Image> resize_image(const Image& image, int32_t width, int32_t height, Resampling method,
                           const ImageLimits& limits) {
  BITEXACT_TRY(check_image(image));
  BITEXACT_TRY(check_image_size(width, height, image.channels, image.bits, limits));
  Result<Image> out = make_image_like(image, width, height, image.channels);
  if (!out.ok()) return out;
  const auto resample = method == Resampling::bilinear ? (image.bits == 8 ? bilinear<uint8_t> : bilinear<uint16_t>)
                                                       : (image.bits == 8 ? area<uint8_t> : area<uint16_t>);
  BITEXACT_TRY(resample(image, *out));
  return out;
}

}  // namespace bitexact
