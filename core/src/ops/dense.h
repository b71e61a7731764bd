#pragma once
// What the products of matrices share: q16 and integers.
#include "ops/prepare.h"

namespace bitexact {

/// Of [.., M, K] and [.., K, N]; unknown dimensions (-1) pass.
[[nodiscard]] Result<Shape> infer_matmul_shape(const Shape& a, const Shape& b);
/// All zero where the output is empty.
[[nodiscard]] MatmulParams matmul_params(const Shape& a, const Shape& b, const Shape& out);

}  // namespace bitexact
