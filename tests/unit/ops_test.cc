// The operators through model, plan and session; expected values from the reports and the law.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/fx.h"
#include "bitexact/operator.h"
#include "bitexact/session.h"
#include "matrix.h"
#include "runtime/plan.h"

namespace bitexact::test {
namespace {

constexpr int32_t k1 = FIXED_ONE;
using Values = std::vector<int32_t>;

struct Ran {
  Status status;
  Shape shape;
  Values data;
};

Ran run(Op op, const Attrs& attrs, const Shape& shape, const Values& in, const Shape& weight_shape = {},
        const Values& weights = {}) {
  Model m;
  m.values = {{"in", DType::q16, shape, nullptr},
              {"w", DType::q16, weight_shape, reinterpret_cast<const std::byte*>(weights.data())},
              {"out", DType::q16, {}, nullptr}};
  m.nodes = {{"node", op, attrs, {0}, 2}};
  if (!weights.empty()) m.nodes[0].inputs.push_back(1);
  m.inputs = {0};
  m.outputs = {2};
  const auto plan = prepare(m);
  if (!plan.ok()) return {plan.status(), {}, {}};
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return {session.status(), {}, {}};
  if (!in.empty()) std::memcpy(session->input(0).data, in.data(), in.size() * 4);
  session->run();
  const Tensor out = session->output(0);
  return {{}, out.shape, Values(out.as<int32_t>(), out.as<int32_t>() + out.count())};
}

Values ramp(int n, int32_t first = 0, int32_t step = k1) {
  Values v;
  for (int i = 0; i < n; ++i) v.push_back(first + i * step);
  return v;
}

Pool2dAttrs pool(int64_t kernel, int64_t stride, Padding pad = {}, bool ceil_mode = false) {
  Pool2dAttrs a;
  a.layout = Layout::nchw;
  a.kernel = {kernel, kernel};
  a.window = {{stride, stride}, {1, 1}, pad, ceil_mode};
  return a;
}

Padding sides(int64_t n) { return {Pad::explicit_, n, n, n, n}; }

Conv2dAttrs conv(Pad pad = Pad::valid) {
  Conv2dAttrs a;
  a.layout = Layout::nchw;
  a.window.pad.kind = pad;
  return a;
}

TEST(Ops, B001_CeilModeDropsTheWindowThatStartsOutside) {
  const Ran r = run(Op::max_pool2d, pool(1, 2, sides(0), true), {1, 1, 6, 7}, ramp(42, 0, 1));
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.shape, (Shape{1, 1, 3, 4}));
  EXPECT_EQ(r.data, (Values{0, 2, 4, 6, 14, 16, 18, 20, 28, 30, 32, 34}));
}

TEST(Ops, B005_CeilModeWithPaddingStaysInside) {
  const Ran r = run(Op::max_pool2d, pool(2, 2, sides(1), true), {1, 1, 5, 5}, ramp(25, -30, 1));
  ASSERT_TRUE(r.status.ok());
  EXPECT_EQ(r.data, (Values{-30, -28, -26, -20, -18, -16, -10, -8, -6}));
}

TEST(Ops, B007_PartialLastWindows) {
  const Ran r = run(Op::max_pool2d, pool(3, 2, sides(0), true), {1, 1, 4, 4}, ramp(16, 1, 1));
  EXPECT_EQ(r.data, (Values{11, 12, 15, 16}));
}

TEST(Ops, B009_PhantomCellsNeverCount) {
  Pool2dAttrs a = pool(3, 2, sides(0), true);
  a.count_include_pad = true;
  const Ran r = run(Op::avg_pool2d, a, {1, 1, 4, 4}, ramp(16, k1));
  EXPECT_EQ(r.data, (Values{6 * k1, 15 * k1 / 2, 12 * k1, 27 * k1 / 2}));
}

TEST(Ops, B017_DeclaredPaddingCounts) {
  Pool2dAttrs a = pool(2, 2, sides(1));
  a.count_include_pad = true;
  const Ran r = run(Op::avg_pool2d, a, {1, 1, 4, 4}, ramp(16, 0, 4 * k1));
  Values expected;
  for (const int v : {0, 3, 3, 12, 30, 18, 12, 27, 15}) expected.push_back(v * k1);
  EXPECT_EQ(r.data, expected);
}

TEST(Ops, B019_SamePaddingDependsOnInputAndStride) {
  const Values kernel{1 * k1, 10 * k1, 100 * k1}, in = ramp(8, k1);
  Conv2dAttrs upper = conv(Pad::same_upper), lower = conv(Pad::same_lower);
  upper.window.stride = lower.window.stride = {1, 2};
  const auto whole = [](Values v) {
    for (int32_t& x : v) x /= k1;
    return v;
  };
  EXPECT_EQ(whole(run(Op::conv2d, upper, {1, 1, 1, 8}, in, {1, 1, 1, 3}, kernel).data), (Values{321, 543, 765, 87}));
  EXPECT_EQ(whole(run(Op::conv2d, lower, {1, 1, 1, 8}, in, {1, 1, 1, 3}, kernel).data), (Values{210, 432, 654, 876}));
}

TEST(Ops, B021_DilationEntersSamePadding) {
  Pool2dAttrs a = pool(3, 2, {Pad::same_upper, 0, 0, 0, 0});
  a.window.dilation = {2, 2};
  EXPECT_EQ(run(Op::max_pool2d, a, {1, 1, 5, 7}, ramp(35, 0, -1)).shape, (Shape{1, 1, 3, 4}));
}

TEST(Ops, B023_VirtualPaddingLeavesNegativeMapsAlone) {
  const Ran r = run(Op::max_pool2d, pool(2, 2, {Pad::same_upper, 0, 0, 0, 0}), {1, 1, 13, 13}, Values(169, -k1));
  EXPECT_EQ(r.data, Values(49, -k1));
}

TEST(Ops, B027_PaddingAsLargeAsTheWindowIsAnError) {
  EXPECT_EQ(run(Op::max_pool2d, pool(3, 1, sides(4)), {1, 1, 3, 3}, Values(9)).status.code, Code::argument);
}

TEST(Ops, B033_NegativeRoomIsAShapeErrorNotATruncation) {
  Pool2dAttrs a = pool(3, 2, sides(0));
  a.window.dilation = {2, 2};
  EXPECT_EQ(run(Op::max_pool2d, a, {1, 1, 4, 4}, Values(16)).status.code, Code::shape);
}

TEST(Ops, B043_ZeroStrideIsAnError) {
  EXPECT_EQ(run(Op::avg_pool2d, pool(4, 0), {10, 3, 20, 20}, Values(12000)).status.code, Code::argument);
}

TEST(Ops, B045_EmptyBatch) {
  const Ran r = run(Op::conv2d, conv(), {0, 1, 8, 8}, {}, {2, 1, 3, 3}, Values(18));
  ASSERT_TRUE(r.status.ok()) << r.status.text();
  EXPECT_EQ(r.shape, (Shape{0, 2, 6, 6}));
}

TEST(Ops, B055_GlobalAverageBeyond32Bits) {
  const Ran r = run(Op::avg_pool2d, pool(8, 1), {1, 1, 8, 8}, Values(64, 1000 * k1));
  EXPECT_EQ(r.data, Values{1000 * k1});
}

TEST(Ops, B063_B065_SizesBeyondTheMachineAreRefusedBeforeAnyAllocation) {
  const Ran r =
      run(Op::conv2d, conv(Pad::full), {1 << 20, 1, 1 << 20, 1 << 20}, {}, {1 << 20, 1, 1, 1}, Values(1 << 20));
  EXPECT_EQ(r.status.code, Code::too_large) << r.status.text();
}

TEST(Ops, B085_AsymmetricPadding) {
  Conv2dAttrs a = conv();
  a.window.pad = {Pad::explicit_, 0, 0, 0, 1};
  EXPECT_EQ(run(Op::conv2d, a, {1, 1, 1, 4}, ramp(4, k1), {1, 1, 1, 2}, {k1, k1}).data,
            (Values{3 * k1, 5 * k1, 7 * k1, 4 * k1}));
}

TEST(Ops, B087_GroupsOwnTheirOutputs) {
  Conv2dAttrs a = conv();
  a.groups = 2;
  const Ran r = run(Op::conv2d, a, {1, 4, 1, 1}, {0, 0, 0, k1}, {16, 2, 1, 1}, Values(32, k1));
  Values expected(16, 0);
  std::fill(expected.begin() + 8, expected.end(), k1);
  EXPECT_EQ(r.data, expected);
}

TEST(Ops, B089_DilatedDepthwiseIsInferredAndComputedAlike) {
  const NamedType types[] = {{"in", {DType::q16, {1, 256, 512, 3}}}, {"weights", {DType::q16, {3, 3, 3, 1}}}};
  const auto inferred = infer_operator("conv2d", R"({"groups": 3, "dilation": [2, 2]})", types);
  ASSERT_TRUE(inferred.ok());
  EXPECT_EQ(inferred->shape, (Shape{1, 252, 508, 3}));
  Conv2dAttrs a;
  a.groups = 3;
  a.window.dilation = {2, 2};
  const Ran got = run(Op::conv2d, a, {1, 256, 512, 3}, Values(256 * 512 * 3, k1), {3, 3, 3, 1}, Values(27, k1));
  EXPECT_EQ(got.shape, inferred->shape);
  EXPECT_EQ(got.data, Values(252 * 508 * 3, 9 * k1));
}

TEST(Ops, D025_BlocksOfNothingAreRefused) {
  const NamedType in{"in", {DType::q16, {1, 4, 4, 4}}};
  for (const char* op : {"depth_to_space", "space_to_depth"})
    EXPECT_EQ(infer_operator(op, R"({"block": 0})", {&in, 1}).status().code, Code::argument) << op;
}

TEST(Ops, SRS_006_7_SamePadding) {
  const Ran r = run(Op::conv2d, conv(Pad::same_upper), {1, 1, 3, 3}, Values(9, k1), {1, 1, 3, 3}, Values(9, k1));
  EXPECT_EQ(r.data, (Values{4 * k1, 6 * k1, 4 * k1, 6 * k1, 9 * k1, 6 * k1, 4 * k1, 6 * k1, 4 * k1}));
}

TEST(Ops, SRS_006_8_MultipleChannels) {
  const Ran r = run(Op::conv2d, conv(), {1, 2, 1, 2}, {1 * k1, 2 * k1, 10 * k1, 20 * k1}, {1, 2, 1, 1}, {k1, -k1});
  EXPECT_EQ(r.data, (Values{-9 * k1, -18 * k1}));
}

TEST(Ops, SRS_006_9_Stride) {
  Conv2dAttrs a = conv();
  a.window.stride = {1, 3};
  EXPECT_EQ(run(Op::conv2d, a, {1, 1, 1, 8}, ramp(8), {1, 1, 1, 2}, {k1, k1}).data, (Values{k1, 7 * k1, 13 * k1}));
}

TEST(Ops, SRS_006_10_Dilation) {
  Conv2dAttrs a = conv();
  a.window.dilation = {1, 3};
  EXPECT_EQ(run(Op::conv2d, a, {1, 1, 1, 5}, ramp(5), {1, 1, 1, 2}, {k1, k1}).data, (Values{3 * k1, 5 * k1}));
}

TEST(Plan, ABrokenGraphIsNamed) {
  Model m;
  m.values = {{"in", DType::q16, {1, 1, 2, 2}, nullptr}, {"out", DType::q16, {}, nullptr}};
  m.nodes = {{"first", Op::relu, {}, {1}, 1}};
  m.inputs = {0};
  m.outputs = {1};
  const Status s = prepare(m).status();
  EXPECT_EQ(s.code, Code::malformed);
  EXPECT_EQ(s.text(), "malformed: relu 'first': input tensor is not computed before (node 0)");
  m.nodes[0].inputs = {7};
  EXPECT_EQ(prepare(m).status().code, Code::malformed);
  m.nodes[0] = {"first", Op::relu, {}, {0}, 9};
  EXPECT_EQ(prepare(m).status().code, Code::malformed);
}

TEST(Plan, LifetimesThatMeetNeverOverlapAndOthersShare) {
  std::vector<Lifetime> lives;
  for (uint64_t i = 0; i < 200; ++i) {
    const auto first = static_cast<int64_t>(static_cast<uint32_t>(noise(i)) % 50);
    lives.push_back(
        {static_cast<uint32_t>(noise(i + 1000)) % 5000, first, first + static_cast<uint32_t>(noise(i + 2000)) % 10});
  }
  const auto arena = place_lifetimes(lives);
  ASSERT_TRUE(arena.ok());
  size_t sum = 0;
  for (size_t i = 0; i < lives.size(); ++i) {
    sum += lives[i].bytes;
    EXPECT_LE(lives[i].offset + lives[i].bytes, *arena);
    for (size_t j = 0; j < i; ++j) {
      const bool meet = lives[i].first <= lives[j].last && lives[j].first <= lives[i].last;
      const bool apart =
          lives[i].offset + lives[i].bytes <= lives[j].offset || lives[j].offset + lives[j].bytes <= lives[i].offset;
      EXPECT_TRUE(!meet || apart) << i << " " << j;
    }
  }
  EXPECT_LT(*arena, sum / 2);
}

TEST(Plan, MoreLifetimesThanAnyNetworkHas) {
  std::vector<Lifetime> chain;
  for (int64_t i = 0; i < 30000; ++i) chain.push_back({static_cast<size_t>(i % 7 + 1) * 64, i, i + 1});
  const auto arena = place_lifetimes(chain);
  ASSERT_TRUE(arena.ok());
  for (size_t i = 1; i < chain.size(); ++i) {
    const Lifetime &a = chain[i - 1], &b = chain[i];
    EXPECT_LE(b.offset + b.bytes, *arena);
    EXPECT_TRUE(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset) << i;
  }
}

TEST(Plan, LifetimesBeyondTheAddressSpace) {
  std::vector<Lifetime> lives{{SIZE_MAX / 2, 0, 1}, {SIZE_MAX / 2, 1, 2}, {64, 0, 2}};
  EXPECT_EQ(place_lifetimes(lives).status().code, Code::too_large);
}

}  // namespace
}  // namespace bitexact::test
