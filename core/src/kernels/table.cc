// Every kernel there is. A line here makes a kernel selectable, listed, and compared with the reference.
#include <cstring>

#include "bitexact/version.h"
#include "kernels/kernels.h"
#include "kernels/reference/reference.h"

namespace bitexact {
namespace {

constexpr Kernel kReference[] = {
    {"conv2d_q16", Op::conv2d, DType::q16, nullptr, reference::conv2d_q16},
    {"max_pool2d_q16", Op::max_pool2d, DType::q16, nullptr, reference::max_pool2d_q16},
    {"avg_pool2d_q16", Op::avg_pool2d, DType::q16, nullptr, reference::avg_pool2d_q16},
    {"relu_q16", Op::relu, DType::q16, nullptr, reference::relu_q16},
    {"leaky_relu_q16", Op::leaky_relu, DType::q16, nullptr, reference::leaky_relu_q16},
};

void list(std::span<const Kernel> kernels, const char* set, std::vector<KernelInfo>& out) {
  for (const Kernel& k : kernels) out.push_back({k.name, op_name(k.op), set});
}

}  // namespace

std::span<const Kernel> reference_kernels() noexcept { return kReference; }

std::vector<KernelInfo> kernel_list() {
  std::vector<KernelInfo> all;
  list(simd_kernels(), "simd", all);
  list(reference_kernels(), "reference", all);
  return all;
}

#ifndef BITEXACT_SIMD
std::span<const Kernel> simd_kernels() noexcept { return {}; }
const char* simd_target() { return "none"; }
std::vector<std::string> simd_targets() { return {simd_target()}; }
bool use_simd_target(std::string_view name) { return name == simd_target(); }
#endif

const char* architecture() {
#if defined(__wasm32__)
  return "wasm32";
#elif defined(__x86_64__) || defined(_M_X64)
  return "x86_64";
#elif defined(__i386__)
  return "i686";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#elif defined(__arm__)
  return "arm";
#elif defined(__riscv)
  return __riscv_xlen == 64 ? "riscv64" : "riscv32";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
  return "ppc64le";
#elif defined(__powerpc64__)
  return "ppc64";
#else
  return "unknown";
#endif
}

}  // namespace bitexact
