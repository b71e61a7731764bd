#include <fstream>
#include <map>

#include "image_test_data.h"

namespace bitexact::test {
namespace {

/// file name -> CRC-32 or "Expected failure", from the decoder that published them (image-rs/image-png).
std::map<std::string, std::string> published_results(const std::filesystem::path& list) {
  std::map<std::string, std::string> results;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    const std::string prefix = "tests/pngsuite/";
    if (colon != std::string::npos && line.rfind(prefix, 0) == 0) {
      results[line.substr(prefix.size(), colon - prefix.size())] = line.substr(colon + 2);
    }
  }
  return results;
}

/// The published checksums cover 8-bit samples: 16-bit ones are cut to their high byte.
uint32_t checksum_of_8_bit_samples(const Image& image) {
  ByteVector samples(image.sample_count());
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] =
        image.bits == 8 ? image.samples.data()[i] : static_cast<std::byte>(image.samples.as<uint16_t>()[i] >> 8);
  }
  return crc_of(samples.data(), samples.size());
}

TEST(ImagePng, PngSuiteMatchesItsPublishedChecksums) {
  const auto folder = shared_folder() / "images" / "pngsuite";
  SKIP_WITHOUT(folder);
  int matched = 0, refused = 0;
  for (const auto& [name, expected] : published_results(folder / "results.txt")) {
    const auto path = folder / "pngsuite" / name;
    if (!std::filesystem::exists(path)) continue;
    const ByteVector file = read_file(path);
    const Result<Image> image = decode_image(file);
    if (expected == "Expected failure") {
      EXPECT_FALSE(image.ok()) << name;
      if (image.ok()) continue;
      EXPECT_TRUE(image.status().code == Code::malformed) << name << ": " << image.status().text();
      EXPECT_GT(image.status().why.size(), 20u) << name;
      ++refused;
    } else {
      ASSERT_TRUE(image.ok()) << name << ": " << image.status().text();
      EXPECT_EQ(std::to_string(checksum_of_8_bit_samples(*image)), expected) << name;
      ++matched;
    }
  }
  std::cout << "PngSuite: " << matched << " files match their checksum, " << refused << " corrupt files are refused\n";
  EXPECT_EQ(static_cast<size_t>(matched + refused), files_below(folder / "pngsuite").size());
}

TEST(ImagePng, SixteenBitSamplesKeepBothBytes) {
  const Result<Image> image =
      decode_image(make_png({.width = 2, .depth = 16, .color = 0, .rows = bytes_of({0, 0x12, 0x34, 0xab, 0xcd})}));
  ASSERT_TRUE(image.ok()) << image.status().text();
  EXPECT_EQ(image->bits, 16);
  EXPECT_EQ(image->samples.as<uint16_t>()[0], 0x1234);
  EXPECT_EQ(image->samples.as<uint16_t>()[1], 0xabcd);
}

// PNG 13.12: sample depth scaling; 2-bit 0 1 2 3 become 0 85 170 255.
TEST(ImagePng, TwoBitGreyIsScaledToEightBits) {
  const Result<Image> image =
      decode_image(make_png({.width = 4, .depth = 2, .color = 0, .rows = bytes_of({0, 0b00011011})}));
  ASSERT_TRUE(image.ok()) << image.status().text();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(image->samples.as<uint8_t>()[i], 85 * i);
}

TEST(ImagePng, PaletteIndexBeyondThePaletteIsMalformed) {
  PngSpec spec{
      .width = 2, .color = 3, .rows = bytes_of({0, 0, 1}), .before_data = {{"PLTE", bytes_of({1, 2, 3, 4, 5, 6})}}};
  const Result<Image> good = decode_image(make_png(spec));
  ASSERT_TRUE(good.ok()) << good.status().text();
  EXPECT_EQ(std::memcmp(good->samples.data(), "\1\2\3\4\5\6", 6), 0);
  spec.rows.back() = std::byte{2};
  const Result<Image> bad = decode_image(make_png(spec));
  EXPECT_EQ(bad.status().text(), "malformed: pixel names colour 2 of a palette of 2 (element 1)");
}

TEST(ImagePng, PaletteTransparencyBecomesAlpha) {
  const PngSpec spec{.width = 2,
                     .color = 3,
                     .rows = bytes_of({0, 1, 0}),
                     .before_data = {{"PLTE", bytes_of({1, 2, 3, 4, 5, 6})}, {"tRNS", bytes_of({7})}}};
  const Result<Image> image = decode_image(make_png(spec));
  ASSERT_TRUE(image.ok()) << image.status().text();
  ASSERT_EQ(image->channels, 4);
  EXPECT_EQ(std::memcmp(image->samples.data(), "\4\5\6\xff\1\2\3\7", 8), 0);
}

TEST(ImagePng, EveryDamagedByteOutsideTheTrailerIsRefused) {
  const ByteVector good = make_png({.width = 3, .height = 2, .rows = ByteVector(20)});
  ASSERT_TRUE(decode_image(good).ok());
  for (size_t i = 0; i < good.size(); ++i) {
    ByteVector bad = good;
    bad[i] ^= std::byte{0x10};
    EXPECT_FALSE(decode_image(bad).ok()) << "byte " << i;
  }
}

