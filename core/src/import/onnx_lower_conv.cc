// Convolutions, and the normalisations that are one or become part of one.
#include <cmath>
#include <limits>

#include "import/onnx_window.h"

namespace bitexact::onnx {
namespace {

// y = scale x + shift for each channel.
struct Affine {
  std::vector<double> scale, shift;
};

// ARITHMETIC 9: binary64, each written operation rounded once.
Affine affine_of(Step& bn, int64_t channels) {
  const std::vector<float> gamma = bn.need_floats(1, "scale"), beta = bn.need_floats(2, "B"),
                           mean = bn.need_floats(3, "mean"), variance = bn.need_floats(4, "var");
  const auto count = static_cast<size_t>(channels);
  if (bn.ok() && (gamma.size() != count || beta.size() != count || mean.size() != count || variance.size() != count))
    bn.fail(Code::shape, "scale, B, mean and var are not of " + std::to_string(channels) + " channels");
  if (bn.i("training_mode", 0) != 0 || bn.i("spatial", 1) != 1 || bn.wants(1))
    bn.fail(Code::unsupported, "batch normalisation while training, or not for each channel");
  Affine a;
  if (!bn.ok()) return a;
  const auto epsilon = static_cast<double>(bn.f("epsilon", 1e-5F));
  for (size_t c = 0; c < count; ++c) {
    a.scale.push_back(gamma[c] / std::sqrt(variance[c] + epsilon));
    a.shift.push_back(beta[c] - mean[c] * a.scale[c]);
  }
  return a;
}

// A convolution with all its constants, while later nodes are taken into it.
struct Folded {
  std::vector<double> weights, bias;  ///< bias: empty or one for each output channel
  int64_t channels = 0;
  const Node* last = nullptr;  ///< whose output this is
};

void take_batch_norm(Step& s, Folded& f, const Node& n) {
  Step bn(s.l, n);
  const Affine a = affine_of(bn, f.channels);
  if (!bn.ok() || !s.charge(f.weights.size())) return;  // its own step reports it
  f.bias.resize(static_cast<size_t>(f.channels));
  const size_t each = f.weights.size() / f.bias.size();
  for (size_t i = 0; i < f.weights.size(); ++i) f.weights[i] = f.weights[i] * a.scale[i / each];
  for (size_t c = 0; c < f.bias.size(); ++c) f.bias[c] = f.bias[c] * a.scale[c] + a.shift[c];
  f.last = &n;
}

// The other input of an Add is one number, or one for each channel.
std::vector<double> channel_constant(Step& add, const std::string& computed, int64_t channels, size_t rank) {
  if (add.node.inputs.size() != 2) return {};
  const size_t other = add.node.inputs[0] == computed ? 1 : 0;
  const auto found = add.l.values.find(add.node.inputs[other]);
  if (found == add.l.values.end() || found->second.constant == nullptr) return {};
  const Constant c = add.known(other);
  if (c == nullptr || !is_float(c->type) || c->dims.size() > rank) return {};
  if (product(c->dims) != 1 && product(c->dims) != channels) return {};
  std::vector<double> values = reals(*c);
  if (values.size() == 1) return std::vector<double>(static_cast<size_t>(channels), values[0]);
  const size_t before = rank - c->dims.size();
  const bool fits = before <= 1 && c->dims[1 - before] == channels && static_cast<int64_t>(values.size()) == channels;
  return fits ? values : std::vector<double>{};
}

void take_add(Step& s, Folded& f, const Node& n, size_t rank) {
  Step add(s.l, n);
  const std::vector<double> shift = channel_constant(add, f.last->outputs[0], f.channels, rank);
  if (shift.empty() || !s.charge(shift.size())) return;
  f.bias.resize(shift.size());
  for (size_t c = 0; c < shift.size(); ++c) f.bias[c] = f.bias[c] + shift[c];
  f.last = &n;
}

void take_followers(Step& s, Folded& f, size_t rank) {
  for (const Node* before = nullptr; before != f.last;) {
    before = f.last;
    if (const Node* n = s.l.sole_reader(f.last->outputs[0], "BatchNormalization")) take_batch_norm(s, f, *n);
    if (const Node* n = s.l.sole_reader(f.last->outputs[0], "Add")) take_add(s, f, *n, rank);
    if (before != f.last && before != &s.node) s.l.done.insert(static_cast<size_t>(before - s.l.graph.nodes.data()));
  }
}

std::vector<float> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Status finish_folded(Step& s, const Folded& f, TensorId out) {
  return f.last == &s.node ? s.finish(out) : s.finish_as(*f.last, out);
}

bool known_reals(Step& s, size_t input) { return s.known(input) != nullptr && is_float(s.known(input)->type); }
bool all_constant(Step& s) { return known_reals(s, 1) && (!s.has(2) || known_reals(s, 2)); }

bool charge_constants(Step& s) {
  return s.charge(s.known(1)->bytes.size(), 2) && (!s.has(2) || s.charge(s.known(2)->bytes.size(), 2));
}

Folded folded_of(Step& s, int64_t channels) {
  Folded f{reals(*s.known(1)), {}, channels, &s.node};
  if (s.has(2)) f.bias = reals(*s.known(2));
  if (!f.bias.empty() && f.bias.size() != static_cast<size_t>(channels))
    s.fail(Code::shape, std::to_string(f.bias.size()) + " biases for " + std::to_string(channels) + " channels");
  return f;
}

// [O, I, L] as [O, I, 1, L].
Shape image_shape(const std::vector<int64_t>& dims) {
  return dims.size() == 3 ? Shape{dims[0], dims[1], 1, dims[2]} : Shape{dims[0], dims[1], dims[2], dims[3]};
}

std::vector<TensorId> inputs_of(TensorId in, const ScaledWeights& w) {
  return w.bias ? std::vector{in, w.weights, *w.bias} : std::vector{in, w.weights};
}

// Weights, and bias, that are computed.
std::vector<TensorId> computed_inputs(Step& s, TensorId in) {
  std::vector<TensorId> inputs{in, as_image(s, s.tensor(1))};
  if (s.has(2)) inputs.push_back(s.tensor(2));
  return inputs;
}

Window conv_window(Step& s, const std::vector<int64_t>& weights) {
  if (s.ok() && (weights.size() < 3 || weights[0] < 1 || weights[1] < 1))
    s.fail(Code::shape, "weights of less than three dimensions, or of no channels");
  return s.ok() ? read_window(s, {weights.begin() + 2, weights.end()}) : Window{};
}

// Scaled, a convolution of constants; `shape` has its output channels, those of one of `groups`, on `axis`.
std::optional<ScaledWeights> scale(Step& s, const Folded& f, const Shape& shape, size_t axis, int64_t groups = 1) {
  auto w = scale_weights(s.b, s.node.inputs[1], shape, axis, rounded(f.weights), rounded(f.bias), groups);
  if (w.ok()) return std::move(*w);
  s.fail(w.status().code, w.status().why);
  return std::nullopt;
}

}  // namespace

Status lower_conv(Step& s) {
  const std::vector<int64_t> dims = s.dims(1);
  Window w = conv_window(s, dims);
  const TensorId in = pad_before(s, as_image(s, s.tensor(0)), w, 0);
  if (!s.ok()) return s.status;
  const Conv2dAttrs attrs{Layout::nchw, window_attrs(w), s.i("group", 1), {}};
  if (!all_constant(s)) return s.finish(from_image(s, s.emit(Op::conv2d, attrs, computed_inputs(s, in)), w.row));
  if (!charge_constants(s)) return s.status;
  Folded f = folded_of(s, dims[0]);
  if (!s.ok()) return s.status;
  take_followers(s, f, dims.size());
  const auto scaled = scale(s, f, image_shape(dims), 0);
  if (!scaled) return s.status;
  const TensorId out = s.emit(Op::conv2d_w16, ScaledConv2dAttrs{attrs, scaled->shift}, inputs_of(in, *scaled));
  return finish_folded(s, f, from_image(s, out, w.row));
}

Status lower_conv_transpose(Step& s) {
  const std::vector<int64_t> dims = s.dims(1);
  const Window w = conv_window(s, dims);
  const TensorId in = as_image(s, s.tensor(0));
  if (!s.ok()) return s.status;
  ConvTranspose2dAttrs a{Layout::nchw, w.stride, w.dilation, w.pad, {0, 0}, {0, 0}, s.i("group", 1), {}};
  const auto pair_of = [&](const char* name, int64_t row) -> std::array<int64_t, 2> {
    const std::vector<int64_t> v = s.ints(name);
    if (v.size() == (w.row ? 1U : 2U)) return w.row ? std::array{row, v[0]} : std::array{v[0], v[1]};
    if (!v.empty()) s.fail(Code::malformed, std::string(name) + " has " + std::to_string(v.size()) + " elements");
    return {0, 0};
  };
  a.output_padding = pair_of("output_padding", 0);
  a.output_size = pair_of("output_shape", 1);
  // ONNX: of pads that follow from an output_shape the larger half comes first, unless SAME_UPPER.
  if (a.output_size[1] > 0 && a.pad.kind != Pad::same_upper) a.pad = {Pad::same_lower};
  if (!all_constant(s)) return s.finish(from_image(s, s.emit(Op::conv_transpose2d, a, computed_inputs(s, in)), w.row));
  if (!charge_constants(s)) return s.status;
  if (a.groups < 1 || dims[0] % a.groups != 0 || dims[1] > std::numeric_limits<int32_t>::max() / a.groups)
    return s.refuse(Code::shape, "groups must divide the input's channels");
  const Folded f = folded_of(s, dims[1] * a.groups);
  if (!s.ok()) return s.status;
  const auto scaled = scale(s, f, image_shape(dims), 1, a.groups);
  if (!scaled) return s.status;
  const ScaledConvTranspose2dAttrs attrs{a, scaled->shift};
  return s.finish(from_image(s, s.emit(Op::conv_transpose2d_w16, attrs, inputs_of(in, *scaled)), w.row));
}

// Alone: a depthwise convolution of one tap, over [N, C, 1, rest].
Status lower_batch_norm(Step& s) {
  const TensorId x = s.tensor(0);
  const std::vector<int64_t> dims = s.dims(0);
  if (s.ok() && dims.size() < 2) s.fail(Code::shape, "batch normalisation without channels");
  if (!s.ok()) return s.status;
  const int64_t channels = dims[1];
  const Affine a = affine_of(s, channels);
  if (!s.ok()) return s.status;
  const Folded f{a.scale, a.shift, channels, &s.node};
  const auto scaled = scale(s, f, {channels, 1, 1, 1}, 0);
  const TensorId in = s.reshape(x, {dims[0], channels, 1, product(dims, 2, dims.size())});
  if (!scaled) return s.status;
  const ScaledConv2dAttrs attrs{{Layout::nchw, {}, channels, {}}, scaled->shift};
  return s.finish(s.reshape(s.emit(Op::conv2d_w16, attrs, inputs_of(in, *scaled)), dims));
}

Status lower_instance_norm(Step& s) {
  const double epsilon = std::ldexp(static_cast<double>(s.f("epsilon", 1e-5F)), 32);
  if (!(epsilon >= 0 && epsilon < std::ldexp(1.0, 62))) return s.refuse(Code::argument, "epsilon out of range");
  const InstanceNormAttrs attrs{Layout::nchw, std::llround(epsilon)};
  const TensorId in = s.tensor(0), scale = s.tensor(1), bias = s.tensor(2);
  return s.finish(s.emit(Op::instance_norm, attrs, {in, scale, bias}));
}

}  // namespace bitexact::onnx
