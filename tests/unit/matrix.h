#pragma once
#include <cstdint>
#include <vector>

#include "bitexact/fx.h"

namespace bitexact::test {

/// An fx_matrix_t that owns its elements.
struct Matrix {
  std::vector<fixed_t> data;
  fx_matrix_t m{};

  Matrix(uint16_t rows, uint16_t cols, fixed_t value = 0) : data(static_cast<size_t>(rows) * cols, value) {
    fx_matrix_init(&m, data.data(), rows, cols);
  }
  Matrix(uint16_t rows, uint16_t cols, std::vector<fixed_t> values) : data(std::move(values)) {
    fx_matrix_init(&m, data.data(), rows, cols);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
};

/// The i-th number of a fixed sequence (SplitMix64), over the whole range of fixed_t.
inline fixed_t noise(uint64_t i) {
  uint64_t z = (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return static_cast<fixed_t>(static_cast<uint32_t>(z ^ z >> 31));
}
inline void paint(Matrix& m) {
  for (size_t i = 0; i < m.data.size(); ++i) m.data[i] = noise(i);
}

}  // namespace bitexact::test
