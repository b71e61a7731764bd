#include <algorithm>
#include <bit>
#include <string>

#include "image/layout.h"

namespace bitexact {
namespace {

constexpr size_t kFileHeaderBytes = 14, kMaskAt = 54;
constexpr uint32_t kCoreHeader = 12, kInfoHeader = 40, kV4Header = 108;
constexpr uint32_t kUncompressed = 0, kBitfields = 3;

Status malformed(const char* why, size_t at) { return error(Code::malformed, std::string("BMP: ") + why, at_byte(at)); }

struct BmpHeader {
  uint32_t size = 0, pixels_at = 0, bits = 0, compression = kUncompressed, colors = 0;
  int32_t width = 0, height = 0;  ///< height below 0: rows run from the top
  uint32_t masks[4] = {};         ///< red, green, blue, alpha of 16 and 32 bit pixels

  [[nodiscard]] bool indexed() const noexcept { return bits <= 8; }
  [[nodiscard]] uint64_t row_bytes() const noexcept { return (uint64_t(width) * bits + 7) / 8; }
  [[nodiscard]] uint64_t stride() const noexcept { return (row_bytes() + 3) / 4 * 4; }
};

Status check_size(const BmpHeader& h) {
  if (h.width < 1 || h.height == 0 || h.height == INT32_MIN)
    return malformed("width and height must be at least 1", 18);
  return {};
}

Status check_pixel_format(const BmpHeader& h) {
  if (h.compression == 1 || h.compression == 2)
    return error(Code::unsupported, "run-length coded BMP images are not supported", at_byte(30));
  if (h.compression != kUncompressed && h.compression != kBitfields) {
    return error(Code::unsupported, "BMP compression " + std::to_string(h.compression) + " is not supported",
                 at_byte(30));
  }
  const bool masked = h.bits == 16 || h.bits == 32;
  if (h.compression == kBitfields && !masked) return malformed("colour masks need 16 or 32 bits a pixel", 30);
  if (masked || h.bits == 1 || h.bits == 4 || h.bits == 8 || h.bits == 24) return {};
  return error(Code::unsupported, "BMP images of " + std::to_string(h.bits) + " bits a pixel are not supported",
               at_byte(28));
}

bool contiguous(uint32_t mask) noexcept {
  const uint32_t low = mask >> std::countr_zero(mask | 0x80000000u);
  return (low & (low + 1)) == 0;
}

Status take_masks(Bytes file, BmpHeader& h) {
  if (h.compression == kUncompressed) {
    const bool wide = h.bits == 32;
    for (uint32_t i = 0; i < 3; ++i) h.masks[i] = wide ? 0xffu << (16 - 8 * i) : 31u << (10 - 5 * i);
    return {};
  }
  const uint32_t count = h.size >= 56 ? 4 : 3;
  if (file.size() < kMaskAt + 16) return malformed("the file ends in the colour masks", file.size());
  for (uint32_t i = 0; i < count; ++i) h.masks[i] = le32_at(file, kMaskAt + 4 * i);
  for (uint32_t mask : h.masks) {
    if (std::popcount(mask) > 8)
      return error(Code::unsupported, "BMP colours of more than 8 bits are not supported", at_byte(kMaskAt));
    if (!contiguous(mask)) return malformed("colour mask has a gap", kMaskAt);
  }
  if (!h.masks[0] || !h.masks[1] || !h.masks[2]) return malformed("colour mask is empty", kMaskAt);
  return {};
}

Result<BmpHeader> read_header(Bytes file) {
  if (file.size() < kFileHeaderBytes + kCoreHeader) return malformed("the file ends in the header", file.size());
  BmpHeader h;
  h.pixels_at = le32_at(file, 10);
  h.size = le32_at(file, 14);
  const bool core = h.size == kCoreHeader;
  if (!core && h.size != kInfoHeader && h.size != 52 && h.size != 56 && h.size != kV4Header && h.size != 124) {
    return error(Code::unsupported, "BMP header of " + std::to_string(h.size) + " bytes is not supported", at_byte(14));
  }
  if (file.size() < kFileHeaderBytes + h.size) return malformed("the file ends in the header", file.size());
  h.width = static_cast<int32_t>(core ? le16_at(file, 18) : le32_at(file, 18));
  h.height = static_cast<int32_t>(core ? le16_at(file, 20) : le32_at(file, 22));
  h.bits = le16_at(file, core ? 24 : 28);
  if (!core) h.compression = le32_at(file, 30);
  if (!core) h.colors = le32_at(file, 46);
  BITEXACT_TRY(check_size(h));
  BITEXACT_TRY(check_pixel_format(h));
  if (h.bits == 16 || h.bits == 32) BITEXACT_TRY(take_masks(file, h));
  return h;
}

/// The end of the header, with the colour masks that follow a BITMAPINFOHEADER.
size_t header_end(const BmpHeader& h) noexcept {
  const bool masks_follow = h.compression == kBitfields && h.size == kInfoHeader;
  return kFileHeaderBytes + h.size + (masks_follow ? 12 : 0);
}

/// The pixel rows, as far as their last byte that matters.
Result<Bytes> pixel_rows(Bytes file, const BmpHeader& h) {
  if (h.pixels_at < header_end(h)) return malformed("the pixels begin inside the header", 10);
  const uint64_t rows = static_cast<uint64_t>(h.height < 0 ? -h.height : h.height);
  const uint64_t available = file.size() - std::min<uint64_t>(file.size(), h.pixels_at);
  if (h.stride() > available || rows - 1 > (available - h.row_bytes()) / h.stride()) {
    if (rows != 1 || h.row_bytes() > available) return malformed("truncated: the file ends in the pixels", file.size());
  }
  return file.subspan(h.pixels_at, static_cast<size_t>(std::min(available, rows * h.stride())));
}

void put32(std::vector<std::byte>& out, uint32_t v) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>(v >> shift & 255));
}

