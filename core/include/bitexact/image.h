#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "bitexact/buffer.h"
#include "bitexact/status.h"

namespace bitexact {

enum class ImageFormat : uint8_t { png, jpeg, bmp, pnm };
[[nodiscard]] const char* format_name(ImageFormat format) noexcept;

/// Decoded pixels: row-major, interleaved, grey | grey+alpha | RGB | RGBA, one or two bytes a sample (two: uint16_t in
/// the machine's order; digests and files are little-endian). Alpha is straight. Colour profiles and gamma are not
/// applied.
struct Image {
  int32_t width = 0, height = 0;
  int32_t channels = 0;                   ///< 1 grey, 2 grey+alpha, 3 RGB, 4 RGBA
  int32_t bits = 8;                       ///< 8 or 16, of a sample
  ImageFormat format = ImageFormat::png;  ///< of the file it came from
  int32_t orientation = 1;                ///< EXIF orientation of the file, 1..8; already applied to the pixels
  bool color_profile_ignored = false;     ///< the file carried an ICC profile, gAMA, cHRM or sRGB chunk
  Buffer samples;

  [[nodiscard]] size_t sample_count() const noexcept {
    return static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(channels);
  }
};

/// Checked against the file's header before anything is allocated. Working memory of a decoder is bounded by a small
/// multiple of `bytes`, whatever the file claims.
struct ImageLimits {
  uint64_t pixels = 64ull * 1000 * 1000;
  uint64_t bytes = 256ull * 1024 * 1024;  ///< of decoded samples
};

/// What the header says, without decoding the pixels (width and height as stored, before EXIF orientation).
struct ImageInfo {
  ImageFormat format = ImageFormat::png;
  int32_t width = 0, height = 0, channels = 0, bits = 8, orientation = 1;
  bool color_profile_ignored = false;
};

/// PNG (1 to 16 bit, every colour type, interlaced), JPEG (baseline, extended, progressive; 8 bit), BMP (uncompressed),
/// PNM (P5, P6 with maxval 255 or 65535), by content. Errors: `malformed` names the part and the byte (the pixel, when
/// it names a colour that the palette lacks), `unsupported` the feature, `too_large` the limit. A truncated file is an
/// error, never half an image; so are a PNG's wrong checksums (CRC-32, Adler-32) and pixel data that are more or less
/// than its header asks for.
[[nodiscard]] Result<ImageInfo> probe_image(std::span<const std::byte> file);
[[nodiscard]] Result<Image> decode_image(std::span<const std::byte> file, const ImageLimits& limits = {});

/// PNG writes 8-bit images only (`unsupported` for 16); PNM writes P5 or P6, 8 or 16 bit (`unsupported` with alpha).
/// `format` is png or pnm.
[[nodiscard]] Result<Buffer> encode_image(const Image& image, ImageFormat format);

/// ARITHMETIC 10. `bilinear`: half-pixel centres, edge clamped. `area`: exact box average.
enum class Resampling : uint8_t { bilinear, area };
[[nodiscard]] Result<Image> resize_image(const Image& image, int32_t width, int32_t height, Resampling method,
                                         const ImageLimits& limits = {});

/// Colour to compose alpha over, 8-bit RGB.
struct Rgb8 {
  uint8_t r = 0, g = 0, b = 0;
};
/// Drops alpha, or composes it over `background` (ARITHMETIC 10): grey over a colour becomes RGB. An image without
/// alpha is copied.
[[nodiscard]] Result<Image> drop_alpha(const Image& image, std::optional<Rgb8> background);

/// One channel: R(19595 r + 38470 g + 7471 b, 16). Grey is copied. Alpha must be gone (`argument`).
[[nodiscard]] Result<Image> luma(const Image& image);

/// Samples to q16 in [0, 1] as planes (channel, row, column): Rdiv(p * 65536, 2^bits - 1), then with a mean and std
/// given (q16, one per channel) fixed_div(fixed_sub(x, mean), std). `out` holds width * height * channels elements.
/// Errors: `argument` when mean and std are not both empty or both one per channel, or a std is 0; `shape` for a wrong
/// `out`.
[[nodiscard]] Status image_to_q16(const Image& image, std::span<const int32_t> mean, std::span<const int32_t> std,
                                  std::span<int32_t> out);

/// Planes (1 or 3 of them, as image_to_q16 makes) as an 8-bit grey or RGB picture, for people:
/// clamp(Rdiv(v * 255, 65536), 0, 255), of |v| when `magnitude`. `shape` when the counts do not fit.
[[nodiscard]] Result<Image> q16_to_image(std::span<const int32_t> planes, int32_t width, int32_t height,
                                         bool magnitude);

}  // namespace bitexact
