// From accumulators to quantized outputs: expected values from the law's words, the reports, and the oracle.
#include "kernels/requant.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "bitexact/quantize.h"

namespace bitexact::test {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();

// ARITHMETIC 7, word by word.
int32_t law_srdhm(int32_t a, int32_t b) {
  if (a == kMin && b == kMin) return kMax;
  const int64_t ab = int64_t{a} * b, nudge = ab >= 0 ? 1 << 30 : 1 - (1 << 30);
  return static_cast<int32_t>((ab + nudge) / (int64_t{1} << 31));
}
int32_t law_rdpot(int32_t x, int e) {
  const double exact = static_cast<double>(x) / std::ldexp(1.0, e);  // 32 bits: exact
  return static_cast<int32_t>(std::round(exact));                    // ties away from zero
}

std::vector<int32_t> some_values() {
  std::vector<int32_t> v{kMin, kMin + 1, -32768, -3, -2, -1, 0, 1, 2, 3, 32767, 1 << 30, kMax - 1, kMax};
  for (int i = 0; i < 31; ++i)
    for (int d = -1; d <= 1; ++d) v.insert(v.end(), {(1 << i) + d, -(1 << i) - d});
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) v.push_back(static_cast<int32_t>(random() >> random() % 32));
  return v;
}

TEST(Requant, HighMultiplyIsTheLaws) {
  for (const int32_t a : some_values())
    for (const int32_t b : some_values()) ASSERT_EQ(srdhm(a, b), law_srdhm(a, b)) << a << " " << b;
}

TEST(Requant, PowerOfTwoRoundsTiesAwayFromZero) {
  for (const int32_t x : some_values())
    for (int e = 0; e < 32; ++e) ASSERT_EQ(rdpot(x, e), law_rdpot(x, e)) << x << " " << e;
  EXPECT_EQ(rdpot(kMin, 40), 0);
}

TEST(Requant, B073_HalfIsAddedBeyond32Bits) {
  EXPECT_EQ(rdpot(kMin, 16), -32768);
  EXPECT_EQ(rdpot(kMax, 16), 32768);
  EXPECT_EQ(rdpot(32768, 16), 1);
  EXPECT_EQ(rdpot(-32768, 16), -1);
}

TEST(Requant, B077_TflmRoundsTwiceAndItsReducedMultiplierOnce) {
  const std::vector<int32_t> x{1, 5, 9, -1, -5}, twice{1, 2, 3, 0, -1}, once{0, 1, 2, 0, -1};
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(requant_tflm(x[i], 1 << 30, -1), twice[i]);
    EXPECT_EQ(requant_tflm_wide(x[i], 1 << 30, -1), once[i]);
  }
}

TEST(Requant, B079_TheProductHas64Bits) { EXPECT_EQ(requant_tflm(kMax, kMax, 0), 2147483646); }

TEST(Requant, LeftShiftsWrap) {
  EXPECT_EQ(requant_tflm(1 << 20, 1 << 30, 12), 0);
  EXPECT_EQ(requant_tflm((1 << 20) + 1, 1 << 30, 11), -(1 << 30) + 1024);
  EXPECT_EQ(requant_tflm(int64_t{1} << 40, kMax, 30), 0);
}

TEST(Requant, TheReducedMultiplierStaysBelow2To15) {
  EXPECT_EQ(requant_tflm_wide(100, kMax, 15 - 1), (100 * 0x7fff + 1) >> 1);
  constexpr int64_t kLowest = 1 - (int64_t{1} << 47);
  EXPECT_EQ(requant_tflm_wide(kLowest, kMax, -31), (kLowest * 0x7fff + (int64_t{1} << 45)) >> 46);
  EXPECT_EQ(requant_tflm_wide((int64_t{1} << 47) - 1, 0, -31), 0);
}