/// Appends the file's palette as RGB triples.
Status copy_palette(Bytes file, const BmpHeader& h, std::vector<std::byte>& out) {
  const size_t entry = h.size == kCoreHeader ? 3 : 4, begin = kFileHeaderBytes + h.size;
  const uint32_t colors = h.colors == 0 ? 1u << h.bits : h.colors;
  if (colors > 1u << h.bits) return malformed("palette has more colours than the pixels can name", 46);
  const size_t end = std::min<size_t>(file.size(), h.pixels_at);
  if (end < begin || (end - begin) / entry < colors) return malformed("the palette is truncated", end);
  for (size_t i = 0; i < colors; ++i) {
    for (size_t c = 0; c < 3; ++c) out.push_back(file[begin + i * entry + 2 - c]);
  }
  return {};
}

/// One header form for all files, so that the decoder meets only what it reads correctly. For indexed pixels it gets a
/// palette of greys, which leaves the indices.
void canonical_header(const BmpHeader& h, std::vector<std::byte>& out) {
  const bool masked = h.bits == 16 || h.bits == 32;
  const uint32_t size = masked ? kV4Header : kInfoHeader, greys = h.indexed() ? 1u << h.bits : 0;
  out = {std::byte{'B'}, std::byte{'M'}};
  for (uint32_t v : {0u, 0u, static_cast<uint32_t>(kFileHeaderBytes) + size + 4 * greys, size}) put32(out, v);
  put32(out, static_cast<uint32_t>(h.width));
  put32(out, static_cast<uint32_t>(h.height));
  put32(out, 1u | h.bits << 16);
  put32(out, masked ? kBitfields : kUncompressed);
  for (int i = 0; i < 5; ++i) put32(out, 0);
  if (masked) {
    for (uint32_t mask : h.masks) put32(out, mask);
    for (int i = 0; i < 13; ++i) put32(out, 0);
  }
  for (uint32_t i = 0; i < greys; ++i) put32(out, i * 0x010101);
}

}  // namespace

Result<ImageLayout> bmp_layout(Bytes file) {
  Result<BmpHeader> h = read_header(file);
  if (!h.ok()) return h.status();
  Result<Bytes> rows = pixel_rows(file, *h);
  if (!rows.ok()) return rows.status();
  ImageLayout layout;
  layout.info.format = ImageFormat::bmp;
  layout.info.width = h->width;
  layout.info.height = h->height < 0 ? -h->height : h->height;
  layout.info.channels = layout.stored_channels = h->masks[3] ? 4 : 3;
  canonical_header(*h, layout.header);
  const size_t header_bytes = layout.header.size();
  if (h->indexed()) BITEXACT_TRY(copy_palette(file, *h, layout.header));
  layout.data_at = h->pixels_at;
  layout.indexed = h->indexed();
  layout.palette = Bytes(layout.header).subspan(header_bytes);
  layout.pieces = {{Bytes(layout.header).first(header_bytes), false}, {*rows, false}};
  return layout;
}

}  // namespace bitexact
