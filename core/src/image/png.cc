#include <array>
#include <string>

#include "image/crc32.h"
#include "image/layout.h"

namespace bitexact {
namespace {

constexpr size_t kSignatureBytes = 8, kHeaderChunkBytes = 25;

constexpr uint32_t tag(const char (&name)[5]) {
  return static_cast<uint32_t>(name[0]) << 24 | static_cast<uint32_t>(name[1]) << 16 |
         static_cast<uint32_t>(name[2]) << 8 | static_cast<uint32_t>(name[3]);
}

enum ColorType : uint32_t { kGrey = 0, kRgb = 2, kPalette = 3, kGreyAlpha = 4, kRgba = 6 };

struct Chunk {
  uint32_t type = 0;
  Bytes data;
  size_t at = 0;  ///< of the chunk's first byte in the file

  [[nodiscard]] std::string name() const {
    return {static_cast<char>(type >> 24), static_cast<char>(type >> 16 & 255), static_cast<char>(type >> 8 & 255),
            static_cast<char>(type & 255)};
  }
  [[nodiscard]] size_t end() const noexcept { return at + 12 + data.size(); }
  [[nodiscard]] bool ancillary() const noexcept { return (type >> 29 & 1) != 0; }
  [[nodiscard]] Status malformed(const char* why) const {
    return error(Code::malformed, "PNG chunk " + name() + ": " + why, at_byte(at));
  }
};

bool is_letter(uint32_t c) noexcept { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

Result<Chunk> read_chunk(Bytes file, size_t at) {
  if (file.size() - at < 12) return error(Code::malformed, "PNG is truncated: no IEND chunk", at_byte(file.size()));
  for (size_t i = 4; i < 8; ++i) {
    if (!is_letter(u8_at(file, at + i)))
      return error(Code::malformed, "PNG chunk type is not four letters", at_byte(at + 4));
  }
  Chunk chunk{be32_at(file, at + 4), {}, at};
  const size_t length = be32_at(file, at);
  if (length > file.size() - at - 12) return chunk.malformed("the file ends before the chunk");
  chunk.data = file.subspan(at + 8, length);
  if (crc32(file.subspan(at + 4, length + 4)) != be32_at(file, at + 8 + length)) {
    return chunk.malformed("checksum does not match");
  }
  return chunk;
}

/// Bytes of filters and rows. Wraps only for sides that are refused before it is used.
uint64_t pass_bytes(uint64_t width, uint64_t height, uint64_t bits) noexcept {
  return width == 0 ? 0 : height * (1 + (width * bits + 7) / 8);
}

uint64_t interlaced_bytes(uint64_t width, uint64_t height, uint64_t bits) noexcept {
  struct Pass {
    uint64_t x, y, step_x, step_y;
  };
  constexpr Pass kAdam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                             {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  uint64_t bytes = 0;
  for (const Pass& p : kAdam7) {
    const uint64_t columns = (width + p.step_x - 1 - p.x) / p.step_x, rows = (height + p.step_y - 1 - p.y) / p.step_y;
    bytes += pass_bytes(columns, rows, bits);
  }
  return bytes;
}

/// Collects a ImageLayout from the chunks in file order, refusing any order or content that the format forbids.
class PngWalk {
 public:
  explicit PngWalk(Bytes file) : file_(file) {}

  [[nodiscard]] Result<ImageLayout> layout() {
    size_t at = kSignatureBytes;
    do {
      Result<Chunk> chunk = read_chunk(file_, at);
      if (!chunk.ok()) return chunk.status();
      BITEXACT_TRY(take(*chunk));
      at = chunk->end();
    } while (!ended_);
    if (color_ == kPalette) index_by_grey();
    return std::move(layout_);
  }

 private:
  Status take(const Chunk& chunk) {
    if (layout_.info.width == 0 && chunk.type != tag("IHDR")) return chunk.malformed("IHDR must come first");
    if (idat_ == Idat::inside && chunk.type != tag("IDAT")) idat_ = Idat::after;
    switch (chunk.type) {
      case tag("IHDR"):
        return take_header(chunk);
      case tag("PLTE"):
        return take_palette(chunk);
      case tag("tRNS"):
        return take_transparency(chunk);
      case tag("IDAT"):
        return take_data(chunk);
      case tag("IEND"):
        return take_end(chunk);
      case tag("eXIf"):
        layout_.info.orientation = exif_orientation(chunk.data);
        return {};
      case tag("iCCP"):
      case tag("gAMA"):
      case tag("cHRM"):
      case tag("sRGB"):
        layout_.info.color_profile_ignored = true;
        return {};
      default:
        if (chunk.ancillary()) return {};
        return error(Code::unsupported, "PNG chunk " + chunk.name() + ": unknown critical chunk", at_byte(chunk.at));
    }
  }

  Status take_header(const Chunk& chunk) {
    if (layout_.info.width != 0) return chunk.malformed("appears twice");
    if (chunk.data.size() != 13) return chunk.malformed("must hold 13 bytes");
    const uint32_t width = be32_at(chunk.data, 0), height = be32_at(chunk.data, 4);
    depth_ = u8_at(chunk.data, 8);
    color_ = u8_at(chunk.data, 9);
    if (width == 0 || height == 0) return chunk.malformed("width and height must be at least 1");
    if (width > INT32_MAX || height > INT32_MAX) return chunk.malformed("width and height must be below 2^31");
    if (!depth_fits_color()) return chunk.malformed("bit depth and colour type do not go together");
    if (u8_at(chunk.data, 10) != 0) return chunk.malformed("unknown compression method");
    if (u8_at(chunk.data, 11) != 0) return chunk.malformed("unknown filter method");
    if (u8_at(chunk.data, 12) > 1) return chunk.malformed("unknown interlace method");
    layout_.info.width = static_cast<int32_t>(width);
    layout_.info.height = static_cast<int32_t>(height);
    layout_.info.bits = depth_ == 16 ? 16 : 8;
    set_channels((color_ & 2 ? 3 : 1) + (color_ & 4 ? 1 : 0));
    const uint32_t bits = static_cast<uint32_t>(layout_.stored_channels) * depth_;
    layout_.inflated_bytes = (u8_at(chunk.data, 12) ? interlaced_bytes : pass_bytes)(width, height, bits);
    layout_.show(file_.first(chunk.end()));
    return {};
  }

  [[nodiscard]] bool depth_fits_color() const noexcept {
    switch (color_) {
      case kGrey:
        return depth_ == 1 || depth_ == 2 || depth_ == 4 || depth_ == 8 || depth_ == 16;
      case kPalette:
        return depth_ == 1 || depth_ == 2 || depth_ == 4 || depth_ == 8;
      case kRgb:
      case kGreyAlpha:
      case kRgba:
        return depth_ == 8 || depth_ == 16;
      default:
        return false;
    }
  }

  Status take_palette(const Chunk& chunk) {
    const size_t entries = chunk.data.size() / 3;
    if (!layout_.palette.empty()) return chunk.malformed("appears twice");
    if (idat_ != Idat::before) return chunk.malformed("must come before IDAT");
    if (color_ == kGrey || color_ == kGreyAlpha) return chunk.malformed("is forbidden in a grey image");
    if (chunk.data.size() % 3 != 0 || entries == 0 || entries > 256)
      return chunk.malformed("must hold 1 to 256 colours");
    if (color_ == kPalette && entries > (1u << depth_))
      return chunk.malformed("has more colours than the bit depth allows");
    layout_.palette = chunk.data;
    return {};
  }

  Status take_transparency(const Chunk& chunk) {
    if (transparent_) return chunk.malformed("appears twice");
    if (idat_ != Idat::before) return chunk.malformed("must come before IDAT");
    if (color_ == kGreyAlpha || color_ == kRgba) return chunk.malformed("is forbidden with an alpha channel");
    if (color_ == kPalette) {
      if (chunk.data.size() > layout_.palette.size() / 3) return chunk.malformed("has more entries than the palette");
      layout_.palette_alpha = chunk.data;
    } else {
      if (chunk.data.size() != (color_ == kGrey ? 2u : 6u)) return chunk.malformed("must hold one colour");
      layout_.show(whole(chunk));
    }
    transparent_ = true;
    set_channels(layout_.info.channels + 1);
    return {};
  }

  Status take_data(const Chunk& chunk) {
    if (color_ == kPalette && layout_.palette.empty()) return chunk.malformed("PLTE must come before");
    if (idat_ == Idat::after) return chunk.malformed("must follow the other IDAT chunks directly");
    if (idat_ == Idat::before) layout_.data_at = chunk.at;
    idat_ = Idat::inside;
    layout_.show(whole(chunk));
    return {};
  }

  Status take_end(const Chunk& chunk) {
    if (!chunk.data.empty()) return chunk.malformed("must be empty");
    if (idat_ == Idat::before) return chunk.malformed("there was no IDAT chunk");
    layout_.show(whole(chunk));
    ended_ = true;
    return {};
  }

  void set_channels(int32_t channels) {
    layout_.info.channels = color_ == kPalette ? 3 + (transparent_ ? 1 : 0) : channels;
    layout_.stored_channels = color_ == kPalette ? 1 : channels;
  }

  /// The decoder would read palette entries that the file does not have. It is shown a grey image of the indices
  /// instead; the palette is applied, and each index checked, afterwards.
  void index_by_grey() {
    layout_.indexed = true;
    layout_.header.assign(file_.begin(), file_.begin() + kSignatureBytes + kHeaderChunkBytes);
    layout_.header[kSignatureBytes + 8 + 9] = std::byte{kGrey};
    Bytes& first = layout_.pieces.front().bytes;
    const Bytes rest = first.subspan(layout_.header.size());
    layout_.index_scale = 255 / static_cast<int32_t>((1u << depth_) - 1);
    first = layout_.header;
    if (!rest.empty()) layout_.pieces.insert(layout_.pieces.begin() + 1, {rest, false});
  }

  [[nodiscard]] Bytes whole(const Chunk& chunk) const noexcept {
    return file_.subspan(chunk.at, chunk.end() - chunk.at);
  }

  enum class Idat : uint8_t { before, inside, after };
  Bytes file_;
  ImageLayout layout_;
  uint32_t depth_ = 0, color_ = 0;
  bool transparent_ = false, ended_ = false;
  Idat idat_ = Idat::before;
};

}  // namespace

Result<ImageLayout> png_layout(Bytes file) {
  PngWalk walk(file);
  return walk.layout();
}

}  // namespace bitexact
