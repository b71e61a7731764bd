#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bitexact/tensor.h"

namespace bitexact::parity {

/// Noise of the dtype's full range, shifted right by `shift`; or `given`, of 32 bits.
struct Input {
  std::string name;
  DType dtype = DType::q16;
  Shape shape;
  int shift = 0;
  std::vector<int32_t> given{};
};

/// An operator with the spellings of core/OPERATORS.md.
struct Case {
  std::string op, attributes;
  std::vector<Input> inputs;
};

/// Widths and channels around every lane count, all paddings, extreme values.
std::vector<Case> all_cases();

}  // namespace bitexact::parity
