#include "bitexact/quantize.h"

#include <cmath>

namespace bitexact {

Status quantize_multiplier(double real, int32_t& multiplier, int32_t& shift) {
  constexpr int64_t kOne = int64_t{1} << 31;
  if (!(real >= 0) || std::isinf(real))
    return error(Code::argument, "a multiplier must be finite and at least 0, got " + std::to_string(real));
  // frexp, the product with 2^31 and round are exact: the mode of the float unit does not matter.
  int exponent = 0;
  auto rounded = static_cast<int64_t>(std::round(std::frexp(real, &exponent) * static_cast<double>(kOne)));
  if (rounded == kOne) {
    rounded /= 2;
    ++exponent;
  }
  if (exponent > 30) return error(Code::argument, "multiplier " + std::to_string(real) + " is not below 2^30");
  const bool vanishes = rounded == 0 || exponent < -31;
  multiplier = vanishes ? 0 : static_cast<int32_t>(rounded);
  shift = vanishes ? 0 : exponent;
  return {};
}

}  // namespace bitexact
