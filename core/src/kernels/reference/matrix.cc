#include "kernels/exact.h"
#include "kernels/reference/reference.h"

namespace bitexact::reference {
namespace {

size_t count(const fx_matrix_t& m) noexcept { return static_cast<size_t>(m.rows) * m.cols; }

}  // namespace

void average_2x2(const fx_matrix_t& in, fx_matrix_t& out) noexcept {
  for (size_t r = 0; r < out.rows; ++r) {
    for (size_t c = 0; c < out.cols; ++c) {
      const fixed_t* top = in.data + 2 * r * in.cols + 2 * c;
      const fixed_t* bottom = top + in.cols;
      const int64_t sum = int64_t{top[0]} + top[1] + bottom[0] + bottom[1];
      out.data[r * out.cols + c] = static_cast<fixed_t>((sum + 2) >> 2);
    }
  }
}

void pad_zeros(const fx_matrix_t& in, fx_matrix_t& out) noexcept {
  const size_t top = (out.rows - in.rows) / 2u, left = (out.cols - in.cols) / 2u;
  for (size_t i = 0; i < count(out); ++i) out.data[i] = 0;
  for (size_t r = 0; r < in.rows; ++r)
    for (size_t c = 0; c < in.cols; ++c) out.data[(r + top) * out.cols + left + c] = in.data[r * in.cols + c];
}

void add_bias(fx_matrix_t& m, const fx_matrix_t& bias) noexcept {
  const size_t step = bias.cols == 1 ? 0 : 1;
  for (size_t r = 0; r < m.rows; ++r) {
    fixed_t* row = m.data + r * m.cols;
    for (size_t c = 0; c < m.cols; ++c) row[c] = fixed_add(row[c], bias.data[c * step]);
  }
}

void add(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept {
  for (size_t i = 0; i < count(a); ++i) out.data[i] = fixed_add(a.data[i], b.data[i]);
}

void mul(const fx_matrix_t& a, const fx_matrix_t& b, fx_matrix_t& out) noexcept {
  for (size_t i = 0; i < a.rows; ++i) {
    for (size_t j = 0; j < b.cols; ++j) {
      ExactSum sum;
      for (size_t k = 0; k < a.cols; ++k) sum.add(a.data[i * a.cols + k], b.data[k * b.cols + j]);
      out.data[i * out.cols + j] = sum.to_q16();
    }
  }
}

}  // namespace bitexact::reference
