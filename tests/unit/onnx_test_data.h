#pragma once
// ONNX files by hand: a message is the text of its bytes, written by protozero, of which the product knows nothing.
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <vector>

#include "hostile_file.h"
#include "import/onnx_graph.h"

namespace bitexact::test {

using Message = std::string;
using protozero::pbf_writer;

template <class Fill>
Message message(Fill fill) {
  Message out;
  pbf_writer w(out);
  fill(w);
  return out;
}

inline std::span<const std::byte> bytes_of(const std::string& s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

inline Message with(Message base, uint32_t field, const Message& value) {
  pbf_writer(base).add_bytes(field, value);
  return base;
}
inline Message with_number(Message base, uint32_t field, int64_t value) {
  pbf_writer(base).add_int64(field, value);
  return base;
}

/// TensorProto without data.
inline Message tensor_head(const std::string& name, int32_t type, const std::vector<int64_t>& dims) {
  return message([&](pbf_writer& w) {
    for (const int64_t d : dims) w.add_int64(1, d);
    w.add_int32(2, type);
    w.add_string(8, name);
  });
}
inline Message raw_tensor(const std::string& name, int32_t type, const std::vector<int64_t>& dims,
                          const std::string& raw) {
  return with(tensor_head(name, type, dims), 9, raw);
}
inline Message external_tensor(const std::vector<std::pair<std::string, std::string>>& entries,
                               const std::vector<int64_t>& dims = {4}) {
  Message m = with_number(tensor_head("w", 1, dims), 14, 1);
  for (const auto& [key, value] : entries) m = with(m, 13, with(with({}, 1, key), 2, value));
  return m;
}

/// ValueInfoProto; a dimension below 0 is symbolic.
inline Message value_info(const std::string& name, int32_t type = 1, const std::vector<int64_t>& dims = {2}) {
  Message shape;
  for (const int64_t d : dims) shape = with(shape, 1, d < 0 ? with({}, 2, "N") : with_number({}, 1, d));
  return with(with({}, 1, name), 2, with({}, 1, with(with_number({}, 1, type), 2, shape)));
}

inline Message attribute(const std::string& name, int32_t type, uint32_t field, const Message& value) {
  return with_number(with(with({}, 1, name), field, value), 20, type);
}

inline Message node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs, const std::vector<Message>& attributes = {},
                    const std::string& name = {}) {
  Message m;
  for (const auto& s : inputs) m = with(m, 1, s);
  for (const auto& s : outputs) m = with(m, 2, s);
  m = with(with(m, 3, name), 4, op);
  for (const auto& a : attributes) m = with(m, 5, a);
  return m;
}

/// Parts of a GraphProto, written in this order.
struct Parts {
  std::vector<Message> nodes, initializers;
  std::vector<Message> inputs{value_info("x")}, outputs{value_info("y")};
};
inline Message graph_proto(const Parts& parts) {
  return message([&](pbf_writer& w) {
    for (const auto& n : parts.nodes) w.add_bytes(1, n);
    for (const auto& t : parts.initializers) w.add_bytes(5, t);
    for (const auto& v : parts.inputs) w.add_bytes(11, v);
    for (const auto& v : parts.outputs) w.add_bytes(12, v);
  });
}
inline Message model_of(const Message& graph, int64_t opset = 13) {
  return with(with(with(with_number({}, 1, 8), 2, "by hand"), 8, with_number({}, 2, opset)), 7, graph);
}
inline Message model(const Parts& parts) { return model_of(graph_proto(parts)); }

using Files = std::map<std::string, std::span<const std::byte>>;
/// The graph; and the whole file must be one that a reader survives.
inline Result<onnx::Graph> read(const Message& file, const Files& external = {}) {
  ReadOptions options;
  options.external = external;
  (void)survive(bytes_of(file), options);
  return onnx::read_graph(bytes_of(file), external);
}
/// A graph of one initializer.
inline Message model_with(const Message& tensor) { return model({{node("Relu", {"x"}, {"y"})}, {tensor}}); }

inline std::string text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void expect_refused(const Status& status, Code code, const std::string& part) {
  EXPECT_TRUE(status.code == code) << status.text();
  EXPECT_NE(status.text().find(part), std::string::npos) << status.text() << "\n  expected: " << part;
}

}  // namespace bitexact::test
