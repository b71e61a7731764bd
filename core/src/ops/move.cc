// Operators whose output is a walk through the input with strides.
#include <algorithm>

#include "ops/axis.h"
#include "ops/broadcast.h"
#include "ops/geometry.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

struct Walk {
  int64_t count;
  ptrdiff_t stride;
};
using Walks = std::array<Walk, Shape::kMaxRank>;

// In elements. The shape is not empty and has passed byte_size, so that every product fits.
std::array<ptrdiff_t, Shape::kMaxRank> strides_of(const Shape& s) {
  std::array<ptrdiff_t, Shape::kMaxRank> strides{};
  ptrdiff_t step = 1;
  for (size_t i = s.rank(); i-- > 0; step *= static_cast<ptrdiff_t>(s[i])) strides[i] = step;
  return strides;
}

// Axes that continue each other become one, so that a kernel copies the longest possible runs. stride * dims fits: it
// is formed only when an outer axis has at least two elements, and the input then spans twice as much.
StridedParams strided(DType dtype, std::span<const Walk> axes, ptrdiff_t offset) {
  StridedParams p{{1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1}, offset, size_of(dtype)};
  size_t at = Shape::kMaxRank;
  for (size_t i = axes.size(); i-- > 0;) {
    const auto count = static_cast<ptrdiff_t>(axes[i].count);
    if (count == 1) continue;
    if (at < Shape::kMaxRank && axes[i].stride == p.stride[at] * p.dims[at]) {
      p.dims[at] *= count;
    } else {
      --at;
      p.dims[at] = count, p.stride[at] = axes[i].stride;
    }
  }
  return p;
}

// Nothing is read or written where the output is empty, and its other dimensions may then be of any size.
bool empty(const Prepare& p) { return element_count(p.out.shape) == size_t{0}; }

Result<std::array<size_t, Shape::kMaxRank>> permutation(const std::vector<int64_t>& perm, size_t rank) {
  std::array<size_t, Shape::kMaxRank> axes{};
  std::array<bool, Shape::kMaxRank> taken{};
  if (!perm.empty() && perm.size() != rank)
    return error(Code::argument,
                 "perm has " + std::to_string(perm.size()) + " axes; the input has " + std::to_string(rank));
  for (size_t i = 0; i < rank; ++i) {
    const int64_t axis = perm.empty() ? static_cast<int64_t>(rank - 1 - i) : perm[i];
    if (axis < 0 || axis >= static_cast<int64_t>(rank) || taken[static_cast<size_t>(axis)])
      return error(Code::argument, "perm[" + std::to_string(i) + "] is " + std::to_string(axis) +
                                       "; each axis from 0 to " + std::to_string(rank - 1) + " stands once");
    axes[i] = static_cast<size_t>(axis);
    taken[axes[i]] = true;
  }
  return axes;
}

Status check_reshape(const std::vector<int64_t>& shape, size_t rank) {
  if (shape.size() > Shape::kMaxRank)
    return error(Code::unsupported, "a shape of " + std::to_string(shape.size()) + " dimensions; there are at most " +
                                        std::to_string(Shape::kMaxRank));
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool copies = shape[i] == 0 && i >= rank;
    if (shape[i] < -1 || copies)
      return error(Code::argument, "shape[" + std::to_string(i) + "] is " + std::to_string(shape[i]) +
                                       (copies ? " and the input has no such dimension" : ""));
  }
  if (std::count(shape.begin(), shape.end(), -1) > 1) return error(Code::argument, "shape has more than one -1");
  return {};
}

// The indices that a slice keeps of an axis.
struct Kept {
  int64_t start = 0, step = 1, count = -1;  ///< count -1: of an unknown dimension
};

Kept kept(int64_t n, int64_t start, int64_t end, int64_t step) {
  if (n < 0) return {};
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  const auto placed = [&](int64_t i, int64_t least) { return std::min(std::max(i < 0 ? i + n : i, least), high); };
  const int64_t first = placed(start, 0), last = placed(end, low), length = step > 0 ? last - first : first - last;
  if (length <= 0) return {first, step, 0};
  const uint64_t size = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  return {first, step, static_cast<int64_t>((static_cast<uint64_t>(length) - 1) / size + 1)};
}

Status check_slice(const SliceAttrs& a) {
  const auto fits = [&](const std::vector<int64_t>& v) { return v.empty() || v.size() == a.starts.size(); };
  if (a.ends.size() != a.starts.size() || !fits(a.axes) || !fits(a.steps))
    return error(Code::argument, "starts, ends, axes and steps have " + std::to_string(a.starts.size()) + ", " +
                                     std::to_string(a.ends.size()) + ", " + std::to_string(a.axes.size()) + " and " +
                                     std::to_string(a.steps.size()) + " elements");
  for (size_t i = 0; i < a.steps.size(); ++i)
    if (a.steps[i] == 0) return error(Code::argument, "steps[" + std::to_string(i) + "] is 0");
  return {};
}

