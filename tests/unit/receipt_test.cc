#include "bitexact/receipt.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bitexact/digest.h"
#include "image_test_data.h"
#include "matrix.h"

namespace bitexact {
namespace {

std::span<const std::byte> bytes(std::string_view s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

// FIPS 180-4 examples and the NIST long message of a million "a".
TEST(Sha256, NistVectors) {
  EXPECT_EQ(sha256_hex(bytes("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex(bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(bytes(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesGiveTheSameDigest) {
  const std::string text(300, 'x');
  for (size_t piece = 1; piece < 140; ++piece) {
    Sha256 sha;
    for (size_t at = 0; at < text.size(); at += piece) sha.update(bytes(text.substr(at, piece)));
    const auto got = sha.finish();
    Sha256 whole;
    whole.update(bytes(text));
    EXPECT_EQ(got, whole.finish()) << piece;
  }
}

TEST(Digest, TensorBytesAreLittleEndian) {
  int32_t data[] = {1, -2};
  const Tensor t{DType::q16, {2}, reinterpret_cast<std::byte*>(data)};
  const char expected[] = {1, 0, 0, 0, -2, -1, -1, -1};
  EXPECT_EQ(sha256_hex(t), sha256_hex(bytes({expected, 8})));
}

// A 4 x 4 grey PGM: small enough to follow by hand.
std::string picture() {
  return std::string("P5\n4 4\n255\n") +
         std::string("\x00\x33\x66\x99\xcc\xff\x00\x33\x66\x99\xcc\xff\x00\x33\x66\x99", 16);
}

PhotoTask identity_task() {
  PhotoTask t;
  t.kernel_name = "identity";
  t.kernel_rows = t.kernel_cols = 1;
  t.kernel = {FIXED_ONE};
  t.pool = PhotoTask::Pool::max;
  return t;
}

PhotoRun finished(const std::string& file, const PhotoTask& task) {
  auto run = PhotoRun::open(bytes(file), task);
  EXPECT_TRUE(run.ok()) << run.status().text();
  while (!run->done()) EXPECT_TRUE(run->step().ok());
  return std::move(*run);
}

TEST(Photo, StagesOfASmallPicture) {
  const std::string file = picture();
  const PhotoRun run = finished(file, identity_task());
  ASSERT_EQ(run.stages().size(), 4u);
  EXPECT_EQ(run.stages()[0].sha256, sha256_hex(bytes(file.substr(11))));
  const auto* in = run.tensor(1).as<int32_t>();
  EXPECT_EQ(in[1], 13107);  // Rdiv(51 * 65536, 255)
  EXPECT_EQ(in[5], 65536);
  EXPECT_EQ(run.stages()[3].shape, (Shape{1, 2, 2}));
  EXPECT_EQ(run.tensor(3).as<int32_t>()[0], 65536);
}

TEST(Photo, TasksThatCannotFitSaySoBeforeDecoding) {
  const std::string file = picture();
  PhotoTask t = identity_task();
  t.kernel_rows = t.kernel_cols = 5;
  t.kernel.assign(25, 0);
  EXPECT_EQ(PhotoRun::open(bytes(file), t).status().code, Code::shape);
  t = identity_task();
  t.mean = {0, 0};
  EXPECT_EQ(PhotoRun::open(bytes(file), t).status().code, Code::argument);
  t = identity_task();
  t.kernel.clear();
  EXPECT_EQ(PhotoRun::open(bytes(file), t).status().code, Code::shape);
  EXPECT_EQ(PhotoRun::open(bytes("not a picture"), identity_task()).status().code, Code::malformed);
}

// One transparent grey pixel over red is a red pixel: R(19595 * 255, 16) = 76 of 255 in luma.
TEST(Photo, GreyAndAlphaOverAColourHaveThePlanesOfRgb) {
  const auto file = test::make_png({.color = 4, .rows = test::bytes_of({0, 200, 0})});
  for (const auto channels : {PhotoTask::Channels::luma, PhotoTask::Channels::rgb}) {
    PhotoTask t = identity_task();
    t.pool = PhotoTask::Pool::none;
    t.background = Rgb8{255, 0, 0};
    t.channels = channels;
    auto run = PhotoRun::open(file, t);
    ASSERT_TRUE(run.ok()) << run.status().text();
    while (!run->done()) {
      const Status status = run->step();
      ASSERT_TRUE(status.ok()) << status.text();
    }
    const Tensor planes = run->tensor(1);
    const bool luma = channels == PhotoTask::Channels::luma;
    ASSERT_EQ(planes.shape, (Shape{luma ? 1 : 3, 1, 1}));
    EXPECT_EQ(planes.as<int32_t>()[0], luma ? 19532 : 65536);  // Rdiv(76 * 65536, 255)
    if (!luma) {
      EXPECT_EQ(planes.as<int32_t>()[1], 0);
    }
  }
}

TEST(Photo, SizesBeyondTheLimitsAreRefusedBeforeDecoding) {
  const std::string file = picture();
  const auto refused = [&](const PhotoTask& t, const ImageLimits& limits) {
    return PhotoRun::open(bytes(file), t, limits).status().code == Code::too_large;
  };
  const PhotoTask task = identity_task();
  EXPECT_TRUE(refused(task, {.pixels = 15}));
  EXPECT_FALSE(refused(task, {.pixels = 16}));
  EXPECT_TRUE(refused(task, {.bytes = 15}));
  PhotoTask resized = task;
  resized.resize = PhotoTask::Resize{.width = 5, .height = 4};
  EXPECT_TRUE(refused(resized, {.pixels = 16}));
  EXPECT_FALSE(refused(resized, {.pixels = 20}));
  PhotoTask padded = task;
  padded.kernel_rows = padded.kernel_cols = 5;
  padded.kernel.assign(25, 0);
  padded.pad = {Pad::explicit_, 4, 4, 4, 4};  // 8 x 8 outputs of 4 bytes for 16 bytes of pixels
  EXPECT_TRUE(refused(padded, {.bytes = 16}));
  EXPECT_TRUE(PhotoRun::open(bytes(file), padded).ok());
}

TEST(Photo, ZeroStdIsRefusedBeforeDecoding) {
  PhotoTask t = identity_task();
  t.mean = t.std = {0};
  EXPECT_EQ(PhotoRun::open(bytes(picture()), t).status().text(), "argument: std must not be 0 (element 0)");
}

TEST(Receipt, IsCanonicalAndSurvivesTheRoundTrip) {
  const std::string file = picture();
  const PhotoRun run = finished(file, identity_task());
  const std::string receipt = write_receipt(run);
  EXPECT_EQ(receipt.find(' '), std::string::npos);
  EXPECT_EQ(receipt.rfind("{\"bitexact\":1,\"contract\":1,\"engine\":\"0.1.0\",\"input\":{\"bits\":8,", 0), 0u)
      << receipt;
  const auto task = read_receipt_task(receipt);
  ASSERT_TRUE(task.ok()) << task.status().text();
  EXPECT_EQ(write_task(*task), write_task(run.task()));
  const auto verdict = compare_receipts(receipt, write_receipt(finished(file, *task), true));
  ASSERT_TRUE(verdict.ok());
  EXPECT_TRUE(verdict->same) << verdict->text();
}

TEST(Receipt, NamesTheFirstDifferingStage) {
  const std::string file = picture();
  const std::string receipt = write_receipt(finished(file, identity_task()));
  std::string other_file = file;
  other_file.back() = 'x';
  EXPECT_EQ(compare_receipts(receipt, write_receipt(finished(other_file, identity_task())))->stage, "file");
  PhotoTask doubled = identity_task();
  doubled.kernel = {2 * FIXED_ONE};
  const auto verdict = compare_receipts(receipt, write_receipt(finished(file, doubled)));
  EXPECT_EQ(verdict->stage, "conv");
  PhotoTask renamed = identity_task();
  renamed.kernel_name = "one";
  EXPECT_EQ(compare_receipts(receipt, write_receipt(finished(file, renamed)))->stage, "task/kernel/name");
}

TEST(Receipt, NamesTheFirstDifferingElement) {
  const std::string file = picture();
  const PhotoRun run = finished(file, identity_task());
  const Tensor conv = run.tensor(2);
  std::vector<std::byte> expected(conv.bytes());
  dump(conv, 0, conv.count(), expected.data());
  EXPECT_FALSE(compare_dump(expected, conv)->has_value());
  expected[5 * 4] = std::byte{7};
  const auto element = *compare_dump(expected, conv);
  ASSERT_TRUE(element.has_value());
  EXPECT_EQ(element->index, 5u);
  EXPECT_EQ(element->expected, 65543);
  EXPECT_EQ(element->got, 65536);
  EXPECT_EQ(compare_dump({expected.data(), 8}, conv).status().code, Code::shape);
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(Receipt, MissingPartsAreNamed) {
  const std::string start = "{\"bitexact\":1,\"contract\":1,",
                    input = R"("input":{"file":"","pixels":"","tensor":""},)";
  const auto why = [&](const std::string& rest) {
    const std::string receipt = start + rest + "}";
    EXPECT_EQ(read_receipt_task(receipt).status().code, Code::malformed) << receipt;
    const auto verdict = compare_receipts(receipt, receipt);
    EXPECT_EQ(verdict.status().code, Code::malformed) << receipt;
    return verdict.status().why;
  };
  const std::string no_input = "expected receipt: input: expected an object with the strings file, pixels and tensor";
  EXPECT_EQ(why(R"("layers":[],"outputs":[])"), no_input);
  EXPECT_EQ(why(R"("input":null,"layers":[],"outputs":[])"), no_input);
  EXPECT_EQ(why(R"("input":{"file":"","pixels":"","tensor":5},"layers":[],"outputs":[])"), no_input);
  EXPECT_EQ(why(R"("input":{"file":"","pixels":"","resized":[],"tensor":""},"layers":[],"outputs":[])"),
            "expected receipt: input: resized: expected a string");
  EXPECT_EQ(why(input + R"("outputs":[])"), "expected receipt: layers: expected an array");
  EXPECT_EQ(why(input + R"("layers":[{"name":"","sha256":""},{"name":"conv"}],"outputs":[])"),
            "expected receipt: layers[1]: expected an object with the strings name and sha256");
  EXPECT_EQ(why(input + R"("layers":[],"outputs":[7])"),
            "expected receipt: outputs[0]: expected an object with the strings name and sha256");
}

TEST(Receipt, HostileTextIsRefused) {
  const std::string deep(100000, '['), good = write_receipt(finished(picture(), identity_task()));
  EXPECT_EQ(read_receipt_task("").status().code, Code::malformed);
  EXPECT_EQ(read_receipt_task(deep).status().code, Code::malformed);
  EXPECT_EQ(read_receipt_task("[1]").status().code, Code::malformed);
  EXPECT_EQ(read_receipt_task("{\"bitexact\":2}").status().code, Code::unsupported);
  EXPECT_EQ(read_receipt_task(replaced(good, "\"contract\":1", "\"contract\":2")).status().code, Code::unsupported);
  for (size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(read_receipt_task(good.substr(0, n)).ok()) << n;
}

TEST(Task, WrongMembersAreNamed) {
  const auto why = [](const char* json) { return read_task(json).status().text(); };
  EXPECT_EQ(why("{}"), "argument: task: kernel is missing");
  EXPECT_EQ(why("{\"kernel\":{\"shape\":[2,2],\"q16\":[1,2,3]}}"),
            "shape: task: task.kernel: q16 has 3 numbers; shape asks for 4");
  EXPECT_EQ(why("{\"kernel\":{\"shape\":[1,1],\"q16\":[1]},\"poll\":1}"), "argument: task: unknown key \"poll\"");
  EXPECT_EQ(why("{\"kernel\":{\"shape\":[1,1],\"q16\":[4294967296]}}"),
            "argument: task: task.kernel: q16: expected an array of integers in -2147483648..2147483647");
  EXPECT_EQ(why("{\"kernel\":{\"shape\":[1,1],\"q16\":[1]},\"stride\":[0,1]}"),
            "argument: task: stride: expected an array of integers in 1..1073741823");
  EXPECT_EQ(why("{\"kernel\":{\"shape\":[1,1],\"q16\":[1]},\"pool\":{\"kind\":\"median\"}}"),
            "argument: task: task.pool: kind: expected none | max | avg");
  EXPECT_EQ(read_task("{\"kernel\":{\"shape\":[1000000,1000000],\"q16\":[1]}}").status().code, Code::argument);
}

}  // namespace
}  // namespace bitexact
