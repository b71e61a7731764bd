#pragma once
#include "bitexact/fx.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

// Templates are instantiated for the dtypes that table.cc lists.
void conv2d_q16(const Args& args) noexcept;
void conv_transpose2d_q16(const Args& args) noexcept;
void conv2d_w16(const Args& args) noexcept;
void conv_transpose2d_w16(const Args& args) noexcept;
void fully_connected_q16(const Args& args) noexcept;
void matmul_q16(const Args& args) noexcept;
void batch_norm_q16(const Args& args) noexcept;
template <DType>
void max_pool2d(const Args& args) noexcept;
template <DType>
void avg_pool2d(const Args& args) noexcept;

template <DType>
void q_conv2d(const Args& args) noexcept;
template <DType>
void conv2d_integer(const Args& args) noexcept;
template <DType>
void matmul_integer(const Args& args) noexcept;
template <DType>
void q_add(const Args& args) noexcept;
template <DType>
void q_mul(const Args& args) noexcept;
template <DType>
void q_softmax(const Args& args) noexcept;
template <DType>
void q_sigmoid(const Args& args) noexcept;
template <DType>
void q_tanh(const Args& args) noexcept;

template <DType>
void q_mean(const Args& args) noexcept;
void quantize_q16(const Args& args) noexcept;
template <DType>
void dequantize(const Args& args) noexcept;
template <DType>
void requantize(const Args& args) noexcept;

void reduce_sum_q16(const Args& args) noexcept;
void reduce_mean_q16(const Args& args) noexcept;
void reduce_max_q16(const Args& args) noexcept;
void reduce_min_q16(const Args& args) noexcept;
void instance_norm_q16(const Args& args) noexcept;

void abs_q16(const Args& args) noexcept;
void neg_q16(const Args& args) noexcept;
void relu_q16(const Args& args) noexcept;
template <DType>
void clamp_values(const Args& args) noexcept;
void leaky_relu_q16(const Args& args) noexcept;
void prelu_q16(const Args& args) noexcept;
void hard_sigmoid_q16(const Args& args) noexcept;
void hard_swish_q16(const Args& args) noexcept;
void exp_q16(const Args& args) noexcept;
void sigmoid_q16(const Args& args) noexcept;
void tanh_q16(const Args& args) noexcept;
void softmax_q16(const Args& args) noexcept;

void add_q16(const Args& args) noexcept;
void sub_q16(const Args& args) noexcept;
void mul_q16(const Args& args) noexcept;
void div_q16(const Args& args) noexcept;
template <DType>
void maximum(const Args& args) noexcept;
template <DType>
void minimum(const Args& args) noexcept;

void concat(const Args& args) noexcept;
void pad(const Args& args) noexcept;
// transpose, reshape, slice, depth_to_space, space_to_depth, expand: each is a walk with strides.
void copy_strided(const Args& args) noexcept;
void resize_nearest(const Args& args) noexcept;
void resize_bilinear_q16(const Args& args) noexcept;
template <DType>
void argmax(const Args& args) noexcept;
template <DType>
void argmin(const Args& args) noexcept;

// Matrix operators that only fx.h has. Shapes are checked by the caller.
// The 2x2 average divides by a shift: a division's time may depend on its operands.
void average_2x2(const fx_matrix_t& in, fx_matrix_t& out) noexcept;
void pad_zeros(const fx_matrix_t& in, fx_matrix_t& out) noexcept;
void add_bias(fx_matrix_t& m, const fx_matrix_t& bias) noexcept;
void add(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept;
void mul(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept;

}  // namespace bitexact::reference