Result<std::array<Kept, Shape::kMaxRank>> slices(const Shape& in, const SliceAttrs& a) {
  BITEXACT_TRY(check_slice(a));
  std::array<Kept, Shape::kMaxRank> all{};
  std::array<bool, Shape::kMaxRank> sliced{};
  for (size_t i = 0; i < in.rank(); ++i) all[i].count = in[i];
  for (size_t i = 0; i < a.starts.size(); ++i) {
    const auto axis = axis_of(a.axes.empty() ? static_cast<int64_t>(i) : a.axes[i], in.rank());
    if (!axis.ok()) return axis.status();
    if (sliced[*axis]) return error(Code::argument, "axis " + std::to_string(*axis) + " is sliced twice");
    sliced[*axis] = true;
    all[*axis] = kept(in[*axis], a.starts[i], a.ends[i], a.steps.empty() ? 1 : a.steps[i]);
  }
  return all;
}

}  // namespace

Result<TensorType> infer_transpose(const Operands& o) {
  const Shape& in = o.in[0].shape;
  const auto axes = permutation(o.as<TransposeAttrs>().perm, in.rank());
  if (!axes.ok()) return axes.status();
  TensorType out{o.in[0].dtype, {}};
  for (size_t i = 0; i < in.rank(); ++i) out.shape.push_back(in[(*axes)[i]]);
  return out;
}

Status prepare_transpose(Prepare& p) {
  if (empty(p)) return {};
  const TensorType& in = p.operands.in[0];
  const auto axes = *permutation(p.operands.as<TransposeAttrs>().perm, in.shape.rank());
  const auto strides = strides_of(in.shape);
  Walks walks{};
  for (size_t i = 0; i < in.shape.rank(); ++i) walks[i] = {in.shape[axes[i]], strides[axes[i]]};
  p.args.strided = strided(in.dtype, std::span(walks).first(in.shape.rank()), 0);
  return {};
}

Result<TensorType> infer_reshape(const Operands& o) {
  const std::vector<int64_t>& shape = o.as<ReshapeAttrs>().shape;
  const Shape& in = o.in[0].shape;
  BITEXACT_TRY(check_reshape(shape, in.rank()));
  Shape out, rest;  // rest: without what -1 takes
  size_t open = Shape::kMaxRank;
  for (size_t i = 0; i < shape.size(); ++i) {
    out.push_back(shape[i] == 0 ? in[i] : shape[i]);
    if (shape[i] == -1)
      open = i;
    else
      rest.push_back(out[i]);
  }
  for (size_t i = 0; i < in.rank(); ++i)
    if (in[i] < 0) return TensorType{o.in[0].dtype, out};
  const auto count = element_count(in), others = element_count(rest);
  const bool open_fits = open < Shape::kMaxRank && count && others && *others != 0 && *count % *others == 0;
  if (open_fits) out[open] = static_cast<int64_t>(*count / *others);
  if (!count || element_count(out) != count)
    return error(Code::shape, in.text() + " cannot be taken as " + out.text() + ": the numbers of elements differ");
  return TensorType{o.in[0].dtype, out};
}

Status prepare_reshape(Prepare& p) {
  if (empty(p)) return {};
  const Walk all{static_cast<int64_t>(*element_count(p.out.shape)), 1};
  p.args.strided = strided(p.out.dtype, {&all, 1}, 0);
  return {};
}

Result<TensorType> infer_slice(const Operands& o) {
  const Shape& in = o.in[0].shape;
  const auto all = slices(in, o.as<SliceAttrs>());
  if (!all.ok()) return all.status();
  TensorType out{o.in[0].dtype, {}};
  for (size_t i = 0; i < in.rank(); ++i) out.shape.push_back((*all)[i].count);
  return out;
}

Status prepare_slice(Prepare& p) {
  if (empty(p)) return {};
  const TensorType& in = p.operands.in[0];
  const auto all = *slices(in.shape, p.operands.as<SliceAttrs>());
  const auto strides = strides_of(in.shape);
  Walks walks{};
  ptrdiff_t offset = 0;
  for (size_t i = 0; i < in.shape.rank(); ++i) {
    offset += static_cast<ptrdiff_t>(all[i].start) * strides[i];
    // A step that is never taken may be of any size.
    walks[i] = {all[i].count, all[i].count > 1 ? static_cast<ptrdiff_t>(all[i].step) * strides[i] : 0};
  }
  p.args.strided = strided(in.dtype, std::span(walks).first(in.shape.rank()), offset);
  return {};
}

Result<TensorType> infer_depth_to_space(const Operands& o) {
  const auto& a = o.as<DepthToSpaceAttrs>();
  const auto in = dims_of(o.in[0].shape, a.layout);
  if (!in.ok()) return in.status();
  if (a.block < 1) return error(Code::argument, "block must be at least 1, got " + std::to_string(a.block));
  if (in->c > 0 && (in->c % a.block != 0 || in->c / a.block % a.block != 0))
    return error(Code::shape, std::to_string(in->c) + " channels are not a multiple of the square of block " +
                                  std::to_string(a.block));
  if (std::max(in->h, in->w) > std::numeric_limits<int64_t>::max() / a.block)
    return error(Code::too_large, "height or width times block " + std::to_string(a.block) + " leaves 64 bits");
  const auto times = [&](int64_t n) { return n < 0 ? n : n * a.block; };
  const int64_t channels = in->c > 0 ? in->c / a.block / a.block : in->c;
  return TensorType{o.in[0].dtype, shape_of({in->n, channels, times(in->h), times(in->w)}, a.layout)};
}

