// JSON to attributes, with the spellings of OPERATORS.md. Ranges beyond the JSON types are for the operators to check.
#include "runtime/attributes.h"

#include <limits>

#include "bitexact/operator.h"
#include "ops/prepare.h"
#include "runtime/json.h"

namespace bitexact {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min(), kHighest = std::numeric_limits<int64_t>::max();

void read(JsonReader& r, Layout& out) { r.choice("layout", {"NHWC", "NCHW"}, out); }
void read(JsonReader& r, const char* key, std::array<int64_t, 2>& out) { r.pair(key, kLowest, kHighest, out); }
void read(JsonReader& r, const char* key, int64_t& out) { r.integer(key, kLowest, kHighest, out); }
void read(JsonReader& r, const char* key, std::vector<int64_t>& out) { r.integers(key, kLowest, kHighest, out); }

void read(JsonReader& r, Activation& act) {
  r.integer("act_min", act.min);
  r.integer("act_max", act.max);
}

void read(JsonReader& r, Padding& out) {
  const Json* v = r.find("pad");
  if (v == nullptr) return;
  for (const Pad kind : {Pad::valid, Pad::same_upper, Pad::same_lower, Pad::full})
    if (*v == pad_name(kind)) {
      out = {kind, 0, 0, 0, 0};
      return;
    }
  std::vector<int64_t> sides;
  if (v->is_array()) read(r, "pad", sides);
  if (sides.size() != 4)
    return r.fail(Code::argument, "pad: expected VALID | SAME_UPPER | SAME_LOWER | FULL | [top, left, bottom, right]");
  out = {Pad::explicit_, sides[0], sides[1], sides[2], sides[3]};
}

void read(JsonReader& r, WindowAttrs& w) {
  read(r, "stride", w.stride);
  read(r, "dilation", w.dilation);
  read(r, w.pad);
}

template <class T>
void read_list(JsonReader& r, const char* key, std::vector<T>& out) {
  std::vector<int64_t> wide;
  r.integers(key, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), wide);
  out.assign(wide.begin(), wide.end());
}

void read(JsonReader& r, QuantAttrs& q) {
  r.choice("rule", {"tflm", "xnnpack"}, q.rule);
  r.integer("input_zero", q.input_zero);
  r.integer("weight_zero", q.weight_zero);
  r.integer("output_zero", q.output_zero);
  read_list(r, "multiplier", q.multiplier);
  read_list(r, "shift", q.shift);
  read_list(r, "scale", q.scale);
}

void read(JsonReader& r, const std::string& name, QBinaryAttrs::Scaled& s) {
  r.integer((name + "_zero").c_str(), s.zero);
  r.integer((name + "_multiplier").c_str(), s.multiplier);
  r.integer((name + "_shift").c_str(), s.shift);
}

void read_dtype(JsonReader& r, DType& out) {
  std::string name = dtype_name(out);
  r.string("output_dtype", name);
  const auto dtype = dtype_from_name(name);
  if (dtype)
    out = *dtype;
  else
    r.fail(Code::argument, "output_dtype: there is no dtype " + name);
}

