// SRS-006-CONVOLUTION. Expected values are worked out by hand; the bulk of the proof is tests/vectors/fx.json.
// SRS-006.5, SRS-006.6 and V-006.3 are shown by programs and scripts of tests/cross, whose lines carry these names.
#include <gtest/gtest.h>

#include <cstring>

#include "matrix.h"

namespace bitexact::test {
namespace {

constexpr fixed_t k1 = FIXED_ONE;

TEST(Conv, SRS_006_1_ValidPaddingSize) {
  Matrix in(5, 7), kernel(3, 2), out(3, 6);
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  Matrix wrong(4, 6);
#ifndef BITEXACT_CONTRACTS
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, &wrong.m), FX_ERR_SHAPE);
#endif
}

TEST(Conv, SRS_006_2_SlidingWindowIsACorrelationInRowMajorOrder) {
  Matrix in(2, 3, {1 * k1, 2 * k1, 3 * k1, 4 * k1, 5 * k1, 6 * k1});
  Matrix kernel(2, 2, {1 * k1, 10 * k1, 100 * k1, 1000 * k1}), out(1, 2);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{5421 * k1, 6532 * k1}));
}

TEST(Conv, SRS_006_3_AccumulationBeyond64Bits) {
  // 121 products FIXED_MIN * FIXED_MIN and one FIXED_MAX column: the true sum is far above FIXED_MAX, and must not
  // wrap.
  Matrix in(11, 11, FIXED_MIN), kernel(11, 11, FIXED_MIN), out(1, 1);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], FIXED_MAX);
}

TEST(Conv, SRS_006_4_RoundsToNearestTiesUp) {
  Matrix in(1, 6, {32767, 32768, 32769, -32767, -32768, -32769}), kernel(1, 1, {1}), out(1, 6);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{0, 1, 1, 0, 0, -1}));
}

TEST(Conv, V_006_1_SobelOnAnEdge) {
  Matrix in(8, 8), out(6, 6);
  for (size_t i = 0; i < 64; ++i) in.data[i] = i % 8 >= 4 ? k1 : 0;
  ASSERT_EQ(fx_conv2d(&in.m, &FX_KERNEL_SOBEL_X, &out.m), FX_OK);
  for (size_t i = 0; i < 36; ++i) EXPECT_EQ(out.data[i], i % 6 == 2 || i % 6 == 3 ? 4 * k1 : 0) << i;
}

TEST(Conv, V_006_2_ThousandRunsAreIdentical) {
  Matrix in(20, 23), kernel(5, 4), first(16, 20), again(16, 20);
  paint(in);
  paint(kernel);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &first.m), FX_OK);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &again.m), FX_OK);
    ASSERT_EQ(again.data, first.data);
  }
}

#ifndef BITEXACT_CONTRACTS
TEST(Conv, V_006_4_MismatchedDimensionsLeaveTheOutputUntouched) {
  Matrix in(3, 3), large(4, 1), kernel(2, 2), out(2, 2, 77), wrong(3, 2, 77);
  fx_matrix_t none = in.m, empty = in.m;
  none.data = nullptr;
  empty.rows = 0;
  EXPECT_EQ(fx_conv2d(&in.m, &large.m, &out.m), FX_ERR_SHAPE);
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, &wrong.m), FX_ERR_SHAPE);
  EXPECT_EQ(fx_conv2d(nullptr, &kernel.m, &out.m), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_conv2d(&in.m, nullptr, &out.m), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, nullptr), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_conv2d(&none, &kernel.m, &out.m), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_conv2d(&empty, &kernel.m, &out.m), FX_ERR_SHAPE);
  EXPECT_EQ(out.data, std::vector<fixed_t>(4, 77));
  EXPECT_EQ(wrong.data, std::vector<fixed_t>(6, 77));
}

TEST(Conv, V_006_4_OverlappingOperandsAreRefused) {
  Matrix in(3, 3), kernel(3, 3);
  fx_matrix_t inside;
  fx_matrix_init(&inside, in.data.data() + 4, 1, 1);
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, &inside), FX_ERR_ARGUMENT);
  fx_matrix_init(&inside, kernel.data.data() + 8, 1, 1);
  EXPECT_EQ(fx_conv2d(&in.m, &kernel.m, &inside), FX_ERR_ARGUMENT);
}
#else
TEST(ConvDeathTest, V_006_4_ContractsStopTheProgram) {
  Matrix in(3, 3), large(4, 1), out(1, 1);
  EXPECT_DEATH(fx_conv2d(&in.m, &large.m, &out.m), "fx contract violated in fx_conv2d");
  EXPECT_DEATH(fx_conv2d(nullptr, &large.m, &out.m), "fx contract violated in fx_conv2d");
}
#endif

TEST(Conv, V_006_5_MaximumValues) {
  Matrix in(12, 11, FIXED_MAX), kernel(11, 11, FIXED_MAX), out(2, 1);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data, std::vector<fixed_t>(2, FIXED_MAX));
}

// Report B069: two products FIXED_MIN * FIXED_MIN are 2^63, one more than int64 holds.
TEST(Conv, B069_TwoMinimalProducts) {
  Matrix in(1, 2, FIXED_MIN), kernel(1, 2, FIXED_MIN), out(1, 1);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], FIXED_MAX);
}

// Extremes that cancel: only an accumulator wider than 64 bits comes back to the small true sum.
TEST(Conv, SRS_006_3_ExtremesCancel) {
  Matrix in(1, 5, {FIXED_MIN, FIXED_MIN, FIXED_MIN, FIXED_MAX, k1}), out(1, 1);
  Matrix kernel(1, 5, {FIXED_MIN, FIXED_MIN, FIXED_MAX, FIXED_MIN, k1});
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  // 2 * 2^62 - 2 * 2^31 * (2^31 - 1) = 2^32, plus 2^32: 131072 after the shift.
  EXPECT_EQ(out.data[0], 131072);
}

// Report B067: 300 * 300 saturates; the known wrong answer is 24464.
TEST(Conv, B067_OrdinaryValuesSaturate) {
  Matrix in(1, 1, {300 * k1}), kernel(1, 1, {300 * k1}), out(1, 1);
  ASSERT_EQ(fx_conv2d(&in.m, &kernel.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], FIXED_MAX);
}

TEST(Conv, NamedKernelsHoldTheNumbersOfSRS_006_Section3) {
  EXPECT_EQ(FX_KERNEL_SOBEL_Y.data[1], -2 * k1);
  EXPECT_EQ(FX_KERNEL_LAPLACIAN.data[4], -4 * k1);
  EXPECT_EQ(FX_KERNEL_GAUSSIAN.data[4], k1 / 4);
  EXPECT_EQ(FX_KERNEL_BOX.data[0], fixed_div(k1, 9 * k1));
  for (const fx_named_kernel_t& k : FX_NAMED_KERNELS) EXPECT_EQ(k.kernel->rows * k.kernel->cols, 9) << k.name;
}

}  // namespace
}  // namespace bitexact::test
