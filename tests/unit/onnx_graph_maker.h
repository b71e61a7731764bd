#pragma once
// Graphs as they are once read, for tests of what nodes become.
#include <gtest/gtest.h>

#include "bitexact/session.h"
#include "import/onnx_lower.h"

namespace bitexact::onnx {

using Dims = std::vector<int64_t>;

inline Attribute ints(const char* name, Dims values) {
  Attribute a;
  a.name = name;
  a.kind = Kind::ints;
  a.ints = std::move(values);
  return a;
}

inline Node node(const char* op, std::vector<std::string> inputs, std::string output,
                 std::vector<Attribute> attributes = {}) {
  return {std::string(op) + "_" + output, op, "", std::move(inputs), {std::move(output)}, std::move(attributes), 0};
}

struct Maker {
  Graph graph;
  Maker() { graph.opset = 13; }
  Maker& input(const char* name, Dims dims, Type type = Type::f32) {
    graph.inputs.push_back({name, type, std::move(dims)});
    return *this;
  }
  Maker& output(const char* name) {
    graph.outputs.push_back({name, Type::f32, {}});
    return *this;
  }
  Maker& reals(const char* name, Dims dims, const std::vector<double>& v) {
    graph.initializers[name] = *make_constant(Type::f32, std::move(dims), v);
    return *this;
  }
  Maker& integers(const char* name, Type type, Dims dims, const Dims& v) {
    graph.initializers[name] = *make_constant(type, std::move(dims), v);
    return *this;
  }
  Maker& add(Node n) {
    graph.nodes.push_back(std::move(n));
    return *this;
  }
};

inline std::vector<Op> ops_of(const Model& m) {
  std::vector<Op> ops;
  for (const Model::Node& n : m.nodes) ops.push_back(n.op);
  return ops;
}

template <class T, class Out = T>
std::vector<Out> run(const Model& m, const std::vector<T>& in) {
  const auto plan = prepare(m);
  EXPECT_TRUE(plan.ok()) << plan.status().text();
  if (!plan.ok()) return {};
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  std::copy(in.begin(), in.end(), session->input(0).template as<T>());
  session->run();
  const Tensor out = session->output(0);
  return {out.as<Out>(), out.as<Out>() + out.count()};
}

}  // namespace bitexact::onnx
