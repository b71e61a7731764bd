#include "import/onnx_lower.h"

#include <algorithm>

#include "bitexact/digest.h"
#include "bitexact/session.h"

namespace bitexact::onnx {

namespace {

// Alone, so that a table is a table and not a long function.
constexpr std::pair<const char*, Rule> kRules[] = {
    {"Abs", {lower_unary}},
    {"Add", {lower_binary}},
    {"And", {lower_compare}},
    {"ArgMax", {lower_argmax}},
    {"ArgMin", {lower_argmax}},
    {"AveragePool", {lower_average_pool}},
    {"BatchNormalization", {lower_batch_norm}},
    {"Cast", {lower_cast}},
    {"Ceil", {lower_known_real}},
    {"Clip", {lower_clip}},
    {"Concat", {lower_concat, true}},
    {"Constant", {lower_constant}},
    {"ConstantOfShape", {lower_constant_of_shape}},
    {"Conv", {lower_conv}},
    {"ConvInteger", {lower_conv_integer}},
    {"ConvTranspose", {lower_conv_transpose}},
    {"DepthToSpace", {lower_blocks}},
    {"DequantizeLinear", {lower_dequantize}},
    {"Div", {lower_binary}},
    {"Dropout", {lower_dropout}},
    {"Equal", {lower_compare}},
    {"Exp", {lower_unary}},
    {"Expand", {lower_expand, true}},
    {"Flatten", {lower_flatten, true}},
    {"Floor", {lower_known_real}},
    {"Gather", {lower_gather, true}},
    {"Gemm", {lower_gemm}},
    {"GlobalAveragePool", {lower_global_pool}},
    {"GlobalMaxPool", {lower_global_pool}},
    {"Greater", {lower_compare}},
    {"GreaterOrEqual", {lower_compare}},
    {"HardSigmoid", {lower_unary}},
    {"HardSwish", {lower_unary}},
    {"Identity", {lower_identity}},
    {"InstanceNormalization", {lower_instance_norm}},
    {"LeakyRelu", {lower_unary}},
    {"Less", {lower_compare}},
    {"LessOrEqual", {lower_compare}},
    {"MatMul", {lower_matmul}},
    {"MatMulInteger", {lower_matmul_integer}},
    {"Max", {lower_variadic}},
    {"MaxPool", {lower_max_pool}},
    {"Mean", {lower_variadic}},
    {"Min", {lower_variadic}},
    {"Mul", {lower_binary}},
    {"Neg", {lower_unary}},
    {"Not", {lower_not}},
    {"Or", {lower_compare}},
    {"PRelu", {lower_prelu}},
    {"Pad", {lower_pad}},
    {"QLinearConv", {lower_qlinear_conv}},
    {"QLinearMatMul", {lower_qlinear_matmul}},
    {"QuantizeLinear", {lower_quantize}},
    {"Range", {lower_range}},
    {"ReduceMax", {lower_reduce}},
    {"ReduceMean", {lower_reduce}},
    {"ReduceMin", {lower_reduce}},
    {"ReduceProd", {lower_reduce_prod}},
    {"ReduceSum", {lower_reduce}},
    {"Relu", {lower_relu}},
    {"Reshape", {lower_reshape, true}},
    {"Resize", {lower_resize}},
    {"Shape", {lower_shape}},
    {"Sigmoid", {lower_unary}},
    {"Size", {lower_shape}},
    {"Slice", {lower_slice, true}},
    {"Softmax", {lower_softmax}},
    {"SpaceToDepth", {lower_blocks}},
    {"Split", {lower_split, true}},
    {"Sqrt", {lower_known_real}},
    {"Squeeze", {lower_squeeze, true}},
    {"Sub", {lower_binary}},
    {"Sum", {lower_variadic}},
    {"Tanh", {lower_unary}},
    {"Transpose", {lower_transpose, true}},
    {"Unsqueeze", {lower_unsqueeze, true}},
    {"Upsample", {lower_resize}},
    {"Where", {lower_where}},
};

}  // namespace

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> kByName(std::begin(kRules), std::end(kRules));
  return kByName;
}

