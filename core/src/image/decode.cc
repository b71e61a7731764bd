#include <algorithm>
#include <string>

#include "bitexact/image.h"
#include "image/layout.h"
#include "image/orient.h"
#include "image/size.h"
#include "image/stb_decode.h"

namespace bitexact {
namespace {

/// Netpbm samples are stored as they are, the most significant byte first.
void copy_samples(const ImageLayout& layout, Image& out) {
  const Bytes bytes = layout.pieces.front().bytes;
  if (out.bits == 8) {
    std::copy(bytes.begin(), bytes.end(), out.samples.data());
    return;
  }
  uint16_t* samples = out.samples.as<uint16_t>();
  for (size_t i = 0; i < bytes.size() / 2; ++i) samples[i] = static_cast<uint16_t>(be16_at(bytes, 2 * i));
}

/// Colours for the indices that the decoder left in the first channel of `stored`.
Status apply_palette(const ImageLayout& layout, const Image& stored, Image& out) {
  const size_t colors = layout.palette.size() / 3, step = static_cast<size_t>(stored.channels);
  const size_t pixels = stored.sample_count() / step;
  const uint8_t* index = stored.samples.as<uint8_t>();
  std::byte* to = out.samples.data();
  for (size_t i = 0; i < pixels; ++i, index += step) {
    const size_t color = *index / static_cast<size_t>(layout.index_scale);
    if (color >= colors) {
      return error(Code::malformed,
                   "pixel names colour " + std::to_string(color) + " of a palette of " + std::to_string(colors),
                   at_element(i));
    }
    to = std::copy_n(layout.palette.begin() + static_cast<ptrdiff_t>(3 * color), 3, to);
    if (out.channels == 4) *to++ = color < layout.palette_alpha.size() ? layout.palette_alpha[color] : std::byte{255};
  }
  return {};
}

Result<Image> decode_pixels(const ImageLayout& layout) {
  const ImageInfo& info = layout.info;
  Result<Image> stored = make_image(info.width, info.height, layout.stored_channels, info.bits);
  if (!stored.ok()) return stored;
  if (info.format == ImageFormat::pnm) {
    copy_samples(layout, *stored);
    return stored;
  }
  BITEXACT_TRY(stb_decode(layout, stored->samples.span()));
  if (!layout.indexed) return stored;
  Result<Image> out = make_image(info.width, info.height, info.channels, info.bits);
  if (out.ok()) BITEXACT_TRY(apply_palette(layout, *stored, *out));
  return out;
}

}  // namespace

Result<Image> decode_image(std::span<const std::byte> file, const ImageLimits& limits) {
  Result<ImageLayout> layout = image_layout(file);
  if (!layout.ok()) return layout.status();
  const ImageInfo& info = layout->info;
  BITEXACT_TRY(check_image_size(info.width, info.height, info.channels, info.bits, limits));
  Result<Image> image = decode_pixels(*layout);
  if (!image.ok()) return image;
  image->format = info.format;
  image->orientation = info.orientation;
  image->color_profile_ignored = info.color_profile_ignored;
  return apply_orientation(std::move(*image));
}

}  // namespace bitexact
