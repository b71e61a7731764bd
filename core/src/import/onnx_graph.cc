#include "import/onnx_graph.h"

#include <algorithm>
#include <set>

#include "import/onnx_read.h"

namespace bitexact::onnx {
namespace {

using protobuf::Bytes;
using protobuf::Field;
using protobuf::Reader;
using protobuf::Wire;

std::string label(size_t index, const Node& node) {
  return "node " + std::to_string(index) + (node.name.empty() ? "" : " " + quoted(node.name)) + " (" + quoted(node.op) +
         ")";
}

/// AttributeProto keeps the values of kinds 1 to 10 in fields 2 to 11.
void read_value(Reader& r, const Field& f, Attribute& a) {
  switch (static_cast<Kind>(f.number - 1)) {
    case Kind::f:
      a.f = r.number(f);
      break;
    case Kind::i:
      a.i = static_cast<int64_t>(r.integer(f));
      break;
    case Kind::s:
      a.s = r.text(f);
      break;
    case Kind::floats:
      r.numbers(f, a.floats);
      break;
    case Kind::ints:
      r.integers(f, a.ints);
      break;
    case Kind::strings:
      a.strings.push_back(r.text(f));
      break;
    case Kind::graph:
    case Kind::graphs:
      a.has_graph = true;
      break;
    default:
      r.fail(f.at, "lists of tensors are not supported", Code::unsupported);
  }
}

/// What an attribute says its kind is against what it holds. A value that is 0 or empty may be left out.
Status settle_kind(uint64_t declared, uint64_t held, Attribute& a, uint64_t at) {
  const auto refused = [&](const char* why, Code code = Code::malformed) {
    return error(code, "attribute " + quoted(a.name) + why, at_byte(at));
  };
  if (a.name.empty()) return refused(" has no name");
  if (declared == 0) declared = held;
  if (declared == 0) return refused(" has neither type nor value");
  if (held != 0 && held != declared) return refused(" holds a value of another type than it says");
  if (declared == 9 || declared > 10) return refused(": this type of attribute is not supported", Code::unsupported);
  a.kind = static_cast<Kind>(declared);
  if (a.kind == Kind::t && !a.t) return refused(" holds no tensor");
  return {};
}

Status read_attribute(Bytes message, Context& context, Attribute& a) {
  BITEXACT_TRY(context.count_part(message.at));
  Reader r(message, "AttributeProto");
  uint64_t declared = 0, held = 0;
  for (Field f; r.next(f);) {
    if (f.number == 1) a.name = r.text(f);
    if (f.number == 20) declared = r.integer(f);
    if (f.number == 21 && !r.text(f).empty()) r.fail(f.at, "ref_attr_name outside of a function");
    if (f.number == 14 || f.number == 15 || f.number == 22 || f.number == 23)
      r.fail(f.at, "sparse tensors and types as attributes are not supported", Code::unsupported);
    if (f.number < 2 || f.number > 11) continue;
    if (held != 0 && held != f.number - 1) r.fail(f.at, "a second value of another type");
    held = f.number - 1;
    if (static_cast<Kind>(held) != Kind::t) {
      read_value(r, f, a);
      continue;
    }
    const Bytes tensor = r.message(f);
    BITEXACT_TRY(r.status());
    a.t.emplace();
    BITEXACT_TRY(read_tensor(tensor, context, *a.t));
  }
  BITEXACT_TRY(r.status());
  return settle_kind(declared, held, a, message.at);
}

Status read_node(Bytes message, Context& context, Node& node) {
  BITEXACT_TRY(context.count_part(message.at));
  node.offset = message.at;
  Reader r(message, "NodeProto");
  for (Field f; r.next(f);) {
    if (f.number == 1) {
      BITEXACT_TRY(context.count_part(message.at));
      node.inputs.push_back(r.text(f));
    }
    if (f.number == 2) node.outputs.push_back(r.text(f));
    if (f.number == 3) node.name = r.text(f);
    if (f.number == 4) node.op = r.text(f);
    if (f.number == 7) node.domain = r.text(f);
    if (f.number != 5) continue;
    const Bytes attribute = r.message(f);
    BITEXACT_TRY(r.status());
    BITEXACT_TRY(read_attribute(attribute, context, node.attributes.emplace_back()));
  }
  BITEXACT_TRY(r.status());
  if (node.domain == "ai.onnx") node.domain.clear();
  if (node.op.empty()) return error(Code::malformed, "it has no op_type", at_byte(node.offset));
  if (std::all_of(node.outputs.begin(), node.outputs.end(), [](const auto& name) { return name.empty(); }))
    return error(Code::malformed, "it has no outputs", at_byte(node.offset));
  std::set<std::string_view> names;
  for (const Attribute& a : node.attributes)
    if (!names.insert(a.name).second)
      return error(Code::malformed, "it has two attributes " + quoted(a.name), at_byte(node.offset));
  return {};
}

/// Dimension: a number, a symbol, or nothing.
Status read_dimension(Bytes message, int64_t& dim) {
  dim = -1;
  Reader r(message, "Dimension");
  for (Field f; r.next(f);)
    if (f.number == 1) dim = static_cast<int64_t>(r.integer(f));
  if (dim < -1) r.fail(message.at, "it is negative");  // some writers say -1 for an open one
  return r.status();
}

Status read_tensor_type(Bytes message, uint64_t& type, ValueInfo& out) {
  Reader r(message, "TypeProto.Tensor");
  for (Field f; r.next(f);) {
    if (f.number == 1) type = r.integer(f);
    if (f.number != 2) continue;
    Reader shape(r.message(f), "TensorShapeProto");
    out.dims.emplace();
    for (Field d; shape.next(d);) {
      if (d.number != 1) continue;
      const Bytes dimension = shape.message(d);
      BITEXACT_TRY(shape.status());
      BITEXACT_TRY(read_dimension(dimension, out.dims->emplace_back()));
    }
    BITEXACT_TRY(shape.status());
  }
  return r.status();
}

Status read_value_info(Bytes message, Context& context, ValueInfo& out) {
  BITEXACT_TRY(context.count_part(message.at));
  Reader r(message, "ValueInfoProto");
  Bytes type;
  for (Field f; r.next(f);) {
    if (f.number == 1) out.name = r.text(f);
    if (f.number == 2) type = r.message(f);
  }
  BITEXACT_TRY(r.status());
  if (out.name.empty()) return error(Code::malformed, "an input or output has no name", at_byte(message.at));
  uint64_t number = 0;
  Reader types(type, "TypeProto");
  for (Field f; types.next(f);) {
    if (f.number == 4 || f.number == 5 || (f.number >= 7 && f.number <= 9))
      types.fail(f.at, quoted(out.name) + " is not a tensor, which is not supported", Code::unsupported);
    if (f.number != 1) continue;
    const Bytes tensor = types.message(f);
    BITEXACT_TRY(types.status());
    BITEXACT_TRY(read_tensor_type(tensor, number, out));
  }
  BITEXACT_TRY(types.status());
  const auto element = element_type(number, "input or output " + quoted(out.name), message.at);
  if (!element.ok()) return element.status();
  out.type = *element;
  return {};
}

Status read_initializer(Bytes message, Context& context, Graph& graph) {
  TensorData tensor;
  BITEXACT_TRY(read_tensor(message, context, tensor));
  if (tensor.name.empty()) return error(Code::malformed, "an initializer has no name", at_byte(message.at));
  const std::string name = tensor.name;
  graph.constant_bytes += tensor.bytes.size();
  if (!graph.initializers.emplace(name, std::move(tensor)).second)
    return error(Code::malformed, "two initializers " + quoted(name), at_byte(message.at));
  return {};
}

/// One field of GraphProto. Names of values inside, documentation and annotations are not needed.
Status read_graph_field(const Field& f, Context& context, Graph& graph) {
  switch (f.number) {
    case 1: {
      Node& node = graph.nodes.emplace_back();
      Status status = read_node(f.bytes, context, node);
      if (!status.ok()) status.why = label(graph.nodes.size() - 1, node) + ": " + status.why;
      for (const Attribute& a : node.attributes) graph.constant_bytes += a.t ? a.t->bytes.size() : 0;
      return status;
    }
    case 5:
      return read_initializer(f.bytes, context, graph);
    case 11:
      return read_value_info(f.bytes, context, graph.inputs.emplace_back());
    case 12:
      return read_value_info(f.bytes, context, graph.outputs.emplace_back());
    case 15:
      return error(Code::unsupported, "sparse initializers are not supported", at_byte(f.at));
    default:
      return {};
  }
}

Status unique(const std::vector<ValueInfo>& infos, const char* what, uint64_t at) {
  std::set<std::string_view> names;
  for (const ValueInfo& info : infos)
    if (!names.insert(info.name).second)
      return error(Code::malformed, std::string("two ") + what + " " + quoted(info.name), at_byte(at));
  return {};
}

/// Every name is made once, and before it is used.
Status check_order(const Graph& graph, uint64_t at) {
  std::map<std::string_view, size_t> makers;  // the node's index and 1; 0 for what is given
  for (const ValueInfo& input : graph.inputs) makers[input.name] = 0;
  for (const auto& [name, tensor] : graph.initializers) makers[name] = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    for (const std::string& name : node.outputs)
      if (!name.empty() && !makers.emplace(name, i + 1).second)
        return error(Code::malformed, label(i, node) + " makes " + quoted(name) + ", which there is already",
                     at_byte(node.offset));
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    for (const std::string& name : node.inputs) {
      const auto maker = makers.find(name);
      if (name.empty() || (maker != makers.end() && maker->second <= i)) continue;
      return error(Code::malformed,
                   label(i, node) + " reads " + quoted(name) + ", which " +
                       (maker == makers.end() ? "nobody makes"
                                              : "is made by node " + std::to_string(maker->second - 1) +
                                                    ": a cycle, or nodes out of order"),
                   at_byte(node.offset));
    }
  }
  for (const ValueInfo& output : graph.outputs)
    if (!makers.contains(output.name))
      return error(Code::malformed, "output " + quoted(output.name) + " is made by nobody", at_byte(at));
  return {};
}

Status read_graph_proto(Bytes message, Context& context, Graph& graph) {
  Reader r(message, "GraphProto");
  for (Field f; r.next(f);) {
    const bool known = f.number == 1 || f.number == 5 || f.number == 11 || f.number == 12;
    if (known) (void)r.message(f);
    BITEXACT_TRY(r.status());
    BITEXACT_TRY(read_graph_field(f, context, graph));
  }
  BITEXACT_TRY(r.status());
  BITEXACT_TRY(unique(graph.inputs, "inputs", message.at));
  BITEXACT_TRY(unique(graph.outputs, "outputs", message.at));
  std::erase_if(graph.inputs, [&](const ValueInfo& input) { return graph.initializers.contains(input.name); });
  if (graph.outputs.empty()) return error(Code::malformed, "the graph has no outputs", at_byte(message.at));
  BITEXACT_TRY(check_order(graph, message.at));
  return context.complete();
}

/// An OperatorSetIdProto of the default domain raises the graph's version: the highest counts.
Status read_opset(Bytes message, Graph& graph) {
  Reader r(message, "OperatorSetIdProto");
  std::string domain;
  int64_t version = 0;
  for (Field f; r.next(f);) {
    if (f.number == 1) domain = r.text(f);
    if (f.number == 2) version = static_cast<int64_t>(r.integer(f));
  }
  if (domain.empty() || domain == "ai.onnx") graph.opset = std::max(graph.opset, version);
  return r.status();
}

Status read_model_fields(Bytes file, Graph& graph, std::optional<Bytes>& graph_proto) {
  Reader r(file, "ModelProto");
  for (Field f; r.next(f);) {
    if (f.number == 1) graph.ir_version = static_cast<int64_t>(r.integer(f));
    if (f.number == 2) graph.producer = r.text(f);
    if (f.number == 7 && graph_proto) r.fail(f.at, "a second graph");
    if (f.number == 7) graph_proto = r.message(f);
    if (f.number == 25) r.fail(f.at, "functions are not supported", Code::unsupported);
    if (f.number != 8) continue;
    const Bytes opset = r.message(f);
    BITEXACT_TRY(r.status());
    BITEXACT_TRY(read_opset(opset, graph));
  }
  return r.status();
}

}  // namespace

