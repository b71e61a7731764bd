#include "image/layout.h"

namespace bitexact {
namespace {

struct Tiff {
  Bytes bytes;
  bool big_endian;

  [[nodiscard]] bool holds(uint64_t at, uint64_t count) const noexcept { return at + count <= bytes.size(); }
  [[nodiscard]] uint32_t u16(size_t at) const noexcept { return big_endian ? be16_at(bytes, at) : le16_at(bytes, at); }
  [[nodiscard]] uint32_t u32(size_t at) const noexcept { return big_endian ? be32_at(bytes, at) : le32_at(bytes, at); }
};

constexpr size_t kEntryBytes = 12;
constexpr uint32_t kOrientationTag = 0x0112, kShort = 3;

int32_t orientation_in(const Tiff& tiff, size_t directory) noexcept {
  const uint32_t entries = tiff.u16(directory);
  for (uint32_t i = 0; i < entries; ++i) {
    const size_t at = directory + 2 + i * kEntryBytes;
    if (!tiff.holds(at, kEntryBytes)) return 1;
    if (tiff.u16(at) != kOrientationTag) continue;
    const uint32_t value = tiff.u16(at + 8);
    const bool valid = tiff.u16(at + 2) == kShort && tiff.u32(at + 4) == 1 && value >= 1 && value <= 8;
    return valid ? static_cast<int32_t>(value) : 1;
  }
  return 1;
}

}  // namespace

int32_t exif_orientation(Bytes bytes) noexcept {
  if (bytes.size() < 8) return 1;
  const bool big_endian = has_text(bytes, 0, "MM");
  if (!big_endian && !has_text(bytes, 0, "II")) return 1;
  const Tiff tiff{bytes, big_endian};
  const uint32_t directory = tiff.u32(4);
  if (tiff.u16(2) != 42 || !tiff.holds(directory, 2)) return 1;
  return orientation_in(tiff, directory);
}

}  // namespace bitexact
