#include "bitexact/max_pool_ext2.h"

#include <array>

#include "bitexact/pool.h"

namespace bitexact {
namespace {

struct Axes {
  size_t channel, height, width;
};

// The vertical and horizontal elements of `list`.
Result<std::array<int64_t, 2>> spatial(const char* name, const std::vector<int64_t>& list, const Axes& axes) {
  const auto element = [&](size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; };
  const auto is = [&](size_t i) { return " is " + std::to_string(list[i]) + "; it must be "; };
  if (list.size() != 4)
    return error(Code::argument,
                 std::string(name) + " has " + std::to_string(list.size()) + " elements; it must have 4");
  if (list[0] != 1) return error(Code::argument, element(0) + " (batch)" + is(0) + "1");
  if (list[axes.channel] != 1)
    return error(Code::argument, element(axes.channel) + " (channels)" + is(axes.channel) + "1");
  if (list[axes.height] < 1)
    return error(Code::argument, element(axes.height) + " (height)" + is(axes.height) + "above 0");
  if (list[axes.width] < 1) return error(Code::argument, element(axes.width) + " (width)" + is(axes.width) + "above 0");
  return std::array{list[axes.height], list[axes.width]};
}

}  // namespace

Result<Pool2dAttrs> max_pool_ext2_attrs(const MaxPoolExt2Attrs& attrs) {
  const bool nhwc = attrs.data_format == "NHWC";
  if (!nhwc && attrs.data_format != "NCHW")
    return error(Code::argument, "data_format is \"" + attrs.data_format + "\"; it must be NHWC or NCHW");
  const bool same = attrs.padding == "SAME";
  if (!same && attrs.padding != "VALID")
    return error(Code::argument, "padding is \"" + attrs.padding + "\"; it must be SAME or VALID");
  const Axes axes = nhwc ? Axes{3, 1, 2} : Axes{1, 2, 3};
  const auto kernel = spatial("ksize", attrs.ksize, axes);
  if (!kernel.ok()) return kernel.status();
  const auto stride = spatial("strides", attrs.strides, axes);
  if (!stride.ok()) return stride.status();
  Pool2dAttrs pool;
  pool.layout = nhwc ? Layout::nhwc : Layout::nchw;
  pool.kernel = *kernel;
  pool.window.stride = *stride;
  pool.window.pad.kind = same ? Pad::same_upper : Pad::valid;
  return pool;
}

Result<TensorType> infer_max_pool_ext2(const TensorType& x, const MaxPoolExt2Attrs& attrs) {
  const auto pool = max_pool_ext2_attrs(attrs);
  if (!pool.ok()) return pool.status();
  if (x.dtype == DType::q16)
    return error(Code::unsupported, "x is q16; taken are f16, f32, i8, u8, i16, u16, i32, i64");
  if (x.shape == Shape{-2}) return TensorType{x.dtype, {-1, -1, -1, -1}};
  const auto shape = infer_pool_shape(x.shape, *pool);
  if (!shape.ok()) return shape.status();
  return TensorType{x.dtype, *shape};
}

}  // namespace bitexact
