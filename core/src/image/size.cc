#include "image/size.h"

#include <algorithm>
#include <string>

#include "image/layout.h"

namespace bitexact {
namespace {

/// Offsets inside the decoder are `int`.
constexpr uint64_t kMaxBytes = INT32_MAX;

std::string dimensions(int64_t width, int64_t height) {
  return "image of " + std::to_string(width) + " x " + std::to_string(height) + " pixels";
}

}  // namespace

Status check_image_size(int64_t width, int64_t height, int32_t channels, int32_t bits, const ImageLimits& limits) {
  if (width < 1 || height < 1) return error(Code::argument, dimensions(width, height) + ": sides must be at least 1");
  if (width > kMaxSide || height > kMaxSide) {
    return error(Code::too_large, dimensions(width, height) + ": sides must be at most " + std::to_string(kMaxSide));
  }
  const uint64_t pixels = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
  if (pixels > limits.pixels) {
    return error(Code::too_large,
                 dimensions(width, height) + " exceeds the limit of " + std::to_string(limits.pixels) + " pixels");
  }
  const uint64_t bytes = pixels * static_cast<uint64_t>(channels) * static_cast<uint64_t>(bits / 8);
  const uint64_t limit = limits.bytes < kMaxBytes ? limits.bytes : kMaxBytes;
  if (bytes > limit) {
    return error(Code::too_large, dimensions(width, height) + " decodes to " + std::to_string(bytes) +
                                      " bytes, which exceeds the limit of " + std::to_string(limit));
  }
  return {};
}

Status check_image(const Image& image) {
  if (image.width < 1 || image.height < 1 || image.channels < 1 || image.channels > 4 ||
      (image.bits != 8 && image.bits != 16)) {
    return error(Code::argument, "image must have sides of at least 1, 1 to 4 channels and 8 or 16 bits a sample");
  }
  constexpr ImageLimits unlimited{UINT64_MAX, UINT64_MAX};
  BITEXACT_TRY(check_image_size(image.width, image.height, image.channels, image.bits, unlimited));
  if (image.samples.size() == image.sample_count() * static_cast<size_t>(image.bits / 8)) return {};
  return error(Code::argument, dimensions(image.width, image.height) + " holds " +
                                   std::to_string(image.samples.size()) + " bytes of samples");
}

int32_t channels_without_alpha(int32_t channels, const std::optional<Rgb8>& background) noexcept {
  const bool colored = background && !(background->r == background->g && background->g == background->b);
  if (channels == 2) return colored ? 3 : 1;
  return channels == 4 ? 3 : channels;
}

Result<Image> copy_image(const Image& image) {
  Result<Image> out = make_image_like(image, image.width, image.height, image.channels);
  if (out.ok()) std::copy_n(image.samples.data(), image.samples.size(), out->samples.data());
  return out;
}

Result<Image> make_image(int32_t width, int32_t height, int32_t channels, int32_t bits) {
  Image image;
  image.width = width;
  image.height = height;
  image.channels = channels;
  image.bits = bits;
  Result<Buffer> samples = Buffer::make(image.sample_count() * static_cast<size_t>(bits / 8));
  if (!samples.ok()) return samples.status();
  image.samples = std::move(*samples);
  return image;
}

Result<Image> make_image_like(const Image& image, int32_t width, int32_t height, int32_t channels) {
  Result<Image> out = make_image(width, height, channels, image.bits);
  if (!out.ok()) return out;
  out->format = image.format;
  out->orientation = image.orientation;
  out->color_profile_ignored = image.color_profile_ignored;
  return out;
}

}  // namespace bitexact
