#include "kernels/reference/convolve.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {

void conv2d_w16(const Args& args) noexcept { convolve(args, args.scaled_conv.conv, SumW16(args)); }

}  // namespace bitexact::reference
