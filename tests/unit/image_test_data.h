#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/image.h"

namespace bitexact::test {

using ByteVector = std::vector<std::byte>;

/// The folder of third-party data; it may be absent.
inline std::filesystem::path shared_folder() {
  const char* path = std::getenv("BITEXACT_SHARED");
  return path ? std::filesystem::path(path) : std::filesystem::path(BITEXACT_SOURCE_DIR) / ".." / "shared";
}

#define SKIP_WITHOUT(folder) \
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "third-party data are absent: " << (folder)

inline ByteVector read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ByteVector bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline void append(ByteVector& out, std::string_view text) {
  for (char c : text) out.push_back(static_cast<std::byte>(c));
}
inline void append(ByteVector& out, const ByteVector& bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }
inline void append_be32(ByteVector& out, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(v >> shift & 255));
}
inline void append_le(ByteVector& out, uint32_t v, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(v >> (8 * i) & 255));
}

/// Bit by bit, as the PNG specification defines it; not the table of the product.
inline uint32_t crc_of(const std::byte* data, size_t size) {
  uint32_t c = 0xffffffff;
  for (size_t i = 0; i < size; ++i) {
    c ^= std::to_integer<uint32_t>(data[i]);
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0xedb88320 : c >> 1;
  }
  return ~c;
}

inline void append_chunk(ByteVector& png, std::string_view type, const ByteVector& data) {
  append_be32(png, static_cast<uint32_t>(data.size()));
  const size_t begin = png.size();
  append(png, type);
  append(png, data);
  append_be32(png, crc_of(png.data() + begin, png.size() - begin));
}

/// A zlib stream of stored blocks.
inline ByteVector zlib_stored(const ByteVector& raw) {
  ByteVector out;
  append(out, "\x78\x01");
  uint32_t a = 1, b = 0;
  for (std::byte byte : raw) {
    a = (a + std::to_integer<uint32_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  size_t at = 0;
  do {
    const size_t n = std::min<size_t>(raw.size() - at, 65535);
    out.push_back(std::byte{at + n == raw.size()});
    append_le(out, static_cast<uint32_t>(n), 2);
    append_le(out, static_cast<uint32_t>(n) ^ 0xffff, 2);
    out.insert(out.end(), raw.begin() + static_cast<std::ptrdiff_t>(at),
               raw.begin() + static_cast<std::ptrdiff_t>(at + n));
    at += n;
  } while (at < raw.size());
  append_be32(out, b << 16 | a);
  return out;
}

struct PngSpec {
  uint32_t width = 1, height = 1, depth = 8, color = 2, interlace = 0;
  ByteVector rows;                                                ///< filter bytes and samples
  std::vector<std::pair<std::string, ByteVector>> before_data{};  ///< further chunks
};

inline ByteVector make_png(const PngSpec& spec) {
  ByteVector png, header;
  append(png, std::string_view("\x89PNG\r\n\x1a\n", 8));
  append_be32(header, spec.width);
  append_be32(header, spec.height);
  for (uint32_t v : {spec.depth, spec.color, 0u, 0u, spec.interlace}) header.push_back(static_cast<std::byte>(v));
  append_chunk(png, "IHDR", header);
  for (const auto& [type, data] : spec.before_data) append_chunk(png, type, data);
  append_chunk(png, "IDAT", zlib_stored(spec.rows));
  append_chunk(png, "IEND", {});
  return png;
}

inline ByteVector bytes_of(std::initializer_list<int> values) {
  ByteVector out;
  for (int v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}

/// 40-byte header, rows from the bottom.
inline ByteVector make_bmp(int32_t width, int32_t height, uint32_t bits, const ByteVector& palette,
                           const ByteVector& rows, uint32_t colors = 0) {
  ByteVector bmp;
  append(bmp, "BM");
  const uint32_t pixels_at = 54 + static_cast<uint32_t>(palette.size());
  for (uint32_t v : {pixels_at + static_cast<uint32_t>(rows.size()), 0u, pixels_at, 40u}) append_le(bmp, v, 4);
  append_le(bmp, static_cast<uint32_t>(width), 4);
  append_le(bmp, static_cast<uint32_t>(height), 4);
  append_le(bmp, 1, 2);
  append_le(bmp, bits, 2);
  for (uint32_t v : {0u, 0u, 0u, 0u, colors, 0u}) append_le(bmp, v, 4);
  append(bmp, palette);
  append(bmp, rows);
  return bmp;
}

/// The 64 pseudo-random bits that the vector files' `fill` uses.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }

 private:
  uint64_t state_;
};

}  // namespace bitexact::test
