#include <algorithm>
#include <string>

#include "bitexact/fx.h"
#include "bitexact/image.h"
#include "image/size.h"

namespace bitexact {
namespace {

constexpr uint32_t kLumaRed = 19595, kLumaGreen = 38470, kLumaBlue = 7471;  // sum: 65536

template <class T>
void luma_row(const T* rgb, T* out, size_t pixels) noexcept {
  for (size_t i = 0; i < pixels; ++i, rgb += 3) {
    out[i] = static_cast<T>((kLumaRed * rgb[0] + kLumaGreen * rgb[1] + kLumaBlue * rgb[2] + 32768) >> 16);
  }
}

/// The colour behind the image, in samples of the image.
struct Background {
  uint32_t rgb[3];

  Background(Rgb8 color, int32_t bits) : rgb{color.r, color.g, color.b} {
    for (uint32_t& c : rgb) c *= bits == 16 ? 257 : 1;
  }
};

template <class T>
void copy_color(const Image& in, Image& out) noexcept {
  const T* from = in.samples.as<T>();
  T* to = out.samples.as<T>();
  const size_t pixels = out.sample_count() / static_cast<size_t>(out.channels);
  for (size_t i = 0; i < pixels; ++i, from += in.channels) to = std::copy_n(from, out.channels, to);
}

/// Grey over a colour becomes RGB: every output channel reads the grey sample.
template <class T>
void compose(const Image& in, Background background, Image& out) noexcept {
  constexpr uint64_t kOne = sizeof(T) == 1 ? 255 : 65535;
  const size_t alpha = static_cast<size_t>(in.channels) - 1, channels = static_cast<size_t>(out.channels);
  const size_t pixels = out.sample_count() / channels, color_step = alpha == 1 ? 0 : 1;
  const T* from = in.samples.as<T>();
  T* to = out.samples.as<T>();
  for (size_t i = 0; i < pixels; ++i, from += in.channels) {
    const uint64_t a = from[alpha];
    for (size_t c = 0; c < channels; ++c) {
      *to++ = static_cast<T>((2 * (from[c * color_step] * a + background.rgb[c] * (kOne - a)) + kOne) / (2 * kOne));
    }
  }
}

/// What every possible sample of one channel becomes.
void fill_q16_table(std::span<int32_t> table, std::optional<int32_t> mean, std::optional<int32_t> std) noexcept {
  const int64_t max = static_cast<int64_t>(table.size()) - 1;
  for (int64_t p = 0; p <= max; ++p) {
    const int32_t x = static_cast<int32_t>(fx_round_div(p * FIXED_ONE, max));
    table[static_cast<size_t>(p)] = mean && std ? fixed_div(fixed_sub(x, *mean), *std) : x;
  }
}

template <class T>
void look_up_plane(const T* samples, size_t step, std::span<const int32_t> table, std::span<int32_t> plane) noexcept {
  for (int32_t& v : plane) {
    v = table[*samples];
    samples += step;
  }
}

Status check_normalisation(const Image& image, std::span<const int32_t> mean, std::span<const int32_t> std) {
  const size_t channels = static_cast<size_t>(image.channels);
  if (mean.empty() && std.empty()) return {};
  if (mean.size() != channels || std.size() != channels) {
    return error(Code::argument, "mean and std must both be empty or both have one value for each of the " +
                                     std::to_string(channels) + " channels");
  }
  const auto zero = std::find(std.begin(), std.end(), 0);
  if (zero == std.end()) return {};
  return error(Code::argument, "std must not be 0", at_element(static_cast<uint64_t>(zero - std.begin())));
}

}  // namespace

Result<Image> drop_alpha(const Image& image, std::optional<Rgb8> background) {
  BITEXACT_TRY(check_image(image));
  if (image.channels % 2 == 1) return copy_image(image);
  const int32_t channels = channels_without_alpha(image.channels, background);
  Result<Image> out = make_image_like(image, image.width, image.height, channels);
  if (!out.ok()) return out;
  const bool narrow = image.bits == 8;
  if (!background) {
    narrow ? copy_color<uint8_t>(image, *out) : copy_color<uint16_t>(image, *out);
  } else {
    const Background behind(*background, image.bits);
    narrow ? compose<uint8_t>(image, behind, *out) : compose<uint16_t>(image, behind, *out);
  }
  return out;
}

Result<Image> luma(const Image& image) {
  BITEXACT_TRY(check_image(image));
  if (image.channels == 1) return copy_image(image);
  if (image.channels != 3) return error(Code::argument, "luma needs an image without alpha; drop or compose it first");
  Result<Image> out = make_image_like(image, image.width, image.height, 1);
  if (!out.ok()) return out;
  if (image.bits == 8) {
    luma_row(image.samples.as<uint8_t>(), out->samples.as<uint8_t>(), out->sample_count());
  } else {
    luma_row(image.samples.as<uint16_t>(), out->samples.as<uint16_t>(), out->sample_count());
  }
  return out;
}

Status image_to_q16(const Image& image, std::span<const int32_t> mean, std::span<const int32_t> std,
                    std::span<int32_t> out) {
  BITEXACT_TRY(check_image(image));
  BITEXACT_TRY(check_normalisation(image, mean, std));
  if (out.size() != image.sample_count()) {
    return error(Code::shape, "output holds " + std::to_string(out.size()) + " elements instead of " +
                                  std::to_string(image.sample_count()));
  }
  Result<Buffer> buffer = Buffer::make(sizeof(int32_t) << image.bits);
  if (!buffer.ok()) return buffer.status();
  const std::span<int32_t> table(buffer->as<int32_t>(), size_t{1} << image.bits);
  const size_t channels = static_cast<size_t>(image.channels), pixels = out.size() / channels;
  for (size_t c = 0; c < channels; ++c) {
    if (!mean.empty()) {
      fill_q16_table(table, mean[c], std[c]);
    } else if (c == 0) {
      fill_q16_table(table, {}, {});
    }
    const std::span<int32_t> plane = out.subspan(c * pixels, pixels);
    if (image.bits == 8) {
      look_up_plane(image.samples.as<uint8_t>() + c, channels, table, plane);
    } else {
      look_up_plane(image.samples.as<uint16_t>() + c, channels, table, plane);
    }
  }
  return {};
}

Result<Image> q16_to_image(std::span<const int32_t> planes, int32_t width, int32_t height, bool magnitude) {
  constexpr ImageLimits unlimited{UINT64_MAX, UINT64_MAX};
  BITEXACT_TRY(check_image_size(width, height, 3, 8, unlimited));
  const size_t area = static_cast<size_t>(width) * static_cast<size_t>(height);
  if (planes.size() != area && planes.size() != 3 * area)
    return error(Code::shape, std::to_string(planes.size()) + " elements; one or three planes of " +
                                  std::to_string(area) + " were expected");
  const size_t channels = planes.size() / area;
  Result<Image> image = make_image(width, height, static_cast<int32_t>(channels), 8);
  if (!image.ok()) return image;
  for (size_t c = 0; c < channels; ++c) {
    uint8_t* out = image->samples.as<uint8_t>() + c;
    for (const int64_t v : planes.subspan(c * area, area)) {
      const int64_t level = fx_round_div((magnitude && v < 0 ? -v : v) * 255, FIXED_ONE);
      *out = static_cast<uint8_t>(std::clamp<int64_t>(level, 0, 255));
      out += channels;
    }
  }
  return image;
}

}  // namespace bitexact
