#include "import/onnx_window.h"

#include <algorithm>

namespace bitexact::onnx {
namespace {

// In two dimensions: `neutral` for the rows of a single one.
std::array<int64_t, 2> pair(Step& s, const char* name, std::vector<int64_t> values, size_t spatial, int64_t neutral) {
  if (values.empty()) values.assign(spatial, neutral);
  if (values.size() != spatial) {
    s.fail(Code::malformed, std::string(name) + " has " + std::to_string(values.size()) + " elements for " +
                                std::to_string(spatial) + " dimensions");
    return {neutral, neutral};
  }
  return spatial == 1 ? std::array{neutral, values[0]} : std::array{values[0], values[1]};
}

Padding read_padding(Step& s, size_t spatial) {
  const std::string word = s.s("auto_pad", "NOTSET");
  if (word == "VALID") return {};
  if (word == "SAME_UPPER") return {Pad::same_upper};
  if (word == "SAME_LOWER") return {Pad::same_lower};
  if (word != "NOTSET") s.fail(Code::malformed, "auto_pad " + word);
  const std::vector<int64_t> pads = s.ints("pads");
  if (pads.empty()) return {};
  if (pads.size() != 2 * spatial) {
    s.fail(Code::malformed, "pads has " + std::to_string(pads.size()) + " elements");
    return {};
  }
  if (*std::min_element(pads.begin(), pads.end()) < 0) s.fail(Code::unsupported, "negative pads");
  if (spatial == 1) return {Pad::explicit_, 0, pads[0], 0, pads[1]};
  return {Pad::explicit_, pads[0], pads[1], pads[2], pads[3]};
}

}  // namespace

Window read_window(Step& s, std::vector<int64_t> kernel) {
  const size_t spatial = kernel.size();
  if (spatial != 1 && spatial != 2) {
    s.fail(Code::unsupported, std::to_string(spatial) + " spatial dimensions; one and two are supported");
    return {};
  }
  const std::vector<int64_t> said = s.ints("kernel_shape");
  if (!said.empty() && said != kernel) s.fail(Code::shape, "kernel_shape is not that of the weights");
  Window w;
  w.row = spatial == 1;
  w.kernel = pair(s, "kernel_shape", std::move(kernel), spatial, 1);
  w.stride = pair(s, "strides", s.ints("strides"), spatial, 1);
  w.dilation = pair(s, "dilations", s.ints("dilations"), spatial, 1);
  w.pad = read_padding(s, spatial);
  return w;
}

TensorId pad_before(Step& s, TensorId in, Window& w, int64_t value) {
  const auto reaches = [&](int64_t pad, size_t axis) {
    return pad > 0 &&
           (w.kernel[axis] < 1 || w.dilation[axis] < 1 || (pad - 1) / w.dilation[axis] >= w.kernel[axis] - 1);
  };
  const Padding& p = w.pad;
  if (p.kind != Pad::explicit_ ||
      !(reaches(p.top, 0) || reaches(p.bottom, 0) || reaches(p.left, 1) || reaches(p.right, 1)))
    return in;
  const PadAttrs pads{{0, 0, p.top, p.left, 0, 0, p.bottom, p.right}, PadAttrs::Mode::constant, value};
  w.pad = {};
  return s.emit(Op::pad, pads, {in});
}

TensorId as_image(Step& s, TensorId in) {
  const Shape shape = s.ok() ? s.shape(in) : Shape{};
  if (shape.rank() == 3) return s.reshape(in, {shape[0], shape[1], 1, shape[2]});
  if (shape.rank() != 4)
    s.fail(Code::unsupported, "an input of " + std::to_string(shape.rank()) + " dimensions; 3 and 4 are supported");
  return in;
}

TensorId from_image(Step& s, TensorId out, bool row) {
  if (!s.ok() || !row) return out;
  const Shape shape = s.shape(out);
  return s.reshape(out, {shape[0], shape[1], shape[3]});
}

}  // namespace bitexact::onnx
