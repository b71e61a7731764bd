#include <algorithm>
#include <cmath>

#include "import/onnx_lower.h"

namespace bitexact::onnx {

void Step::fail(Code code, std::string why) {
  if (status.ok()) status = error(code, std::move(why));
}

void Step::note(std::string text) {
  l.notes.push_back({static_cast<size_t>(&node - l.graph.nodes.data()), node.title(), node.op, std::move(text)});
}

const Attribute* Step::attribute(const char* name) const {
  for (const Attribute& a : node.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

int64_t Step::i(const char* name, int64_t fallback) const {
  const Attribute* a = attribute(name);
  return a != nullptr && a->kind == Kind::i ? a->i : fallback;
}

float Step::f(const char* name, float fallback) const {
  const Attribute* a = attribute(name);
  return a != nullptr && a->kind == Kind::f ? a->f : fallback;
}

std::string Step::s(const char* name, const char* fallback) const {
  const Attribute* a = attribute(name);
  return a != nullptr && a->kind == Kind::s ? a->s : fallback;
}

std::vector<int64_t> Step::ints(const char* name) const {
  const Attribute* a = attribute(name);
  return a != nullptr ? a->ints : std::vector<int64_t>{};
}

bool Step::wants(size_t output) const {
  return output < node.outputs.size() && !node.outputs[output].empty() && l.readers.contains(node.outputs[output]);
}

Value* Step::value(size_t input) {
  if (!has(input)) {
    fail(Code::malformed, "input " + std::to_string(input) + " is missing");
    return nullptr;
  }
  const auto found = l.values.find(node.inputs[input]);
  if (found != l.values.end()) return &found->second;
  fail(Code::malformed, "nothing makes input '" + node.inputs[input] + "'");
  return nullptr;
}

namespace {

std::optional<std::vector<size_t>> channel_of(const Scales& s, const std::vector<int64_t>& dims) {
  const auto count = static_cast<size_t>(product(dims));
  std::vector<size_t> channel(count);
  if (s.single()) return channel;
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t axis = s.axis < 0 ? s.axis + rank : s.axis;
  if (axis < 0 || axis >= rank || dims[static_cast<size_t>(axis)] != static_cast<int64_t>(s.scale.size()))
    return std::nullopt;
  const auto inner = static_cast<size_t>(product(dims, static_cast<size_t>(axis) + 1, dims.size()));
  for (size_t i = 0; i < count; ++i) channel[i] = i / inner % s.scale.size();
  return channel;
}

// As ONNX has it: each binary32.
Constant as_reals(const TensorData& data, const Scales& s) {
  const auto channel = channel_of(s, data.dims);
  if (!channel) return nullptr;
  const std::vector<int64_t> q = integers(data);
  std::vector<double> out(q.size());
  for (size_t i = 0; i < q.size(); ++i) {
    const size_t c = (*channel)[i];
    out[i] = static_cast<double>(s.scale[c]) * static_cast<double>(q[i] - s.zero[c]);
  }
  return make_constant(Type::f32, data.dims, out);
}

}  // namespace

Constant Step::known(size_t input) {
  if (!has(input)) return nullptr;
  Value* v = value(input);
  if (v == nullptr) return nullptr;
  if (const auto asked = l.asked.find(node.inputs[input]); asked != l.asked.end()) return asked->second;
  if (v->constant == nullptr || !v->scales) return v->constant;
  if (v->real_constant == nullptr && charge(v->constant->bytes.size() / size_of(v->constant->type)))
    v->real_constant = as_reals(*v->constant, *v->scales);
  return v->real_constant;
}

Constant Step::need(size_t input, const char* what) {
  Value* v = value(input);
  if (v == nullptr) return nullptr;
  if (Constant c = known(input); c != nullptr) return c;
  const std::string& name = node.inputs[input];
  for (const ValueInfo& info : l.graph.inputs) {
    if (info.name != name) continue;
    const auto bytes = l.options.constants.find(name);
    if (bytes == l.options.constants.end()) break;
    auto c = input_constant(info, l.options, bytes->second);
    if (!c.ok()) {
      fail(c.status().code, c.status().why);
      return nullptr;
    }
    return l.asked[name] = *c;
  }
  fail(Code::unsupported, std::string(what) + " ('" + name + "') must be a constant");
  return nullptr;
}

std::vector<int64_t> Step::need_ints(size_t input, const char* what) {
  const Constant c = need(input, what);
  if (c == nullptr) return {};
  if (!is_integer(c->type)) fail(Code::malformed, std::string(what) + " is not of integers");
  return charge(c->bytes.size()) ? integers(*c) : std::vector<int64_t>{};
}

std::vector<float> Step::need_floats(size_t input, const char* what) {
  const Constant c = need(input, what);
  if (c == nullptr) return {};
  if (!is_float(c->type)) fail(Code::malformed, std::string(what) + " is not of floats");
  return charge(c->bytes.size()) ? floats(*c) : std::vector<float>{};
}

std::vector<int64_t> Step::ints_or_input(const char* name, size_t input) {
  return has(input) ? need_ints(input, name) : ints(name);
}

TensorId Step::keep(Result<TensorId> made) {
  if (made.ok()) return *made;
  status = made.status();
  return 0;
}

bool Step::charge(uint64_t elements, uint64_t bytes_each) {
  const uint64_t bytes = elements > UINT64_MAX / bytes_each ? UINT64_MAX : elements * bytes_each;
  if (Status s = l.charge(bytes); ok() && !s.ok()) status = std::move(s);
  return ok();
}

TensorId Step::materialise(const std::string& name, const TensorData& data) {
  const auto shape = shape_of(data.dims);
  if (!shape.ok()) return keep(shape.status());
  if (!charge(data.bytes.size(), 1)) return 0;
  if (!folding_ && is_float(data.type)) return keep(constant_q16(b, name, *shape, floats(data)));
  constexpr DType kByWidth[] = {DType::u8, DType::u16, DType::u8, DType::i32,
                                DType::u8, DType::u8,  DType::u8, DType::i64};
  const size_t width = size_of(data.type);
  const auto held = dtype_of(data.type);
  if (width == 0 || (!folding_ && !held))
    return keep(error(Code::unsupported, "'" + name + "' holds " + type_name(data.type)));
  std::vector<std::byte> bytes = data.bytes;
  swap_on_big_endian(bytes, width);
  return keep(b.constant(name, {folding_ ? kByWidth[width - 1] : *held, *shape}, bytes));
}

TensorId Step::integer(size_t input) {
  Value* v = ok() ? value(input) : nullptr;
  if (v == nullptr) return 0;
  if (folding_) return materialise("", *v->constant);
  if (!v->tensor && v->constant != nullptr) {
    const TensorId id = materialise(node.inputs[input], *v->constant);
    if (!ok()) return 0;
    v->tensor = id;
  }
  if (v->tensor) return *v->tensor;
  return keep(error(Code::unsupported, "'" + node.inputs[input] + "' holds " +
                                           (v->input != nullptr ? type_name(v->input->type) : "nothing known")));
}

TensorId Step::tensor(size_t input) {
  Value* v = ok() ? value(input) : nullptr;
  if (v == nullptr) return 0;
  if (!v->scales || folding_) return integer(input);
  if (v->real) return *v->real;
  const std::string& name = node.inputs[input];
  TensorId id = 0;
  if (v->constant != nullptr) {
    const Constant c = known(input);
    if (c == nullptr) return keep(error(Code::shape, "'" + name + "': scales that do not fit"));
    id = materialise(name, *c);
  } else {
    id = keep(b.add(name, Op::dequantize, DequantizeAttrs{bits_of(v->scales->scale), v->scales->zero, v->scales->axis},
                    {*v->tensor}, name));
  }
  if (ok()) v->real = id;
  return id;
}

std::vector<int64_t> Step::dims(size_t input) {
  Value* v = ok() ? value(input) : nullptr;
  if (v == nullptr) return {};
  if (v->constant != nullptr) return v->constant->dims;
  if (v->tensor) return dims_of(l.builder.value(*v->tensor).shape);
  if (v->input != nullptr && v->input->dims) return *v->input->dims;
  fail(Code::unsupported, "'" + node.inputs[input] + "' has no known shape");
  return {};
}

TensorId Step::q16(const Shape& shape, const std::vector<float>& values) {
  return ok() ? keep(constant_q16(b, "", shape, values)) : 0;
}

TensorId Step::emit(Op op, Attrs attrs, std::vector<TensorId> inputs, Quantization quant) {
  return ok() ? keep(b.add(node.title(), op, std::move(attrs), std::move(inputs), "", quant)) : 0;
}

TensorId Step::reshape(TensorId in, const std::vector<int64_t>& dims) {
  if (!ok() || dims_of(shape(in)) == dims) return in;
  if (dims.size() > Shape::kMaxRank) {
    fail(Code::unsupported, std::to_string(dims.size()) + " dimensions; at most 6 are supported");
    return in;
  }
  std::vector<int64_t> spelled = dims;
  const Shape from = shape(in);
  // A 0 of the operator copies a dimension; where that would be another, -1 stands for it.
  for (size_t k = 0; k < dims.size(); ++k)
    if (dims[k] == 0 && (k >= from.rank() || from[k] != 0)) spelled[k] = -1;
  return emit(Op::reshape, ReshapeAttrs{spelled}, {in}, b.value(in).quant);
}

TensorId Step::transpose(TensorId in, std::vector<int64_t> perm) {
  return emit(Op::transpose, TransposeAttrs{std::move(perm)}, {in}, ok() ? b.value(in).quant : Quantization{});
}

void Step::bind(const std::string& name, Value value) {
  if (!name.empty()) l.values[name] = std::move(value);
}

Status Step::finish(TensorId id, std::optional<Scales> scales, size_t output) {
  if (!ok() || output >= node.outputs.size() || node.outputs[output].empty()) return status;
  const std::string& name = node.outputs[output];
  if (folding_) {
    folded.emplace_back(name, id);
    return status;
  }
  if (b.value(id).name.empty()) b.rename(id, name);
  bind(name, {.constant = nullptr, .tensor = id, .scales = std::move(scales)});
  return status;
}

Status Step::finish(Constant constant, size_t output) {
  if (ok() && output < node.outputs.size()) bind(node.outputs[output], {.constant = std::move(constant)});
  return status;
}

Status Step::finish_as(const Node& other, TensorId id, std::optional<Scales> scales) {
  if (!ok()) return status;
  l.done.insert(static_cast<size_t>(&other - l.graph.nodes.data()));
  if (b.value(id).name.empty()) b.rename(id, other.outputs[0]);
  bind(other.outputs[0], {.constant = nullptr, .tensor = id, .scales = std::move(scales)});
  return status;
}

std::vector<uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<uint32_t> bits;
  bits.reserve(values.size());
  for (const float v : values) bits.push_back(__builtin_bit_cast(uint32_t, v));
  return bits;
}

size_t axis_in(Step& s, int64_t axis, size_t rank) {
  const auto n = static_cast<int64_t>(rank);
  if (axis >= -n && axis < n) return static_cast<size_t>(axis < 0 ? axis + n : axis);
  s.fail(Code::argument, "axis " + std::to_string(axis) + " of " + std::to_string(rank) + " dimensions");
  return 0;
}

int64_t product(const std::vector<int64_t>& dims, size_t from, size_t to) {
  uint64_t p = 1;  // beside a 0 the others may be anything
  for (size_t i = from; i < to && i < dims.size(); ++i) p *= static_cast<uint64_t>(dims[i]);
  return static_cast<int64_t>(p);
}

std::optional<std::vector<int64_t>> broadcast_dims(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> out(std::max(a.size(), b.size()), 1);
  for (size_t k = 0; k < out.size(); ++k) {
    const auto of = [&](const std::vector<int64_t>& d) {
      return k + d.size() < out.size() ? 1 : d[k + d.size() - out.size()];
    };
    if (of(a) != of(b) && of(a) != 1 && of(b) != 1) return std::nullopt;
    out[k] = of(a) == 1 ? of(b) : of(a);
  }
  return out;
}

size_t broadcast_source(const std::vector<int64_t>& in, const std::vector<int64_t>& out, int64_t i) {
  int64_t at = 0, stride = 1;
  for (size_t k = out.size(); k-- > 0;) {
    const int64_t index = i % out[k];
    i /= out[k];
    if (k + in.size() < out.size()) continue;
    const int64_t d = in[k + in.size() - out.size()];
    if (d != 1) at += index * stride;
    stride *= d;
  }
  return static_cast<size_t>(at);
}

int64_t product(const std::vector<int64_t>& dims) { return product(dims, 0, dims.size()); }

int32_t to_q16(Step& s, float real) {
  if (std::isnan(real)) {
    s.fail(Code::argument, "NaN");
    return 0;
  }
  const double scaled = std::floor(static_cast<double>(real) * 65536 + 0.5);
  return static_cast<int32_t>(std::clamp(scaled, -2147483648.0, 2147483647.0));
}

Status Lowering::charge(uint64_t bytes) {
  constexpr uint64_t kAnyway = uint64_t{1} << 25, kPerByte = 64;
  const uint64_t limit = kAnyway + kPerByte * graph.constant_bytes;
  if (bytes > limit - charged)
    return error(Code::too_large, "constants of more than " + std::to_string(limit) + " bytes, from a file of " +
                                      std::to_string(graph.constant_bytes) + " bytes of them");
  charged += bytes;
  return {};
}

const Node* Lowering::sole_reader(const std::string& tensor, const char* op) const {
  const auto found = readers.find(tensor);
  if (found == readers.end() || found->second.size() != 1 || found->second[0] >= graph.nodes.size()) return nullptr;
  const Node& reader = graph.nodes[found->second[0]];
  return reader.op == op && reader.domain.empty() && !done.contains(found->second[0]) ? &reader : nullptr;
}

}  // namespace bitexact::onnx
