// ARITHMETIC 2: expected values are worked out from the definitions by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bitexact/fx.h"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Scalar, FromIntSaturates) {
  EXPECT_EQ(fixed_from_int(-1), -65536);
  EXPECT_EQ(fixed_from_int(32767), 2147418112);
  EXPECT_EQ(fixed_from_int(32768), FIXED_MAX);
  EXPECT_EQ(fixed_from_int(INT32_MIN), FIXED_MIN);
}

TEST(Scalar, ToIntIsFloor) {
  EXPECT_EQ(fixed_to_int(65535), 0);
  EXPECT_EQ(fixed_to_int(-1), -1);
  EXPECT_EQ(fixed_to_int(-65536), -1);
}

TEST(Scalar, AddSubNegAbsSaturate) {
  EXPECT_EQ(fixed_add(FIXED_MAX, 1), FIXED_MAX);
  EXPECT_EQ(fixed_sub(FIXED_MIN, 1), FIXED_MIN);
  EXPECT_EQ(fixed_neg(FIXED_MIN), FIXED_MAX);
  EXPECT_EQ(fixed_abs(FIXED_MIN), FIXED_MAX);
  EXPECT_EQ(fixed_abs(-3), 3);
}

// Report B071: the written rule rounds to nearest, ties towards plus infinity.
TEST(Scalar, B071_MulRoundsTiesUp) {
  EXPECT_EQ(fixed_mul(-3, 32768), -1);
  EXPECT_EQ(fixed_mul(-1, 32768), 0);
  EXPECT_EQ(fixed_mul(1, 32768), 1);
  EXPECT_EQ(fixed_mul(3, 32768), 2);
  EXPECT_EQ(fixed_mul(FIXED_MIN, FIXED_MIN), FIXED_MAX);
  EXPECT_EQ(fixed_mul(FIXED_MIN, FIXED_MAX), FIXED_MIN);
}

TEST(Scalar, DivRoundsTiesUpAndHasAnAnswerForZero) {
  EXPECT_EQ(fixed_div(FIXED_ONE, 9 * FIXED_ONE), 7282);  // 7281.78
  EXPECT_EQ(fixed_div(1, 2 * FIXED_ONE), 1);             // 0.5 up
  EXPECT_EQ(fixed_div(-1, 2 * FIXED_ONE), 0);            // -0.5 up
  EXPECT_EQ(fixed_div(1, -2 * FIXED_ONE), 0);            // -0.5 up
  EXPECT_EQ(fixed_div(-3, -2 * FIXED_ONE), 2);           // 1.5 up
  EXPECT_EQ(fixed_div(FIXED_MIN, -1), FIXED_MAX);
  EXPECT_EQ(fixed_div(5, 0), 0);
}

TEST(Scalar, FromFloatIsExactOnTheBits) {
  EXPECT_EQ(fixed_from_float(1.0f), FIXED_ONE);
  EXPECT_EQ(fixed_from_float(-0.0f), 0);
  EXPECT_EQ(fixed_from_float(std::ldexp(1.0f, -17)), 1);   // half: up
  EXPECT_EQ(fixed_from_float(-std::ldexp(1.0f, -17)), 0);  // minus half: up
  EXPECT_EQ(fixed_from_float(std::nextafter(std::ldexp(1.0f, -17), 0.0f)), 0);
  EXPECT_EQ(fixed_from_float(32768.0f), FIXED_MAX);
  EXPECT_EQ(fixed_from_float(-32768.0f), FIXED_MIN);
  EXPECT_EQ(fixed_from_float(kInfinity), FIXED_MAX);
  EXPECT_EQ(fixed_from_float(-kInfinity), FIXED_MIN);
  EXPECT_EQ(fixed_from_float(std::numeric_limits<float>::denorm_min()), 0);
}

// Reports B047 and B049: NaN never reaches the arithmetic as a number, both zeros are the integer 0.
TEST(Scalar, B047_B049_NanAndZeros) {
  EXPECT_EQ(fixed_from_float(std::nanf("")), 0);
  EXPECT_EQ(fixed_from_double(std::nan("")), 0);
  EXPECT_EQ(fixed_from_double(-0.0), fixed_from_double(0.0));
}

TEST(Scalar, FromDoubleDoesNotRoundTwice) {
  const double just_below_half = std::nextafter(std::ldexp(1.0, -17), 0.0);
  EXPECT_EQ(fixed_from_double(just_below_half), 0);  // adding 1/2 in binary64 would give 1
  EXPECT_EQ(fixed_from_double(std::ldexp(1.0, -17)), 1);
  EXPECT_EQ(fixed_from_double(32767.99999), FIXED_MAX);
  EXPECT_EQ(fixed_from_double(-1e300), FIXED_MIN);
  EXPECT_EQ(fixed_from_double(0.1), 6554);  // 6553.6
}

}  // namespace
