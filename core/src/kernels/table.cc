// Every kernel there is. A line here makes a kernel selectable, listed, and compared with the reference.
#include <cstring>

#include "bitexact/version.h"
#include "kernels/kernels.h"
#include "kernels/reference/reference.h"

namespace bitexact {
namespace {

bool nearest(const Args& a) noexcept { return a.resize.mode == ResizeAttrs::Mode::nearest; }

constexpr Kernel kReference[] = {
    {"conv2d_q16", Op::conv2d, only(DType::q16), 96, reference::conv2d_q16},
    {"conv_transpose2d_q16", Op::conv_transpose2d, only(DType::q16), 96, reference::conv_transpose2d_q16},
    {"fully_connected_q16", Op::fully_connected, only(DType::q16), 96, reference::fully_connected_q16},
    {"matmul_q16", Op::matmul, only(DType::q16), 96, reference::matmul_q16},
    {"batch_norm_q16", Op::batch_norm, only(DType::q16), 64, reference::batch_norm_q16},
    {"max_pool2d_q16", Op::max_pool2d, only(DType::q16), 0, reference::max_pool2d<DType::q16>},
    {"max_pool2d_f16", Op::max_pool2d, only(DType::f16), 0, reference::max_pool2d<DType::f16>},
    {"max_pool2d_f32", Op::max_pool2d, only(DType::f32), 0, reference::max_pool2d<DType::f32>},
    {"max_pool2d_i8", Op::max_pool2d, only(DType::i8), 0, reference::max_pool2d<DType::i8>},
    {"max_pool2d_u8", Op::max_pool2d, only(DType::u8), 0, reference::max_pool2d<DType::u8>},
    {"max_pool2d_i16", Op::max_pool2d, only(DType::i16), 0, reference::max_pool2d<DType::i16>},
    {"max_pool2d_u16", Op::max_pool2d, only(DType::u16), 0, reference::max_pool2d<DType::u16>},
    {"max_pool2d_i32", Op::max_pool2d, only(DType::i32), 0, reference::max_pool2d<DType::i32>},
    {"max_pool2d_i64", Op::max_pool2d, only(DType::i64), 0, reference::max_pool2d<DType::i64>},
    {"avg_pool2d_q16", Op::avg_pool2d, only(DType::q16), 64, reference::avg_pool2d<DType::q16>},
    {"avg_pool2d_i8", Op::avg_pool2d, only(DType::i8), 64, reference::avg_pool2d<DType::i8>},
    {"avg_pool2d_u8", Op::avg_pool2d, only(DType::u8), 64, reference::avg_pool2d<DType::u8>},
    {"avg_pool2d_i16", Op::avg_pool2d, only(DType::i16), 64, reference::avg_pool2d<DType::i16>},
    {"avg_pool2d_f32", Op::avg_pool2d, only(DType::f32), 0, reference::avg_pool2d<DType::f32>},
    {"q_conv2d_i8", Op::q_conv2d, only(DType::i8), 64, reference::q_conv2d<DType::i8>},
    {"q_conv2d_u8", Op::q_conv2d, only(DType::u8), 64, reference::q_conv2d<DType::u8>},
    {"q_conv2d_i16", Op::q_conv2d, only(DType::i16), 64, reference::q_conv2d<DType::i16>},
    {"q_fully_connected_i8", Op::q_fully_connected, only(DType::i8), 64, reference::q_conv2d<DType::i8>},
    {"q_fully_connected_u8", Op::q_fully_connected, only(DType::u8), 64, reference::q_conv2d<DType::u8>},
    {"q_fully_connected_i16", Op::q_fully_connected, only(DType::i16), 64, reference::q_conv2d<DType::i16>},
    {"q_add_i8", Op::q_add, only(DType::i8), 0, reference::q_add<DType::i8>},
    {"q_add_u8", Op::q_add, only(DType::u8), 0, reference::q_add<DType::u8>},
    {"q_add_i16", Op::q_add, only(DType::i16), 0, reference::q_add<DType::i16>},
    {"q_mul_i8", Op::q_mul, only(DType::i8), 0, reference::q_mul<DType::i8>},
    {"q_mul_u8", Op::q_mul, only(DType::u8), 0, reference::q_mul<DType::u8>},
    {"q_mul_i16", Op::q_mul, only(DType::i16), 0, reference::q_mul<DType::i16>},
    {"q_softmax_i8", Op::q_softmax, only(DType::i8), 0, reference::q_softmax<DType::i8>},
    {"q_softmax_u8", Op::q_softmax, only(DType::u8), 0, reference::q_softmax<DType::u8>},
    {"q_softmax_i16", Op::q_softmax, only(DType::i16), 0, reference::q_softmax<DType::i16>},
    {"q_sigmoid_i8", Op::q_sigmoid, only(DType::i8), 0, reference::q_sigmoid<DType::i8>},
    {"q_sigmoid_i16", Op::q_sigmoid, only(DType::i16), 0, reference::q_sigmoid<DType::i16>},
    {"q_tanh_i8", Op::q_tanh, only(DType::i8), 0, reference::q_tanh<DType::i8>},
    {"q_tanh_i16", Op::q_tanh, only(DType::i16), 0, reference::q_tanh<DType::i16>},
    {"conv2d_w16", Op::conv2d_w16, only(DType::q16), 64, reference::conv2d_w16},
    {"conv_transpose2d_w16", Op::conv_transpose2d_w16, only(DType::q16), 64, reference::conv_transpose2d_w16},
    {"fully_connected_w16", Op::fully_connected_w16, only(DType::q16), 64, reference::conv2d_w16},
    {"quantize_q16", Op::quantize, only(DType::q16), 0, reference::quantize_q16},
    {"dequantize_i8", Op::dequantize, only(DType::i8), 0, reference::dequantize<DType::i8>},
    {"dequantize_u8", Op::dequantize, only(DType::u8), 0, reference::dequantize<DType::u8>},
    {"dequantize_i16", Op::dequantize, only(DType::i16), 0, reference::dequantize<DType::i16>},
    {"dequantize_i32", Op::dequantize, only(DType::i32), 0, reference::dequantize<DType::i32>},
    {"requantize_i8", Op::requantize, only(DType::i8), 0, reference::requantize<DType::i8>},
    {"requantize_u8", Op::requantize, only(DType::u8), 0, reference::requantize<DType::u8>},
    {"requantize_i16", Op::requantize, only(DType::i16), 0, reference::requantize<DType::i16>},
    {"q_mean_i8", Op::q_mean, only(DType::i8), 64, reference::q_mean<DType::i8>},
    {"q_mean_u8", Op::q_mean, only(DType::u8), 64, reference::q_mean<DType::u8>},
    {"q_mean_i16", Op::q_mean, only(DType::i16), 64, reference::q_mean<DType::i16>},
    {"reduce_sum_q16", Op::reduce_sum, only(DType::q16), 64, reference::reduce_sum_q16},
    {"reduce_mean_q16", Op::reduce_mean, only(DType::q16), 64, reference::reduce_mean_q16},
    {"reduce_max_q16", Op::reduce_max, only(DType::q16), 0, reference::reduce_max_q16},
    {"reduce_min_q16", Op::reduce_min, only(DType::q16), 0, reference::reduce_min_q16},
    {"instance_norm_q16", Op::instance_norm, only(DType::q16), 0, reference::instance_norm_q16},
    {"conv2d_integer_i8", Op::conv2d_integer, only(DType::i8), 32, reference::conv2d_integer<DType::i8>},
    {"conv2d_integer_u8", Op::conv2d_integer, only(DType::u8), 32, reference::conv2d_integer<DType::u8>},
    {"matmul_integer_i8", Op::matmul_integer, only(DType::i8), 32, reference::matmul_integer<DType::i8>},
    {"matmul_integer_u8", Op::matmul_integer, only(DType::u8), 32, reference::matmul_integer<DType::u8>},
    {"abs_q16", Op::abs, only(DType::q16), 0, reference::abs_q16},
    {"neg_q16", Op::neg, only(DType::q16), 0, reference::neg_q16},
    {"relu_q16", Op::relu, only(DType::q16), 0, reference::relu_q16},
    {"leaky_relu_q16", Op::leaky_relu, only(DType::q16), 0, reference::leaky_relu_q16},
    {"prelu_q16", Op::prelu, only(DType::q16), 0, reference::prelu_q16},
    {"hard_sigmoid_q16", Op::hard_sigmoid, only(DType::q16), 0, reference::hard_sigmoid_q16},
    {"hard_swish_q16", Op::hard_swish, only(DType::q16), 0, reference::hard_swish_q16},
    {"exp_q16", Op::exp, only(DType::q16), 0, reference::exp_q16},
    {"sigmoid_q16", Op::sigmoid, only(DType::q16), 0, reference::sigmoid_q16},
    {"tanh_q16", Op::tanh, only(DType::q16), 0, reference::tanh_q16},
    {"softmax_q16", Op::softmax, only(DType::q16), 0, reference::softmax_q16},
    {"add_q16", Op::add, only(DType::q16), 0, reference::add_q16},
    {"sub_q16", Op::sub, only(DType::q16), 0, reference::sub_q16},
    {"mul_q16", Op::mul, only(DType::q16), 0, reference::mul_q16},
    {"div_q16", Op::div, only(DType::q16), 0, reference::div_q16},
    {"clamp_q16", Op::clamp, only(DType::q16), 0, reference::clamp_values<DType::q16>},
    {"clamp_i8", Op::clamp, only(DType::i8), 0, reference::clamp_values<DType::i8>},
    {"clamp_u8", Op::clamp, only(DType::u8), 0, reference::clamp_values<DType::u8>},
    {"clamp_i16", Op::clamp, only(DType::i16), 0, reference::clamp_values<DType::i16>},
    {"clamp_u16", Op::clamp, only(DType::u16), 0, reference::clamp_values<DType::u16>},
    {"clamp_i32", Op::clamp, only(DType::i32), 0, reference::clamp_values<DType::i32>},
    {"clamp_i64", Op::clamp, only(DType::i64), 0, reference::clamp_values<DType::i64>},
    {"maximum_q16", Op::maximum, only(DType::q16), 0, reference::maximum<DType::q16>},
    {"maximum_i8", Op::maximum, only(DType::i8), 0, reference::maximum<DType::i8>},
    {"maximum_u8", Op::maximum, only(DType::u8), 0, reference::maximum<DType::u8>},
    {"maximum_i16", Op::maximum, only(DType::i16), 0, reference::maximum<DType::i16>},
    {"maximum_u16", Op::maximum, only(DType::u16), 0, reference::maximum<DType::u16>},
    {"maximum_i32", Op::maximum, only(DType::i32), 0, reference::maximum<DType::i32>},
    {"maximum_i64", Op::maximum, only(DType::i64), 0, reference::maximum<DType::i64>},
    {"minimum_q16", Op::minimum, only(DType::q16), 0, reference::minimum<DType::q16>},
    {"minimum_i8", Op::minimum, only(DType::i8), 0, reference::minimum<DType::i8>},
    {"minimum_u8", Op::minimum, only(DType::u8), 0, reference::minimum<DType::u8>},
    {"minimum_i16", Op::minimum, only(DType::i16), 0, reference::minimum<DType::i16>},
    {"minimum_u16", Op::minimum, only(DType::u16), 0, reference::minimum<DType::u16>},
    {"minimum_i32", Op::minimum, only(DType::i32), 0, reference::minimum<DType::i32>},
    {"minimum_i64", Op::minimum, only(DType::i64), 0, reference::minimum<DType::i64>},
    {"concat", Op::concat, kAnyDType, 0, reference::concat},
    {"pad", Op::pad, kAnyDType, 0, reference::pad},
    {"transpose", Op::transpose, kAnyDType, 0, reference::copy_strided},
    {"reshape", Op::reshape, kAnyDType, 0, reference::copy_strided},
    {"slice", Op::slice, kAnyDType, 0, reference::copy_strided},
    {"depth_to_space", Op::depth_to_space, kAnyDType, 0, reference::copy_strided},
    {"expand", Op::expand, kAnyDType, 0, reference::copy_strided},
    {"space_to_depth", Op::space_to_depth, kAnyDType, 0, reference::copy_strided},
    {"resize_nearest", Op::resize, kAnyDType, 0, reference::resize_nearest, nearest},
    {"resize_bilinear_q16", Op::resize, only(DType::q16), 0, reference::resize_bilinear_q16},
    {"argmax_q16", Op::argmax, only(DType::q16), 0, reference::argmax<DType::q16>},
    {"argmax_i8", Op::argmax, only(DType::i8), 0, reference::argmax<DType::i8>},
    {"argmax_u8", Op::argmax, only(DType::u8), 0, reference::argmax<DType::u8>},
    {"argmax_i16", Op::argmax, only(DType::i16), 0, reference::argmax<DType::i16>},
    {"argmax_u16", Op::argmax, only(DType::u16), 0, reference::argmax<DType::u16>},
    {"argmax_i32", Op::argmax, only(DType::i32), 0, reference::argmax<DType::i32>},
    {"argmax_i64", Op::argmax, only(DType::i64), 0, reference::argmax<DType::i64>},
    {"argmin_q16", Op::argmin, only(DType::q16), 0, reference::argmin<DType::q16>},
    {"argmin_i8", Op::argmin, only(DType::i8), 0, reference::argmin<DType::i8>},
    {"argmin_u8", Op::argmin, only(DType::u8), 0, reference::argmin<DType::u8>},
    {"argmin_i16", Op::argmin, only(DType::i16), 0, reference::argmin<DType::i16>},
    {"argmin_u16", Op::argmin, only(DType::u16), 0, reference::argmin<DType::u16>},
    {"argmin_i32", Op::argmin, only(DType::i32), 0, reference::argmin<DType::i32>},
    {"argmin_i64", Op::argmin, only(DType::i64), 0, reference::argmin<DType::i64>},
};

void list(std::span<const Kernel> kernels, const char* set, std::vector<KernelInfo>& out) {
  for (const Kernel& k : kernels) out.push_back({k.name, op_name(k.op), set, k.accumulator_bits});
}

}  // namespace

std::span<const Kernel> reference_kernels() noexcept { return kReference; }

std::vector<KernelInfo> kernel_list() {
  std::vector<KernelInfo> all;
  list(simd_kernels(), "simd", all);
  list(reference_kernels(), "reference", all);
  return all;
}

#ifndef BITEXACT_SIMD
std::span<const Kernel> simd_kernels() noexcept { return {}; }
const char* simd_target() { return "none"; }
std::vector<std::string> simd_targets() { return {simd_target()}; }
bool use_simd_target(std::string_view name) { return name == simd_target(); }
#endif

const char* architecture() {
#if defined(__wasm32__)
  return "wasm32";
#elif defined(__x86_64__) || defined(_M_X64)
  return "x86_64";
#elif defined(__i386__)
  return "i686";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#elif defined(__arm__)
  return "arm";
#elif defined(__riscv)
  return __riscv_xlen == 64 ? "riscv64" : "riscv32";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
  return "ppc64le";
#elif defined(__powerpc64__)
  return "ppc64";
#else
  return "unknown";
#endif
}

}  // namespace bitexact
