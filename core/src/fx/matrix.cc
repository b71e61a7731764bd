// The C API: checks, then the reference kernels. SRS-006-CONVOLUTION, SRS-008-POOLING.
#include <cstdint>
#include <limits>

#include "fx/require.h"
#include "kernels/reference/reference.h"

namespace bitexact {
namespace {

bool present(const fx_matrix_t* m) noexcept { return m != nullptr && m->data != nullptr; }
bool sized(const fx_matrix_t& m) noexcept { return m.rows > 0 && m.cols > 0; }
size_t count(const fx_matrix_t& m) noexcept { return static_cast<size_t>(m.rows) * m.cols; }
bool same_shape(const fx_matrix_t& a, const fx_matrix_t& b) noexcept { return a.rows == b.rows && a.cols == b.cols; }

// A matrix of 65535 x 65535 has more bytes than a 32-bit machine can address.
bool addressable(const fx_matrix_t& m) noexcept {
  return uint64_t{m.rows} * m.cols <= static_cast<uint64_t>(std::numeric_limits<ptrdiff_t>::max()) / sizeof(fixed_t);
}

bool usable(const fx_matrix_t& m) noexcept { return sized(m) && addressable(m); }

bool overlap(const fx_matrix_t& a, const fx_matrix_t& b) noexcept {
  const auto a0 = reinterpret_cast<uintptr_t>(a.data), b0 = reinterpret_cast<uintptr_t>(b.data);
  return a0 < b0 + count(b) * sizeof(fixed_t) && b0 < a0 + count(a) * sizeof(fixed_t);
}

// Element by element an output may be its own input, but not a shifted part of it.
bool overlap_shifted(const fx_matrix_t& in, const fx_matrix_t& out) noexcept {
  return in.data != out.data && overlap(in, out);
}

WindowParams window(const fx_matrix_t& in, const fx_matrix_t& out, int32_t kernel_h, int32_t kernel_w, int32_t stride_h,
                    int32_t stride_w) noexcept {
  return {in.rows, in.cols, out.rows, out.cols, kernel_h, kernel_w, stride_h, stride_w, 1, 1, 0, 0};
}

void max_pool(const fx_matrix_t& in, fx_matrix_t& out, const WindowParams& w) noexcept {
  const void* const inputs[] = {in.data};
  Args args{};
  args.pool = {w, Layout::nchw, 1, 1, in.rows, in.cols, false, false, {}};
  args.in = inputs;
  args.out = out.data;
  reference::max_pool2d<DType::q16>(args);
}

fx_status_t check_halving(const fx_matrix_t* in, const fx_matrix_t* out) noexcept {
  FX_REQUIRE(present(in) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && in->rows % 2 == 0 && in->cols % 2 == 0, FX_ERR_SHAPE);
  FX_REQUIRE(out->rows == in->rows / 2 && out->cols == in->cols / 2, FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*in, *out), FX_ERR_ARGUMENT);
  return FX_OK;
}

fx_status_t check_eltwise(const fx_matrix_t* in, const fx_matrix_t* out) noexcept {
  FX_REQUIRE(present(in) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && same_shape(*in, *out), FX_ERR_SHAPE);
  FX_REQUIRE(!overlap_shifted(*in, *out), FX_ERR_ARGUMENT);
  return FX_OK;
}

void eltwise(const fx_matrix_t& in, fx_matrix_t& out, int32_t alpha, void (*run)(const Args&) noexcept) noexcept {
  const void* const inputs[] = {in.data};
  Args args{};
  args.eltwise = {count(in), alpha, 0, {}};
  args.in = inputs;
  args.out = out.data;
  run(args);
}

}  // namespace
}  // namespace bitexact

using namespace bitexact;

extern "C" {

fx_status_t fx_conv2d(const fx_matrix_t* in, const fx_matrix_t* kernel, fx_matrix_t* out) {
  FX_REQUIRE(present(in) && present(kernel) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && usable(*kernel), FX_ERR_SHAPE);
  FX_REQUIRE(kernel->rows <= in->rows && kernel->cols <= in->cols, FX_ERR_SHAPE);
  FX_REQUIRE(out->rows == in->rows - kernel->rows + 1 && out->cols == in->cols - kernel->cols + 1, FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*in, *out) && !overlap(*kernel, *out), FX_ERR_ARGUMENT);
  const void* const inputs[] = {in->data, kernel->data};
  Args args{};
  args.conv = {window(*in, *out, kernel->rows, kernel->cols, 1, 1), Layout::nchw, 1, 1, 1, 1, {}, false};
  args.in = inputs;
  args.out = out->data;
  reference::conv2d_q16(args);
  return FX_OK;
}