TEST(ImagePng, MessagesNameTheChunkAndTheByte) {
  ByteVector png = make_png({.rows = bytes_of({0, 1, 2, 3})});
  png[8 + 25 + 10] ^= std::byte{1};
  EXPECT_EQ(decode_image(png).status().text(), "malformed: PNG chunk IDAT: checksum does not match (byte 33)");
}

// A file of 33 KB that inflates to 32 MB may not make a 1x1 image take that much memory.
TEST(ImagePng, DataThatInflateFarBeyondTheImageAreMalformed) {
  ByteVector deflate;
  append(deflate, "\x78\x01");
  // One fixed-Huffman block: a literal 0, then runs of 258 bytes at distance 1 (codes 285 and 0), ended by 256.
  uint64_t bits = 0;
  int count = 0;
  const auto put = [&](uint32_t value, int n) {  // least significant bit first
    bits |= uint64_t{value} << count;
    for (count += n; count >= 8; count -= 8, bits >>= 8) deflate.push_back(static_cast<std::byte>(bits & 255));
  };
  put(1, 1);
  put(1, 2);
  put(0b00001100, 8);
  for (int i = 0; i < 130000; ++i) put(0b10100011, 8), put(0, 5);
  put(0, 7 + 8);
  ByteVector png, header = bytes_of({0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0});
  append(png, std::string_view("\x89PNG\r\n\x1a\n", 8));
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", deflate);
  append_chunk(png, "IEND", {});
  const Result<Image> image = decode_image(png);
  EXPECT_EQ(image.status().text(),
            "malformed: PNG pixel data are damaged, or more than the 2 bytes that its header asks for (byte 33)");
}

// The trailer of a zlib stream (RFC 1950) and the number of rows are checked, whatever the chunk's CRC says.
TEST(ImagePng, WrongAdlerChecksumIsMalformed) {
  ByteVector data = zlib_stored(bytes_of({0, 1, 2, 3})), png = make_png({.rows = bytes_of({0, 1, 2, 3})});
  data.back() ^= std::byte{1};
  png.resize(8 + 25);
  append_chunk(png, "IDAT", data);
  append_chunk(png, "IEND", {});
  EXPECT_EQ(decode_image(png).status().text(),
            "malformed: PNG pixel data do not end in their checksum (Adler-32) (byte 33)");
}

TEST(ImagePng, MoreOrFewerRowsThanTheHeaderHasAreMalformed) {
  for (const uint32_t interlace : {0u, 1u}) {
    for (size_t rows : std::initializer_list<size_t>{0, 1, 3, 20, 200}) {
      const auto png = make_png({.width = 1, .height = 2, .interlace = interlace, .rows = ByteVector(4 * rows)});
      EXPECT_TRUE(decode_image(png).status().code == Code::malformed) << rows;
    }
    EXPECT_TRUE(decode_image(make_png({.width = 1, .height = 2, .interlace = interlace, .rows = ByteVector(8)})).ok());
  }
}

// image-rs/image-png issue 696: a compressed text chunk of 1 GiB in a small file.
TEST(ImageReports, D045CompressedTextIsNeverInflated) {
  PngSpec spec{.rows = bytes_of({0, 1, 2, 3})};
  ByteVector text;
  append(text, std::string_view("bomb\0\0", 6));
  append(text, "this is no zlib stream: inflating it would fail");
  for (const char* type : {"zTXt", "iTXt", "tEXt"}) spec.before_data = {{type, text}};
  EXPECT_TRUE(decode_image(make_png(spec)).ok());
}

// tensorflow/tfjs issues 6627 and 7923: the same 4x4 PNG gave different tensors in Node and in the browser.
TEST(ImageReports, D049SamplesAreRawAndAlphaIsStraight) {
  PngSpec spec{.width = 4, .height = 4, .color = 6, .rows = {}};
  for (int y = 0; y < 4; ++y) {
    spec.rows.push_back(std::byte{0});
    for (int i = 0; i < 16; ++i) spec.rows.push_back(static_cast<std::byte>(i % 4 == 3 ? 40 * y : 16 * i + y));
  }
  spec.before_data = {{"gAMA", bytes_of({0, 0, 0xb1, 0x8f})}, {"iCCP", bytes_of({'x', 0, 0, 1, 2, 3})}};
  const Result<Image> image = decode_image(make_png(spec));
  ASSERT_TRUE(image.ok()) << image.status().text();
  EXPECT_TRUE(image->color_profile_ignored);
  ASSERT_EQ(image->channels, 4);
  for (size_t y = 0; y < 4; ++y)
    EXPECT_EQ(std::memcmp(image->samples.data() + 16 * y, spec.rows.data() + 17 * y + 1, 16), 0);
  spec.before_data.clear();
  EXPECT_FALSE(decode_image(make_png(spec))->color_profile_ignored);
}

}  // namespace
}  // namespace bitexact::test
