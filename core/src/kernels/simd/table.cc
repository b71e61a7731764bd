// The fast kernels and what each is exact for. First match wins; the reference follows.
#include <algorithm>

#include "bitexact/version.h"
#include "hwy/targets.h"
#include "kernels/simd/simd.h"

namespace bitexact {
namespace {

bool unit_stride(const WindowParams& w) noexcept {
  return w.stride_h == 1 && w.stride_w == 1 && w.dilation_h == 1 && w.dilation_w == 1;
}

// Where a row's pixels lie side by side.
bool side_by_side_rows(const ConvParams& p) noexcept {
  return (p.layout == Layout::nchw || (p.in_c == 1 && p.out_c == 1)) && unit_stride(p.window);
}

bool rows(const Args& a) noexcept { return side_by_side_rows(a.conv); }
bool w16_rows(const Args& a) noexcept { return side_by_side_rows(a.scaled_conv.conv); }

bool halving(const Args& a) noexcept {
  const PoolParams& p = a.pool;
  const WindowParams& w = p.window;
  const bool two = w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.dilation_h == 1 &&
                   w.dilation_w == 1;
  const bool whole = w.pad_top == 0 && w.pad_left == 0 && w.out_h <= w.in_h / 2 && w.out_w <= w.in_w / 2;
  return two && whole && (p.layout == Layout::nchw || p.channels == 1);
}

// Where a pixel's channels lie side by side, and are enough to be worth it.
bool side_by_side(const ConvParams& p) noexcept {
  return p.layout == Layout::nhwc && (p.groups == 1 || p.in_c / p.groups >= 4);
}
bool dot(const Args& a) noexcept { return side_by_side(a.conv); }
bool w16_dot(const Args& a) noexcept { return side_by_side(a.scaled_conv.conv); }
bool q_dot(const Args& a) noexcept { return side_by_side(a.q_conv.conv) && !a.q_conv.requant.wide_bias; }

// Weights must be constant to be packed.
bool depthwise(const Args& a) noexcept {
  const ConvParams& p = a.q_conv.conv;
  return p.layout == Layout::nhwc && p.groups == p.in_c && p.out_c == p.in_c && p.in_c > 1 && a.in[1] != nullptr;
}

bool pool_channels(const Args& a) noexcept { return a.pool.layout == Layout::nhwc && a.pool.channels > 1; }

bool average_channels(const Args& a) noexcept {
  const WindowParams& w = a.pool.window;
  return pool_channels(a) && !a.pool.count_include_pad && int64_t{w.kernel_h} * w.kernel_w <= 90;
}

constexpr DTypes kQ16 = only(DType::q16);
constexpr Kernel kSimd[] = {
    {"conv2d_q16_rows", Op::conv2d, kQ16, 64, simd::conv2d_q16_rows, rows},
    {"conv2d_q16_dot", Op::conv2d, kQ16, 64, simd::conv2d_q16_dot, dot},
    {"conv2d_w16_rows", Op::conv2d_w16, kQ16, 64, simd::conv2d_w16_rows, w16_rows},
    {"conv2d_w16_dot", Op::conv2d_w16, kQ16, 64, simd::conv2d_w16_dot, w16_dot},
    {"fully_connected_w16_dot", Op::fully_connected_w16, kQ16, 64, simd::conv2d_w16_dot, w16_dot},
    {"q_conv2d_i8_depthwise", Op::q_conv2d, only(DType::i8), 32, simd::q_conv2d_i8_depthwise, depthwise,
     simd::q_conv2d_depthwise_bytes, simd::q_conv2d_depthwise_pack},
    {"q_conv2d_u8_depthwise", Op::q_conv2d, only(DType::u8), 32, simd::q_conv2d_u8_depthwise, depthwise,
     simd::q_conv2d_depthwise_bytes, simd::q_conv2d_depthwise_pack},
    {"q_conv2d_i8_dot", Op::q_conv2d, only(DType::i8), 32, simd::q_conv2d_i8_dot, q_dot},
    {"q_conv2d_u8_dot", Op::q_conv2d, only(DType::u8), 32, simd::q_conv2d_u8_dot, q_dot},
    {"q_fully_connected_i8_dot", Op::q_fully_connected, only(DType::i8), 32, simd::q_conv2d_i8_dot, q_dot},
    {"q_fully_connected_u8_dot", Op::q_fully_connected, only(DType::u8), 32, simd::q_conv2d_u8_dot, q_dot},
    {"max_pool2d_i32_channels", Op::max_pool2d, kQ16 | only(DType::i32), 0, simd::max_pool2d_i32_channels,
     pool_channels},
    {"max_pool2d_i16_channels", Op::max_pool2d, only(DType::i16), 0, simd::max_pool2d_i16_channels, pool_channels},
    {"max_pool2d_u16_channels", Op::max_pool2d, only(DType::u16), 0, simd::max_pool2d_u16_channels, pool_channels},
    {"max_pool2d_i8_channels", Op::max_pool2d, only(DType::i8), 0, simd::max_pool2d_i8_channels, pool_channels},
    {"max_pool2d_u8_channels", Op::max_pool2d, only(DType::u8), 0, simd::max_pool2d_u8_channels, pool_channels},
    {"avg_pool2d_i8_channels", Op::avg_pool2d, only(DType::i8), 32, simd::avg_pool2d_i8_channels, average_channels},
    {"avg_pool2d_u8_channels", Op::avg_pool2d, only(DType::u8), 32, simd::avg_pool2d_u8_channels, average_channels},
    {"max_pool2d_q16_halve", Op::max_pool2d, kQ16, 0, simd::max_pool2d_q16_halve, halving},
    {"avg_pool2d_q16_halve", Op::avg_pool2d, kQ16, 64, simd::avg_pool2d_q16_halve, halving},
    {"relu_q16_simd", Op::relu, kQ16, 0, simd::relu_q16},
};

}  // namespace

std::span<const Kernel> simd_kernels() noexcept { return kSimd; }

#ifdef BITEXACT_STATIC_DISPATCH
const char* simd_target() { return hwy::TargetName(HWY_STATIC_TARGET); }
std::vector<std::string> simd_targets() { return {simd_target()}; }
bool use_simd_target(std::string_view name) { return name == simd_target(); }
#else
namespace {

std::vector<int64_t> targets() {
  std::vector<int64_t> all = hwy::SupportedAndGeneratedTargets();
  std::sort(all.begin(), all.end());  // the lower bit is the better target
  return all;
}

}  // namespace

const char* simd_target() { return hwy::TargetName(targets().front()); }

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const int64_t t : targets()) names.emplace_back(hwy::TargetName(t));
  return names;
}

bool use_simd_target(std::string_view name) {
  const int64_t chosen_before = targets().front();
  hwy::SetSupportedTargetsForTest(0);  // all of the machine's again
  for (const int64_t t : targets()) {
    if (name != hwy::TargetName(t)) continue;
    hwy::SetSupportedTargetsForTest(t);
    return true;
  }
  hwy::SetSupportedTargetsForTest(chosen_before);
  return false;
}
#endif

}  // namespace bitexact
