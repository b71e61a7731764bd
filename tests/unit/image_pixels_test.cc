#ifdef __linux__
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <fstream>
#include <nlohmann/json.hpp>

#include "bitexact/digest.h"
#include "image_test_data.h"

namespace bitexact::test {
namespace {

using Json = nlohmann::json;

/// The elements of a tensor in a vector file (tests/vectors/SCHEMA.md).
std::vector<int64_t> elements(const Json& tensor) {
  if (tensor.contains("data")) return tensor["data"].get<std::vector<int64_t>>();
  size_t count = 1;
  for (size_t side : tensor["shape"].get<std::vector<size_t>>()) count *= side;
  std::vector<int64_t> values(count);
  if (tensor.contains("range")) {
    for (size_t i = 0; i < count; ++i) values[i] = tensor["range"].get<int64_t>() + static_cast<int64_t>(i);
    return values;
  }
  const int64_t lo = tensor["fill"]["lo"], hi = tensor["fill"]["hi"];
  SplitMix64 random(tensor["fill"]["seed"].get<uint64_t>());
  for (int64_t& v : values) v = lo + static_cast<int64_t>(random.next() % static_cast<uint64_t>(hi - lo + 1));
  return values;
}

Image image_of(const Json& tensor) {
  Image image;
  image.height = tensor["shape"][0];
  image.width = tensor["shape"][1];
  image.channels = tensor["shape"][2];
  image.bits = tensor["dtype"] == "u8" ? 8 : 16;
  image.samples = std::move(*Buffer::make(image.sample_count() * static_cast<size_t>(image.bits / 8)));
  const std::vector<int64_t> values = elements(tensor);
  for (size_t i = 0; i < values.size(); ++i) {
    if (image.bits == 8) {
      image.samples.as<uint8_t>()[i] = static_cast<uint8_t>(values[i]);
    } else {
      image.samples.as<uint16_t>()[i] = static_cast<uint16_t>(values[i]);
    }
  }
  return image;
}

ByteVector little_endian(const Image& image) {
  ByteVector out;
  for (size_t i = 0; i < image.sample_count(); ++i) {
    append_le(out, image.bits == 8 ? image.samples.as<uint8_t>()[i] : image.samples.as<uint16_t>()[i], image.bits / 8);
  }
  return out;
}

struct Outcome {
  Status status;
  ByteVector bytes;
};

Outcome outcome(const Result<Image>& image) {
  if (!image.ok()) return {image.status(), {}};
  return {{}, little_endian(*image)};
}

Outcome run(const Json& test) {
  const Json& params = test["params"];
  Image in = image_of(test["inputs"]["in"]);
  if (test["op"] == "image_luma") return outcome(luma(in));
  if (test["op"] == "image_resize") {
    const Resampling method = params["method"] == "area" ? Resampling::area : Resampling::bilinear;
    return outcome(resize_image(in, params["width"], params["height"], method));
  }
  std::vector<int32_t> out(in.sample_count());
  Outcome result;
  result.status =
      image_to_q16(in, params.value("mean", std::vector<int32_t>{}), params.value("std", std::vector<int32_t>{}), out);
  for (int32_t v : out) append_le(result.bytes, static_cast<uint32_t>(v), 4);
  return result;
}

ByteVector expected_bytes(const Json& output) {
  const int width = output["dtype"] == "u8" ? 1 : output["dtype"] == "u16" ? 2 : 4;
  ByteVector out;
  for (int64_t v : elements(output)) append_le(out, static_cast<uint32_t>(v), width);
  return out;
}

// ARITHMETIC 10, as tests/oracle/image_oracle.py computes it.
TEST(ImagePixels, EveryVectorOfTheOracleMatches) {
  std::ifstream in(std::filesystem::path(BITEXACT_SOURCE_DIR) / "tests" / "vectors" / "image.json");
  const Json file = Json::parse(in);
  ASSERT_GE(file["cases"].size(), 100u);
  for (const Json& test : file["cases"]) {
    const std::string name = test["name"];
    const Outcome actual = run(test);
    if (test.contains("error")) {
      EXPECT_EQ(code_name(actual.status.code), test["error"].get<std::string>()) << name;
      continue;
    }
    ASSERT_TRUE(actual.status.ok()) << name << ": " << actual.status.text();
    if (test["output"].contains("sha256")) {
      EXPECT_EQ(sha256_hex(actual.bytes), test["output"]["sha256"].get<std::string>()) << name;
    } else {
      EXPECT_EQ(actual.bytes, expected_bytes(test["output"])) << name;
    }
  }
}

Image grey_alpha(int grey, int alpha) {
  return image_of({{"dtype", "u8"}, {"shape", {1, 1, 2}}, {"data", {grey, alpha}}});
}

// ARITHMETIC 10: composed over a stated colour by Rdiv(., 255).
TEST(ImagePixels, AlphaIsComposedOverTheBackground) {
  for (int p = 0; p < 256; p += 15) {
    for (int a = 0; a < 256; ++a) {
      const Result<Image> image = drop_alpha(grey_alpha(p, a), Rgb8{40, 40, 40});
      const int sum = p * a + 40 * (255 - a);
      ASSERT_EQ(image->channels, 1);
      ASSERT_EQ(image->samples.as<uint8_t>()[0], (2 * sum + 255) / 510) << p << " " << a;
    }
  }
}

TEST(ImagePixels, GreyOverAColourBecomesRgb) {
  const Result<Image> image = drop_alpha(grey_alpha(200, 0), Rgb8{1, 2, 3});
  ASSERT_EQ(image->channels, 3);
  EXPECT_EQ(std::memcmp(image->samples.data(), "\1\2\3", 3), 0);
}

TEST(ImagePixels, AlphaIsIgnoredUnlessAsked) {
  const Result<Image> image = drop_alpha(grey_alpha(200, 0), {});
  ASSERT_EQ(image->channels, 1);
  EXPECT_EQ(image->samples.as<uint8_t>()[0], 200);
}

TEST(ImagePixels, SixteenBitAlphaIsComposedInSixteenBits) {
  const Image image = image_of({{"dtype", "u16"}, {"shape", {1, 1, 4}}, {"data", {65535, 0, 30000, 32768}}});
  const Result<Image> out = drop_alpha(image, Rgb8{255, 128, 0});
  ASSERT_TRUE(out.ok());
  const uint64_t background[] = {65535, 128 * 257, 0};
  for (size_t c = 0; c < 3; ++c) {
    const uint64_t sum = uint64_t{image.samples.as<uint16_t>()[c]} * 32768 + background[c] * 32767;
    EXPECT_EQ(out->samples.as<uint16_t>()[c], (2 * sum + 65535) / 131070);
  }
}

TEST(ImagePixels, Q16PlanesBecomeGreyPictures) {
  const int32_t plane[] = {0, 65536, 32768, -65536, 128, 129, INT32_MIN, INT32_MAX};
  const uint8_t plain[] = {0, 255, 128, 0, 0, 1, 0, 255}, magnitude[] = {0, 255, 128, 255, 0, 1, 255, 255};
  for (bool absolute : {false, true}) {
    const Result<Image> image = q16_to_image(plane, 4, 2, absolute);
    ASSERT_TRUE(image.ok()) << image.status().text();
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(image->samples.as<uint8_t>()[i], (absolute ? magnitude : plain)[i]) << i;
  }
  EXPECT_TRUE(q16_to_image(plane, 4, 3, false).status().code == Code::shape);
}

TEST(ImagePixels, WrongOutputSizeIsAShapeErrorAndWritesNothing) {
  const Image image = image_of({{"dtype", "u8"}, {"shape", {1, 2, 1}}, {"data", {1, 2}}});
  std::vector<int32_t> out(3, -5);
  EXPECT_TRUE(image_to_q16(image, {}, {}, out).code == Code::shape);
  EXPECT_EQ(out, std::vector<int32_t>(3, -5));
}

/// A picture in which every pixel differs.
Image numbered(int32_t width, int32_t height, int32_t channels, int32_t bits) {
  const Json shape = {height, width, channels};
  return image_of({{"dtype", bits == 8 ? "u8" : "u16"},
                   {"shape", shape},
                   {"fill", {{"seed", 3}, {"lo", 0}, {"hi", bits == 8 ? 255 : 65535}}}});
}

TEST(ImageEncode, PngAndPnmGiveTheSamplesBack) {
  for (int32_t bits : {8, 16}) {
    for (int32_t channels = 1; channels <= 4; ++channels) {
      for (ImageFormat format : {ImageFormat::png, ImageFormat::pnm}) {
        const Image image = numbered(13, 7, channels, bits);
        const Result<Buffer> file = encode_image(image, format);
        const bool writable = format == ImageFormat::png ? bits == 8 : channels % 2 == 1;
        ASSERT_EQ(file.ok(), writable) << format_name(format) << " " << channels << " " << bits;
        if (!writable) {
          EXPECT_TRUE(file.status().code == Code::unsupported);
          continue;
        }
        const Result<Image> again = decode_image(file->span());
        ASSERT_TRUE(again.ok()) << again.status().text();
        EXPECT_TRUE(again->format == format);
        ASSERT_EQ(again->sample_count(), image.sample_count());
        EXPECT_EQ(little_endian(*again), little_endian(image));
      }
    }
  }
}

// The arrays of the PNG encoder grow to their stated worst case and no further: noise has the longest codes and the
// most hash lists, bytes of 9-bit codes that never match are longer than stored ones, one colour has the fewest of all.
TEST(ImageEncode, WorstCasesFitTheArena) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 5000}, {5000, 1}, {700, 300}}) {
    for (int64_t lo : {0, 144, 255}) {
      for (int32_t channels : {1, 4}) {
        const Image image = image_of(
            {{"dtype", "u8"}, {"shape", {height, width, channels}}, {"fill", {{"seed", 5}, {"lo", lo}, {"hi", 255}}}});
        const Result<Buffer> file = encode_image(image, ImageFormat::png);
        ASSERT_TRUE(file.ok()) << file.status().text();
        const Result<Image> again = decode_image(file->span());
        ASSERT_TRUE(again.ok()) << again.status().text();
        EXPECT_EQ(little_endian(*again), little_endian(image));
      }
    }
  }
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
/// Exits with 0 when an image was encoded and 1 when memory was refused, within `spare` bytes more than are in use.
[[noreturn]] void encode_within(const Image& image, size_t spare) {
  std::ifstream statm("/proc/self/statm");
  size_t pages = 0;
  statm >> pages;
  const size_t bytes = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + spare;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
  const Result<Buffer> file = encode_image(image, ImageFormat::png);
  std::_Exit(file.ok() ? 0 : file.status().code == Code::no_memory ? 1 : 2);
}

