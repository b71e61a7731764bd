// Operators that move elements: values by hand, and attributes as a hostile or a real model may hold them.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "bitexact/operator.h"

namespace bitexact::test {
namespace {

template <class T>
struct Input {
  DType dtype;
  Shape shape;
  std::vector<T> data;
};
using Q16 = Input<int32_t>;

template <class T>
struct Ran {
  Status status;
  TensorType type;
  std::vector<T> data;
};

template <class T = int32_t, class Out = T>
Ran<Out> run(const char* op, const char* attributes, std::vector<Input<T>> inputs) {
  const std::vector<std::string> names = operator_inputs(op, inputs.size());
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < inputs.size(); ++i) {
    T none[1]{};  // an empty tensor has an address, too
    T* data = inputs[i].data.empty() ? none : inputs[i].data.data();
    named.push_back({i < names.size() ? names[i] : "one too many",
                     {inputs[i].dtype, inputs[i].shape, reinterpret_cast<std::byte*>(data)}});
  }
  auto out = run_operator(op, attributes, named);
  if (!out.ok()) return {out.status(), {}, {}};
  const Tensor& t = out->view;
  EXPECT_EQ(size_of(t.dtype), sizeof(Out));
  return {{}, {t.dtype, t.shape}, {t.as<Out>(), t.as<Out>() + t.count()}};
}

// The elements of `shape`, counted from 0.
template <class T = int32_t>
Input<T> ramp(const Shape& shape, DType dtype = DType::q16) {
  std::vector<T> v(*element_count(shape));
  std::iota(v.begin(), v.end(), T{0});
  return {dtype, shape, v};
}

using V = std::vector<int32_t>;

Code code_of(const char* op, const char* attributes, const Shape& shape) {
  return run(op, attributes, {Q16{DType::q16, shape, V(*element_count(shape))}}).status.code;
}

Result<Shape> inferred(const char* op, const char* attributes, const std::vector<Shape>& shapes) {
  std::vector<NamedType> types;
  const auto names = operator_inputs(op, shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) types.push_back({names[i], {DType::u8, shapes[i]}});
  const auto type = infer_operator(op, attributes, types);
  if (!type.ok()) return type.status();
  return type->shape;
}

Shape shape_of(const char* op, const char* attributes, const std::vector<Shape>& shapes) {
  const auto s = inferred(op, attributes, shapes);
  EXPECT_TRUE(s.ok()) << s.status().text();
  return s.ok() ? *s : Shape{};
}

TEST(Concat, AlongAnInnerAxis) {
  const auto r =
      run("concat", R"({"axis": -1})", {Q16{DType::q16, {2, 2}, {1, 2, 3, 4}}, Q16{DType::q16, {2, 1}, {5, 6}}});
  EXPECT_EQ(r.type.shape, (Shape{2, 3}));
  EXPECT_EQ(r.data, (V{1, 2, 5, 3, 4, 6}));
}

TEST(Concat, SixtyFourInputsAndNoMore) {
  std::vector<Q16> in;
  V expected;
  for (int32_t i = 0; i < 64; ++i) {
    in.push_back({DType::q16, {1, i % 3}, V(static_cast<size_t>(i % 3), i)});
    expected.insert(expected.end(), in.back().data.begin(), in.back().data.end());
  }
  EXPECT_EQ(run("concat", R"({"axis": 1})", in).data, expected);
  in.push_back(in[1]);
  EXPECT_FALSE(run("concat", R"({"axis": 1})", in).status.ok());
}

TEST(Concat, WhatDoesNotFitIsNamed) {
  const auto r = run("concat", R"({"axis": 1})", {ramp({2, 2}), ramp({3, 1})});
  EXPECT_EQ(r.status.code, Code::shape);
  EXPECT_NE(r.status.why.find("in1 [3, 1]"), std::string::npos) << r.status.why;
  EXPECT_EQ(run("concat", "", {ramp({2}), ramp({2, 1})}).status.code, Code::shape);
  EXPECT_EQ(run("concat", "", {ramp({2}), ramp<int32_t>({2}, DType::i32)}).status.code, Code::unsupported);
  EXPECT_EQ(run("concat", R"({"axis": 1})", {ramp({2})}).status.code, Code::argument);
  EXPECT_EQ(run("concat", R"({"axis": -9223372036854775808})", {ramp({2})}).status.code, Code::argument);
  EXPECT_EQ(run("concat", "", {ramp({})}).status.code, Code::argument);
}

TEST(Concat, UnknownDimensionsAndSumsBeyond64Bits) {
  EXPECT_EQ(shape_of("concat", R"({"axis": 1})", {{-1, 2, 5}, {4, 3, -1}}), (Shape{4, 5, 5}));
  EXPECT_EQ(shape_of("concat", R"({"axis": 1})", {{4, 2}, {4, -1}, {4, 3}}), (Shape{4, -1}));
  EXPECT_EQ(inferred("concat", "", {{INT64_MAX, 0}, {1, 0}}).status().code, Code::too_large);
}

TEST(Pad, ConstantOfEverySizeOfElement) {
  const Input<int8_t> a{DType::i8, {2}, {1, 2}};
  EXPECT_EQ(run<int8_t>("pad", R"({"pads": [1, 2], "value": -128})", {a}).data,
            (std::vector<int8_t>{-128, 1, 2, -128, -128}));
  const Input<uint16_t> b{DType::f16, {1}, {7}};
  EXPECT_EQ(run<uint16_t>("pad", R"({"pads": [0, 1], "value": 64512})", {b}).data, (std::vector<uint16_t>{7, 0xfc00}));
  const Input<uint32_t> c{DType::f32, {1}, {7}};
  EXPECT_EQ(run<uint32_t>("pad", R"({"pads": [1, 0], "value": 4286578688})", {c}).data,
            (std::vector<uint32_t>{0xff800000, 7}));
  const Input<int64_t> d{DType::i64, {0}, {}};
  EXPECT_EQ(run<int64_t>("pad", R"({"pads": [1, 0], "value": -9223372036854775808})", {d}).data,
            std::vector<int64_t>{INT64_MIN});
}

TEST(Pad, ModesInTwoDimensions) {
  const Q16 in{DType::q16, {2, 3}, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(run("pad", R"({"pads": [1, 0, 0, 1], "value": 9})", {in}).data, (V{9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9}));
  EXPECT_EQ(run("pad", R"({"pads": [1, 0, 0, 2], "mode": "edge"})", {in}).data,
            (V{1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6}));
  EXPECT_EQ(run("pad", R"({"pads": [1, 2, 0, 2], "mode": "reflect"})", {in}).data,
            (V{6, 5, 4, 5, 6, 5, 4, 3, 2, 1, 2, 3, 2, 1, 6, 5, 4, 5, 6, 5, 4}));
}

TEST(Pad, SixDimensions) {
  const auto r =
      run("pad", R"({"pads": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]})", {Q16{DType::q16, {1, 1, 1, 1, 1, 2}, {3, 4}}});
  EXPECT_EQ(r.type.shape, (Shape{2, 1, 1, 1, 1, 3}));
  EXPECT_EQ(r.data, (V{0, 0, 0, 3, 4, 0}));
}

TEST(Pad, HostileAttributes) {
  EXPECT_EQ(code_of("pad", R"({"pads": [1]})", {2}), Code::argument);
  EXPECT_EQ(code_of("pad", R"({"pads": [0, -1]})", {2}), Code::argument);
  EXPECT_EQ(code_of("pad", R"({"pads": [0, -9223372036854775808]})", {2}), Code::argument);
  EXPECT_EQ(code_of("pad", R"({"pads": [9223372036854775807, 9223372036854775807]})", {2}), Code::too_large);
  EXPECT_EQ(code_of("pad", R"({"pads": [9223372036854775807, 0]})", {2}), Code::too_large);
  EXPECT_EQ(code_of("pad", R"({"pads": [9223372036854775805, 0]})", {2}), Code::too_large);
  EXPECT_EQ(code_of("pad", R"({"pads": [4611686018427387904, 4611686018427387904, 0, 0]})", {0, 0}), Code::too_large);
  EXPECT_EQ(code_of("pad", R"({"pads": [0, 0], "value": 2147483648})", {2}), Code::argument);
  EXPECT_EQ(code_of("pad", R"({"pads": [2, 0], "mode": "reflect"})", {2}), Code::argument);
  EXPECT_EQ(code_of("pad", R"({"pads": [0, 1], "mode": "edge"})", {0}), Code::shape);
}

TEST(Pad, HugeSidesOfAnEmptyTensorAreEmpty) {
  const auto r =
      run("pad", R"({"pads": [4611686018427387904, 0, 0, 0, 0, 0]})", {ramp({4611686018427387903, 0, INT64_MAX})});
  ASSERT_TRUE(r.status.ok()) << r.status.text();
  EXPECT_EQ(r.type.shape, (Shape{INT64_MAX, 0, INT64_MAX}));
}

TEST(Transpose, ByHand) {
  const Q16 in = ramp({2, 3});
  EXPECT_EQ(run("transpose", "", {in}).data, (V{0, 3, 1, 4, 2, 5}));
  const auto r = run("transpose", R"({"perm": [0, 3, 1, 2]})", {ramp({1, 2, 2, 3})});
  EXPECT_EQ(r.type.shape, (Shape{1, 3, 2, 2}));
  EXPECT_EQ(r.data, (V{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
  EXPECT_EQ(run("transpose", R"({"perm": [2, 0, 1]})", {ramp({2, 2, 2})}).data, (V{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(Transpose, HostilePermutations) {
  for (const char* perm : {"[0]", "[0, 1, 2]", "[0, 0]", "[0, 2]", "[-1, 0]", "[9223372036854775807, 0]",
                           "[-9223372036854775808, 0]", "[0, 1, 2, 3, 4, 5, 6, 7, 8]"})
    EXPECT_EQ(code_of("transpose", (std::string(R"({"perm": )") + perm + "}").c_str(), {2, 3}), Code::argument) << perm;
  EXPECT_EQ(shape_of("transpose", "", {{-1, 2, 0}}), (Shape{0, 2, -1}));
}

TEST(Reshape, ZeroCopiesAndMinusOneTakesTheRest) {
  const auto r = run("reshape", R"({"shape": [0, -1]})", {ramp({2, 3, 4})});
  EXPECT_EQ(r.type.shape, (Shape{2, 12}));
  EXPECT_EQ(r.data, ramp({24}).data);
  EXPECT_EQ(shape_of("reshape", "", {{1, 1}}), Shape{});
  EXPECT_EQ(shape_of("reshape", R"({"shape": [0, -1, 2]})", {{-1, 6}}), (Shape{-1, -1, 2}));
  EXPECT_EQ(shape_of("reshape", R"({"shape": [3, 0]})", {{0, 0}}), (Shape{3, 0}));
}

TEST(Reshape, HostileShapes) {
  EXPECT_EQ(code_of("reshape", R"({"shape": [-1, -1]})", {4}), Code::argument);
  EXPECT_EQ(code_of("reshape", R"({"shape": [-2]})", {4}), Code::argument);
  EXPECT_EQ(code_of("reshape", R"({"shape": [-9223372036854775808]})", {4}), Code::argument);
  EXPECT_EQ(code_of("reshape", R"({"shape": [4, 0]})", {4}), Code::argument);
  EXPECT_EQ(code_of("reshape", R"({"shape": [3, -1]})", {4}), Code::shape);
  EXPECT_EQ(code_of("reshape", R"({"shape": [0, -1]})", {0, 3}), Code::shape);
  EXPECT_EQ(code_of("reshape", R"({"shape": [5]})", {4}), Code::shape);
  // The products are 2^64 and 2^64 + 4, which 64 bits would take for 0 and 4.
  EXPECT_EQ(code_of("reshape", R"({"shape": [4294967296, 4294967296]})", {0}), Code::shape);
  EXPECT_EQ(code_of("reshape", R"({"shape": [4611686018427387905, 4]})", {4}), Code::shape);
  EXPECT_EQ(code_of("reshape", R"({"shape": [4611686018427387905, 4, -1]})", {4}), Code::shape);
  EXPECT_EQ(code_of("reshape", R"({"shape": [1, 1, 1, 1, 1, 1, 4]})", {4}), Code::unsupported);
}

V sliced(const char* attributes, int64_t n = 10) { return run("slice", attributes, {ramp({n})}).data; }

TEST(Slice, AsOnnx13) {
  EXPECT_EQ(sliced(R"({"starts": [1], "ends": [7], "steps": [2]})"), (V{1, 3, 5}));
  EXPECT_EQ(sliced(R"({"starts": [-3], "ends": [1000]})"), (V{7, 8, 9}));
  EXPECT_EQ(sliced(R"({"starts": [5], "ends": [3]})"), V{});
  EXPECT_EQ(sliced(R"({"starts": [20], "ends": [0], "steps": [-4]})"), (V{9, 5, 1}));
  EXPECT_EQ(sliced(R"({"starts": [-1], "ends": [-11], "steps": [-5]})"), (V{9, 4}));
  EXPECT_EQ(sliced(R"({"starts": [3], "ends": [-1], "steps": [-1]})"), V{});
  EXPECT_EQ(sliced(R"({"starts": [-100], "ends": [-100], "steps": [-1]})"), V{0});
}

TEST(Slice, ExtremesOf64Bits) {
  EXPECT_EQ(sliced(R"({"starts": [0], "ends": [9223372036854775807]})", 3), (V{0, 1, 2}));
  EXPECT_EQ(sliced(R"({"starts": [-1], "ends": [-9223372036854775808], "steps": [-1]})", 3), (V{2, 1, 0}));
  EXPECT_EQ(
      sliced(R"({"starts": [9223372036854775807], "ends": [-9223372036854775808], "steps": [-9223372036854775808]})",
             3),
      V{2});
  EXPECT_EQ(
      sliced(R"({"starts": [-9223372036854775808], "ends": [9223372036854775807], "steps": [9223372036854775807]})", 3),
      V{0});
  EXPECT_EQ(sliced(R"({"starts": [0], "ends": [-9223372036854775808]})", 3), V{});
}

TEST(Slice, SeveralAxes) {
  const auto r =
      run("slice", R"({"starts": [2, -1], "ends": [0, 9], "axes": [-1, 0], "steps": [-1, 1]})", {ramp({2, 2, 3})});
  EXPECT_EQ(r.type.shape, (Shape{1, 2, 2}));
  EXPECT_EQ(r.data, (V{8, 7, 11, 10}));
  EXPECT_EQ(shape_of("slice", R"({"starts": [1], "ends": [3], "axes": [1]})", {{-1, -1, 4}}), (Shape{-1, -1, 4}));
}

TEST(Slice, HostileAttributes) {
  EXPECT_EQ(code_of("slice", R"({"starts": [0], "ends": [1], "steps": [0]})", {4}), Code::argument);
  EXPECT_EQ(code_of("slice", R"({"starts": [0], "ends": [1, 2]})", {4, 4}), Code::argument);
  EXPECT_EQ(code_of("slice", R"({"starts": [0, 0], "ends": [1, 1]})", {4}), Code::argument);
  EXPECT_EQ(code_of("slice", R"({"starts": [0, 0], "ends": [1, 1], "axes": [0, -2]})", {4, 4}), Code::argument);
  EXPECT_EQ(code_of("slice", R"({"starts": [0], "ends": [1], "axes": [-9223372036854775808]})", {4}), Code::argument);
}

TEST(DepthToSpace, BothModesAndLayouts) {
  const Q16 nchw = ramp({1, 8, 1, 1});
  EXPECT_EQ(run("depth_to_space", R"({"layout": "NCHW", "block": 2})", {nchw}).data, (V{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(run("depth_to_space", R"({"layout": "NCHW", "block": 2, "mode": "CRD"})", {nchw}).data, ramp({8}).data);
  const auto r = run("depth_to_space", R"({"block": 2})", {ramp({1, 1, 2, 4})});
  EXPECT_EQ(r.type.shape, (Shape{1, 2, 4, 1}));
  EXPECT_EQ(r.data, (V{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(run("depth_to_space", R"({"block": 2, "mode": "CRD"})", {ramp({1, 1, 1, 8})}).data,
            (V{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(DepthToSpace, HostileBlocks) {
  EXPECT_EQ(code_of("depth_to_space", R"({"block": 0})", {1, 1, 1, 4}), Code::argument);
  EXPECT_EQ(code_of("depth_to_space", R"({"block": -9223372036854775808})", {1, 1, 1, 4}), Code::argument);
  EXPECT_EQ(code_of("depth_to_space", R"({"block": 3})", {1, 1, 1, 12}), Code::shape);
  EXPECT_EQ(code_of("depth_to_space", R"({"block": 4294967296})", {1, 1, 1, 4}), Code::shape);
  EXPECT_EQ(code_of("depth_to_space", R"({"block": 4294967296})", {1, 4294967296, 1, 0}), Code::too_large);
  EXPECT_EQ(code_of("depth_to_space", R"({"block": 2})", {1, 1, 4}), Code::shape);
  EXPECT_EQ(shape_of("depth_to_space", R"({"block": 2})", {{-1, -1, 3, -1}}), (Shape{-1, -1, 6, -1}));
}

V resized(const char* attributes, int64_t n) { return run("resize", attributes, {ramp({1, 1, n, 1})}).data; }

TEST(Resize, NearestByEveryRule) {
  // 4 to 2, half_pixel: 0.5 and 2.5.
  EXPECT_EQ(resized(R"({"size": [1, 2]})", 4), (V{0, 2}));
  EXPECT_EQ(resized(R"({"size": [1, 2], "rounding": "round_prefer_ceil"})", 4), (V{1, 3}));
  EXPECT_EQ(resized(R"({"size": [1, 2], "rounding": "floor"})", 4), (V{0, 2}));
  EXPECT_EQ(resized(R"({"size": [1, 2], "rounding": "ceil"})", 4), (V{1, 3}));
  // 2 to 5: -0.3, 0.1, 0.5, 0.9, 1.3; asymmetric 0, 0.4, 0.8, 1.2, 1.6; align_corners 0, 0.25, 0.5, 0.75, 1.
  EXPECT_EQ(resized(R"({"size": [1, 5]})", 2), (V{0, 0, 0, 1, 1}));
  EXPECT_EQ(resized(R"({"size": [1, 5], "coordinates": "asymmetric", "rounding": "floor"})", 2), (V{0, 0, 0, 1, 1}));
  EXPECT_EQ(resized(R"({"size": [1, 5], "coordinates": "asymmetric", "rounding": "ceil"})", 2), (V{0, 1, 1, 1, 1}));
  EXPECT_EQ(resized(R"({"size": [1, 5], "coordinates": "align_corners", "rounding": "round_prefer_ceil"})", 2),
            (V{0, 0, 1, 1, 1}));
  // To one: 2 by half_pixel, 0 by the two others.
  EXPECT_EQ(resized(R"({"size": [1, 1]})", 5), V{2});
  EXPECT_EQ(resized(R"({"size": [1, 1], "coordinates": "pytorch_half_pixel"})", 5), V{0});
  EXPECT_EQ(resized(R"({"size": [1, 1], "coordinates": "align_corners"})", 5), V{0});
}

TEST(Resize, NearestMovesAnyElementInBothLayouts) {
  const Input<uint8_t> in{DType::u8, {1, 1, 2, 2}, {1, 2, 3, 4}};
  EXPECT_EQ(run<uint8_t>("resize", R"({"size": [1, 4]})", {in}).data, (std::vector<uint8_t>{1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_EQ(run<uint8_t>("resize", R"({"size": [2, 4], "layout": "NCHW"})", {in}).data,
            (std::vector<uint8_t>{1, 1, 2, 2, 3, 3, 4, 4}));
  const Input<int64_t> wide{DType::i64, {1, 1, 1, 2}, {INT64_MIN, INT64_MAX}};
  EXPECT_EQ(run<int64_t>("resize", R"({"size": [2, 1]})", {wide}).data,
            (std::vector<int64_t>{INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX}));
}

V bilinear(const char* how, int64_t out, V in) {
  const std::string attributes =
      R"({"mode": "bilinear", "coordinates": ")" + std::string(how) + R"(", "size": [1, )" + std::to_string(out) + "]}";
  return run("resize", attributes.c_str(), {Q16{DType::q16, {1, 1, static_cast<int64_t>(in.size()), 1}, in}}).data;
}

TEST(Resize, BilinearIsExactAndRoundsOnce) {
  EXPECT_EQ(bilinear("half_pixel", 4, {0, 100}), (V{0, 25, 75, 100}));
  EXPECT_EQ(bilinear("asymmetric", 3, {0, 100}), (V{0, 67, 100}));
  EXPECT_EQ(bilinear("align_corners", 4, {0, 100}), (V{0, 33, 67, 100}));
  EXPECT_EQ(bilinear("align_corners", 3, {0, 1}), (V{0, 1, 1}));    // a half rounds up
  EXPECT_EQ(bilinear("align_corners", 3, {0, -1}), (V{0, 0, -1}));  // below 0, too
  EXPECT_EQ(bilinear("half_pixel", 3, {INT32_MIN, INT32_MIN}), (V{INT32_MIN, INT32_MIN, INT32_MIN}));
  const Q16 square{DType::q16, {1, 2, 2, 1}, {1, 0, 0, 0}};  // the middle is 1/4: separate roundings would give 1
  EXPECT_EQ(run("resize", R"({"size": [3, 3], "mode": "bilinear", "coordinates": "align_corners"})", {square}).data,
            (V{1, 1, 0, 1, 0, 0, 0, 0, 0}));
}

TEST(Resize, HostileSizes) {
  EXPECT_EQ(code_of("resize", R"({"size": [0, 4]})", {1, 2, 2, 1}), Code::argument);
  EXPECT_EQ(code_of("resize", "", {1, 2, 2, 1}), Code::argument);
  EXPECT_EQ(code_of("resize", R"({"size": [-9223372036854775808, 4]})", {1, 2, 2, 1}), Code::argument);
  EXPECT_EQ(code_of("resize", R"({"size": [9223372036854775807, 9223372036854775807]})", {0, 2, 2, 1}),
            Code::too_large);
  EXPECT_EQ(code_of("resize", R"({"size": [2147483647, 2147483647]})", {0, 2, 2, 1}), Code::ok);
  EXPECT_EQ(code_of("resize", R"({"size": [2, 2]})", {1, 0, 2, 1}), Code::shape);
  EXPECT_EQ(code_of("resize", R"({"size": [2, 2]})", {2, 2, 1}), Code::shape);
  EXPECT_EQ(code_of("resize", R"({"size": [178956970, 3], "mode": "bilinear"})", {0, 2, 2, 1}), Code::ok);
  EXPECT_EQ(code_of("resize", R"({"size": [536870912, 1], "mode": "bilinear"})", {0, 2, 2, 1}), Code::too_large);
  EXPECT_EQ(run("resize", R"({"size": [2, 2], "mode": "bilinear"})", {ramp({1, 1, 1, 1}, DType::i32)}).status.code,
            Code::unsupported);
}

Ran<int64_t> argmax(const char* attributes, const Q16& in) { return run<int32_t, int64_t>("argmax", attributes, {in}); }

TEST(Argmax, FirstOrLastOfEqual) {
  const Q16 in{DType::i32, {2, 4}, {INT32_MIN, 7, 7, INT32_MAX, 5, INT32_MIN, 5, 5}};
  EXPECT_EQ(argmax("", in).data, (std::vector<int64_t>{1, 0, 0, 0}));
  EXPECT_EQ(argmax(R"({"axis": 1})", in).data, (std::vector<int64_t>{3, 0}));
  const auto r = argmax(R"({"axis": -1, "select_last": true, "keepdims": false})", in);
  EXPECT_EQ(r.type, (TensorType{DType::i64, {2}}));
  EXPECT_EQ(r.data, (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(run("argmax", R"({"axis": 1, "output_dtype": "i32"})", {in}).data, (V{3, 0}));
  const Input<int64_t> wide{DType::i64, {3}, {INT64_MIN, INT64_MAX, INT64_MAX - 1}};
  EXPECT_EQ(run<int64_t>("argmax", "", {wide}).data, std::vector<int64_t>{1});
  const Input<uint8_t> bytes{DType::u8, {3}, {127, 128, 255}};
  EXPECT_EQ((run<uint8_t, int64_t>("argmax", "", {bytes}).data), std::vector<int64_t>{2});
}

TEST(Argmax, Refusals) {
  EXPECT_EQ(code_of("argmax", R"({"axis": 1})", {2, 0}), Code::shape);
  EXPECT_EQ(argmax(R"({"axis": 0})", ramp({2, 0})).type.shape, (Shape{1, 0}));
  EXPECT_EQ(code_of("argmax", R"({"axis": 2})", {2, 1}), Code::argument);
  EXPECT_EQ(code_of("argmax", R"({"output_dtype": "u8"})", {2, 1}), Code::unsupported);
  EXPECT_EQ(run("argmax", "", {ramp({2}, DType::f32)}).status.code, Code::unsupported);
  EXPECT_EQ(inferred("argmax", R"({"output_dtype": "i32"})", {{2147483649, 0}}).status().code, Code::too_large);
}

}  // namespace
}  // namespace bitexact::test
