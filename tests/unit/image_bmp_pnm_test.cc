#include "image_test_data.h"

namespace bitexact::test {
namespace {

std::string samples(const Result<Image>& image) {
  if (!image.ok()) return image.status().text();
  std::string text =
      std::to_string(image->width) + "x" + std::to_string(image->height) + "x" + std::to_string(image->channels) + ":";
  for (size_t i = 0; i < image->sample_count(); ++i) text += " " + std::to_string(image->samples.as<uint8_t>()[i]);
  return text;
}

const ByteVector kPalette = bytes_of({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0});  // blue, green, red, unused

// BITMAPINFOHEADER: rows from the bottom unless the height is negative, each padded to four bytes, blue first.
TEST(ImageBmp, TrueColourRowsRunFromTheBottomAndBlueComesFirst) {
  const ByteVector rows = bytes_of({1, 2, 3, 0, 4, 5, 6, 0});
  EXPECT_EQ(samples(decode_image(make_bmp(1, 2, 24, {}, rows))), "1x2x3: 6 5 4 3 2 1");
  EXPECT_EQ(samples(decode_image(make_bmp(1, -2, 24, {}, rows))), "1x2x3: 3 2 1 6 5 4");
}

TEST(ImageBmp, PaletteIndicesOfOneFourAndEightBitsAreLookedUp) {
  EXPECT_EQ(samples(decode_image(make_bmp(3, 1, 8, kPalette, bytes_of({2, 0, 1, 0}), 3))), "3x1x3: 9 8 7 3 2 1 6 5 4");
  EXPECT_EQ(samples(decode_image(make_bmp(3, 1, 4, kPalette, bytes_of({0x20, 0x10, 0, 0}), 3))),
            "3x1x3: 9 8 7 3 2 1 6 5 4");
  const ByteVector two(kPalette.begin(), kPalette.begin() + 8);
  EXPECT_EQ(samples(decode_image(make_bmp(3, 1, 1, two, bytes_of({0b10100000, 0, 0, 0})))), "3x1x3: 6 5 4 3 2 1 6 5 4");
}

// BI_RGB: 16 bits hold 5 bits a colour, the fourth byte of 32 bits is unused.
TEST(ImageBmp, SixteenAndThirtyTwoBitPixelsAreOpaque) {
  EXPECT_EQ(samples(decode_image(make_bmp(2, 1, 16, {}, bytes_of({0x00, 0x7c, 0x1f, 0x00})))),
            "2x1x3: 255 0 0 0 0 255");
  EXPECT_EQ(samples(decode_image(make_bmp(1, 1, 32, {}, bytes_of({1, 2, 3, 99})))), "1x1x3: 3 2 1");
}

/// A BITMAPV4HEADER with BI_BITFIELDS.
ByteVector bmp_with_masks(uint32_t bits, const uint32_t (&masks)[4], const ByteVector& row) {
  ByteVector bmp;
  append(bmp, "BM");
  for (uint32_t v : {0u, 0u, 122u, 108u, 1u, 1u, 1u | bits << 16, 3u, 0u, 0u, 0u, 0u, 0u}) append_le(bmp, v, 4);
  for (uint32_t mask : masks) append_le(bmp, mask, 4);
  bmp.resize(122);
  append(bmp, row);
  return bmp;
}

TEST(ImageBmp, ColourMasksAreApplied) {
  EXPECT_EQ(samples(decode_image(bmp_with_masks(32, {0xff, 0xff00, 0xff0000, 0xff000000}, bytes_of({1, 2, 3, 4})))),
            "1x1x4: 1 2 3 4");
  EXPECT_EQ(samples(decode_image(bmp_with_masks(16, {0xf800, 0x7e0, 0x1f, 0}, bytes_of({0xe0, 0x07, 0, 0})))),
            "1x1x3: 0 255 0");
  EXPECT_TRUE(decode_image(bmp_with_masks(32, {0x101, 0xff00, 0xff0000, 0}, ByteVector(4))).status().code ==
              Code::malformed);
  EXPECT_TRUE(decode_image(bmp_with_masks(32, {0x3ff, 0xffc00, 0xff00000, 0}, ByteVector(4))).status().code ==
              Code::unsupported);
}

TEST(ImageBmp, OldestHeaderWithTripletsIsRead) {
  ByteVector bmp;
  append(bmp, "BM");
  for (uint32_t v : {0u, 0u, 32u, 12u, 2u | 1u << 16, 1u | 1u << 16}) append_le(bmp, v, 4);
  append(bmp, bytes_of({1, 2, 3, 4, 5, 6, 0b01000000, 0, 0, 0}));
  EXPECT_EQ(samples(decode_image(bmp)), "2x1x3: 3 2 1 6 5 4");
}

TEST(ImageBmp, RunLengthCodingIsUnsupported) {
  ByteVector bmp = make_bmp(1, 1, 8, kPalette, ByteVector(4), 3);
  bmp[30] = std::byte{1};
  EXPECT_EQ(decode_image(bmp).status().text(), "unsupported: run-length coded BMP images are not supported (byte 30)");
}

TEST(ImageBmp, PixelsInsideTheHeaderAreMalformed) {
  for (const int at : {0, 10, 53}) {
    ByteVector bmp = make_bmp(1, 1, 24, {}, bytes_of({1, 2, 3, 0}));
    bmp[10] = static_cast<std::byte>(at);
    EXPECT_EQ(decode_image(bmp).status().text(), "malformed: BMP: the pixels begin inside the header (byte 10)") << at;
  }
  ByteVector masked = bmp_with_masks(32, {0xff, 0xff00, 0xff0000, 0}, ByteVector(16));
  masked[14] = std::byte{40};
  for (const int at : {54, 65, 66}) {
    masked[10] = static_cast<std::byte>(at);
    EXPECT_EQ(decode_image(masked).ok(), at == 66) << at;
  }
}

ByteVector pnm(std::string_view text) {
  ByteVector out;
  append(out, text);
  return out;
}

// pgm(5), ppm(5): comments, any white space between the numbers, exactly one after the last.
TEST(ImagePnm, HeadersAreReadAsNetpbmDefinesThem) {
  EXPECT_EQ(samples(decode_image(pnm("P5\n# made by hand\n2\t# wide\n1\r\n255\n#A"))), "2x1x1: 35 65");
  EXPECT_EQ(samples(decode_image(pnm("P6 1 1 255 abc"))), "1x1x3: 97 98 99");
  for (const char* bad :
       {"P5", "P5 ", "P5 x 1 255 a", "P5 0 1 255 a", "P5 1 -1 255 a", "P5 1 1 255", "P5 1 1 255a", "P5 1 1 255 "}) {
    EXPECT_TRUE(decode_image(pnm(bad)).status().code == Code::malformed) << bad;
  }
}

TEST(ImagePnm, OtherMaximumValuesAreUnsupported) {
  EXPECT_EQ(decode_image(pnm("P5 1 1 100 a")).status().text(),
            "unsupported: PNM maximum value 100 is not supported; expected 255 or 65535 (byte 7)");
}

}  // namespace
}  // namespace bitexact::test
