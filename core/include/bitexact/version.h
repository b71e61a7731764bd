#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bitexact {

inline constexpr const char* kVersion = "0.1.0";

/// The arithmetic contract (core/ARITHMETIC.md) this engine obeys. It changes with any output bit.
inline constexpr int kContract = 1;

/// Which kernels may be chosen. `fastest` falls back to the reference where nothing faster is exact.
enum class KernelSet : unsigned char { reference, fastest };

struct KernelInfo {
  std::string name;          ///< for instance "conv2d_q16_rows"
  std::string op;            ///< operator, spelled as in vectors
  std::string set;           ///< "reference" or "simd"
  int accumulator_bits = 0;  ///< of what it sums with; 0: nothing is summed
};

/// Every kernel of this build, in the order in which prepare tries them.
[[nodiscard]] std::vector<KernelInfo> kernel_list();

/// The instruction set the simd kernels run with on this machine: "AVX3_DL", "NEON", "WASM", "none" ...
[[nodiscard]] const char* simd_target();

/// The instruction sets this build could run with here, best first; and the choice of one, before any kernel has run,
/// for tests and benchmarks. False when the name is not among them.
[[nodiscard]] std::vector<std::string> simd_targets();
[[nodiscard]] bool use_simd_target(std::string_view name);

/// The architecture this binary was compiled for: "x86_64", "aarch64", "wasm32" ...
[[nodiscard]] const char* architecture();

}  // namespace bitexact