bool looks_like_onnx(std::span<const std::byte> bytes) noexcept {
  Reader r({bytes, 0}, "ModelProto");
  Field f;
  if (!r.next(f)) return false;
  if (f.number == 1) return f.wire == Wire::varint && f.value > 0 && f.value < 256;
  return f.wire == Wire::bytes && (f.number == 2 || f.number == 7 || f.number == 8);
}

namespace {

Result<Graph> read_graph(std::span<const std::byte> bytes, Context& context) {
  Graph graph;
  std::optional<Bytes> graph_proto;
  BITEXACT_TRY(read_model_fields({bytes, 0}, graph, graph_proto));
  if (!graph_proto) return error(Code::malformed, "ModelProto: no graph", at_byte(bytes.size()));
  if (graph.opset < 7 || graph.opset > 22)
    return error(Code::unsupported, "opset " + std::to_string(graph.opset) + " of ONNX is not supported; 7 to 22 are");
  BITEXACT_TRY(read_graph_proto(*graph_proto, context, graph));
  return graph;
}

}  // namespace

Result<Graph> read_graph(std::span<const std::byte> bytes,
                         const std::map<std::string, std::span<const std::byte>>& external) {
  Context context = make_context(external);
  return read_graph(bytes, context);
}

Result<std::set<std::string>> external_locations(std::span<const std::byte> bytes) {
  const std::map<std::string, std::span<const std::byte>> nothing;
  std::set<std::string> locations;
  Context context = make_context(nothing);
  context.locations = &locations;
  BITEXACT_TRY(read_graph(bytes, context).status());
  return locations;
}

}  // namespace bitexact::onnx
