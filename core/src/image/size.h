#pragma once
#include "bitexact/image.h"

namespace bitexact {

/// Whether an image of these dimensions may exist: within the limits, and addressable by the decoder and this machine.
[[nodiscard]] Status check_image_size(int64_t width, int64_t height, int32_t channels, int32_t bits,
                                      const ImageLimits& limits);

/// `argument` unless channels and bits are known and `samples` has exactly the bytes that the dimensions say.
[[nodiscard]] Status check_image(const Image& image);

/// Channels that drop_alpha leaves: grey over a colour becomes RGB.
[[nodiscard]] int32_t channels_without_alpha(int32_t channels, const std::optional<Rgb8>& background) noexcept;

[[nodiscard]] Result<Image> copy_image(const Image& image);

/// A zeroed image of dimensions that `check_image_size` has accepted.
[[nodiscard]] Result<Image> make_image(int32_t width, int32_t height, int32_t channels, int32_t bits);

/// A new image with other dimensions that keeps what `image` says about its file.
[[nodiscard]] Result<Image> make_image_like(const Image& image, int32_t width, int32_t height, int32_t channels);

}  // namespace bitexact