namespace {

Result<std::vector<int64_t>> input_dims(const ValueInfo& info, const ReadOptions& options) {
  const auto given = options.shapes.find(info.name);
  if (given == options.shapes.end()) {
    if (!info.dims) return error(Code::argument, "input '" + info.name + "' has no shape in the file; give one for it");
    std::vector<int64_t> dims = *info.dims;
    std::replace(dims.begin(), dims.end(), int64_t{-1}, int64_t{1});
    return dims;
  }
  const std::vector<int64_t> dims = dims_of(given->second);
  bool fits = !info.dims || info.dims->size() == dims.size();
  for (size_t i = 0; fits && info.dims && i < dims.size(); ++i)
    fits = dims[i] >= 0 && ((*info.dims)[i] == -1 || (*info.dims)[i] == dims[i]);
  if (fits) return dims;
  return error(Code::argument, "input '" + info.name + "' cannot have the shape " + given->second.text());
}

void problem(Lowering& l, size_t index, Status status) {
  const Node& n = l.graph.nodes[index];
  status.where = at_node(index);
  l.problems.push_back({index, n.title(), n.op, l.graph.opset, std::move(status)});
}

Status add_input(Lowering& l, const ValueInfo& info) {
  const auto dims = input_dims(info, l.options);
  if (!dims.ok()) return dims.status();
  if (const auto constant = l.fixed.find(info.name); constant != l.fixed.end()) {
    l.values[info.name] = {.constant = constant->second};
    return {};
  }
  const auto dtype = dtype_of(info.type);
  if (!dtype) {
    l.values[info.name] = {.constant = nullptr, .input = &info};
    return {};
  }
  const auto shape = shape_of(*dims);
  if (!shape.ok()) return error(shape.status().code, "input '" + info.name + "': " + shape.status().why);
  l.values[info.name] = {.constant = nullptr, .tensor = l.builder.input(info.name, {*dtype, *shape})};
  return {};
}

// Runs the nodes that a step put into a model of its own.
Status run_folded(Step& step, Builder& scratch, Type type) {
  std::vector<TensorId> outputs;
  for (const auto& [name, id] : step.folded) outputs.push_back(id);
  const Model model = scratch.take(outputs);
  const auto plan = prepare(model);
  if (!plan.ok()) return plan.status();
  BITEXACT_TRY(step.l.charge(arena_bytes(**plan)));
  auto arena = Buffer::make(arena_bytes(**plan));
  if (!arena.ok()) return arena.status();
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return session.status();
  session->run();
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Tensor t = session->value(outputs[k]);
    auto data = std::make_shared<TensorData>();
    data->name = step.folded[k].first;
    data->type = type;
    data->dims = dims_of(t.shape);
    data->bytes.resize(t.bytes());
    if (!data->bytes.empty()) dump(t, 0, t.count(), data->bytes.data());
    step.l.values[data->name] = {.constant = data};
  }
  return {};
}

bool all_known(Step& s) {
  if (!s.has(0)) return false;
  for (size_t i = 0; i < s.node.inputs.size(); ++i)
    if (s.has(i) && s.known(i) == nullptr) return false;
  return true;
}

// Whether elements move as they are: reals that are held as integers do not.
bool all_plain(Step& s) {
  for (size_t i = 0; i < s.node.inputs.size(); ++i)
    if (s.has(i) && s.value(i)->scales) return false;
  return true;
}

Status fold_moves(Lowering& l, const Node& n) {
  Builder scratch;
  Step step(l, n, &scratch);
  Status status = rules().at(n.op).lower(step);
  if (status.ok() && !step.folded.empty()) status = run_folded(step, scratch, step.known(0)->type);
  return status;
}

Status lower_node(Lowering& l, const Node& n) {
  const Rule& rule = rules().at(n.op);
  for (const Attribute& a : n.attributes)
    if (a.has_graph) return error(Code::unsupported, "control flow");
  Step step(l, n);
  if (auto folded = fold_arithmetic(step)) return *folded;
  if (rule.moves && all_known(step) && all_plain(step)) return fold_moves(l, n);
  if (auto quantized = lower_between_quantized(step)) return *quantized;
  return rule.lower(step);
}

bool failed_input(const Lowering& l, const Node& n) {
  return std::any_of(n.inputs.begin(), n.inputs.end(), [&](const std::string& name) {
    const auto found = l.values.find(name);
    return found != l.values.end() && found->second.failed;
  });
}

void visit(Lowering& l, size_t index) {
  const Node& n = l.graph.nodes[index];
  Status status;
  const bool ours = (n.domain.empty() || n.domain == "ai.onnx") && rules().contains(n.op);
  if (!ours)
    status = error(Code::unsupported, "there is no such operator here");
  else if (n.outputs.empty())
    status = error(Code::malformed, "it has no output");
  else if (!failed_input(l, n))
    status = lower_node(l, n);
  if (!status.ok()) problem(l, index, std::move(status));
  for (const std::string& name : n.outputs)
    if (!l.values.contains(name)) l.values[name] = {.constant = nullptr, .failed = true};
}

