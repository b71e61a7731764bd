#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bitexact/status.h"

namespace bitexact::onnx {

/// TensorProto.DataType.
enum class Type : int32_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  bf16 = 16,
};

/// A tensor of the file, checked: `bytes` holds exactly the elements, little-endian, in rows; bool has one byte each.
struct TensorData {
  std::string name;
  Type type = Type::undefined;
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes;
};

/// Which member of an attribute holds its value: AttributeProto.AttributeType.
enum class Kind : uint8_t {
  undefined = 0,
  f = 1,
  i = 2,
  s = 3,
  t = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  graphs = 10
};

struct Attribute {
  std::string name;
  int64_t i = 0;
  float f = 0;
  std::string s;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string> strings;
  std::optional<TensorData> t;
  bool has_graph = false;       ///< control flow, which is not supported
  Kind kind = Kind::undefined;  ///< never undefined once read; the members of other kinds are empty or 0
};

struct Node {
  std::string name, op, domain;              ///< domain: empty for the default one
  std::vector<std::string> inputs, outputs;  ///< empty text: left out
  std::vector<Attribute> attributes;
  uint64_t offset = 0;  ///< of the node in the file, for messages

  /// Its name, or that of its first output.
  [[nodiscard]] const std::string& title() const { return name.empty() && !outputs.empty() ? outputs[0] : name; }
};

struct ValueInfo {
  std::string name;
  Type type = Type::undefined;
  std::optional<std::vector<int64_t>> dims;  ///< -1: symbolic or absent; nothing: rank unknown
};

/// The graph of a ModelProto in the file's order, which is checked to be topological.
struct Graph {
  int64_t ir_version = 0, opset = 0;  ///< of the default domain
  std::string producer;
  std::vector<Node> nodes;
  std::map<std::string, TensorData> initializers;
  uint64_t constant_bytes = 0;             ///< of initializers and of tensors in attributes
  std::vector<ValueInfo> inputs, outputs;  ///< inputs without those that are initializers
};

/// Whether the bytes begin like a ModelProto.
[[nodiscard]] bool looks_like_onnx(std::span<const std::byte> bytes) noexcept;

/// `malformed` with the byte offset for broken protobuf, wrong sizes, duplicate names, tensors that nobody makes,
/// cycles; `too_large` and `unsupported` where it is that.
[[nodiscard]] Result<Graph> read_graph(std::span<const std::byte> bytes,
                                       const std::map<std::string, std::span<const std::byte>>& external);
/// Where its external data lie.
[[nodiscard]] Result<std::set<std::string>> external_locations(std::span<const std::byte> bytes);
/// A TensorProto alone, as in the .pb files of ONNX's test data.
[[nodiscard]] Result<TensorData> read_tensor(std::span<const std::byte> bytes);

}  // namespace bitexact::onnx
