#pragma once
// What the convolutions share: q16, quantized and transposed.
#include "ops/bound.h"
#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {

/// Unknown counts (-1) pass.
[[nodiscard]] Status check_channels(const Dims& in, int64_t out_c, int64_t weights_in_c, int64_t weights_out_c,
                                    int64_t groups);
/// Input 2, if there is one, is [channels].
[[nodiscard]] Status check_bias(const Operands& o, int64_t channels);

/// Checks and infers a convolution of input 0 with the weights of input 1.
[[nodiscard]] Result<Shape> infer_conv_shape(const Operands& o, Layout layout, const WindowAttrs& window,
                                             int64_t groups);
/// The same with all dimensions known, after `infer_conv_shape` has passed.
[[nodiscard]] Result<ConvParams> conv_params(const Operands& o, Layout layout, const WindowAttrs& window,
                                             int64_t groups, const Activation& act);

/// What `bound_q16` asks.
[[nodiscard]] Filters filters_of(const ConvParams& p, const Args& args);

}  // namespace bitexact