// An output of the model has its own name and is no input, constant or other output.
Result<TensorId> output_tensor(Lowering& l, const std::string& name, std::set<TensorId>& taken) {
  const Node copy{"", "Identity", "", {name}, {name}, {}, 0};
  Step step(l, copy);
  const bool computed = l.values.contains(name) && l.values[name].constant == nullptr;
  TensorId id = step.tensor(0);
  if (!step.ok()) return error(step.status.code, "output '" + name + "': " + step.status.why);
  if (!computed || taken.contains(id)) {
    id = step.emit(Op::reshape, ReshapeAttrs{dims_of(step.shape(id))}, {id}, l.builder.value(id).quant);
    if (!step.ok()) return step.status;
  }
  l.builder.rename(id, name);
  taken.insert(id);
  return id;
}

std::string summary(const std::vector<ModelProblem>& problems) {
  constexpr size_t kMostListed = 20;
  std::string text = std::to_string(problems.size()) + (problems.size() == 1 ? " node" : " nodes") + " cannot be run: ";
  std::set<std::string> unknown;
  for (size_t i = 0; i < problems.size(); ++i) {
    const ModelProblem& p = problems[i];
    if (!rules().contains(p.op)) unknown.insert(p.op);
    if (i >= kMostListed) continue;
    text += (i ? "; " : "") + std::string("'") + p.name + "' (" + p.op + ", opset " + std::to_string(p.version) +
            "): " + p.status.why;
  }
  if (problems.size() > kMostListed) text += "; and " + std::to_string(problems.size() - kMostListed) + " more";
  if (unknown.empty()) return text;
  text += ". Supported are:";
  for (const auto& [op, rule] : rules()) text += " " + op;
  return text;
}

Status lower_all(Lowering& l) {
  for (const auto& [name, data] : l.graph.initializers)
    l.values[name] = {.constant = Constant(&data, [](const TensorData*) {})};
  for (const ValueInfo& info : l.graph.inputs) BITEXACT_TRY(add_input(l, info));
  for (size_t i = 0; i < l.graph.nodes.size(); ++i)
    for (const std::string& name : l.graph.nodes[i].inputs)
      if (!name.empty()) l.readers[name].push_back(i);
  for (const ValueInfo& out : l.graph.outputs) l.readers[out.name].push_back(l.graph.nodes.size());
  // Constants first: what looks ahead to a bias finds it.
  for (size_t i = 0; i < l.graph.nodes.size(); ++i)
    if (l.graph.nodes[i].op == "Constant") visit(l, i);
  for (size_t i = 0; i < l.graph.nodes.size(); ++i)
    if (l.graph.nodes[i].op != "Constant" && !l.done.contains(i)) visit(l, i);
  return {};
}

}  // namespace

Result<Constant> input_constant(const ValueInfo& info, const ReadOptions& options, std::span<const std::byte> bytes) {
  auto dims = input_dims(info, options);
  if (!dims.ok()) return dims.status();
  const auto shape = shape_of(*dims);
  if (!shape.ok()) return shape.status();
  if (size_of(info.type) == 0 || element_count(*shape).value_or(0) * size_of(info.type) != bytes.size())
    return error(Code::argument, "input '" + info.name + "' of " + type_name(info.type) + " " + shape->text() +
                                     " was given " + std::to_string(bytes.size()) + " bytes");
  auto data = std::make_shared<TensorData>();
  *data = {info.name, info.type, std::move(*dims), {bytes.begin(), bytes.end()}};
  return Constant(std::move(data));
}

Result<ModelFile> lower(const Graph& graph, const ReadOptions& options, std::vector<ModelProblem>* problems) {
  for (std::map<std::string, Constant> fixed;;) {
    Lowering l{graph, options, fixed, {}, {}, {}, {}, {}, {}, {}, 0};
    BITEXACT_TRY(lower_all(l));
    if (!l.asked.empty()) {  // again, with those as constants from the start
      fixed.insert(l.asked.begin(), l.asked.end());
      continue;
    }
    if (problems != nullptr) *problems = l.problems;
    if (!l.problems.empty()) return error(l.problems[0].status.code, summary(l.problems), l.problems[0].status.where);
    std::set<TensorId> taken;
    for (const ValueInfo& in : graph.inputs)
      if (const Value& v = l.values[in.name]; v.tensor) taken.insert(*v.tensor);
    std::vector<TensorId> outputs;
    for (const ValueInfo& out : graph.outputs) {
      const auto id = output_tensor(l, out.name, taken);
      if (!id.ok()) return id.status();
      outputs.push_back(*id);
    }
    return ModelFile{
        "onnx", graph.opset, options.requant, l.builder.take(outputs), graph.nodes.size(), std::move(l.notes)};
  }
}

}  // namespace bitexact::onnx
