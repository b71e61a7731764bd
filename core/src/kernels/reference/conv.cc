#include "kernels/reference/convolve.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {

void conv2d_q16(const Args& args) noexcept { convolve(args, args.conv, SumQ16(args, args.conv)); }

}  // namespace bitexact::reference