Status prepare_depth_to_space(Prepare& p) {
  if (empty(p)) return {};
  const auto& a = p.operands.as<DepthToSpaceAttrs>();
  const TensorType& in = p.operands.in[0];
  const Dims d = *dims_of(in.shape, a.layout);
  const auto strides = strides_of(in.shape);
  const bool nhwc = a.layout == Layout::nhwc, dcr = a.mode == DepthToSpaceAttrs::Mode::dcr;
  const int64_t b = a.block, c = d.c / b / b;
  const ptrdiff_t of_c = strides[nhwc ? 3 : 1], inner = static_cast<ptrdiff_t>(dcr ? c : 1) * of_c;
  const Walk n{d.n, strides[0]}, h{d.h, strides[nhwc ? 1 : 2]}, w{d.w, strides[nhwc ? 2 : 3]};
  const Walk channel{c, static_cast<ptrdiff_t>(dcr ? 1 : b * b) * of_c};
  const Walk row{b, static_cast<ptrdiff_t>(b) * inner}, column{b, inner};
  const Walks walks = nhwc ? Walks{n, h, row, w, column, channel} : Walks{n, channel, h, row, w, column};
  p.args.strided = strided(in.dtype, walks, 0);
  return {};
}

Result<TensorType> infer_space_to_depth(const Operands& o) {
  const auto& a = o.as<SpaceToDepthAttrs>();
  const auto in = dims_of(o.in[0].shape, a.layout);
  if (!in.ok()) return in.status();
  if (a.block < 1) return error(Code::argument, "block must be at least 1, got " + std::to_string(a.block));
  if ((in->h > 0 && in->h % a.block != 0) || (in->w > 0 && in->w % a.block != 0))
    return error(Code::shape, "block " + std::to_string(a.block) + " does not divide height " + std::to_string(in->h) +
                                  " and width " + std::to_string(in->w));
  const int64_t most = std::numeric_limits<int64_t>::max() / a.block / a.block;
  if (in->c > most)
    return error(Code::too_large, "channels times the square of block " + std::to_string(a.block) + " leave 64 bits");
  const auto part = [&](int64_t n) { return n < 0 ? n : n / a.block; };
  const int64_t channels = in->c < 0 ? -1 : in->c * a.block * a.block;
  return TensorType{o.in[0].dtype, shape_of({in->n, channels, part(in->h), part(in->w)}, a.layout)};
}

Status prepare_space_to_depth(Prepare& p) {
  if (empty(p)) return {};
  const auto& a = p.operands.as<SpaceToDepthAttrs>();
  const TensorType& in = p.operands.in[0];
  const Dims d = *dims_of(in.shape, a.layout);
  const auto strides = strides_of(in.shape);
  const bool nhwc = a.layout == Layout::nhwc;
  const auto block = static_cast<ptrdiff_t>(a.block), of_h = strides[nhwc ? 1 : 2], of_w = strides[nhwc ? 2 : 3];
  const Walk n{d.n, strides[0]}, h{d.h / a.block, block * of_h}, w{d.w / a.block, block * of_w};
  const Walk row{a.block, of_h}, column{a.block, of_w}, channel{d.c, strides[nhwc ? 3 : 1]};
  const Walks walks = nhwc ? Walks{n, h, w, row, column, channel} : Walks{n, row, column, channel, h, w};
  p.args.strided = strided(in.dtype, walks, 0);
  return {};
}

Result<TensorType> infer_expand(const Operands& o) {
  const auto& wanted = o.as<ExpandAttrs>().shape;
  if (wanted.size() > Shape::kMaxRank)
    return error(Code::unsupported, "a shape of " + std::to_string(wanted.size()) + " dimensions; there are at most " +
                                        std::to_string(Shape::kMaxRank));
  Shape shape;
  for (const int64_t d : wanted) {
    if (d < 0) return error(Code::argument, "a dimension of " + std::to_string(d) + " in shape");
    shape.push_back(d);
  }
  const auto out = broadcast_shapes(o.in[0].shape, shape);
  if (!out.ok()) return out.status();
  return TensorType{o.in[0].dtype, *out};
}

Status prepare_expand(Prepare& p) {
  if (empty(p)) return {};
  const TensorType& in = p.operands.in[0];
  const BinaryParams b = binary_params(in.shape, in.shape, p.out.shape, {});
  Walks walks{};
  for (size_t i = 0; i < walks.size(); ++i) walks[i] = {b.dims[i], b.a[i]};
  p.args.strided = strided(in.dtype, walks, 0);
  return {};
}

}  // namespace bitexact
