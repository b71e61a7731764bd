#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "bitexact/ops.h"

namespace bitexact {

/// The sliding window of convolution and pooling along both axes, checked by ops/geometry: no position overflows int32.
struct WindowParams {
  int32_t in_h, in_w, out_h, out_w;
  int32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  int32_t pad_top, pad_left;
};

struct ConvParams {
  WindowParams window;
  Layout layout;
  int32_t batch, in_c, out_c, groups;
  int32_t act_min, act_max;
  uint64_t weight_bound;  ///< largest sum of |w| over an output channel; UINT64_MAX when weights are not constant
  bool has_bias;
};

struct PoolParams {
  WindowParams window;
  Layout layout;
  int32_t batch, channels;
  int32_t padded_h, padded_w;  ///< where the declared padding ends: counted by count_include_pad below here
  bool count_include_pad, propagate_nan;
  int32_t act_min, act_max;
};

struct EltwiseParams {
  size_t count;
  int32_t alpha;
};

/// What a kernel sees: everything is checked and decided. Inputs: data, weights, bias. Never more than it needs.
struct Args {
  union {
    ConvParams conv;
    PoolParams pool;
    EltwiseParams eltwise;
  };
  const void* in[3];
  void* out;
};

/// A kernel is one line in a table. That line makes it selectable, comparable with the reference, listed and
/// benchmarked.
struct Kernel {
  const char* name;
  Op op;
  DType dtype;
  bool (*accepts)(const Args&) noexcept;  ///< whether this kernel is exact for these parameters; null: always
  void (*run)(const Args&) noexcept;
};

[[nodiscard]] std::span<const Kernel> reference_kernels() noexcept;
[[nodiscard]] std::span<const Kernel> simd_kernels() noexcept;  ///< empty in builds without Highway

}  // namespace bitexact
