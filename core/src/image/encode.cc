#include <algorithm>
#include <cstring>
#include <string>

#include "bitexact/image.h"
#include "image/encode_arena.h"
#include "image/size.h"

#define STBIW_MALLOC(bytes) ::bitexact::EncodeArena::resize(nullptr, 0, bytes)
#define STBIW_REALLOC_SIZED(block, old_bytes, bytes) ::bitexact::EncodeArena::resize(block, old_bytes, bytes)
#define STBIW_FREE(block) static_cast<void>(block)
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include "stb_image_write.h"

namespace bitexact {
namespace {

Result<Buffer> to_buffer(const void* data, size_t bytes) {
  Result<Buffer> buffer = Buffer::make(bytes);
  if (buffer.ok()) std::memcpy(buffer->data(), data, bytes);
  return buffer;
}

Result<Buffer> encode_png(const Image& image) {
  if (image.bits != 8) return error(Code::unsupported, "PNG is written with 8 bits a sample only; PNM holds 16");
  // The encoder computes sizes in `int`.
  constexpr size_t kMaxEncoded = INT32_MAX / 4;
  if (image.samples.size() + static_cast<size_t>(image.height) > kMaxEncoded) {
    return error(Code::too_large,
                 "images of more than " + std::to_string(kMaxEncoded) + " bytes cannot be written as PNG");
  }
  Result<Buffer> memory = Buffer::make(EncodeArena::bytes_for(image.samples.size(), static_cast<size_t>(image.height)));
  if (!memory.ok()) return memory.status();
  const EncodeArena arena(memory->span());
  int bytes = 0;
  const unsigned char* png =
      stbi_write_png_to_mem(image.samples.as<unsigned char>(), 0, image.width, image.height, image.channels, &bytes);
  if (!png) return error(Code::no_memory, "memory for encoding could not be allocated");
  return to_buffer(png, static_cast<size_t>(bytes));
}

/// Netpbm samples have the most significant byte first.
void put_samples(const Image& image, std::byte* out) {
  if (image.bits == 8) {
    std::copy_n(image.samples.data(), image.samples.size(), out);
    return;
  }
  const uint16_t* samples = image.samples.as<uint16_t>();
  for (size_t i = 0; i < image.sample_count(); ++i) {
    *out++ = static_cast<std::byte>(samples[i] >> 8);
    *out++ = static_cast<std::byte>(samples[i] & 255);
  }
}

Result<Buffer> encode_pnm(const Image& image) {
  if (image.channels % 2 == 0) return error(Code::unsupported, "PNM has no alpha channel; drop or compose it first");
  const std::string header = std::string(image.channels == 1 ? "P5\n" : "P6\n") + std::to_string(image.width) + " " +
                             std::to_string(image.height) + (image.bits == 8 ? "\n255\n" : "\n65535\n");
  Result<Buffer> out = Buffer::make(header.size() + image.samples.size());
  if (!out.ok()) return out;
  std::memcpy(out->data(), header.data(), header.size());
  put_samples(image, out->data() + header.size());
  return out;
}

}  // namespace

Result<Buffer> encode_image(const Image& image, ImageFormat format) {
  BITEXACT_TRY(check_image(image));
  if (format == ImageFormat::png) return encode_png(image);
  if (format == ImageFormat::pnm) return encode_pnm(image);
  return error(Code::argument, std::string(format_name(format)) + " is not written; expected png or pnm");
}

}  // namespace bitexact
