// Convolutions, dense layers and pools.
#include "import/tflite_ops.h"

namespace bitexact::tflite {
namespace {

template <class Options>
Result<WindowAttrs> window_of(const Options& o) {
  const auto pad = padding(o.padding());
  if (!pad.ok()) return pad.status();
  return WindowAttrs{{o.stride_h(), o.stride_w()}, {1, 1}, *pad, false};
}

// Of floats where the layer is one of floats, else as they are.
Result<ConstantPtr> weights_of(Graph& g, const Node& n, bool real, size_t rank) {
  const auto w = real ? g.floats(n, 1) : g.constant(n, 1);
  if (!w.ok()) return w.status();
  const Shape& shape = (*w)->type.shape;
  if (shape.rank() != rank)
    return error(Code::shape,
                 "weights of shape " + shape.text() + "; expected " + std::to_string(rank) + " dimensions");
  return *w;
}

// [1, H, W, O] becomes [O, H, W, 1].
Result<ConstantPtr> depthwise_weights(Graph& g, const Node& n, const ConstantPtr& w) {
  if (w->type.shape[0] != 1)
    return error(Code::shape, "depthwise weights of shape " + w->type.shape.text() + "; expected [1, H, W, O]");
  const auto turned = g.step(n, Op::transpose, TransposeAttrs{{3, 1, 2, 0}}, {{w, std::nullopt}});
  if (!turned.ok()) return turned.status();
  return turned->constant;
}

// Data, weights and, where there is one, bias.
struct Layer {
  std::vector<Operand> inputs;
  std::vector<int32_t> shift;
};

Result<Layer> real_layer(Graph& g, const Node& n, const Constant& w, size_t data, size_t bias) {
  const auto x = g.operand(n, data);
  if (!x.ok()) return x.status();
  ConstantPtr b;
  if (Graph::has(n, bias)) {
    const auto read = g.floats(n, bias);
    if (!read.ok()) return read.status();
    b = *read;
  }
  BITEXACT_TRY(g.charge(w.bytes.size() + (b == nullptr ? 0 : 2 * b->bytes.size())));
  auto scaled = scale_weights(g.builder(), "weights", w.type.shape, 0, floats_of(w),
                              b == nullptr ? std::span<const float>() : floats_of(*b));
  if (!scaled.ok()) return scaled.status();
  Layer layer{{*x, {nullptr, scaled->weights}}, std::move(scaled->shift)};
  if (scaled->bias) layer.inputs.push_back({nullptr, scaled->bias});
  return layer;
}

// `wide`: sums of 64 bits, also without a bias, as TFLite Micro's dense layers of 16 bits.
Result<Layer> quantized_layer(Graph& g, const Node& n, const ConstantPtr& w, bool wide) {
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  Layer layer{{*x, {w, std::nullopt}}, {}};
  if (!Graph::has(n, 2) && wide) {
    const auto none = g.builder().constant("", {DType::i64, {w->type.shape[0]}},
                                           std::vector<std::byte>(8 * static_cast<size_t>(w->type.shape[0])));
    if (!none.ok()) return none.status();
    layer.inputs.push_back({nullptr, *none});
  }
  if (!Graph::has(n, 2)) return layer;
  auto bias = g.operand(n, 2);
  if (!bias.ok()) return bias.status();
  if (g.type_of(*bias).shape.rank() != 1) bias = g.step(n, Op::reshape, ReshapeAttrs{{-1}}, {*bias});
  if (!bias.ok()) return bias.status();
  layer.inputs.push_back(*bias);
  return layer;
}

Result<QuantAttrs> layer_quant(Graph& g, const Node& n, int64_t channels) {
  if (g.output_type(n) != g.type(n, 0))
    return error(Code::unsupported, "from " + type_name(g.type(n, 0)) + " to " + type_name(g.output_type(n)));
  const auto in = g.quantization(n, 0), out = g.output_quantization(n);
  if (!in.ok()) return in.status();
  if (!out.ok()) return out.status();
  const auto w = g.scales(n, 1);
  if (!w.ok()) return w.status();
  if (w->scale.size() != 1 && static_cast<int64_t>(w->scale.size()) != channels)
    return error(Code::malformed, "weights have " + std::to_string(w->scale.size()) + " scales for " +
                                      std::to_string(channels) + " channels");
  for (const int32_t zero : w->zero)
    if (zero != w->zero[0]) return error(Code::unsupported, "weights with a zero point for each channel");
  return quant_attrs(rule_of(g, n), *in, w->scale, w->zero.empty() ? 0 : w->zero[0], *out);
}

Status lower_conv(Graph& g, const Node& n, const WindowAttrs& window, fb::Fused fused, bool depthwise) {
  const auto act = activation(g, n, fused);
  if (!act.ok()) return act.status();
  const bool real = g.is_float(n, 0);
  const auto in = g.shape(n, 0);
  if (!in.ok()) return in.status();
  if (in->rank() != 4) return error(Code::shape, "expected an input of four dimensions, got " + in->text());
  auto w = weights_of(g, n, real, 4);
  if (w.ok() && depthwise) w = depthwise_weights(g, n, *w);
  if (!w.ok()) return w.status();
  const Shape& shape = (*w)->type.shape;
  const int64_t groups = depthwise ? (*in)[3] : shape[3] > 0 ? (*in)[3] / shape[3] : 1;
  const Conv2dAttrs attrs{Layout::nhwc, window, groups, *act};
  if (real) {
    auto layer = real_layer(g, n, **w, 0, 2);
    if (!layer.ok()) return layer.status();
    return g.emit(n, Op::conv2d_w16, ScaledConv2dAttrs{attrs, std::move(layer->shift)}, std::move(layer->inputs));
  }
  auto quant = layer_quant(g, n, shape[0]);
  if (!quant.ok()) return quant.status();
  auto layer = quantized_layer(g, n, *w, false);
  if (!layer.ok()) return layer.status();
  return g.emit(n, Op::q_conv2d, QConv2dAttrs{Layout::nhwc, window, groups, std::move(*quant), *act},
                std::move(layer->inputs));
}

template <class Options>
Status lower_conv(Graph& g, const Node& n, bool depthwise) {
  const auto* o = n.options<Options>();
  if (o == nullptr) return missing_options(n);
  auto window = window_of(*o);
  if (!window.ok()) return window.status();
  window->dilation = {o->dilation_h(), o->dilation_w()};
  return lower_conv(g, n, *window, o->fused(), depthwise);
}

Status lower_pool(Graph& g, const Node& n, Op op) {
  const auto* o = n.options<fb::Pool2DOptions>();
  if (o == nullptr) return missing_options(n);
  const auto window = window_of(*o);
  if (!window.ok()) return window.status();
  BITEXACT_TRY(need_same_scale(g, n));
  const auto act = activation(g, n, o->fused());
  if (!act.ok()) return act.status();
  const auto x = g.operand(n, 0);
  if (!x.ok()) return x.status();
  return g.emit(n, op, Pool2dAttrs{Layout::nhwc, {o->filter_h(), o->filter_w()}, *window, false, false, false, *act},
                {*x});
}

// The data as [N, K]; a dense layer looks at its last dimensions alone.
Result<Operand> as_rows(Graph& g, const Node& n, const Operand& x, int64_t width) {
  const Shape shape = g.type_of(x).shape;
  if (shape.rank() == 2 && shape[1] == width) return x;
  if (width < 1) return error(Code::shape, "dense weights of no inputs");
  return g.step(n, Op::reshape, ReshapeAttrs{{-1, width}}, {x});
}

// Without `keep_num_dims` the output is [N, M]; with it, all dimensions of the input but the last, then M.
Status emit_rows(Graph& g, const Node& n, bool keep, const Shape& in, int64_t channels, Op op, Attrs attrs,
                 std::vector<Operand> inputs) {
  if (!keep || in.rank() == 2) return g.emit(n, op, std::move(attrs), std::move(inputs));
  const auto rows = g.step(n, op, std::move(attrs), std::move(inputs));
  if (!rows.ok()) return rows.status();
  std::vector<int64_t> dims;
  dims.reserve(in.rank());
  for (size_t i = 0; i + 1 < in.rank(); ++i) dims.push_back(in[i]);
  dims.push_back(channels);
  return g.emit(n, Op::reshape, ReshapeAttrs{std::move(dims)}, {*rows});
}

}  // namespace

Status lower_conv2d(Graph& g, const Node& n) { return lower_conv<fb::Conv2DOptions>(g, n, false); }
Status lower_depthwise_conv2d(Graph& g, const Node& n) { return lower_conv<fb::DepthwiseConv2DOptions>(g, n, true); }
Status lower_max_pool2d(Graph& g, const Node& n) { return lower_pool(g, n, Op::max_pool2d); }
Status lower_average_pool2d(Graph& g, const Node& n) { return lower_pool(g, n, Op::avg_pool2d); }

Status lower_fully_connected(Graph& g, const Node& n) {
  const auto* o = n.options<fb::FullyConnectedOptions>();
  if (o == nullptr) return missing_options(n);
  if (o->weights_format() != 0) return error(Code::unsupported, "shuffled weights");
  const auto act = activation(g, n, o->fused());
  if (!act.ok()) return act.status();
  const bool real = g.is_float(n, 0);
  const auto w = weights_of(g, n, real, 2);
  if (!w.ok()) return w.status();
  const int64_t channels = (*w)->type.shape[0];
  const auto in = g.shape(n, 0);
  if (!in.ok()) return in.status();
  auto layer = real ? real_layer(g, n, **w, 0, 2) : quantized_layer(g, n, *w, g.type(n, 0) == fb::TensorType::INT16);
  if (!layer.ok()) return layer.status();
  const auto rows = as_rows(g, n, layer->inputs[0], (*w)->type.shape[1]);
  if (!rows.ok()) return rows.status();
  layer->inputs[0] = *rows;
  if (real)
    return emit_rows(g, n, o->keep_num_dims(), *in, channels, Op::fully_connected_w16,
                     ScaledFullyConnectedAttrs{*act, std::move(layer->shift)}, std::move(layer->inputs));
  auto quant = layer_quant(g, n, channels);
  if (!quant.ok()) return quant.status();
  return emit_rows(g, n, o->keep_num_dims(), *in, channels, Op::q_fully_connected,
                   QFullyConnectedAttrs{std::move(*quant), *act}, std::move(layer->inputs));
}

Status lower_transpose_conv(Graph& g, const Node& n) {
  const auto* o = n.options<fb::TransposeConvOptions>();
  if (o == nullptr) return missing_options(n);
  if (!g.is_float(n, 2)) return error(Code::unsupported, "of " + type_name(g.type(n, 2)) + "; FLOAT32 is supported");
  const auto pad = padding(o->padding());
  if (!pad.ok()) return pad.status();
  const auto act = activation(g, n, o->fused());
  if (!act.ok()) return act.status();
  const auto size = g.integers(n, 0);
  if (!size.ok()) return size.status();
  if (size->size() != 4) return error(Code::shape, "the output's shape must have four dimensions");
  const auto w = weights_of(g, n, true, 4);
  if (!w.ok()) return w.status();
  auto layer = real_layer(g, n, **w, 2, 3);
  if (!layer.ok()) return layer.status();
  const ConvTranspose2dAttrs attrs{Layout::nhwc, {o->stride_h(), o->stride_w()}, {1, 1}, *pad,
                                   {0, 0},       {(*size)[1], (*size)[2]},       1,      *act};
  return g.emit(n, Op::conv_transpose2d_w16, ScaledConvTranspose2dAttrs{attrs, std::move(layer->shift)},
                std::move(layer->inputs));
}

}  // namespace bitexact::tflite
