#pragma once
#include <cstdint>

#include "bitexact/status.h"

namespace bitexact {

/// What importers make of a model's scales, as TFLite's QuantizeMultiplier:
/// `real` = multiplier * 2^(shift - 31), with the multiplier rounded to nearest, ties away from zero, into
/// [2^30, 2^31 - 1]. 0, and anything that would need a shift below -31, gives 0 and 0. `argument`, and nothing is
/// written, for what `QuantAttrs` cannot hold: negative, infinite or NaN, or a shift above 30 (from about 2^30 on).
[[nodiscard]] Status quantize_multiplier(double real, int32_t& multiplier, int32_t& shift);

}  // namespace bitexact
