#include <chrono>

#include "image_test_data.h"

namespace bitexact::test {
namespace {

constexpr ImageLimits kSmall{.pixels = 1 << 22, .bytes = 1 << 25};

/// A grey ramp as a baseline JPEG with restart intervals: 32x16, eight blocks, each a DC difference and end-of-block.
ByteVector ramp_jpeg() {
  ByteVector jpeg = bytes_of({0xff, 0xd8, 0xff, 0xdb, 0, 67, 0});
  jpeg.insert(jpeg.end(), 64, std::byte{8});
  append(jpeg, bytes_of({0xff, 0xc0, 0, 11, 8, 0, 16, 0, 32, 1, 1, 0x11, 0, 0xff, 0xdd, 0, 4, 0, 4}));
  append(jpeg, bytes_of({0xff, 0xc4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}));
  append(jpeg, bytes_of({0xff, 0xc4, 0, 21, 0x10, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12}));
  append(jpeg, bytes_of({0xff, 0xda, 0, 8, 1, 1, 0x00, 0, 63, 0}));
  // Four blocks of 0 1000 0 (category 4, value 8, end-of-block), a restart marker, four more.
  append(jpeg, bytes_of({0x41, 0x04, 0x10, 0xff, 0xd0, 0x41, 0x04, 0x10, 0xff, 0xd9}));
  return jpeg;
}

/// The same picture as a progressive file: the DC coefficients, then one band that is all zero.
ByteVector ramp_progressive() {
  ByteVector jpeg = bytes_of({0xff, 0xd8, 0xff, 0xdb, 0, 67, 0});
  jpeg.insert(jpeg.end(), 64, std::byte{8});
  append(jpeg, bytes_of({0xff, 0xc2, 0, 11, 8, 0, 8, 0, 32, 1, 1, 0x11, 0}));
  append(jpeg, bytes_of({0xff, 0xc4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}));
  append(jpeg, bytes_of({0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  append(jpeg, bytes_of({0xff, 0xda, 0, 8, 1, 1, 0x00, 0, 0, 0, 0x42, 0x10, 0x8f}));
  append(jpeg, bytes_of({0xff, 0xda, 0, 8, 1, 1, 0x00, 1, 63, 0, 0x0f, 0xff, 0xd9}));
  return jpeg;
}

ByteVector pnm(const std::string& header, size_t bytes) {
  ByteVector out;
  append(out, header);
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(i * 37));
  return out;
}

ByteVector png_of(uint32_t color, uint32_t depth, size_t row_bytes,
                  std::vector<std::pair<std::string, ByteVector>> chunks, uint32_t interlace = 0) {
  PngSpec spec{.width = 9,
               .height = 7,
               .depth = depth,
               .color = color,
               .interlace = interlace,
               .rows = {},
               .before_data = std::move(chunks)};
  for (size_t i = 0; i < 7 * (1 + row_bytes); ++i)
    spec.rows.push_back(static_cast<std::byte>(i % (1 + row_bytes) ? i * 11 % 64 : i % 5));
  if (interlace) spec.rows.assign(266, std::byte{1});  // 14 rows in seven passes, 63 pixels
  return make_png(spec);
}

/// Small valid files of every format and most of their variants.
std::vector<ByteVector> seeds() {
  const ByteVector palette = bytes_of({0, 0, 0, 255, 0, 0, 0, 255, 0, 9, 9, 9});
  const ByteVector bgr_palette = bytes_of({0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 9, 9, 9, 0});
  return {
      png_of(2, 8, 27, {}),
      png_of(0, 16, 18, {{"tRNS", bytes_of({0, 5})}}),
      png_of(6, 8, 36, {{"gAMA", bytes_of({0, 0, 1, 0})}}),
      png_of(3, 2, 3, {{"PLTE", palette}, {"tRNS", bytes_of({1, 2})}}),
      png_of(0, 1, 2, {}),
      png_of(4, 16, 36, {}, 1),
      ramp_jpeg(),
      ramp_progressive(),
      make_bmp(5, 3, 24, {}, ByteVector(48, std::byte{7})),
      make_bmp(5, 3, 8, bgr_palette, ByteVector(24, std::byte{2}), 4),
      make_bmp(9, -2, 4, bgr_palette, ByteVector(16, std::byte{0x13}), 4),
      make_bmp(9, 2, 1, bytes_of({0, 0, 0, 0, 1, 2, 3, 0}), ByteVector(8)),
      make_bmp(3, 2, 32, {}, ByteVector(24, std::byte{9})),
      make_bmp(3, 2, 16, {}, ByteVector(16, std::byte{9})),
      pnm("P5\n4 3\n255\n", 12),
      pnm("P6 2 2 65535 ", 24),
      pnm("P6\n# a comment\n3 1\n255\n", 9),
  };
}

TEST(ImageRobustness, SeedsOfEveryFormatDecode) {
  for (const ByteVector& file : seeds()) {
    const Result<Image> image = decode_image(file);
    EXPECT_TRUE(image.ok()) << image.status().text();
  }
}

// A file that ends before its end is an error, at whichever byte.
TEST(ImageRobustness, EveryPrefixOfEverySeedIsAnError) {
  for (const ByteVector& file : seeds()) {
    const size_t padding =
        decode_image(file)->format == ImageFormat::bmp ? 3 : 0;  // of the last row, which may be missing
    for (size_t n = 0; n + padding < file.size(); ++n) {
      const ByteVector prefix(
          file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));  // exact size, so that ASan sees a read beyond
      const Result<Image> image = decode_image(prefix);
      EXPECT_FALSE(image.ok()) << n << " of " << file.size() << " bytes of a "
                               << format_name(decode_image(file)->format);
      EXPECT_FALSE(image.status().why.empty());
    }
  }
}

/// Repairs the checksums of PNG chunks, so that mutations reach what lies behind them.
void repair_checksums(ByteVector& png) {
  for (size_t at = 8; at + 12 <= png.size();) {
    size_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | std::to_integer<size_t>(png[at + i]);
    if (length > png.size() - at - 12) return;
    const uint32_t crc = crc_of(png.data() + at + 4, length + 4);
    for (size_t i = 0; i < 4; ++i) png[at + 8 + length + i] = static_cast<std::byte>(crc >> (24 - 8 * i) & 255);
    at += length + 12;
  }
}

void mutate(ByteVector& file, SplitMix64& random) {
  for (size_t changes = 1 + random.below(6); changes > 0 && !file.empty(); --changes) {
    const size_t at = random.below(file.size());
    const auto here = file.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(6)) {
      case 0:
        file[at] = static_cast<std::byte>(random.next() & 255);
        break;
      case 1:
        file[at] ^= static_cast<std::byte>(1u << random.below(8));
        break;
      case 2:
        file[at] = std::byte{random.below(2) ? uint8_t{0xff} : uint8_t{0}};
        break;
      case 3:
        file.erase(here, here + static_cast<std::ptrdiff_t>(std::min<size_t>(1 + random.below(8), file.size() - at)));
        break;
      case 4:
        file.insert(here, 1 + random.below(8), static_cast<std::byte>(random.next() & 255));
        break;
      default:
        file.resize(at + 1 + random.below(file.size() - at));
        break;
    }
  }
}

/// Decodes, and passes what comes out on; the time it took in milliseconds.
double survive(const ByteVector& file) {
  const auto begin = std::chrono::steady_clock::now();
  const Result<Image> image = decode_image(file, kSmall);
  if (image.ok()) {
    EXPECT_EQ(image->samples.size(), image->sample_count() * static_cast<size_t>(image->bits / 8));
    EXPECT_TRUE(resize_image(*image, 3, 5, Resampling::area).ok());
  } else {
    EXPECT_FALSE(image.status().why.empty());
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

constexpr double kMilliseconds = 5000;  // generous for a sanitised build on a busy machine; a hang is far above

TEST(ImageRobustness, TenThousandMutatedFilesGiveAnImageOrAnError) {
  const std::vector<ByteVector> originals = seeds();
  SplitMix64 random(2026);
  for (int i = 0; i < 10000; ++i) {
    ByteVector file = originals[static_cast<size_t>(i) % originals.size()];
    mutate(file, random);
    if (i % 3 != 0 && file.size() > 8 && file[1] == std::byte{'P'}) repair_checksums(file);
    file.shrink_to_fit();
    EXPECT_LT(survive(file), kMilliseconds) << "mutation " << i;
  }
}

TEST(ImageRobustness, MutatedRealJpegsGiveAnImageOrAnError) {
  const auto folder = shared_folder() / "images" / "jpeg";
  SKIP_WITHOUT(folder);
  SplitMix64 random(7);
  for (const auto& path : files_below(folder)) {
    if (path.extension() != ".jpg" || std::filesystem::file_size(path) > 2000) continue;
    for (int i = 0; i < 150; ++i) {
      ByteVector file = read_file(path);
      mutate(file, random);
      EXPECT_LT(survive(file), kMilliseconds) << path.filename() << " mutation " << i;
    }
  }
}

TEST(ImageRobustness, EverySharedFileGivesAnImageOrAnError) {
  const auto folder = shared_folder() / "images";
  SKIP_WITHOUT(folder);
  int decoded = 0, refused = 0;
  for (const auto& path : files_below(folder)) {
    const Result<Image> image = decode_image(read_file(path));
    ++(image.ok() ? decoded : refused);
    EXPECT_EQ(image.ok(), image.status().why.empty()) << path;
  }
  std::cout << "shared images: " << decoded << " decoded, " << refused << " refused\n";
}

// nothings/stb issues 310, 313, 318: width * height * channels wrapped around and the decoder wrote past its block.
TEST(ImageReports, D041GiantDimensionsAreTooLarge) {
  constexpr int32_t kSide = 1073741824;
  std::vector<ByteVector> files;
  files.push_back(make_png({.width = kSide, .height = kSide, .rows = ByteVector(8)}));
  files.push_back(
      make_png({.width = 0x7fffffff, .height = 0x7fffffff, .depth = 16, .color = 6, .rows = ByteVector(8)}));
  files.push_back(make_png({.width = kSide, .height = 1, .depth = 1, .color = 0, .rows = ByteVector(8)}));
  for (const ByteVector& file : files)
    EXPECT_TRUE(decode_image(file).status().code == Code::too_large) << decode_image(file).status().text();
  // These formats state how many bytes must follow, so a header alone is truncated before it is too large.
  for (uint32_t bits : {1u, 8u, 24u, 32u})
    EXPECT_FALSE(decode_image(make_bmp(kSide, kSide, bits, {}, ByteVector(64))).ok());
  EXPECT_FALSE(decode_image(make_bmp(kSide, INT32_MIN, 24, {}, ByteVector(64))).ok());
  EXPECT_FALSE(decode_image(pnm("P6 1073741824 1073741824 65535 ", 64)).ok());
  EXPECT_FALSE(decode_image(pnm("P5 99999999999999999999 1 255 ", 64)).ok());
  // As does an image made by the caller, or asked of the resizer.
  Image image;
  image.width = image.height = kSide;
  image.channels = 4;
  EXPECT_FALSE(luma(image).ok());
  const Result<Image> small = decode_image(pnm("P5 2 2 255 ", 4));
  EXPECT_TRUE(resize_image(*small, kSide, kSide, Resampling::bilinear).status().code == Code::too_large);
  EXPECT_TRUE(resize_image(*small, 65536, 65536, Resampling::area, {UINT64_MAX, UINT64_MAX}).status().code ==
              Code::too_large);
}

// saitoha/libsixel issues 80 and 109 (CVE-2018-19756): a truncated palette was read beyond its end.
TEST(ImageReports, D043TruncatedPaletteIsMalformed) {
  const ByteVector palette = bytes_of({1, 2, 3, 0, 4, 5, 6, 0}), rows(4, std::byte{1});
  ASSERT_TRUE(decode_image(make_bmp(1, 1, 8, palette, rows, 2)).ok());
  const Result<Image> short_palette = decode_image(make_bmp(1, 1, 8, palette, rows, 3));
  EXPECT_EQ(short_palette.status().text(), "malformed: BMP: the palette is truncated (byte 62)");
  const Result<Image> beyond = decode_image(make_bmp(1, 1, 8, palette, ByteVector(4, std::byte{2}), 2));
  EXPECT_EQ(beyond.status().text(), "malformed: pixel names colour 2 of a palette of 2 (element 0)");
  EXPECT_FALSE(
      decode_image(make_png({.color = 3, .rows = bytes_of({0, 0}), .before_data = {{"PLTE", bytes_of({1, 2, 3, 4})}}}))
          .ok());
}

TEST(ImageFormats, UnsupportedFormatsAreNamed) {
  const std::pair<std::string, const char*> cases[] = {
      {"GIF89a..........", "GIF"},
      {std::string("RIFF\0\0\0\0WEBPVP8 ", 16), "WebP"},
      {std::string("II*\0....", 8), "TIFF"},
      {std::string("\0\0\0\x1c"
                   "ftypavif",
                   12),
       "AVIF"},
      {std::string("\0\0\0\x18"
                   "ftypheic",
                   12),
       "HEIC"},
      {"%PDF-1.7", "PDF"},
      {"<svg xmlns=''/>", "SVG"},
      {"P3\n1 1\n255\n1 2 3\n", "ASCII pixmap (P3)"},
      {"P4\n8 1\n\xff", "bitmap (P4)"},
  };
  for (const auto& [text, name] : cases) {
    ByteVector file;
    append(file, text);
    const Status status = decode_image(file).status();
    EXPECT_TRUE(status.code == Code::unsupported) << name;
    EXPECT_EQ(status.why, std::string(name) + " images are not supported; expected PNG, JPEG, BMP or PNM");
  }
  EXPECT_TRUE(decode_image({}).status().code == Code::malformed);
}

TEST(ImageFormats, LimitsAreCheckedAndSettable) {
  const ByteVector file = make_png({.width = 3, .height = 2, .rows = ByteVector(20)});
  EXPECT_TRUE(decode_image(file, {.pixels = 6, .bytes = 18}).ok());
  EXPECT_TRUE(decode_image(file, {.pixels = 5, .bytes = 18}).status().code == Code::too_large);
  EXPECT_TRUE(decode_image(file, {.pixels = 6, .bytes = 17}).status().code == Code::too_large);
}

}  // namespace
}  // namespace bitexact::test