void read(JsonReader&, std::monostate&) {}
void read(JsonReader& r, Conv2dAttrs& a) {
  read(r, a.layout);
  read(r, a.window);
  read(r, "groups", a.groups);
  read(r, a.act);
}
void read(JsonReader& r, ConvTranspose2dAttrs& a) {
  read(r, a.layout);
  read(r, "stride", a.stride);
  read(r, "dilation", a.dilation);
  read(r, a.pad);
  read(r, "output_padding", a.output_padding);
  read(r, "output_size", a.output_size);
  read(r, "groups", a.groups);
  read(r, a.act);
}
void read(JsonReader& r, Pool2dAttrs& a) {
  read(r, a.layout);
  read(r, "kernel", a.kernel);
  read(r, a.window);
  r.flag("ceil_mode", a.window.ceil_mode);
  r.flag("global", a.global);
  r.flag("count_include_pad", a.count_include_pad);
  r.choice("nan", {"ignore", "propagate"}, a.propagate_nan);
  read(r, a.act);
}
void read(JsonReader& r, QConv2dAttrs& a) {
  read(r, a.layout);
  read(r, a.window);
  read(r, "groups", a.groups);
  read(r, a.quant);
  read(r, a.act);
}
void read(JsonReader& r, QFullyConnectedAttrs& a) {
  read(r, a.quant);
  read(r, a.act);
}
void read(JsonReader& r, QBinaryAttrs& a) {
  r.choice("rule", {"tflm", "xnnpack"}, a.rule);
  read(r, "input", a.in);
  read(r, "b", a.b);
  read(r, "output", a.output);
  r.integer("left_shift", a.left_shift);
  read(r, a.act);
}
void read(JsonReader& r, QSoftmaxAttrs& a) {
  r.integer("input_multiplier", a.input_multiplier);
  r.integer("input_left_shift", a.input_left_shift);
  r.integer("diff_min", a.diff_min);
  read_dtype(r, a.output);
}
void read(JsonReader& r, QCurveAttrs& a) {
  r.integer("input_zero", a.input_zero);
  r.integer("input_multiplier", a.input_multiplier);
  r.integer("input_left_shift", a.input_left_shift);
}
void read(JsonReader& r, FullyConnectedAttrs& a) { read(r, a.act); }
void read(JsonReader& r, BatchNormAttrs& a) { read(r, "axis", a.axis); }
void read(JsonReader& r, LeakyReluAttrs& a) { r.integer("alpha", a.alpha); }
void read(JsonReader& r, ClampAttrs& a) { read(r, a.act); }
void read(JsonReader& r, HardSigmoidAttrs& a) {
  r.integer("alpha", a.alpha);
  r.integer("beta", a.beta);
}
void read(JsonReader& r, SoftmaxAttrs& a) {
  read(r, "axis", a.axis);
  read_dtype(r, a.output);
}
void read(JsonReader& r, BinaryAttrs& a) { read(r, a.act); }
void read(JsonReader& r, ConcatAttrs& a) { read(r, "axis", a.axis); }
void read(JsonReader& r, PadAttrs& a) {
  read(r, "pads", a.pads);
  r.choice("mode", {"constant", "edge", "reflect"}, a.mode);
  read(r, "value", a.value);
}
void read(JsonReader& r, TransposeAttrs& a) { read(r, "perm", a.perm); }
void read(JsonReader& r, ReshapeAttrs& a) { read(r, "shape", a.shape); }
void read(JsonReader& r, SliceAttrs& a) {
  read(r, "starts", a.starts);
  read(r, "ends", a.ends);
  read(r, "axes", a.axes);
  read(r, "steps", a.steps);
}
void read(JsonReader& r, ResizeAttrs& a) {
  read(r, a.layout);
  read(r, "size", a.size);
  r.choice("mode", {"nearest", "bilinear"}, a.mode);
  r.choice("coordinates", {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"}, a.coordinates);
  r.choice("rounding", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}, a.rounding);
}
void read(JsonReader& r, DepthToSpaceAttrs& a) {
  read(r, a.layout);
  read(r, "block", a.block);
  r.choice("mode", {"DCR", "CRD"}, a.mode);
}
void read(JsonReader& r, ArgmaxAttrs& a) {
  read(r, "axis", a.axis);
  r.flag("keepdims", a.keepdims);
  r.flag("select_last", a.select_last);
  read_dtype(r, a.output);
}

void read(JsonReader& r, ScaledConv2dAttrs& a) {
  read(r, a.conv);
  read_list(r, "weight_shift", a.weight_shift);
}
void read(JsonReader& r, ScaledConvTranspose2dAttrs& a) {
  read(r, a.conv);
  read_list(r, "weight_shift", a.weight_shift);
}
void read(JsonReader& r, ScaledFullyConnectedAttrs& a) {
  read(r, a.act);
  read_list(r, "weight_shift", a.weight_shift);
}
void read(JsonReader& r, QuantizeAttrs& a) {
  int64_t scale = a.scale;
  r.integer("scale", 0, std::numeric_limits<uint32_t>::max(), scale);
  a.scale = static_cast<uint32_t>(scale);
  r.integer("zero", a.zero);
  read_dtype(r, a.output);
  r.choice("ties", {"even", "away"}, a.ties_away);
}
void read(JsonReader& r, DequantizeAttrs& a) {
  read_list(r, "scale", a.scale);
  read_list(r, "zero", a.zero);
  read(r, "axis", a.axis);
}
void read(JsonReader& r, RequantizeAttrs& a) {
  read(r, a.quant);
  read_dtype(r, a.output);
}
void read(JsonReader& r, QMeanAttrs& a) {
  read(r, "axes", a.axes);
  r.flag("keepdims", a.keepdims);
  read(r, a.quant);
  read(r, a.act);
}
void read(JsonReader& r, ReduceAttrs& a) {
  read(r, "axes", a.axes);
  r.flag("keepdims", a.keepdims);
}
void read(JsonReader& r, ExpandAttrs& a) { read(r, "shape", a.shape); }
void read(JsonReader& r, SpaceToDepthAttrs& a) {
  read(r, a.layout);
  read(r, "block", a.block);
}
void read(JsonReader& r, InstanceNormAttrs& a) {
  read(r, a.layout);
  read(r, "epsilon", a.epsilon);
}

void read(JsonReader& r, Conv2dIntegerAttrs& a) {
  read(r, a.layout);
  read(r, a.window);
  read(r, "groups", a.groups);
  r.integer("input_zero", a.input_zero);
  read_list(r, "weight_zero", a.weight_zero);
}
void read(JsonReader& r, MatmulIntegerAttrs& a) {
  read_list(r, "input_zero", a.input_zero);
  read_list(r, "b_zero", a.b_zero);
}

void read(JsonReader& r, Attrs& attrs) {
  std::visit([&](auto& a) { read(r, a); }, attrs);
}

// The alternative an operator has, with its defaults.
template <size_t I = 0>
Attrs defaults(size_t index) {
  if constexpr (I + 1 < std::variant_size_v<Attrs>)
    if (index != I) return defaults<I + 1>(index);
  return Attrs(std::in_place_index<I>);
}

void read(JsonReader& r, MaxPoolExt2Attrs& a) {
  read(r, "ksize", a.ksize);
  read(r, "strides", a.strides);
  r.string("padding", a.padding);
  r.string("data_format", a.data_format);
}

template <class T>
Result<T> read_text(std::string_view text, const char* what, T defaults) {
  const auto json = parse_json(text.empty() ? "{}" : text);
  if (!json.ok()) return json.status();
  JsonReader r(*json, what);
  read(r, defaults);
  BITEXACT_TRY(r.finish());
  return defaults;
}

}  // namespace

Result<Attrs> read_attributes(Op op, std::string_view text) {
  return read_text<Attrs>(text, op_name(op), defaults(op_def(op).attrs));
}

Result<MaxPoolExt2Attrs> read_max_pool_ext2(std::string_view text) {
  return read_text<MaxPoolExt2Attrs>(text, "max_pool_ext2", {});
}

}  // namespace bitexact
