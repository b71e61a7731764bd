#pragma once
#include "bitexact/fx.h"
#include "kernels/kernels.h"

namespace bitexact::reference {

void conv2d_q16(const Args& args) noexcept;
void max_pool2d_q16(const Args& args) noexcept;
void avg_pool2d_q16(const Args& args) noexcept;
void relu_q16(const Args& args) noexcept;
void leaky_relu_q16(const Args& args) noexcept;

// Matrix operators that only fx.h has. Shapes are checked by the caller.
// The 2x2 average divides by a shift: a division's time may depend on its operands.
void average_2x2(const fx_matrix_t& in, fx_matrix_t& out) noexcept;
void pad_zeros(const fx_matrix_t& in, fx_matrix_t& out) noexcept;
void add_bias(fx_matrix_t& m, const fx_matrix_t& bias) noexcept;
void add(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept;
void mul(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept;

}  // namespace bitexact::reference
