#include <string>

#include "image/layout.h"

namespace bitexact {
namespace {

struct Signature {
  size_t at;
  std::string_view text;
  const char* name;
};

// Formats that people do hand in, so that the message can name them.
constexpr Signature kOthers[] = {
    {0, "GIF8", "GIF"},
    {8, "WEBP", "WebP"},
    {0, {"II*\0", 4}, "TIFF"},
    {0, {"MM\0*", 4}, "TIFF"},
    {4, "ftypavi", "AVIF"},
    {4, "ftyphei", "HEIC"},
    {4, "ftyphev", "HEIC"},
    {4, "ftypmif1", "HEIF"},
    {0, "%PDF", "PDF"},
    {0, "<svg", "SVG"},
    {0, "<?xml", "SVG or XML"},
    {4, "jP  ", "JPEG 2000"},
    {0, "\xff\x0a", "JPEG XL"},
    {4, "JXL ", "JPEG XL"},
    {0, "8BPS", "Photoshop"},
    {0, "qoif", "QOI"},
    {0, "#?RADIANCE", "HDR"},
    {0, "\x76\x2f\x31\x01", "OpenEXR"},
    {0, "P1", "ASCII bitmap (P1)"},
    {0, "P2", "ASCII greymap (P2)"},
    {0, "P3", "ASCII pixmap (P3)"},
    {0, "P4", "bitmap (P4)"},
    {0, "P7", "PAM (P7)"},
    {0, "Pf", "PFM"},
    {0, "PF", "PFM"},
};

Status unknown(Bytes file) {
  if (file.empty()) return error(Code::malformed, "the image file is empty", at_byte(0));
  if (has_text(file, 1, "PNG"))
    return error(Code::malformed, "PNG signature is damaged, as by a transfer in text mode", at_byte(0));
  for (const Signature& other : kOthers) {
    if (!has_text(file, other.at, other.text)) continue;
    return error(Code::unsupported,
                 std::string(other.name) + " images are not supported; expected PNG, JPEG, BMP or PNM");
  }
  return error(Code::malformed, "not an image that bitexact knows; expected PNG, JPEG, BMP or PNM", at_byte(0));
}

}  // namespace

const char* format_name(ImageFormat format) noexcept {
  switch (format) {
    case ImageFormat::png:
      return "png";
    case ImageFormat::jpeg:
      return "jpeg";
    case ImageFormat::bmp:
      return "bmp";
    case ImageFormat::pnm:
      return "pnm";
  }
  return "";
}

namespace {

Result<ImageLayout> layout_by_content(Bytes file) {
  if (has_text(file, 0, "\x89PNG\r\n\x1a\n")) return png_layout(file);
  if (has_text(file, 0, "\xff\xd8\xff")) return jpeg_layout(file);
  if (has_text(file, 0, "BM")) return bmp_layout(file);
  if (has_text(file, 0, "P5") || has_text(file, 0, "P6")) return pnm_layout(file);
  return unknown(file);
}

}  // namespace

Result<ImageLayout> image_layout(Bytes file) {
  Result<ImageLayout> layout = layout_by_content(file);
  if (layout.ok()) layout->file = file;
  return layout;
}

Result<ImageInfo> probe_image(std::span<const std::byte> file) {
  Result<ImageLayout> layout = image_layout(file);
  if (!layout.ok()) return layout.status();
  return layout->info;
}

}  // namespace bitexact
