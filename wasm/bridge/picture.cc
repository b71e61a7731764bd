#include "picture.h"

#include <algorithm>
#include <cstring>

namespace bitexact::bridge {
namespace {

struct Fit {
  int32_t width, height;
};

/// The largest size of the same proportions within the box, never larger than the image.
Fit fit(const Image& image, const PictureOptions& o) {
  const int64_t w = image.width, h = image.height;
  if (o.max_width <= 0 || o.max_height <= 0 || (w <= o.max_width && h <= o.max_height))
    return {image.width, image.height};
  const bool by_width = w * o.max_height >= h * o.max_width;
  const int64_t width = by_width ? o.max_width : w * o.max_height / h;
  const int64_t height = by_width ? h * o.max_width / w : o.max_height;
  return {static_cast<int32_t>(std::max<int64_t>(width, 1)), static_cast<int32_t>(std::max<int64_t>(height, 1))};
}

Result<Image> shrink(Result<Image> image, const PictureOptions& o) {
  if (!image.ok()) return image;
  const Fit to = fit(*image, o);
  if (to.width == image->width && to.height == image->height) return image;
  return resize_image(*image, to.width, to.height, Resampling::area);
}

Result<Image> blank(int32_t width, int32_t height, int32_t channels) {
  Image image;
  image.width = width;
  image.height = height;
  image.channels = channels;
  Result<Buffer> samples = Buffer::make(image.sample_count());
  if (!samples.ok()) return samples.status();
  image.samples = std::move(*samples);
  return image;
}

/// A sample of 16 bits to 8: Rdiv(v * 255, 65535).
uint8_t narrow(uint16_t v) { return static_cast<uint8_t>((uint32_t{v} * 255 * 2 + 65535) / (2 * 65535)); }

Result<Image> pixels(const Tensor& tensor) {
  Result<Image> image = blank(static_cast<int32_t>(tensor.shape[1]), static_cast<int32_t>(tensor.shape[0]),
                              static_cast<int32_t>(tensor.shape[2]));
  if (!image.ok()) return image;
  uint8_t* out = image->samples.as<uint8_t>();
  if (tensor.dtype == DType::u8) {
    std::memcpy(out, tensor.data, tensor.count());
  } else {
    std::transform(tensor.as<uint16_t>(), tensor.as<uint16_t>() + tensor.count(), out, narrow);
  }
  return image;
}

Result<Image> planes(const Tensor& tensor, const PictureOptions& o) {
  const auto height = static_cast<int32_t>(tensor.shape[1]), width = static_cast<int32_t>(tensor.shape[2]);
  return q16_to_image({tensor.as<const int32_t>(), tensor.count()}, width, height, o.magnitude);
}

}  // namespace

Result<Image> picture(const Tensor& tensor, const PictureOptions& o) {
  return shrink(tensor.dtype == DType::q16 ? planes(tensor, o) : pixels(tensor), o);
}

Result<Image> to_rgba(const Image& image) {
  Result<Image> rgba = blank(image.width, image.height, 4);
  if (!rgba.ok()) return rgba;
  const bool colour = image.channels >= 3, alpha = image.channels % 2 == 0;
  const uint8_t* from = image.samples.as<uint8_t>();
  uint8_t* to = rgba->samples.as<uint8_t>();
  for (const uint8_t* end = to + rgba->sample_count(); to != end; to += 4, from += image.channels) {
    to[0] = from[0];
    to[1] = from[colour ? 1 : 0];
    to[2] = from[colour ? 2 : 0];
    to[3] = alpha ? from[image.channels - 1] : 255;
  }
  return rgba;
}

}  // namespace bitexact::bridge
