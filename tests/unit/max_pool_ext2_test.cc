// MaxPoolExt2's own rules; its values are those of max_pool2d.
#include "bitexact/max_pool_ext2.h"

#include <gtest/gtest.h>

#include <functional>

namespace bitexact::test {
namespace {

MaxPoolExt2Attrs halving() { return {{1, 2, 2, 1}, {1, 2, 2, 1}, "VALID", "NHWC"}; }

TEST(MaxPoolExt2, EachRejectedAttributeSaysWhatIsAllowed) {
  const struct {
    std::function<void(MaxPoolExt2Attrs&)> change;
    const char* why;
  } cases[] = {
      {[](auto& a) {
         a.ksize = {2, 2, 1};
       },
       "ksize has 3 elements; it must have 4"},
      {[](auto& a) { a.ksize[0] = 2; }, "ksize[0] (batch) is 2; it must be 1"},
      {[](auto& a) { a.ksize[3] = 2; }, "ksize[3] (channels) is 2; it must be 1"},
      {[](auto& a) { a.data_format = "NCHW"; }, "ksize[1] (channels) is 2; it must be 1"},
      {[](auto& a) { a.ksize[1] = 0; }, "ksize[1] (height) is 0; it must be above 0"},
      {[](auto& a) { a.ksize[2] = -1; }, "ksize[2] (width) is -1; it must be above 0"},
      {[](auto& a) { a.strides = {}; }, "strides has 0 elements; it must have 4"},
      {[](auto& a) { a.strides[0] = 2; }, "strides[0] (batch) is 2; it must be 1"},
      {[](auto& a) { a.strides[3] = 0; }, "strides[3] (channels) is 0; it must be 1"},
      {[](auto& a) { a.strides[1] = 0; }, "strides[1] (height) is 0; it must be above 0"},
      {[](auto& a) { a.strides[2] = -2; }, "strides[2] (width) is -2; it must be above 0"},
      {[](auto& a) { a.padding = "same"; }, "padding is \"same\"; it must be SAME or VALID"},
      {[](auto& a) { a.padding = ""; }, "padding is \"\"; it must be SAME or VALID"},
      {[](auto& a) { a.data_format = "NC1HWC0"; }, "data_format is \"NC1HWC0\"; it must be NHWC or NCHW"},
  };
  for (const auto& c : cases) {
    MaxPoolExt2Attrs a = halving();
    c.change(a);
    const Status s = max_pool_ext2_attrs(a).status();
    EXPECT_EQ(s.code, Code::argument) << c.why;
    EXPECT_EQ(s.why, c.why);
    EXPECT_EQ(infer_max_pool_ext2({DType::f32, {1, 8, 8, 3}}, a).status().why, c.why);
  }
}

TEST(MaxPoolExt2, AttributesAsMaxPool2dTakesThem) {
  const auto p = max_pool_ext2_attrs({{1, 1, 3, 2}, {1, 1, 5, 4}, "SAME", "NCHW"});
  ASSERT_TRUE(p.ok()) << p.status().text();
  EXPECT_EQ(p->layout, Layout::nchw);
  EXPECT_EQ(p->kernel, (std::array<int64_t, 2>{3, 2}));
  EXPECT_EQ(p->window.stride, (std::array<int64_t, 2>{5, 4}));
  EXPECT_EQ(p->window.pad.kind, Pad::same_upper);
  EXPECT_FALSE(p->propagate_nan);
  EXPECT_EQ(max_pool_ext2_attrs(halving())->window.pad.kind, Pad::valid);
}

TEST(MaxPoolExt2, EightDTypes) {
  const Shape in{1, 8, 8, 3};
  for (const DType t : {DType::f16, DType::f32, DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16})
    EXPECT_EQ(*infer_max_pool_ext2({t, in}, halving()), (TensorType{t, {1, 4, 4, 3}}));
  EXPECT_EQ(infer_max_pool_ext2({DType::q16, in}, halving()).status().code, Code::unsupported);
}

TEST(MaxPoolExt2, Shapes) {
  const auto y = [](const Shape& x, const MaxPoolExt2Attrs& a) {
    const auto type = infer_max_pool_ext2({DType::u8, x}, a);
    EXPECT_TRUE(type.ok()) << type.status().text();
    return type.ok() ? type->shape : Shape{};
  };
  MaxPoolExt2Attrs same = halving(), large = halving();
  same.padding = "SAME";
  large.ksize = {1, 9, 10, 1};
  EXPECT_EQ(y({1, 7, 5, 3}, same), (Shape{1, 4, 3, 3}));
  EXPECT_EQ(y({-1, -1, 5, 3}, same), (Shape{-1, -1, 3, 3}));
  EXPECT_EQ(y({-2}, same), (Shape{-1, -1, -1, -1}));
  EXPECT_EQ(y({1, 8, 8, 3}, large), (Shape{1, 0, 0, 3}));  // the window is larger by one, and by two
  EXPECT_EQ(y({0, 8, 8, 0}, same), (Shape{0, 4, 4, 0}));
  EXPECT_EQ(y({1, 0, 8, 3}, same), (Shape{1, 0, 4, 3}));
  for (const Shape& rank : {Shape{8, 8, 3}, Shape{1, 8, 8, 3, 1}, Shape{}, Shape{-1}, Shape{-2, -2}})
    EXPECT_EQ(infer_max_pool_ext2({DType::u8, rank}, same).status().code, Code::shape) << rank.text();
  large.ksize[1] = INT64_MAX;
  EXPECT_EQ(infer_max_pool_ext2({DType::u8, {1, 8, 8, 3}}, large).status().code, Code::too_large);
}

}  // namespace
}  // namespace bitexact::test
