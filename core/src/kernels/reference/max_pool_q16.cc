// Apart from the other dtypes, because the C API needs this one alone.
#include "kernels/reference/max_pool.h"

namespace bitexact::reference {

template void max_pool2d<DType::q16>(const Args& args) noexcept;

}  // namespace bitexact::reference
