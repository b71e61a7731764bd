// Operators that put tensors, or a tensor and padding, beside each other.
#include <limits>

#include "ops/axis.h"
#include "ops/prepare.h"

namespace bitexact {
namespace {

// Both are at least 0.
bool sum_fits(int64_t a, int64_t b) { return a <= std::numeric_limits<int64_t>::max() - b; }

// What is known of dimensions that must be alike; nothing when they are not.
std::optional<int64_t> alike(int64_t a, int64_t b) {
  if (a < 0) return b;
  if (b < 0 || a == b) return a;
  return std::nullopt;
}

// Takes input i into the shape of those before it.
Status append(Shape& out, const Shape& in, size_t axis, size_t i) {
  const auto misfit = [&] {
    return error(Code::shape, "in" + std::to_string(i) + " " + in.text() + " does not continue " + out.text() +
                                  " along axis " + std::to_string(axis));
  };
  if (in.rank() != out.rank()) return misfit();
  for (size_t d = 0; d < in.rank(); ++d) {
    if (d == axis) continue;
    const auto both = alike(out[d], in[d]);
    if (!both) return misfit();
    out[d] = *both;
  }
  if (in[axis] < 0 || out[axis] < 0) {
    out[axis] = -1;
  } else {
    if (!sum_fits(out[axis], in[axis]))
      return error(Code::too_large, "the sum of all inputs along axis " + std::to_string(axis) + " leaves 64 bits");
    out[axis] += in[axis];
  }
  return {};
}

Status check_value(int64_t value, DType dtype) {
  const bool is_signed = dtype == DType::q16 || dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32;
  const size_t bits = 8 * size_of(dtype);
  if (bits == 64) return {};
  const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0,
                high = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (value >= low && value <= high) return {};
  return error(Code::argument, "value " + std::to_string(value) + " does not fit " + dtype_name(dtype));
}

Status check_axis(const PadAttrs& a, size_t axis, int64_t n, int64_t before, int64_t after) {
  const std::string pads = "pads " + std::to_string(before) + " and " + std::to_string(after) + " of axis " +
                           std::to_string(axis) + ", which has " + std::to_string(n) + " elements";
  if (before < 0 || after < 0) return error(Code::argument, pads + ": must be at least 0");
  if (n < 0) return {};
  if (a.mode == PadAttrs::Mode::reflect && (before >= n || after >= n))
    return error(Code::argument, pads + ": must be less than those to reflect");
  if (a.mode == PadAttrs::Mode::edge && n == 0 && (before > 0 || after > 0))
    return error(Code::shape, pads + ": there is no edge to repeat");
  if (!sum_fits(before, after) || !sum_fits(n, before + after))
    return error(Code::too_large, pads + ": the sum leaves 64 bits");
  return {};
}

}  // namespace

Result<TensorType> infer_concat(const Operands& o) {
  TensorType out = o.in[0];
  const auto axis = axis_of(o.as<ConcatAttrs>().axis, out.shape.rank());
  if (!axis.ok()) return axis.status();
  for (size_t i = 1; i < o.in.size(); ++i) {
    BITEXACT_TRY(need_dtype(o, i, only(out.dtype)));
    BITEXACT_TRY(append(out.shape, o.in[i].shape, *axis, i));
  }
  return out;
}

Status prepare_concat(Prepare& p) {
  if (element_count(p.out.shape) == size_t{0}) return {};
  const size_t axis = *axis_of(p.operands.as<ConcatAttrs>().axis, p.out.shape.rank());
  const auto bytes_of_row = [&](const TensorType& t) {
    size_t bytes = size_of(t.dtype);
    for (size_t d = axis; d < t.shape.rank(); ++d) bytes *= static_cast<size_t>(t.shape[d]);
    return bytes;
  };
  auto& pieces = p.keep(std::vector<size_t>());
  for (const TensorType& in : p.operands.in) pieces.push_back(bytes_of_row(in));
  const size_t row = bytes_of_row(p.out);
  p.args.concat = {*byte_size(p.out.dtype, p.out.shape) / row, row, pieces.size(), pieces.data()};
  return {};
}

Result<TensorType> infer_pad(const Operands& o) {
  const auto& a = o.as<PadAttrs>();
  TensorType out = o.in[0];
  const size_t rank = out.shape.rank();
  if (a.pads.size() != 2 * rank)
    return error(Code::argument, "pads has " + std::to_string(a.pads.size()) + " elements; an input of rank " +
                                     std::to_string(rank) + " needs " + std::to_string(2 * rank));
  if (a.mode == PadAttrs::Mode::constant) BITEXACT_TRY(check_value(a.value, out.dtype));
  for (size_t i = 0; i < rank; ++i) {
    BITEXACT_TRY(check_axis(a, i, out.shape[i], a.pads[i], a.pads[rank + i]));
    if (out.shape[i] >= 0) out.shape[i] += a.pads[i] + a.pads[rank + i];
  }
  return out;
}

Status prepare_pad(Prepare& p) {
  if (element_count(p.out.shape) == size_t{0}) return {};
  const auto& a = p.operands.as<PadAttrs>();
  PadParams& params =
      p.keep(PadParams{{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {}, a.mode, a.value, size_of(p.out.dtype)});
  p.args.pad = &params;
  const size_t rank = p.out.shape.rank(), lead = Shape::kMaxRank - rank;
  for (size_t i = 0; i < rank; ++i) {
    params.in[lead + i] = static_cast<ptrdiff_t>(p.operands.in[0].shape[i]);
    params.out[lead + i] = static_cast<ptrdiff_t>(p.out.shape[i]);
    params.before[lead + i] = static_cast<ptrdiff_t>(a.pads[i]);
  }
  return {};
}

}  // namespace bitexact
