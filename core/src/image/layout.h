#pragma once
#include <vector>

#include "bitexact/image.h"
#include "image/bytes.h"

namespace bitexact {

/// A stretch of bytes that the decoder is shown. Entropy-coded ones belong to a JPEG scan, which must end where they
/// end.
struct Piece {
  Bytes bytes;
  bool entropy_coded = false;
};

/// What walking over a file's structure found: the header, and the pieces that the decoder shall see, in order.
/// Everything else in the file (text, profiles, thumbnails, padding) never reaches it.
struct ImageLayout {
  ImageInfo info;
  int32_t stored_channels = 0;  ///< of the decoder's output: 1 for the indices of a palette
  Bytes file;
  uint64_t data_at = 0;         ///< of the pixel data in a PNG or BMP
  uint64_t inflated_bytes = 0;  ///< of a PNG: filter bytes and rows of every pass
  std::vector<Piece> pieces;
  std::vector<std::byte> header;  ///< owns a rewritten header that `pieces` points into
  bool indexed = false;           ///< the decoder's first channel is an index into `palette`
  Bytes palette, palette_alpha;   ///< RGB triples; alpha of the first ones
  int32_t index_scale = 1;        ///< by which the decoder multiplies indices

  void show(Bytes bytes) {
    const bool adjoins = !pieces.empty() && !pieces.back().entropy_coded &&
                         pieces.back().bytes.data() + pieces.back().bytes.size() == bytes.data();
    if (adjoins) {
      pieces.back().bytes = {pieces.back().bytes.data(), pieces.back().bytes.size() + bytes.size()};
    } else {
      pieces.push_back({bytes, false});
    }
  }
};

/// No side of an image is longer, whatever the limits: products of two sides stay far inside 64 bits.
inline constexpr int32_t kMaxSide = 1 << 24;

[[nodiscard]] Result<ImageLayout> png_layout(Bytes file);
[[nodiscard]] Result<ImageLayout> jpeg_layout(Bytes file);
[[nodiscard]] Result<ImageLayout> bmp_layout(Bytes file);
[[nodiscard]] Result<ImageLayout> pnm_layout(Bytes file);

/// By the file's first bytes.
[[nodiscard]] Result<ImageLayout> image_layout(Bytes file);

/// Orientation 1..8 of a TIFF structure (the payload of an EXIF block); 1 when it is absent or unreadable.
[[nodiscard]] int32_t exif_orientation(Bytes tiff) noexcept;

}  // namespace bitexact
