#pragma once
#include "kernels/kernels.h"

namespace bitexact::simd {

// Each runs with the best instruction set of the machine. Which parameters they are exact for stands in table.cc.
void conv2d_q16_rows(const Args& args) noexcept;
void conv2d_q16_dot(const Args& args) noexcept;
void conv2d_w16_rows(const Args& args) noexcept;
void conv2d_w16_dot(const Args& args) noexcept;
void q_conv2d_i8_dot(const Args& args) noexcept;
void q_conv2d_u8_dot(const Args& args) noexcept;
void q_conv2d_i8_depthwise(const Args& args) noexcept;
void q_conv2d_u8_depthwise(const Args& args) noexcept;
size_t q_conv2d_depthwise_bytes(const Args& args) noexcept;
void q_conv2d_depthwise_pack(const Args& args, std::byte* packed) noexcept;
void max_pool2d_i32_channels(const Args& args) noexcept;
void max_pool2d_i16_channels(const Args& args) noexcept;
void max_pool2d_u16_channels(const Args& args) noexcept;
void max_pool2d_i8_channels(const Args& args) noexcept;
void max_pool2d_u8_channels(const Args& args) noexcept;
void avg_pool2d_i8_channels(const Args& args) noexcept;
void avg_pool2d_u8_channels(const Args& args) noexcept;
void max_pool2d_q16_halve(const Args& args) noexcept;
void avg_pool2d_q16_halve(const Args& args) noexcept;
void relu_q16(const Args& args) noexcept;

}  // namespace bitexact::simd
