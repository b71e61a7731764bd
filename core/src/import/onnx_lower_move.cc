// Moving elements: on reals, on integers, and on the integers of quantized tensors, whose scales move along.
#include <algorithm>
#include <numeric>

#include "import/onnx_lower.h"
#include "import/quantized.h"

namespace bitexact::onnx {
namespace {

// The input as it is: of a quantized tensor the integers, and the scales that the output has, too.
struct Moved {
  TensorId id = 0;
  std::optional<Scales> scales;
};

Moved moved(Step& s, size_t input = 0) {
  const Value* v = s.ok() ? s.value(input) : nullptr;
  if (v != nullptr && v->scales && v->scales->single() && v->tensor) {
    const std::optional<Scales> scales = v->scales;
    return {s.integer(input), scales};
  }
  return {s.tensor(input), {}};
}

std::vector<int64_t> sorted_axes(Step& s, std::vector<int64_t> axes, size_t rank) {
  for (int64_t& a : axes) a = static_cast<int64_t>(axis_in(s, a, rank));
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) s.fail(Code::argument, "an axis stands twice");
  return axes;
}

bool contains(const std::vector<int64_t>& axes, size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<int64_t>(axis)) != axes.end();
}

Quantization quant_of(const Step& s, TensorId id) { return s.ok() ? s.b.value(id).quant : Quantization{}; }

TensorId slice_axis(Step& s, TensorId in, size_t axis, int64_t start, int64_t end, int64_t step = 1) {
  return s.emit(Op::slice, SliceAttrs{{start}, {end}, {static_cast<int64_t>(axis)}, {step}}, {in}, quant_of(s, in));
}

}  // namespace

Status lower_concat(Step& s) {
  const Value* first = s.value(0);
  if (first == nullptr) return s.status;
  bool alike = true;
  for (size_t i = 0; i < s.node.inputs.size(); ++i) {
    const Value* v = s.value(i);
    alike = alike && v != nullptr && v->scales && first->scales && v->tensor && v->scales->single() &&
            first->scales->single() && same(v->scales->one(), first->scales->one()) && first->tensor &&
            s.dtype(*v->tensor) == s.dtype(*first->tensor);
  }
  std::vector<TensorId> inputs;
  for (size_t i = 0; i < s.node.inputs.size(); ++i) inputs.push_back(alike ? s.integer(i) : s.tensor(i));
  const Quantization quant = alike ? first->scales->one() : Quantization{};
  const TensorId out = s.emit(Op::concat, ConcatAttrs{s.i("axis", 1)}, inputs, quant);
  return alike ? s.finish(out, first->scales) : s.finish(out);
}

Status lower_split(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> dims = s.dims(0);
  const size_t axis = s.ok() ? axis_in(s, s.i("axis", 0), dims.size()) : 0;
  std::vector<int64_t> sizes = s.ints_or_input("split", 1);
  const size_t count = s.node.outputs.size();
  if (!s.ok()) return s.status;
  if (sizes.empty()) {
    const auto n = static_cast<int64_t>(count);
    const int64_t each = (dims[axis] + n - 1) / n;
    for (int64_t k = 0; k < n; ++k) sizes.push_back(std::clamp<int64_t>(dims[axis] - k * each, 0, each));
  }
  const auto outside = [&](int64_t n) { return n < 0 || n > dims[axis]; };
  if (sizes.size() != count || std::any_of(sizes.begin(), sizes.end(), outside) ||
      std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) != dims[axis])
    return s.refuse(Code::shape, "split does not add up to " + std::to_string(dims[axis]));
  int64_t start = 0;
  for (size_t k = 0; k < count; ++k) {
    BITEXACT_TRY(s.finish(slice_axis(s, in.id, axis, start, start + sizes[k]), in.scales, k));
    start += sizes[k];
  }
  return s.status;
}

Status lower_slice(Step& s) {
  const Moved in = moved(s);
  SliceAttrs a;
  if (s.version() < 10) {
    a = {s.ints("starts"), s.ints("ends"), s.ints("axes"), {}};
  } else {
    a.starts = s.need_ints(1, "starts");
    a.ends = s.need_ints(2, "ends");
    if (s.has(3)) a.axes = s.need_ints(3, "axes");
    if (s.has(4)) a.steps = s.need_ints(4, "steps");
  }
  return s.finish(s.emit(Op::slice, a, {in.id}, quant_of(s, in.id)), in.scales);
}

