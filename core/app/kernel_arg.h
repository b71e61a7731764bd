#pragma once
#include <string>

#include "bitexact/photo.h"

namespace bitexact::cli {

/// What parse_kernel takes, the names of all kernels among it.
[[nodiscard]] std::string kernel_forms();
/// Fills the kernel of `task` from NAME | "[[r,r],[r,r]]" | "r r; r r" | FILE.json ([[...]] or {"name", "rows":
/// [[...]]}), r real numbers.
[[nodiscard]] Status parse_kernel(const std::string& argument, PhotoTask& task);

/// valid | same | same-lower | full | TOP,LEFT,BOTTOM,RIGHT
[[nodiscard]] Status parse_pad(const std::string& argument, PhotoTask& task);
/// none | relu | leaky-relu:ALPHA
[[nodiscard]] Status parse_activation(const std::string& argument, PhotoTask& task);
/// none | max2x2 | avg2x2 | max:HxW/SHxSW | avg:HxW/SHxSW
[[nodiscard]] Status parse_pool(const std::string& argument, PhotoTask& task);
/// WIDTHxHEIGHT
[[nodiscard]] Status parse_resize(const std::string& argument, Resampling method, PhotoTask& task);
/// HxW or one number for both
[[nodiscard]] Status parse_stride(const std::string& argument, PhotoTask& task);
/// R,G,B
[[nodiscard]] Status parse_background(const std::string& argument, PhotoTask& task);
/// Real numbers separated by commas, to q16.
[[nodiscard]] Status parse_reals(const std::string& name, const std::string& argument, std::vector<int32_t>& out);

}  // namespace bitexact::cli
