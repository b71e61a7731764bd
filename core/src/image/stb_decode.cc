#include "image/stb_decode.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "image/stb_memory.h"
#include "image/stb_source.h"

// One scalar integer path on every CPU; memory within a budget; no files, no floating point, no globals that change.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_NO_LINEAR
#define STBI_ASSERT(x) static_cast<void>(0)
#define STBI_MALLOC(n) ::bitexact::stb_realloc(nullptr, n)
#define STBI_REALLOC(p, n) ::bitexact::stb_realloc(p, n)
#define STBI_FREE(p) ::bitexact::stb_free(p)
#define STBI_NO_FAILURE_STRINGS

// stb_image's own version blends the last but one column of a row from the wrong neighbour (weights 3:1 the wrong way
// round). The macro renames its definition, which is followed by a parenthesis; its use below is not, and finds ours.
static unsigned char* stbi__resample_row_h_2(unsigned char* out, unsigned char* in, unsigned char*, int width, int) {
  const auto blend = [](int near, int far) { return static_cast<unsigned char>((3 * near + far + 2) >> 2); };
  for (int i = 0; i < width; ++i) {
    out[2 * i] = i == 0 ? in[0] : blend(in[i], in[i - 1]);
    out[2 * i + 1] = i == width - 1 ? in[i] : blend(in[i], in[i + 1]);
  }
  return out;
}
#define stbi__resample_row_h_2(out, near, far, width, step) stbi__resample_row_h_2_of_stb(out, near, far, width, step)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "stb_image.h"
#pragma GCC diagnostic pop

namespace bitexact {
namespace {

int read_source(void* source, char* out, int size) {
  return static_cast<int>(
      static_cast<StbSource*>(source)->read(reinterpret_cast<std::byte*>(out), static_cast<size_t>(size)));
}
void skip_source(void* source, int bytes) { static_cast<StbSource*>(source)->skip(static_cast<size_t>(bytes)); }
int source_at_end(void* source) { return static_cast<StbSource*>(source)->at_end() ? 1 : 0; }

/// Enough for the planes, coefficients, inflated rows and copies that the decoder makes of an honest file.
size_t working_bytes(const ImageLayout& layout) {
  constexpr uint64_t kFixed = 1 << 20, kMaxUnit = 32;
  const auto padded = [](int32_t side) { return (static_cast<uint64_t>(side) + kMaxUnit - 1) / kMaxUnit * kMaxUnit; };
  uint64_t bytes = kFixed;
  if (layout.info.format == ImageFormat::jpeg) {
    bytes += padded(layout.info.width) * padded(layout.info.height) * (layout.stored_channels == 1 ? 1 : 4) * 3;
  }
  bytes += static_cast<uint64_t>(layout.info.width) * static_cast<uint64_t>(layout.info.height) *
           static_cast<uint64_t>(layout.stored_channels * layout.info.bits / 8) * 4;
  for (const Piece& piece : layout.pieces) bytes += piece.entropy_coded ? 0 : 2 * uint64_t{piece.bytes.size()};
  return bytes > SIZE_MAX ? SIZE_MAX : static_cast<size_t>(bytes);
}

Status failure(const ImageLayout& layout, const StbSource& source, const StbBudget& budget) {
  const std::string format = layout.info.format == ImageFormat::jpeg  ? "JPEG"
                             : layout.info.format == ImageFormat::png ? "PNG"
                                                                      : "BMP";
  if (budget.exceeded()) {
    return error(Code::too_large,
                 format + " data need more than " + std::to_string(budget.bytes()) + " bytes of working memory");
  }
  if (budget.refused()) return error(Code::no_memory, "memory for decoding could not be allocated");
  if (source.scan_overrun() || source.in_guard()) return error(Code::malformed, "JPEG scan data end too early");
  if (source.intervals_unread()) return error(Code::malformed, "JPEG restart interval has more data than blocks");
  return error(Code::malformed, format + " pixel data are damaged or too short");
}

void* load(StbSource& source, bool wide, int (&dimensions)[3]) {
  const stbi_io_callbacks callbacks{read_source, skip_source, source_at_end};
  auto& [width, height, channels] = dimensions;
  if (wide) return stbi_load_16_from_callbacks(&callbacks, &source, &width, &height, &channels, 0);
  return stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 0);
}

}  // namespace

Status stb_decode(const ImageLayout& layout, std::span<std::byte> out) {
  StbBudget budget(working_bytes(layout));
  StbSource source(layout.pieces);
  int dimensions[3] = {};
  const std::unique_ptr<void, void (*)(void*)> pixels(load(source, layout.info.bits == 16, dimensions), stb_free);
  if (!pixels || source.scan_overrun() || source.intervals_unread()) return failure(layout, source, budget);
  const int expected[] = {layout.info.width, layout.info.height, layout.stored_channels};
  if (!std::equal(std::begin(expected), std::end(expected), dimensions)) {
    return error(Code::malformed, "decoded image differs from its header");
  }
  std::memcpy(out.data(), pixels.get(), out.size());
  return {};
}

}  // namespace bitexact