struct XnnpackCase {
  int64_t acc;
  uint32_t scale;
  int64_t expected;
};
// By the oracle. The last six differ from one rounding of the exact product: B081, a fused multiply-add would show.
constexpr XnnpackCase kXnnpack[] = {{-791, 0x3a01f1c2, 0},
                                    {1, 0x3f000000, 0},
                                    {3, 0x3f000000, 2},
                                    {5, 0x3f000000, 2},
                                    {-1, 0x3f000000, 0},
                                    {-3, 0x3f000000, -2},
                                    {16777217, 0x3f800000, 16777216},
                                    {16777219, 0x3f800000, 16777220},
                                    {33554435, 0x3e800000, 8388609},
                                    {kMin, 0x3f800000, kMin},
                                    {kMax, 0x3f800000, 2147483648},
                                    {0, 0x7149f2ca, 0},
                                    {7, 0x00000001, 0},
                                    {kMax, 0x2f800000, 0},
                                    {-676081, 0x39f2567c, -312},
                                    {759034, 0x3a5a1922, 632},
                                    {716107, 0x3a405e6c, 526},
                                    {337200, 0x38fbe1d4, 40},
                                    {-961102, 0x3a612877, -826},
                                    {675207, 0x3a77e48e, 638}};

constexpr bool all_as_expected() {
  for (const XnnpackCase& c : kXnnpack)
    if (requant_xnnpack(c.acc, c.scale) != c.expected) return false;
  return true;
}
// The compiler computes it, too: no float unit and no build option has a say.
static_assert(all_as_expected());

TEST(Requant, B081_XnnpackIsTheOraclesByIntegersAlone) {
  for (const XnnpackCase& c : kXnnpack) EXPECT_EQ(requant_xnnpack(c.acc, c.scale), c.expected) << c.acc;
}

TEST(Requant, XnnpackIsBinary32ArithmeticOnThisMachine) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 300000; ++i) {
    const auto acc = static_cast<int32_t>(static_cast<uint32_t>(random()) >> random() % 32) * (random() % 2 ? 1 : -1);
    const auto scale = static_cast<uint32_t>(random() % 0x7f800000);
    volatile float product = static_cast<float>(acc);
    product = product * std::bit_cast<float>(scale);
    if (std::fabs(product) >= 0x1p61F) continue;
    ASSERT_EQ(requant_xnnpack(acc, scale), static_cast<int64_t>(std::nearbyint(product))) << acc << " " << scale;
  }
}

TEST(Requant, XnnpackSaturatesWhatNoDtypeHolds) {
  constexpr uint32_t kLargest = 0x7f7fffff, kLeast = 1;
  constexpr int64_t kHuge = (int64_t{1} << 62) - 1;
  for (const int64_t acc : {int64_t{1}, int64_t{kMax}, kHuge}) {
    EXPECT_GE(requant_xnnpack(acc, kLargest), int64_t{1} << 59);
    EXPECT_LE(requant_xnnpack(acc, kLargest), int64_t{1} << 62);
    EXPECT_EQ(requant_xnnpack(-acc, kLargest), -requant_xnnpack(acc, kLargest));
    EXPECT_EQ(requant_xnnpack(acc, kLeast), 0);
  }
}

TEST(QuantizeMultiplier, IsTflites) {
  const auto expect = [](double real, int32_t multiplier, int32_t shift) {
    int32_t m = -1, s = -1;
    ASSERT_TRUE(quantize_multiplier(real, m, s).ok()) << real;
    EXPECT_EQ(m, multiplier) << real;
    EXPECT_EQ(s, shift) << real;
  };
  expect(1.0, 1 << 30, 1);
  expect(0.5, 1 << 30, 0);
  expect(0.75, 3 << 29, 0);
  expect(std::nextafter(1.0, 0.0), 1 << 30, 1);  // rounds to 2^31, which is 2^30 and one more shift
  expect(0.5 + 0x1p-32, (1 << 30) + 1, 0);       // a tie, away from zero
  expect(0.5 + 0x1p-33, 1 << 30, 0);
  expect(0x1p-32, 1 << 30, -31);
  expect(std::nextafter(0x1p-32, 0.0), 1 << 30, -31);
  expect(0x1.8p-33, 0, 0);
  expect(0x1p-33, 0, 0);
  expect(std::numeric_limits<double>::denorm_min(), 0, 0);
  expect(0.0, 0, 0);
  expect(-0.0, 0, 0);
  expect(0x1.fffffffcp29, kMax, 30);
}

TEST(QuantizeMultiplier, RefusesWhatDoesNotFit) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double real : {-1.0, -0x1p-1000, 0x1p30, std::nextafter(0x1p30, 0.0), inf, -inf, std::nan("")}) {
    int32_t m = 5, s = 6;
    EXPECT_EQ(quantize_multiplier(real, m, s).code, Code::argument) << real;
    EXPECT_EQ(m, 5);
    EXPECT_EQ(s, 6);
  }
}

}  // namespace
}  // namespace bitexact::test
