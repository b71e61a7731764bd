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

// stb_image takes any amount of inflated data and ignores their checksum. Its PNG reader inflates with arguments of
// these very types, which the function it means takes after conversions only: this overload gets the call.
static char* stbi_zlib_decode_malloc_guesssize_headerflag(char* data, uint32_t size, uint32_t guess, int* inflated,
                                                          int header);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "stb_image.h"
#pragma GCC diagnostic pop

namespace bitexact {
namespace {

/// What the IDAT chunks must inflate to, and why they were refused. Found per thread, like the budget.
struct Inflation {
  explicit Inflation(uint64_t expected) noexcept : bytes(expected) { current = this; }
  ~Inflation() { current = nullptr; }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  const uint64_t bytes;
  std::string refused;
  static thread_local Inflation* current;
};
thread_local Inflation* Inflation::current = nullptr;

uint32_t adler32(Bytes bytes) noexcept {
  constexpr size_t kSumsFit = 5552;  // as many bytes as 32-bit sums take without a remainder
  uint32_t a = 1, b = 0;
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), kSumsFit));
    for (std::byte byte : part) b += a += std::to_integer<uint32_t>(byte);
    a %= 65521;
    b %= 65521;
    bytes = bytes.subspan(part.size());
  }
  return b << 16 | a;
}

/// Inflates into exactly the bytes that the header asks for; false, with the reason, when the data are not these.
bool inflate(Bytes data, std::span<std::byte> out, std::string& refused) {
  const int size = stbi_zlib_decode_buffer(reinterpret_cast<char*>(out.data()), static_cast<int>(out.size()),
                                           reinterpret_cast<const char*>(data.data()), static_cast<int>(data.size()));
  const std::string expected = std::to_string(out.size()) + " bytes that its header asks for";
  if (size < 0) {
    refused = "PNG pixel data are damaged, or more than the " + expected;
  } else if (static_cast<size_t>(size) != out.size()) {
    refused = "PNG pixel data are " + std::to_string(size) + " bytes instead of the " + expected;
  } else if (data.size() < 4 || be32_at(data, data.size() - 4) != adler32(out)) {
    refused = "PNG pixel data do not end in their checksum (Adler-32)";
  }
  return refused.empty();
}

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

/// The byte of the file at which `part` begins.
Where where_in(const ImageLayout& layout, Bytes part, size_t offset) {
  return at_byte(static_cast<uint64_t>(part.data() - layout.file.data()) + offset);
}

Where where_data_begin(const ImageLayout& layout, const StbSource& source) {
  return source.scan().empty() ? at_byte(layout.data_at) : where_in(layout, source.scan(), 0);
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
  if (source.scan_overrun() || source.in_guard()) {
    return error(Code::malformed, "JPEG scan data end too early",
                 where_in(layout, source.scan(), source.scan().size()));
  }
  const Where begin = where_data_begin(layout, source);
  if (source.intervals_unread())
    return error(Code::malformed, "JPEG restart interval has more data than blocks", begin);
  return error(Code::malformed, format + " pixel data are damaged or too short", begin);
}

void* load(StbSource& source, bool wide, int (&dimensions)[3]) {
  const stbi_io_callbacks callbacks{read_source, skip_source, source_at_end};
  auto& [width, height, channels] = dimensions;
  if (wide) return stbi_load_16_from_callbacks(&callbacks, &source, &width, &height, &channels, 0);
  return stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, 0);
}

}  // namespace
}  // namespace bitexact

static char* stbi_zlib_decode_malloc_guesssize_headerflag(char* data, uint32_t size, uint32_t, int* inflated, int) {
  bitexact::Inflation& wanted = *bitexact::Inflation::current;
  const size_t bytes = static_cast<size_t>(wanted.bytes);
  auto* out = static_cast<std::byte*>(bitexact::stb_realloc(nullptr, bytes));
  if (!out) return nullptr;
  if (!bitexact::inflate({reinterpret_cast<std::byte*>(data), size}, {out, bytes}, wanted.refused)) {
    bitexact::stb_free(out);
    return nullptr;
  }
  *inflated = static_cast<int>(bytes);
  return reinterpret_cast<char*>(out);
}

namespace bitexact {

Status stb_decode(const ImageLayout& layout, std::span<std::byte> out) {
  StbBudget budget(working_bytes(layout));
  StbSource source(layout.pieces);
  if (layout.inflated_bytes > INT32_MAX)
    return error(Code::too_large, "PNG rows of " + std::to_string(layout.inflated_bytes) + " bytes cannot be decoded");
  const Inflation inflation(layout.inflated_bytes);
  int dimensions[3] = {};
  const std::unique_ptr<void, void (*)(void*)> pixels(load(source, layout.info.bits == 16, dimensions), stb_free);
  if (!inflation.refused.empty()) return error(Code::malformed, inflation.refused, at_byte(layout.data_at));
  if (!pixels || source.scan_overrun() || source.intervals_unread()) return failure(layout, source, budget);
  const int expected[] = {layout.info.width, layout.info.height, layout.stored_channels};
  if (!std::equal(std::begin(expected), std::end(expected), dimensions)) {
    return error(Code::malformed, "decoded image differs from its header", where_data_begin(layout, source));
  }
  std::memcpy(out.data(), pixels.get(), out.size());
  return {};
}

}  // namespace bitexact
