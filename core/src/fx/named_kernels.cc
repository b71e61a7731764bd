#include "bitexact/fx.h"

namespace {

constexpr fixed_t k1 = FIXED_ONE, k16th = FIXED_ONE / 16;
constexpr fixed_t k9th = 7282;  // fixed_div(FIXED_ONE, 9 * FIXED_ONE)

// Three rows of three integers, in units of `unit`.
struct Kernel3x3 {
  fixed_t data[9];
};
constexpr Kernel3x3 make(fixed_t unit, const int (&n)[9]) {
  Kernel3x3 k{};
  for (int i = 0; i < 9; ++i) k.data[i] = unit * n[i];
  return k;
}

constexpr Kernel3x3 kIdentity = make(k1, {0, 0, 0, 0, 1, 0, 0, 0, 0});
constexpr Kernel3x3 kSobelX = make(k1, {-1, 0, 1, -2, 0, 2, -1, 0, 1});
constexpr Kernel3x3 kSobelY = make(k1, {-1, -2, -1, 0, 0, 0, 1, 2, 1});
constexpr Kernel3x3 kScharrX = make(k1, {-3, 0, 3, -10, 0, 10, -3, 0, 3});
constexpr Kernel3x3 kScharrY = make(k1, {-3, -10, -3, 0, 0, 0, 3, 10, 3});
constexpr Kernel3x3 kLaplacian = make(k1, {0, 1, 0, 1, -4, 1, 0, 1, 0});
constexpr Kernel3x3 kGaussian = make(k16th, {1, 2, 1, 2, 4, 2, 1, 2, 1});
constexpr Kernel3x3 kBox = make(k9th, {1, 1, 1, 1, 1, 1, 1, 1, 1});
constexpr Kernel3x3 kSharpen = make(k1, {0, -1, 0, -1, 5, -1, 0, -1, 0});
constexpr Kernel3x3 kEmboss = make(k1, {-2, -1, 0, -1, 1, 1, 0, 1, 2});

// fx_matrix_t has no const data; these live in read-only memory all the same.
constexpr fixed_t* mutable_data(const Kernel3x3& k) { return const_cast<fixed_t*>(k.data); }

}  // namespace

extern "C" {

const fx_matrix_t FX_KERNEL_IDENTITY = {mutable_data(kIdentity), 3, 3};
const fx_matrix_t FX_KERNEL_SOBEL_X = {mutable_data(kSobelX), 3, 3};
const fx_matrix_t FX_KERNEL_SOBEL_Y = {mutable_data(kSobelY), 3, 3};
const fx_matrix_t FX_KERNEL_SCHARR_X = {mutable_data(kScharrX), 3, 3};
const fx_matrix_t FX_KERNEL_SCHARR_Y = {mutable_data(kScharrY), 3, 3};
const fx_matrix_t FX_KERNEL_LAPLACIAN = {mutable_data(kLaplacian), 3, 3};
const fx_matrix_t FX_KERNEL_GAUSSIAN = {mutable_data(kGaussian), 3, 3};
const fx_matrix_t FX_KERNEL_BOX = {mutable_data(kBox), 3, 3};
const fx_matrix_t FX_KERNEL_SHARPEN = {mutable_data(kSharpen), 3, 3};
const fx_matrix_t FX_KERNEL_EMBOSS = {mutable_data(kEmboss), 3, 3};

const fx_named_kernel_t FX_NAMED_KERNELS[FX_NAMED_KERNEL_COUNT] = {
    {"identity", &FX_KERNEL_IDENTITY}, {"sobel-x", &FX_KERNEL_SOBEL_X},   {"sobel-y", &FX_KERNEL_SOBEL_Y},
    {"scharr-x", &FX_KERNEL_SCHARR_X}, {"scharr-y", &FX_KERNEL_SCHARR_Y}, {"laplacian", &FX_KERNEL_LAPLACIAN},
    {"gaussian", &FX_KERNEL_GAUSSIAN}, {"box", &FX_KERNEL_BOX},           {"sharpen", &FX_KERNEL_SHARPEN},
    {"emboss", &FX_KERNEL_EMBOSS},
};

}  // extern "C"
