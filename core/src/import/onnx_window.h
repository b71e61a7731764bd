#pragma once
#include "import/onnx_lower.h"

namespace bitexact::onnx {

/// What a convolution or pool slides, in two dimensions: one dimension is a row.
struct Window {
  std::array<int64_t, 2> kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  Padding pad;
  bool row = false;
};
/// Attributes of `spatial` dimensions; `kernel` has as many.
[[nodiscard]] Window read_window(Step& s, std::vector<int64_t> kernel);
[[nodiscard]] inline WindowAttrs window_attrs(const Window& w) { return {w.stride, w.dilation, w.pad, false}; }

/// A pad of at least the window's size, which ARITHMETIC 4 has not: as an operator before it.
[[nodiscard]] TensorId pad_before(Step& s, TensorId in, Window& w, int64_t value);
/// [N, C, L] as [N, C, 1, L], and back; [N, C, H, W] as it is.
[[nodiscard]] TensorId as_image(Step& s, TensorId in);
[[nodiscard]] TensorId from_image(Step& s, TensorId out, bool row);

}  // namespace bitexact::onnx
