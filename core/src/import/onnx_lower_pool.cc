#include <algorithm>
#include <limits>

#include "import/onnx_quantized.h"
#include "import/onnx_window.h"

namespace bitexact::onnx {
namespace {

int64_t lowest(DType t) {
  switch (t) {
    case DType::q16:
    case DType::i32:
      return std::numeric_limits<int32_t>::min();
    case DType::i8:
      return std::numeric_limits<int8_t>::min();
    case DType::i16:
      return std::numeric_limits<int16_t>::min();
    case DType::i64:
      return std::numeric_limits<int64_t>::min();
    default:
      return 0;
  }
}

bool pads(const Padding& p) {
  const bool same = p.kind == Pad::same_upper || p.kind == Pad::same_lower;
  return same || (p.kind == Pad::explicit_ && std::max({p.top, p.left, p.bottom, p.right}) > 0);
}

Status lower_pool(Step& s, Op op, TensorId x, std::optional<Scales> scales) {
  const std::vector<int64_t> kernel = s.ints("kernel_shape");
  if (s.ok() && kernel.size() + 2 != s.dims(0).size()) s.fail(Code::shape, "kernel_shape does not fit the input");
  Window w = s.ok() ? read_window(s, kernel) : Window{};
  TensorId in = as_image(s, x);
  if (!s.ok()) return s.status;
  const bool counts_pads = s.i("count_include_pad", 0) != 0;
  if (op == Op::avg_pool2d && s.attribute("count_include_pad") == nullptr && pads(w.pad))
    s.note(
        "its averages are over what is inside the input: the file has no count_include_pad, and padding does not "
        "count");
  // Taps outside never win a maximum; as elements they must be the lowest there is. An average would count them.
  if (op == Op::max_pool2d || counts_pads) in = pad_before(s, in, w, op == Op::max_pool2d ? lowest(s.dtype(in)) : 0);
  Pool2dAttrs attrs{Layout::nchw, w.kernel, window_attrs(w), false, counts_pads, true, {}};
  attrs.window.ceil_mode = s.i("ceil_mode", 0) != 0;
  if (attrs.window.ceil_mode && attrs.window.pad.kind == Pad::valid) attrs.window.pad.kind = Pad::explicit_;
  if (op == Op::avg_pool2d) attrs.propagate_nan = false;
  const Quantization quant = s.ok() ? s.b.value(in).quant : Quantization{};
  return s.finish(from_image(s, s.emit(op, attrs, {in}, quant), w.row), std::move(scales));
}

}  // namespace

Status lower_max_pool(Step& s) {
  if (s.wants(1)) return s.refuse(Code::unsupported, "the output Indices");
  const Value* v = s.value(0);
  // The order of integers is that of the reals they mean.
  if (v != nullptr && v->scales && v->scales->single() && v->tensor)
    return lower_pool(s, Op::max_pool2d, s.integer(0), v->scales);
  return lower_pool(s, Op::max_pool2d, s.tensor(0), {});
}

// Between quantized tensors of one scale the average is one of integers, too.
Status lower_average_pool(Step& s) {
  const auto in = single_scale(s, 0);
  const auto target = in ? target_of(s) : std::nullopt;
  const Value* v = s.value(0);
  // Padding that counts is 0, which the integers may not mean by 0.
  const bool zeros = in && (in->zero == 0 || s.i("count_include_pad", 0) == 0);
  if (target && zeros && v->tensor && same(*in, target->quant) && s.dtype(*v->tensor) == target->dtype &&
      target->activation == nullptr)
    return lower_pool(s, Op::avg_pool2d, s.integer(0), v->scales);
  return lower_pool(s, Op::avg_pool2d, s.tensor(0), {});
}

Status lower_global_pool(Step& s) {
  const TensorId x = s.tensor(0);
  const std::vector<int64_t> dims = s.dims(0);
  if (s.ok() && dims.size() < 3) s.fail(Code::shape, "a global pool of less than three dimensions");
  if (!s.ok()) return s.status;
  Pool2dAttrs attrs;
  attrs.layout = Layout::nchw;
  attrs.global = true;
  const Op op = s.node.op == "GlobalMaxPool" ? Op::max_pool2d : Op::avg_pool2d;
  attrs.propagate_nan = op == Op::max_pool2d;
  const TensorId in = dims.size() == 4 ? x : s.reshape(x, {dims[0], dims[1], 1, product(dims, 2, dims.size())});
  std::vector<int64_t> out(dims.size(), 1);
  out[0] = dims[0];
  out[1] = dims[1];
  return s.finish(s.reshape(s.emit(op, attrs, {in}), out));
}

}  // namespace bitexact::onnx
