#include "kernels/reference/max_pool.h"

namespace bitexact::reference {

template void max_pool2d<DType::f16>(const Args& args) noexcept;
template void max_pool2d<DType::f32>(const Args& args) noexcept;
template void max_pool2d<DType::i8>(const Args& args) noexcept;
template void max_pool2d<DType::u8>(const Args& args) noexcept;
template void max_pool2d<DType::i16>(const Args& args) noexcept;
template void max_pool2d<DType::u16>(const Args& args) noexcept;
template void max_pool2d<DType::i32>(const Args& args) noexcept;
template void max_pool2d<DType::i64>(const Args& args) noexcept;

}  // namespace bitexact::reference
