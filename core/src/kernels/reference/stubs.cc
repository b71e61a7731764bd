#include "kernels/reference/reference.h"
namespace bitexact::reference {
void conv_transpose2d_q16(const Args&) noexcept {}
void fully_connected_q16(const Args&) noexcept {}
void matmul_q16(const Args&) noexcept {}
void batch_norm_q16(const Args&) noexcept {}
void prelu_q16(const Args&) noexcept {}
void hard_sigmoid_q16(const Args&) noexcept {}
void hard_swish_q16(const Args&) noexcept {}
void exp_q16(const Args&) noexcept {}
void sigmoid_q16(const Args&) noexcept {}
void tanh_q16(const Args&) noexcept {}
void softmax_q16(const Args&) noexcept {}
void add_q16(const Args&) noexcept {}
void sub_q16(const Args&) noexcept {}
void mul_q16(const Args&) noexcept {}
void div_q16(const Args&) noexcept {}
template <>
void q_add<DType::i8>(const Args&) noexcept {}
template <>
void q_add<DType::u8>(const Args&) noexcept {}
template <>
void q_add<DType::i16>(const Args&) noexcept {}
template <>
void q_mul<DType::i8>(const Args&) noexcept {}
template <>
void q_mul<DType::u8>(const Args&) noexcept {}
template <>
void q_mul<DType::i16>(const Args&) noexcept {}
template <>
void clamp_values<DType::q16>(const Args&) noexcept {}
template <>
void clamp_values<DType::i8>(const Args&) noexcept {}
template <>
void clamp_values<DType::u8>(const Args&) noexcept {}
template <>
void clamp_values<DType::i16>(const Args&) noexcept {}
template <>
void clamp_values<DType::u16>(const Args&) noexcept {}
template <>
void clamp_values<DType::i32>(const Args&) noexcept {}
template <>
void clamp_values<DType::i64>(const Args&) noexcept {}
template <>
void maximum<DType::q16>(const Args&) noexcept {}
template <>
void maximum<DType::i8>(const Args&) noexcept {}
template <>
void maximum<DType::u8>(const Args&) noexcept {}
template <>
void maximum<DType::i16>(const Args&) noexcept {}
template <>
void maximum<DType::u16>(const Args&) noexcept {}
template <>
void maximum<DType::i32>(const Args&) noexcept {}
template <>
void maximum<DType::i64>(const Args&) noexcept {}
template <>
void minimum<DType::q16>(const Args&) noexcept {}
template <>
void minimum<DType::i8>(const Args&) noexcept {}
template <>
void minimum<DType::u8>(const Args&) noexcept {}
template <>
void minimum<DType::i16>(const Args&) noexcept {}
template <>
void minimum<DType::u16>(const Args&) noexcept {}
template <>
void minimum<DType::i32>(const Args&) noexcept {}
template <>
void minimum<DType::i64>(const Args&) noexcept {}
}  // namespace bitexact::reference
