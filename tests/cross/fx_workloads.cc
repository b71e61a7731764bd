#include "fx_workloads.h"

#include "bitexact/fx.h"

namespace bitexact::testing {
namespace {

fx_matrix_t matrix(fixed_t* data, uint16_t rows, uint16_t cols) { return {data, rows, cols}; }

bool conv2d(FxMemory& m, uint16_t kernel_rows, uint16_t kernel_cols) {
  const fx_matrix_t in = matrix(m.a, 24, 26), kernel = matrix(m.b, kernel_rows, kernel_cols);
  fx_matrix_t out = matrix(m.out, static_cast<uint16_t>(25 - kernel_rows), static_cast<uint16_t>(27 - kernel_cols));
  return fx_conv2d(&in, &kernel, &out) == FX_OK;
}

bool conv2d_1x1(FxMemory& m) { return conv2d(m, 1, 1); }
bool conv2d_3x3(FxMemory& m) { return conv2d(m, 3, 3); }
bool conv2d_11x11(FxMemory& m) { return conv2d(m, 11, 11); }

bool maxpool_2x2(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 24, 32);
  return fx_maxpool_2x2(&in, &out) == FX_OK;
}

bool avgpool_2x2(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 24, 32);
  return fx_avgpool_2x2(&in, &out) == FX_OK;
}

bool maxpool_generic(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 60);
  fx_matrix_t out = matrix(m.out, 16, 15);
  return fx_maxpool_generic(&in, &out, 3, 4) == FX_OK;
}

bool maxpool_stride(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 23, 31);
  return fx_maxpool_stride(&in, &out, 3, 2) == FX_OK;
}

bool pad_zeros(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 51, 66);
  return fx_pad_zeros(&in, &out) == FX_OK;
}

bool relu(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 48, 64);
  return fx_relu(&in, &out) == FX_OK;
}

bool leaky_relu(FxMemory& m) {
  const fx_matrix_t in = matrix(m.a, 48, 64);
  fx_matrix_t out = matrix(m.out, 48, 64);
  return fx_leaky_relu(&in, &out, 655) == FX_OK;
}

bool add_bias(FxMemory& m) {
  fx_matrix_t both = matrix(m.a, 48, 64);
  const fx_matrix_t bias = matrix(m.b, 1, 64);
  return fx_matrix_add_bias(&both, &bias) == FX_OK;
}

bool add_scalar_bias(FxMemory& m) {
  fx_matrix_t both = matrix(m.a, 48, 64);
  const fx_matrix_t bias = matrix(m.b, 1, 1);
  return fx_matrix_add_bias(&both, &bias) == FX_OK;
}

bool matrix_add(FxMemory& m) {
  const fx_matrix_t a = matrix(m.a, 48, 64), b = matrix(m.b, 48, 64);
  fx_matrix_t out = matrix(m.out, 48, 64);
  return fx_matrix_add(&a, &b, &out) == FX_OK;
}

bool matrix_mul(FxMemory& m) {
  const fx_matrix_t a = matrix(m.a, 32, 40), b = matrix(m.b, 40, 28);
  fx_matrix_t out = matrix(m.out, 32, 28);
  return fx_matrix_mul(&a, &b, &out) == FX_OK;
}

}  // namespace

const FxWorkload kFxWorkloads[] = {
    {"fx_conv2d 1x1", conv2d_1x1},
    {"fx_conv2d 3x3", conv2d_3x3},
    {"fx_conv2d 11x11", conv2d_11x11},
    {"fx_maxpool_2x2", maxpool_2x2},
    {"fx_avgpool_2x2", avgpool_2x2},
    {"fx_maxpool_generic", maxpool_generic},
    {"fx_maxpool_stride", maxpool_stride},
    {"fx_pad_zeros", pad_zeros},
    {"fx_relu", relu},
    {"fx_leaky_relu", leaky_relu},
    {"fx_matrix_add_bias row", add_bias},
    {"fx_matrix_add_bias scalar", add_scalar_bias},
    {"fx_matrix_add", matrix_add},
    {"fx_matrix_mul", matrix_mul},
};
const int kFxWorkloadCount = sizeof kFxWorkloads / sizeof kFxWorkloads[0];

}  // namespace bitexact::testing