TEST(ImageEncode, RefusedMemoryIsAnErrorAtEverySize) {
  const Image image = numbered(1200, 1200, 3, 8);  // asks for more than other tests have freed
  for (size_t megabytes = 0; megabytes <= 48; megabytes += 4) {
    const auto expected = [=](int status) {
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      return code == 1 || (code == 0 && megabytes > 0);
    };
    EXPECT_EXIT(encode_within(image, megabytes << 20), expected, "") << megabytes << " MB";
  }
}
#endif

// Netpbm: samples of more than one byte have the most significant byte first.
TEST(ImageEncode, SixteenBitPnmIsBigEndian) {
  const Image image = image_of({{"dtype", "u16"}, {"shape", {1, 1, 1}}, {"data", {0x1234}}});
  const Result<Buffer> file = encode_image(image, ImageFormat::pnm);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->data()), file->size()), "P5\n1 1\n65535\n\x12\x34");
}

ByteVector exif(bool big_endian, int orientation) {
  const auto number = [big_endian](ByteVector& out, uint32_t v, int bytes) {
    for (int i = 0; i < bytes; ++i)
      out.push_back(static_cast<std::byte>(v >> 8 * (big_endian ? bytes - 1 - i : i) & 255));
  };
  ByteVector tiff;
  append(tiff, big_endian ? "MM" : "II");
  number(tiff, 42, 2);
  number(tiff, 8, 4);
  number(tiff, 1, 2);
  number(tiff, 0x0112, 2);
  number(tiff, 3, 2);
  number(tiff, 1, 4);
  number(tiff, static_cast<uint32_t>(orientation), 2);
  number(tiff, 0, 2);
  number(tiff, 0, 4);
  return tiff;
}

