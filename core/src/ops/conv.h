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

/// The same of a transposed convolution.
[[nodiscard]] Result<Shape> infer_transposed_shape(const Operands& o, const ConvTranspose2dAttrs& a);
[[nodiscard]] ConvParams transposed_params(const Operands& o, const ConvTranspose2dAttrs& a);
/// Where its weight i of output channel o lies. All taps count, though no output collects more than every stride-th.
[[nodiscard]] int64_t transposed_weight(const ConvParams& p, int64_t o, int64_t i);

/// A fully connected layer as a convolution of 1x1 pictures.
[[nodiscard]] Result<Shape> infer_dense_shape(const Operands& o);
[[nodiscard]] ConvParams dense_params(const Operands& o, const Activation& act);

/// What `bound_q16` asks.
[[nodiscard]] Filters filters_of(const ConvParams& p, const Args& args);

}  // namespace bitexact