Status lower_pad(Step& s) {
  TensorId in = s.tensor(0);
  const std::vector<int64_t> dims = s.dims(0);
  const bool old = s.version() < 11;
  std::vector<int64_t> given = old ? s.ints("pads") : s.need_ints(1, "pads");
  std::vector<int64_t> axes(dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (!old && s.has(3)) axes = s.need_ints(3, "axes");
  if (s.ok() && given.size() != 2 * axes.size()) s.fail(Code::malformed, "pads does not fit the input");
  const auto huge = [](int64_t p) { return p > int64_t{1} << 40 || p < -(int64_t{1} << 40); };
  if (std::any_of(given.begin(), given.end(), huge)) s.fail(Code::argument, "pads out of range");
  if (!s.ok()) return s.status;
  PadAttrs a{std::vector<int64_t>(2 * dims.size()), PadAttrs::Mode::constant, 0};
  SliceAttrs cut;  // negative pads
  for (size_t k = 0; k < axes.size(); ++k) {
    const size_t axis = axis_in(s, axes[k], dims.size());
    if (!s.ok()) return s.status;
    const int64_t before = given[k], after = given[k + axes.size()];
    a.pads[axis] = std::max<int64_t>(before, 0);
    a.pads[axis + dims.size()] = std::max<int64_t>(after, 0);
    if (before >= 0 && after >= 0) continue;
    cut.axes.push_back(static_cast<int64_t>(axis));
    cut.starts.push_back(std::max<int64_t>(-before, 0));
    cut.ends.push_back(after < 0 ? after : std::numeric_limits<int64_t>::max());
    cut.steps.push_back(1);
  }
  const std::string mode = s.s("mode", "constant");
  if (mode == "edge") a.mode = PadAttrs::Mode::edge;
  if (mode == "reflect") a.mode = PadAttrs::Mode::reflect;
  if (mode == "constant" && (old || s.has(2))) {
    if (s.dtype(in) == DType::q16) {
      const std::vector<float> v = old ? std::vector{s.f("value", 0)} : s.need_floats(2, "constant_value");
      a.value = v.empty() ? 0 : to_q16(s, v[0]);
    } else if (!old) {
      const std::vector<int64_t> v = s.need_ints(2, "constant_value");
      a.value = v.empty() ? 0 : v[0];
    }
  } else if (mode != "constant" && mode != "edge" && mode != "reflect") {
    return s.refuse(Code::unsupported, "mode " + mode);
  }
  if (!cut.axes.empty()) in = s.emit(Op::slice, cut, {in});
  return s.finish(s.emit(Op::pad, a, {in}));
}

Status lower_transpose(Step& s) {
  const Moved in = moved(s);
  return s.finish(s.transpose(in.id, s.ints("perm")), in.scales);
}

Status lower_reshape(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> asked = s.need_ints(1, "shape"), from = s.dims(0);
  if (!s.ok()) return s.status;
  std::vector<int64_t> dims = asked;
  const bool zeros = s.i("allowzero", 0) != 0;
  int64_t known = 1, open = -1;
  for (size_t k = 0; k < dims.size(); ++k) {
    if (dims[k] == 0 && !zeros) dims[k] = k < from.size() ? from[k] : 0;
    if (dims[k] == -1 && open < 0)
      open = static_cast<int64_t>(k);
    else if (dims[k] < 0 || (dims[k] > 0 && known > std::numeric_limits<int64_t>::max() / dims[k]))
      return s.refuse(Code::argument, "a shape with " + std::to_string(dims[k]));
    else
      known *= dims[k];
  }
  const int64_t total = product(from);
  if (open >= 0 && known > 0) dims[static_cast<size_t>(open)] = total / known;
  const auto text = [](const std::vector<int64_t>& d) {
    const auto shape = shape_of(d);
    return shape.ok() ? shape->text() : std::to_string(d.size()) + " dimensions";
  };
  if (std::count(dims.begin(), dims.end(), -1) > 0 || product(dims) != total)
    return s.refuse(Code::shape, "input " + text(from) + " has " + std::to_string(total) +
                                     " elements, which the shape " + text(asked) +
                                     " cannot hold; where a batch is written into it, -1 lets that dimension follow");
  return s.finish(s.reshape(in.id, dims), in.scales);
}

Status lower_flatten(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> dims = s.dims(0);
  const int64_t said = s.i("axis", 1);
  if (!s.ok()) return s.status;
  const size_t axis = said == static_cast<int64_t>(dims.size()) ? dims.size() : axis_in(s, said, dims.size());
  return s.finish(s.reshape(in.id, {product(dims, 0, axis), product(dims, axis, dims.size())}), in.scales);
}

Status lower_squeeze(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> dims = s.dims(0);
  const bool all = !s.names("axes", 1);
  std::vector<int64_t> axes = s.ints_or_input("axes", 1);
  if (s.ok()) axes = sorted_axes(s, axes, dims.size());
  if (!s.ok()) return s.status;
  std::vector<int64_t> out;
  for (size_t k = 0; k < dims.size(); ++k) {
    const bool goes = all ? dims[k] == 1 : contains(axes, k);
    if (goes && dims[k] != 1) return s.refuse(Code::shape, "dimension " + std::to_string(k) + " is not 1");
    if (!goes) out.push_back(dims[k]);
  }
  return s.finish(s.reshape(in.id, out), in.scales);
}

Status lower_unsqueeze(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> dims = s.dims(0);
  std::vector<int64_t> axes = s.ints_or_input("axes", 1);
  const size_t rank = dims.size() + axes.size();
  if (s.ok()) axes = sorted_axes(s, axes, rank);
  if (!s.ok()) return s.status;
  std::vector<int64_t> out;
  for (size_t k = 0, next = 0; k < rank; ++k) out.push_back(contains(axes, k) ? 1 : dims[next++]);
  return s.finish(s.reshape(in.id, out), in.scales);
}

// By known indices: equal steps are one slice, anything else one for each index.
Status lower_gather(Step& s) {
  constexpr size_t kMostPieces = 64;
  const Moved in = moved(s);
  const std::vector<int64_t> dims = s.dims(0);
  const Constant indices = s.need(1, "indices");
  if (!s.ok() || !s.charge(static_cast<uint64_t>(product(indices->dims)))) return s.status;
  const size_t axis = axis_in(s, s.i("axis", 0), dims.size());
  if (!s.ok()) return s.status;
  std::vector<int64_t> at = integers(*indices);
  for (int64_t& k : at) {
    if (k < -dims[axis] || k >= dims[axis]) s.fail(Code::argument, "index " + std::to_string(k) + " is outside");
    if (k < 0) k += dims[axis];
  }
  if (s.ok() && at.empty()) s.fail(Code::unsupported, "no indices");
  if (!s.ok()) return s.status;
  const int64_t step = at.size() > 1 ? at[1] - at[0] : 1;
  bool even = step != 0;
  for (size_t k = 1; k < at.size(); ++k) even = even && at[k] - at[k - 1] == step;
  TensorId out = 0;
  if (even) {
    const int64_t end = at.back() + step;
    out = slice_axis(s, in.id, axis, at[0], end < 0 ? std::numeric_limits<int64_t>::min() : end, step);
  } else if (at.size() <= kMostPieces) {
    std::vector<TensorId> pieces;
    pieces.reserve(at.size());
    for (const int64_t k : at) pieces.push_back(slice_axis(s, in.id, axis, k, k + 1));
    out = s.emit(Op::concat, ConcatAttrs{static_cast<int64_t>(axis)}, pieces, quant_of(s, in.id));
  } else {
    return s.refuse(Code::unsupported, "more than 64 indices in uneven steps");
  }
  std::vector<int64_t> shape(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices->dims.begin(), indices->dims.end());
  shape.insert(shape.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end());
  return s.finish(s.reshape(out, shape), in.scales);
}

Status lower_expand(Step& s) {
  const Moved in = moved(s);
  const std::vector<int64_t> shape = s.need_ints(1, "shape");
  return s.finish(s.emit(Op::expand, ExpandAttrs{shape}, {in.id}, quant_of(s, in.id)), in.scales);
}

Status lower_blocks(Step& s) {
  const Moved in = moved(s);
  const int64_t block = s.i("blocksize", 0);
  const std::string mode = s.s("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") s.fail(Code::malformed, "mode " + mode);
  const TensorId out =
      s.node.op == "SpaceToDepth"
          ? s.emit(Op::space_to_depth, SpaceToDepthAttrs{Layout::nchw, block}, {in.id}, quant_of(s, in.id))
          : s.emit(Op::depth_to_space,
                   DepthToSpaceAttrs{Layout::nchw, block,
                                     mode == "CRD" ? DepthToSpaceAttrs::Mode::crd : DepthToSpaceAttrs::Mode::dcr},
                   {in.id}, quant_of(s, in.id));
  return s.finish(out, in.scales);
}

}  // namespace bitexact::onnx
