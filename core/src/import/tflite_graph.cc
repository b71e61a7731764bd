#include "import/tflite_graph.h"

#include <algorithm>
#include <cstring>

#include "bitexact/session.h"

namespace bitexact::tflite {
namespace {

// As many bytes of constants as no honest file needs: weights shared by many layers, each transposed.
constexpr uint64_t kChargedPerByte = 16, kChargedAnyway = 1 << 24;

bool only_moves(Op op) {
  return op == Op::reshape || op == Op::transpose || op == Op::slice || op == Op::concat || op == Op::expand;
}

Status wrong_tensor(const Node& n, const char* what, int64_t tensor) {
  return error(Code::malformed, std::string(what) + " " + std::to_string(tensor) + " is not a tensor of the subgraph",
               at_node(n.index));
}

DType model_dtype(DType file) { return file == DType::f32 || file == DType::f16 ? DType::q16 : file; }

}  // namespace

Graph::Graph(const File& file, const ReadOptions& options) : file_(file), options_(options), states_(file.tensors()) {}

Status Graph::charge(size_t bytes) {
  const uint64_t limit = kChargedPerByte * file_.bytes() + kChargedAnyway;
  if (bytes > limit || charged_ > limit - bytes)
    return error(Code::too_large, "constants of more than " + std::to_string(limit) + " bytes, from a file of " +
                                      std::to_string(file_.bytes()));
  charged_ += bytes;
  return {};
}

Status Graph::read_given(size_t tensor, const Shape& shape) {
  const auto given = options_.constants.find(file_.name(tensor));
  if (given == options_.constants.end()) return {};
  const auto dtype = file_dtype(file_.tensor(tensor).type());
  const auto bytes = byte_size(*dtype, shape);
  if (!bytes || *bytes != given->second.size())
    return error(Code::argument,
                 "input '" + given->first + "' of shape " + shape.text() + " is given " +
                     std::to_string(given->second.size()) + " bytes",
                 at_tensor(tensor));
  Constant c{{*dtype, shape}, {given->second.begin(), given->second.end()}};
  to_machine_order(c.bytes, size_of(*dtype));
  states_[tensor].operand.constant = std::make_shared<const Constant>(std::move(c));
  return {};
}

Status Graph::read_input(size_t tensor) {
  const std::string name = file_.name(tensor);
  auto declared = file_.shape(tensor);
  if (!declared.ok()) return declared.status();
  Shape shape = *declared;
  const auto given = options_.shapes.find(name);
  if (given != options_.shapes.end()) {
    bool fits = given->second.rank() == shape.rank();
    for (size_t i = 0; fits && i < shape.rank(); ++i)
      fits = given->second[i] >= 0 && (shape[i] == -1 || shape[i] == given->second[i]);
    if (!fits)
      return error(Code::argument,
                   "input '" + name + "' has the shape " + shape.text() + ", not " + given->second.text(),
                   at_tensor(tensor));
    shape = given->second;
  }
  for (size_t i = 0; i < shape.rank(); ++i)
    if (shape[i] == -1) shape[i] = 1;
  const auto dtype = file_dtype(file_.tensor(tensor).type());
  if (!dtype || *dtype == DType::f16)
    return error(Code::unsupported, "input '" + name + "' is " + type_name(file_.tensor(tensor).type()),
                 at_tensor(tensor));
  if (!byte_size(model_dtype(*dtype), shape))
    return error(Code::too_large,
                 "input '" + name + "' of shape " + shape.text() + " exceeds this machine's address space",
                 at_tensor(tensor));
  const auto quant = quantization_of(tensor);
  if (!quant.ok()) return quant.status();
  BITEXACT_TRY(charge(name.size()));
  states_[tensor].operand.id = builder_.input(name, {model_dtype(*dtype), shape}, *quant);
  states_[tensor].written = true;
  return read_given(tensor, shape);
}

Status Graph::read_inputs() {
  const auto* inputs = file_.graph().inputs();
  for (uint32_t i = 0; inputs != nullptr && i < inputs->size(); ++i) {
    const int32_t tensor = inputs->Get(i);
    if (tensor < 0 || static_cast<size_t>(tensor) >= states_.size() || states_[static_cast<size_t>(tensor)].written)
      return error(Code::malformed, "input " + std::to_string(i) + " of the model, tensor " + std::to_string(tensor) +
                                        ", does not exist or stands twice");
    BITEXACT_TRY(read_input(static_cast<size_t>(tensor)));
  }
  return {};
}

Result<Model> Graph::take_outputs() {
  std::vector<TensorId> ids;
  const auto* outputs = file_.graph().outputs();
  for (uint32_t i = 0; outputs != nullptr && i < outputs->size(); ++i) {
    const int32_t tensor = outputs->Get(i);
    const std::string who = "output " + std::to_string(i) + " of the model, tensor " + std::to_string(tensor);
    if (tensor < 0 || static_cast<size_t>(tensor) >= states_.size())
      return error(Code::malformed, who + ", does not exist");
    const auto t = static_cast<size_t>(tensor);
    BITEXACT_TRY(load(t));
    if (!states_[t].written) return error(Code::malformed, who + ", is never computed", at_tensor(t));
    const auto id = id_of(states_[t].operand, file_.name(t));
    if (!id.ok()) return id.status();
    states_[t].operand.id = *id;
    ids.push_back(*id);
  }
  if (ids.empty()) return error(Code::malformed, "the model has no outputs");
  return builder_.take(std::move(ids));
}

// Elements that the file holds, when they are first needed.
Status Graph::load(size_t tensor) {
  State& s = states_[tensor];
  if (s.written) return {};
  auto c = file_.constant(tensor);
  if (!c.ok()) return c.status();
  if (!c->has_value()) return {};
  BITEXACT_TRY(charge((*c)->bytes.size()));
  s.operand.constant = std::make_shared<const Constant>(std::move(**c));
  s.written = true;
  return {};
}

Result<bool> Graph::check(const Node& n) {
  if (n.inputs() > 64 || n.outputs() > 64)
    return error(Code::unsupported, "more than 64 inputs or outputs", at_node(n.index));
  bool good = true;
  for (size_t i = 0; i < n.inputs(); ++i) {
    if (n.input(i) == -1) continue;
    const auto t = static_cast<size_t>(n.input(i));
    if (n.input(i) < 0 || t >= states_.size()) return wrong_tensor(n, "input", n.input(i));
    good = good && !states_[t].failed;
    if (states_[t].failed) continue;
    BITEXACT_TRY(load(t));
    if (!states_[t].written)
      return error(Code::malformed,
                   "tensor " + std::to_string(t) + " '" + file_.name(t) + "' is read before any node writes it",
                   at_node(n.index));
  }
  if (n.outputs() == 0) return error(Code::malformed, "no output", at_node(n.index));
  for (size_t i = 0; i < n.outputs(); ++i) {
    const auto t = static_cast<size_t>(n.output(i));
    if (n.output(i) < 0 || t >= states_.size()) return wrong_tensor(n, "output", n.output(i));
    if (states_[t].written || states_[t].failed)
      return error(Code::malformed, "tensor " + std::to_string(t) + " '" + file_.name(t) + "' is written twice",
                   at_node(n.index));
    BITEXACT_TRY(charge(file_.name(t).size()));
  }
  return good;
}

void Graph::fail(const Node& n) {
  for (size_t i = 0; i < n.outputs(); ++i) states_[static_cast<size_t>(n.output(i))].failed = true;
}

fb::TensorType Graph::type(const Node& n, size_t i) const {
  return has(n, i) ? file_.tensor(static_cast<size_t>(n.input(i))).type() : fb::TensorType::STRING;
}

fb::TensorType Graph::output_type(const Node& n, size_t i) const {
  return i < n.outputs() ? file_.tensor(static_cast<size_t>(n.output(i))).type() : fb::TensorType::STRING;
}

bool Graph::is_float(const Node& n, size_t i) const { return type(n, i) == fb::TensorType::FLOAT32; }

bool Graph::is_quantized(const Node& n, size_t i) const {
  const fb::TensorType t = type(n, i);
  return t == fb::TensorType::INT8 || t == fb::TensorType::UINT8 || t == fb::TensorType::INT16;
}

Result<Operand> Graph::operand(const Node& n, size_t i) {
  if (!has(n, i)) return error(Code::malformed, "input " + std::to_string(i) + " is missing", at_node(n.index));
  return states_[static_cast<size_t>(n.input(i))].operand;
}

Result<TensorId> Graph::value(const Node& n, size_t i) {
  const auto x = operand(n, i);
  if (!x.ok()) return x.status();
  const auto t = static_cast<size_t>(n.input(i));
  auto id = id_of(*x, file_.name(t));
  if (id.ok()) states_[t].operand.id = *id;
  return id;
}

Result<Shape> Graph::shape(const Node& n, size_t i) {
  const auto x = operand(n, i);
  if (!x.ok()) return x.status();
  return type_of(*x).shape;
}

TensorType Graph::type_of(const Operand& x) const {
  if (x.id) return builder_.type(*x.id);
  return {model_dtype(x.constant->type.dtype), x.constant->type.shape};
}

Result<TensorId> Graph::id_of(const Operand& x, const std::string& name) {
  if (x.id) return *x.id;
  const Constant& c = *x.constant;
  BITEXACT_TRY(charge(c.bytes.size()));
  if (c.type.dtype == DType::f16) return error(Code::unsupported, "constant '" + name + "' of half floats");
  if (c.type.dtype != DType::f32) return builder_.constant(name, c.type, c.bytes);
  return constant_q16(builder_, name, c.type.shape,
                      {reinterpret_cast<const float*>(c.bytes.data()), c.bytes.size() / sizeof(float)});
}

Result<ConstantPtr> Graph::constant(const Node& n, size_t i) {
  const auto x = operand(n, i);
  if (!x.ok()) return x.status();
  if (x->constant == nullptr)
    return error(Code::unsupported, "input " + std::to_string(i) + " must be constant", at_node(n.index));
  return x->constant;
}

Result<Scales> Graph::scales_of(size_t tensor) {
  const auto* q = file_.tensor(tensor).quantization();
  if (q != nullptr && q->scale() != nullptr) BITEXACT_TRY(charge(size_t{8} * q->scale()->size()));
  return file_.scales(tensor);
}

Result<Scales> Graph::scales(const Node& n, size_t i) { return scales_of(static_cast<size_t>(n.input(i))); }

Result<Quantization> Graph::quantization_of(size_t tensor) {
  const auto s = scales_of(tensor);
  if (!s.ok()) return s.status();
  if (s->scale.empty()) return Quantization{};
  if (s->scale.size() > 1)
    return error(Code::unsupported, "tensor '" + file_.name(tensor) + "' has more than one scale", at_tensor(tensor));
  return Quantization{s->scale[0], s->zero.empty() ? 0 : s->zero[0]};
}

Result<Quantization> Graph::quantization(const Node& n, size_t i) {
  return quantization_of(static_cast<size_t>(n.input(i)));
}

Result<Quantization> Graph::output_quantization(const Node& n, size_t i) {
  return quantization_of(static_cast<size_t>(n.output(i)));
}

Result<Operand> Graph::run(Op op, const Attrs& attrs, std::span<const Operand> inputs) {
  Model m;
  std::vector<TensorId> ids;
  for (const Operand& x : inputs) {
    static constexpr std::byte kNothing{};
    const Constant& c = *x.constant;
    ids.push_back(static_cast<TensorId>(ids.size()));
    m.values.push_back({"", c.type.dtype, c.type.shape, c.bytes.empty() ? &kNothing : c.bytes.data(), {}});
  }
  const auto out = static_cast<TensorId>(ids.size());
  m.values.push_back({});
  m.nodes.push_back({"", op, attrs, std::move(ids), out});
  m.outputs = {out};
  const auto plan = prepare(m, {KernelSet::reference, false});
  if (!plan.ok()) return plan.status();
  BITEXACT_TRY(charge(arena_bytes(**plan)));
  auto arena = Buffer::make(arena_bytes(**plan));
  if (!arena.ok()) return arena.status();
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return session.status();
  session->run();
  const Tensor t = session->output(0);
  return make({{t.dtype, t.shape}, {t.data, t.data + t.bytes()}});
}

Result<Operand> Graph::apply(const Node& n, Op op, Attrs attrs, std::span<const Operand> inputs,
                             const std::string& name, const Quantization& quant) {
  const bool known = std::all_of(inputs.begin(), inputs.end(), [](const Operand& x) { return x.constant != nullptr; });
  if (known && only_moves(op)) return run(op, attrs, inputs);
  std::vector<TensorId> ids;
  for (const Operand& x : inputs) {
    const auto id = id_of(x);
    if (!id.ok()) return id.status();
    ids.push_back(*id);
  }
  const auto id = builder_.add(n.name, op, std::move(attrs), std::move(ids), name, quant);
  if (!id.ok()) return id.status();
  return Operand{nullptr, *id};
}

Result<Operand> Graph::step(const Node& n, Op op, Attrs attrs, std::vector<Operand> inputs) {
  return apply(n, op, std::move(attrs), inputs, "", {});
}

Status Graph::emit(const Node& n, Op op, Attrs attrs, std::vector<Operand> inputs, size_t o) {
  if (o >= n.outputs()) return error(Code::malformed, "output " + std::to_string(o) + " is missing", at_node(n.index));
  const auto quant = output_quantization(n, o);
  if (!quant.ok()) return quant.status();
  const auto t = static_cast<size_t>(n.output(o));
  const auto x = apply(n, op, std::move(attrs), inputs, file_.name(t), *quant);
  if (!x.ok()) return x.status();
  states_[t].operand = *x;
  states_[t].written = true;
  return {};
}

Result<Operand> Graph::make(Constant c) {
  BITEXACT_TRY(charge(c.bytes.size()));
  return Operand{std::make_shared<const Constant>(std::move(c)), std::nullopt};
}

Status Graph::fold(const Node& n, Constant c) {
  auto x = make(std::move(c));
  if (!x.ok()) return x.status();
  State& s = states_[static_cast<size_t>(n.output(0))];
  s.operand = *x;
  s.written = true;
  return {};
}

}  // namespace bitexact::tflite