fx_status_t fx_maxpool_2x2(const fx_matrix_t* in, fx_matrix_t* out) {
  if (const fx_status_t status = check_halving(in, out); status != FX_OK) return status;
  max_pool(*in, *out, window(*in, *out, 2, 2, 2, 2));
  return FX_OK;
}

fx_status_t fx_avgpool_2x2(const fx_matrix_t* in, fx_matrix_t* out) {
  if (const fx_status_t status = check_halving(in, out); status != FX_OK) return status;
  reference::average_2x2(*in, *out);
  return FX_OK;
}

fx_status_t fx_maxpool_generic(const fx_matrix_t* in, fx_matrix_t* out, uint16_t pool_h, uint16_t pool_w) {
  FX_REQUIRE(present(in) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(pool_h >= 1 && pool_w >= 1, FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && in->rows % pool_h == 0 && in->cols % pool_w == 0, FX_ERR_SHAPE);
  FX_REQUIRE(out->rows == in->rows / pool_h && out->cols == in->cols / pool_w, FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*in, *out), FX_ERR_ARGUMENT);
  max_pool(*in, *out, window(*in, *out, pool_h, pool_w, pool_h, pool_w));
  return FX_OK;
}

fx_status_t fx_maxpool_stride(const fx_matrix_t* in, fx_matrix_t* out, uint16_t pool_size, uint16_t stride) {
  FX_REQUIRE(present(in) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(pool_size >= 1 && stride >= 1, FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && pool_size <= in->rows && pool_size <= in->cols, FX_ERR_SHAPE);
  FX_REQUIRE(out->rows == (in->rows - pool_size) / stride + 1 && out->cols == (in->cols - pool_size) / stride + 1,
             FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*in, *out), FX_ERR_ARGUMENT);
  max_pool(*in, *out, window(*in, *out, pool_size, pool_size, stride, stride));
  return FX_OK;
}

fx_status_t fx_pad_zeros(const fx_matrix_t* in, fx_matrix_t* out) {
  FX_REQUIRE(present(in) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*in) && usable(*out) && out->rows >= in->rows && out->cols >= in->cols, FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*in, *out), FX_ERR_ARGUMENT);
  reference::pad_zeros(*in, *out);
  return FX_OK;
}

fx_status_t fx_relu(const fx_matrix_t* in, fx_matrix_t* out) {
  if (const fx_status_t status = check_eltwise(in, out); status != FX_OK) return status;
  eltwise(*in, *out, 0, reference::relu_q16);
  return FX_OK;
}

fx_status_t fx_leaky_relu(const fx_matrix_t* in, fx_matrix_t* out, fixed_t alpha) {
  if (const fx_status_t status = check_eltwise(in, out); status != FX_OK) return status;
  eltwise(*in, *out, alpha, reference::leaky_relu_q16);
  return FX_OK;
}

fx_status_t fx_matrix_add_bias(fx_matrix_t* m, const fx_matrix_t* bias) {
  FX_REQUIRE(present(m) && present(bias), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*m) && bias->rows == 1 && (bias->cols == 1 || bias->cols == m->cols), FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*m, *bias), FX_ERR_ARGUMENT);
  reference::add_bias(*m, *bias);
  return FX_OK;
}

fx_status_t fx_matrix_add(const fx_matrix_t* a, const fx_matrix_t* b, fx_matrix_t* out) {
  FX_REQUIRE(present(a) && present(b) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*a) && same_shape(*a, *b) && same_shape(*a, *out), FX_ERR_SHAPE);
  FX_REQUIRE(!overlap_shifted(*a, *out) && !overlap_shifted(*b, *out), FX_ERR_ARGUMENT);
  reference::add(*a, *b, *out);
  return FX_OK;
}

fx_status_t fx_matrix_mul(const fx_matrix_t* a, const fx_matrix_t* b, fx_matrix_t* out) {
  FX_REQUIRE(present(a) && present(b) && present(out), FX_ERR_ARGUMENT);
  FX_REQUIRE(usable(*a) && usable(*b) && a->cols == b->rows, FX_ERR_SHAPE);
  FX_REQUIRE(usable(*out) && out->rows == a->rows && out->cols == b->cols, FX_ERR_SHAPE);
  FX_REQUIRE(!overlap(*a, *out) && !overlap(*b, *out), FX_ERR_ARGUMENT);
  reference::mul(*a, *b, *out);
  return FX_OK;
}

}  // extern "C"
