// Resize, and Upsample before it. The operator takes sizes; scales must be exactly their ratios where they matter.
#include <cmath>

#include "import/onnx_lower.h"

namespace bitexact::onnx {
namespace {

using Coordinates = ResizeAttrs::Coordinates;
using Rounding = ResizeAttrs::Rounding;

struct Sizes {
  std::vector<int64_t> out;
  bool exact = true;  ///< the scales are the ratios of the sizes
};

std::vector<float> scales_of(Step& s) {
  if (s.node.op == "Upsample" && s.version() < 9) {
    const Attribute* a = s.attribute("scales");
    return a != nullptr ? a->floats : std::vector<float>{};
  }
  const size_t input = s.version() < 11 ? 1 : 2;
  return s.has(input) ? s.need_floats(input, "scales") : std::vector<float>{};
}

// keep_aspect_ratio_policy: one scale for all axes, sizes rounded from it.
Sizes with_aspect(Step& s, const std::vector<int64_t>& in, std::vector<int64_t> wanted, const std::vector<size_t>& axes,
                  bool larger) {
  std::optional<double> scale;
  for (size_t k = 0; k < axes.size(); ++k) {
    const double ratio = static_cast<double>(wanted[k]) / static_cast<double>(in[axes[k]]);
    if (!scale || (larger ? ratio > *scale : ratio < *scale)) scale = ratio;
  }
  Sizes sizes{in};
  for (size_t k = 0; k < axes.size(); ++k) {
    const double exact = static_cast<double>(in[axes[k]]) * *scale;
    if (!(exact >= 0 && exact < 0x1p40)) s.fail(Code::argument, "sizes out of range");
    if (!s.ok()) return sizes;
    sizes.out[axes[k]] = static_cast<int64_t>(std::floor(exact + 0.5));
    sizes.exact = sizes.exact && exact == static_cast<double>(sizes.out[axes[k]]);
  }
  return sizes;
}

Sizes output_sizes(Step& s, const std::vector<int64_t>& in) {
  std::vector<size_t> axes;
  for (const int64_t a : s.ints("axes")) axes.push_back(axis_in(s, a, in.size()));
  if (axes.empty())
    for (size_t k = 0; k < in.size(); ++k) axes.push_back(k);
  Sizes sizes{in};
  const std::vector<float> scales = scales_of(s);
  if (!scales.empty()) {
    if (scales.size() != axes.size()) s.fail(Code::malformed, "scales do not fit the input");
    for (size_t k = 0; s.ok() && k < axes.size(); ++k) {
      const double exact = static_cast<double>(scales[k]) * static_cast<double>(in[axes[k]]);
      if (!(exact >= 0 && exact < 0x1p40)) s.fail(Code::argument, "scales out of range");
      // 5/3 is no binary32: its product with 3 is 5 once it is rounded, as runtimes do, and 5 was meant.
      const float rounded = scales[k] * static_cast<float>(in[axes[k]]);
      const double size = s.ok() ? std::floor(static_cast<double>(rounded)) : 0;
      sizes.out[axes[k]] = static_cast<int64_t>(size);
      sizes.exact = sizes.exact && std::fabs(exact - size) <= size * 0x1p-23;
    }
    return sizes;
  }
  const std::vector<int64_t> wanted = s.need_ints(3, "sizes");
  if (s.ok() && wanted.size() != axes.size()) s.fail(Code::malformed, "sizes do not fit the input");
  if (!s.ok()) return sizes;
  const std::string policy = s.s("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") return with_aspect(s, in, wanted, axes, policy == "not_smaller");
  for (size_t k = 0; k < axes.size(); ++k) sizes.out[axes[k]] = wanted[k];
  return sizes;
}

void read_coordinates(Step& s, ResizeAttrs& a, bool exact) {
  const std::string word = s.s("coordinate_transformation_mode", "half_pixel");
  if (s.version() < 11 || word == "asymmetric")
    a.coordinates = Coordinates::asymmetric;
  else if (word == "align_corners")
    a.coordinates = Coordinates::align_corners;
  else if (word == "pytorch_half_pixel")
    a.coordinates = Coordinates::pytorch_half_pixel;
  else if (word != "half_pixel" && word != "half_pixel_symmetric")
    s.fail(Code::unsupported, "coordinate_transformation_mode " + word);
  if (!exact) s.fail(Code::unsupported, "scales that are no ratio of whole sizes");
}

void read_mode(Step& s, ResizeAttrs& a) {
  const std::string mode = s.s("mode", "nearest"), rounding = s.s("nearest_mode", "round_prefer_floor");
  if (mode == "linear" || mode == "bilinear")
    a.mode = ResizeAttrs::Mode::bilinear;
  else if (mode != "nearest")
    s.fail(Code::unsupported, "mode " + mode);
  if (s.version() < 11 || rounding == "floor")
    a.rounding = Rounding::floor;
  else if (rounding == "ceil")
    a.rounding = Rounding::ceil;
  else if (rounding == "round_prefer_ceil")
    a.rounding = Rounding::round_prefer_ceil;
  else if (rounding != "round_prefer_floor")
    s.fail(Code::malformed, "nearest_mode " + rounding);
}

// Which two neighbouring axes change, seen as an image: [before, H, W, after].
struct Plane {
  std::vector<int64_t> dims;
  Layout layout = Layout::nchw;
  std::array<int64_t, 2> size{};
};

std::optional<Plane> plane_of(const std::vector<int64_t>& in, const std::vector<int64_t>& out) {
  const size_t rank = in.size();
  size_t first = rank, last = 0;
  for (size_t k = 0; k < rank; ++k)
    if (in[k] != out[k]) {
      first = std::min(first, k);
      last = k;
    }
  if (first == rank) first = last = rank - 1;
  if (first == last && first > 0) --first;
  if (last == first) return Plane{{1, 1, 1, in[0]}, Layout::nchw, {1, out[0]}};
  if (last - first != 1) return std::nullopt;
  const int64_t before = product(in, 0, first), after = product(in, last + 1, rank);
  const std::array size{out[first], out[last]};
  if (after == 1) return Plane{{1, before, in[first], in[last]}, Layout::nchw, size};
  return Plane{{before, in[first], in[last], after}, Layout::nhwc, size};
}

}  // namespace

Status lower_resize(Step& s) {
  const TensorId x = s.tensor(0);
  const std::vector<int64_t> in = s.dims(0);
  if (s.ok() && (in.empty() || element_count(s.shape(x)).value_or(0) == 0)) s.fail(Code::shape, "nothing to resize");
  const Sizes sizes = s.ok() ? output_sizes(s, in) : Sizes{};
  if (!s.ok()) return s.status;
  if (s.i("antialias", 0) != 0 && s.s("mode", "nearest") != "nearest") s.fail(Code::unsupported, "antialias");
  const auto plane = plane_of(in, sizes.out);
  if (!plane) return s.refuse(Code::unsupported, "more than two neighbouring dimensions change");
  ResizeAttrs a;
  a.layout = plane->layout;
  a.size = plane->size;
  read_coordinates(s, a, sizes.exact);
  read_mode(s, a);
  const TensorId out = s.emit(Op::resize, a, {s.reshape(x, plane->dims)});
  return s.finish(s.reshape(out, sizes.out));
}

}  // namespace bitexact::onnx
