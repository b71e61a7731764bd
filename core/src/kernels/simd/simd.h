#pragma once
#include "kernels/kernels.h"

namespace bitexact::simd {

// Each runs with the best instruction set of the machine. Which parameters they are exact for stands in table.cc.
void conv2d_q16_rows(const Args& args) noexcept;
void max_pool2d_q16_halve(const Args& args) noexcept;
void avg_pool2d_q16_halve(const Args& args) noexcept;
void relu_q16(const Args& args) noexcept;

}  // namespace bitexact::simd