// EXIF 2.3, tag 274: which corner row 0, column 0 of the file belongs to. The file's rows are 1 2 3 / 4 5 6.
TEST(ImageExif, EveryOrientationIsAppliedInBothByteOrders) {
  const char* const upright[] = {"123456", "321654", "654321", "456123", "142536", "415263", "635241", "362514"};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (bool big_endian : {false, true}) {
      PngSpec spec{.width = 3, .height = 2, .color = 0, .rows = bytes_of({0, '1', '2', '3', 0, '4', '5', '6'})};
      spec.before_data = {{"eXIf", exif(big_endian, orientation)}};
      const Result<Image> image = decode_image(make_png(spec));
      ASSERT_TRUE(image.ok()) << image.status().text();
      EXPECT_EQ(image->orientation, orientation);
      EXPECT_EQ(image->width, orientation >= 5 ? 2 : 3);
      EXPECT_EQ(std::string(image->samples.as<char>(), 6), upright[orientation - 1]) << orientation;
    }
  }
}

int32_t orientation_with(const ByteVector& tiff) {
  const PngSpec spec{.width = 2, .color = 0, .rows = bytes_of({0, 1, 2}), .before_data = {{"eXIf", tiff}}};
  const Result<ImageInfo> info = probe_image(make_png(spec));
  return info.ok() ? info->orientation : -1;
}

TEST(ImageExif, UnreadableOrientationIsUpright) {
  const ByteVector good = exif(true, 6);
  constexpr size_t kEntry = 10, kEntryEnd = 22, kValueEnd = 20;
  ASSERT_EQ(orientation_with(good), 6);
  for (size_t n = 0; n < kEntryEnd; ++n) {
    EXPECT_EQ(orientation_with({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}), 1) << n << " bytes";
  }
  for (size_t i = kEntry; i < kValueEnd; ++i) {
    ByteVector bad = good;
    bad[i] = std::byte{0x77};
    EXPECT_EQ(orientation_with(bad), 1) << "byte " << i;
  }
}

}  // namespace
}  // namespace bitexact::test
