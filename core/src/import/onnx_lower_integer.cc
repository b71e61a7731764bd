// ConvInteger and MatMulInteger: sums of 8-bit products as i32.
#include "import/onnx_quantized.h"
#include "import/onnx_window.h"

namespace bitexact::onnx {
namespace {

// The zero points of a tensor, which are of its type; none: 0.
std::vector<int32_t> zeros_of(Step& s, size_t input, TensorId tensor) {
  if (!s.ok() || !s.has(input)) return {};
  const std::vector<int64_t> zeros = s.need_ints(input, "a zero point");
  const Constant c = s.known(input);
  if (s.ok() && dtype_of(c->type) != s.dtype(tensor))
    s.fail(Code::malformed,
           std::string("a zero point of ") + type_name(c->type) + " for " + dtype_name(s.dtype(tensor)));
  return {zeros.begin(), zeros.end()};
}

// Of the lines of matrices, which are summed along `summed`: [lines], or the matrices' own dimensions with 1 there.
std::vector<int32_t> line_zeros(Step& s, size_t input, TensorId tensor, size_t from_end) {
  std::vector<int32_t> zeros = zeros_of(s, input, tensor);
  if (!s.ok() || zeros.size() <= 1) return zeros;
  std::vector<int64_t> dims = dims_of(s.shape(tensor));
  const std::vector<int64_t> given = s.dims(input);
  if (dims.size() < 2 || (given.size() > 1 && given.size() != dims.size()))
    s.fail(Code::shape, "zero points of " + std::to_string(given.size()) + " dimensions");
  else if (given.size() > 1 && given[given.size() - from_end] != 1)
    s.fail(Code::shape, "zero points along what is summed");
  return zeros;
}

}  // namespace

Status lower_conv_integer(Step& s) {
  const TensorId x = raw_integer(s, 0), w = raw_integer(s, 1);
  const std::vector<int32_t> input_zero = zeros_of(s, 2, x), weight_zero = zeros_of(s, 3, w);
  const std::vector<int64_t> dims = s.ok() ? dims_of(s.shape(w)) : std::vector<int64_t>{};
  if (dims.size() < 3) s.fail(Code::shape, "weights of less than three dimensions");
  if (input_zero.size() > 1) s.fail(Code::shape, "more than one zero point of the input");
  if (!s.ok()) return s.status;
  const int32_t zero = input_zero.empty() ? 0 : input_zero[0];
  Window window = read_window(s, {dims.begin() + 2, dims.end()});
  const TensorId weights = as_image(s, w), in = pad_before(s, as_image(s, x), window, zero);
  const Conv2dIntegerAttrs attrs{Layout::nchw, window_attrs(window), s.i("group", 1), zero, weight_zero};
  return s.finish(from_image(s, s.emit(Op::conv2d_integer, attrs, {in, weights}), window.row));
}

Status lower_matmul_integer(Step& s) {
  const TensorId a = raw_integer(s, 0), b = raw_integer(s, 1);
  MatmulIntegerAttrs attrs{line_zeros(s, 2, a, 1), line_zeros(s, 3, b, 2)};
  return finish_matmul(s, a, b, Op::matmul_integer, std::move(attrs));
}

}  // namespace bitexact::onnx
