// SRS-008-POOLING. SRS-008.4, SRS-008.5 and SRS-008.7 are shown by tests/cross, whose lines carry these names.
// Expected values are worked out by hand or by the plainest loop over the definition.
#include <gtest/gtest.h>

#include <algorithm>

#include "matrix.h"

namespace bitexact::test {
namespace {

constexpr fixed_t k1 = FIXED_ONE;

TEST(Pool, SRS_008_1_MaxPool2x2) {
  Matrix in(4, 4, {1, 2, 5, 6, 3, 4, 7, 8, -1, -2, FIXED_MIN, 0, -3, -4, FIXED_MAX, 1}), out(2, 2);
  ASSERT_EQ(fx_maxpool_2x2(&in.m, &out.m), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{4, 8, -1, FIXED_MAX}));
}

TEST(Pool, SRS_008_2_SelectionAtTheBoundaries) {
  Matrix low(2, 2, FIXED_MIN), high(2, 2, FIXED_MAX), out(1, 1);
  ASSERT_EQ(fx_maxpool_2x2(&low.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], FIXED_MIN);
  ASSERT_EQ(fx_maxpool_2x2(&high.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], FIXED_MAX);
}

#ifndef BITEXACT_CONTRACTS
TEST(Pool, SRS_008_3_DimensionsAreValidated) {
  Matrix odd(3, 4), even(4, 4), out(2, 2, 77), wrong(2, 1, 77);
  EXPECT_EQ(fx_maxpool_2x2(&odd.m, &out.m), FX_ERR_SHAPE);
  EXPECT_EQ(fx_maxpool_2x2(&even.m, &wrong.m), FX_ERR_SHAPE);
  EXPECT_EQ(fx_avgpool_2x2(&odd.m, &out.m), FX_ERR_SHAPE);
  EXPECT_EQ(fx_maxpool_2x2(nullptr, &out.m), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_maxpool_generic(&even.m, &out.m, 0, 2), FX_ERR_ARGUMENT);
  EXPECT_EQ(fx_maxpool_generic(&even.m, &out.m, 3, 2), FX_ERR_SHAPE);
  EXPECT_EQ(fx_maxpool_stride(&even.m, &out.m, 2, 0), FX_ERR_ARGUMENT);  // report B043
  EXPECT_EQ(fx_maxpool_stride(&even.m, &out.m, 9, 1), FX_ERR_SHAPE);     // report B039
  EXPECT_EQ(out.data, std::vector<fixed_t>(4, 77));
}
#else
TEST(PoolDeathTest, SRS_008_3_ContractsStopTheProgram) {
  Matrix odd(3, 4), out(1, 2);
  EXPECT_DEATH(fx_maxpool_2x2(&odd.m, &out.m), "fx contract violated in check_halving");
  EXPECT_DEATH(fx_maxpool_stride(&odd.m, &out.m, 2, 0), "fx contract violated in fx_maxpool_stride: .*stride >= 1");
}
#endif

// The field's known bug: a 16-bit index computes most of a large pool wrongly, and the same everywhere.
TEST(Pool, SRS_008_6_EveryElementOfLargeMapsIsVisited) {
  for (const auto& [rows, cols] : {std::pair<uint16_t, uint16_t>{512, 512}, {480, 640}, {2, 65534}, {65534, 2}}) {
    Matrix in(rows, cols), out(rows / 2, cols / 2);
    paint(in);
    ASSERT_EQ(fx_maxpool_2x2(&in.m, &out.m), FX_OK);
    for (size_t r = 0; r < out.m.rows; ++r)
      for (size_t c = 0; c < out.m.cols; ++c) {
        const fixed_t* p = &in.data[2 * r * cols + 2 * c];
        ASSERT_EQ(out.data[r * out.m.cols + c], std::max({p[0], p[1], p[cols], p[cols + 1]}))
            << rows << "x" << cols << " " << r << "," << c;
      }
  }
}

TEST(Pool, SRS_008_8_AveragePool) {
  Matrix in(2, 8, {1, 1, -1, -1, 3, 0, FIXED_MIN, FIXED_MIN, 0, 0, 0, 0, 0, 0, FIXED_MIN, FIXED_MIN}), out(1, 4);
  ASSERT_EQ(fx_avgpool_2x2(&in.m, &out.m), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{1, 0, 1, FIXED_MIN}));  // 0.5 up, -0.5 up, 0.75
}

TEST(Pool, SRS_008_9_ConfigurablePoolSize) {
  Matrix in(2, 6, {1, 2, 3, 4, 5, 6, 9, 8, 7, -1, -2, -3}), out(1, 2);
  ASSERT_EQ(fx_maxpool_generic(&in.m, &out.m, 2, 3), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{9, 6}));
}

TEST(Pool, SRS_008_10_Stride) {
  Matrix in(3, 5, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), out(1, 2);
  ASSERT_EQ(fx_maxpool_stride(&in.m, &out.m, 3, 2), FX_OK);
  EXPECT_EQ(out.data, (std::vector<fixed_t>{13, 15}));
}

// Report B061: a loop counter of 16 bits leaves most of a matrix untouched.
TEST(Eltwise, B061_EverySizeIsCoveredWhole) {
  for (const auto& [rows, cols] :
       {std::pair<uint16_t, uint16_t>{255, 257}, {256, 256}, {256, 257}, {300, 300}, {512, 512}}) {
    Matrix in(rows, cols, 7 * k1), out(rows, cols), sum(rows, cols), bias(1, 1, {k1});
    ASSERT_EQ(fx_relu(&in.m, &out.m), FX_OK);
    ASSERT_EQ(fx_matrix_add(&in.m, &out.m, &sum.m), FX_OK);
    ASSERT_EQ(fx_matrix_add_bias(&sum.m, &bias.m), FX_OK);
    EXPECT_EQ(std::count(out.data.begin(), out.data.end(), 7 * k1), rows * cols);
    EXPECT_EQ(std::count(sum.data.begin(), sum.data.end(), 15 * k1), rows * cols);
  }
}

TEST(Eltwise, InPlaceIsAllowedWhereStated) {
  Matrix m(1, 4, {-2 * k1, -1, 0, 3});
  ASSERT_EQ(fx_leaky_relu(&m.m, &m.m, k1 / 2), FX_OK);
  EXPECT_EQ(m.data, (std::vector<fixed_t>{-k1, 0, 0, 3}));
  ASSERT_EQ(fx_relu(&m.m, &m.m), FX_OK);
  EXPECT_EQ(m.data, (std::vector<fixed_t>{0, 0, 0, 3}));
  ASSERT_EQ(fx_matrix_add(&m.m, &m.m, &m.m), FX_OK);
  EXPECT_EQ(m.data[3], 6);
}

// Report B023: the specification's own recipe changes a negative map; that it does is part of the contract of
// pad_zeros.
TEST(Pad, B023_ZerosWinBeforeAMaximum) {
  Matrix in(13, 13, -k1), padded(14, 14), out(7, 7);
  ASSERT_EQ(fx_pad_zeros(&in.m, &padded.m), FX_OK);
  ASSERT_EQ(fx_maxpool_2x2(&padded.m, &out.m), FX_OK);
  EXPECT_EQ(out.data[0], -k1);
  EXPECT_EQ(out.data[48], 0);
}

}  // namespace
}  // namespace bitexact::test
