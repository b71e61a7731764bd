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
bool rows(const Args& a) noexcept {
  const ConvParams& p = a.conv;
  return (p.layout == Layout::nchw || (p.in_c == 1 && p.out_c == 1)) && unit_stride(p.window);
}

bool halving(const Args& a) noexcept {
  const PoolParams& p = a.pool;
  const WindowParams& w = p.window;
  const bool two = w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.dilation_h == 1 &&
                   w.dilation_w == 1;
  const bool whole = w.pad_top == 0 && w.pad_left == 0 && w.out_h <= w.in_h / 2 && w.out_w <= w.in_w / 2;
  return two && whole && (p.layout == Layout::nchw || p.channels == 1);
}

constexpr DTypes kQ16 = only(DType::q16);
constexpr Kernel kSimd[] = {
    {"conv2d_q16_rows", Op::conv2d, kQ16, 64, simd::conv2d_q16_rows, rows},
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
