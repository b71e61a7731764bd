#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "import/builder.h"
#include "import/onnx_constant.h"
#include "import/onnx_graph.h"

namespace bitexact::onnx {

/// What integers mean: real = scale * (q - zero), with one of each or one for each index of `axis`.
struct Scales {
  std::vector<float> scale;
  std::vector<int32_t> zero;
  int64_t axis = 0;
  [[nodiscard]] Quantization one() const { return {scale[0], zero[0]}; }
  [[nodiscard]] bool single() const { return scale.size() == 1; }
};

/// A tensor of the graph on its way: known elements, or computed ones. With `scales` these are the integers of a
/// DequantizeLinear that no operator has asked for as reals yet.
struct Value {
  Constant constant{};
  std::optional<TensorId> tensor{};
  std::optional<Scales> scales{};
  Constant real_constant{};
  std::optional<TensorId> real{};
  const ValueInfo* input = nullptr;  ///< of the graph, in a type that no tensor has
  bool failed = false;               ///< whoever should have made it is among the problems
};

/// The elements of a graph's input that is to be a constant.
[[nodiscard]] Result<Constant> input_constant(const ValueInfo& info, const ReadOptions& options,
                                              std::span<const std::byte> bytes);

/// One graph being lowered. Nodes are met in order; each finds what came before in `values`.
struct Lowering {
  const Graph& graph;
  const ReadOptions& options;
  std::map<std::string, Constant> fixed;  ///< inputs that are constants, since an operator asked for their values
  std::map<std::string, Constant> asked;  ///< inputs whose values were asked for
  Builder builder;
  std::map<std::string, Value> values;
  std::map<std::string, std::vector<size_t>> readers;  ///< nodes by the tensors they read; an output reads once more
  std::set<size_t> done;                               ///< nodes that an earlier one has taken into itself
  std::vector<ModelProblem> problems;
  std::vector<ModelNote> notes;
  uint64_t charged = 0;  ///< bytes of constants made so far

  /// Before constants are made: `too_large` when a small file would become very many bytes of them.
  [[nodiscard]] Status charge(uint64_t bytes);
  /// The only node that reads a tensor, if it is one of `op`.
  [[nodiscard]] const Node* sole_reader(const std::string& tensor, const char* op) const;
};

/// One node: its attributes, its inputs, what it emits. The first thing that fails is kept in `status`, and whatever
/// follows does nothing; so a lowering reads as if nothing could fail, and looks at `ok` before it relies on a shape.
class Step {
 public:
  /// With `folding`, nodes go to a model of their own, and constants keep their bits.
  Step(Lowering& lowering, const Node& n, Builder* folding = nullptr)
      : l(lowering), node(n), b(folding ? *folding : lowering.builder), folding_(folding != nullptr) {}

  [[nodiscard]] bool ok() const { return status.ok(); }
  void fail(Code code, std::string why);
  Status refuse(Code code, std::string why) {
    fail(code, std::move(why));
    return status;
  }
  void note(std::string text);
  [[nodiscard]] int64_t version() const { return l.graph.opset; }

  [[nodiscard]] const Attribute* attribute(const char* name) const;
  [[nodiscard]] int64_t i(const char* name, int64_t fallback) const;
  [[nodiscard]] float f(const char* name, float fallback) const;
  [[nodiscard]] std::string s(const char* name, const char* fallback) const;
  [[nodiscard]] std::vector<int64_t> ints(const char* name) const;

  [[nodiscard]] bool has(size_t input) const { return input < node.inputs.size() && !node.inputs[input].empty(); }
  /// Whether anybody reads the output.
  [[nodiscard]] bool wants(size_t output) const;
  [[nodiscard]] Value* value(size_t input);
  /// The elements of an input where they are known; else nothing.
  [[nodiscard]] Constant known(size_t input);
  /// The elements of an input that must be known; a graph's input becomes a constant for it.
  [[nodiscard]] Constant need(size_t input, const char* what);
  [[nodiscard]] std::vector<int64_t> need_ints(size_t input, const char* what);
  [[nodiscard]] std::vector<float> need_floats(size_t input, const char* what);
  /// An attribute in old versions, an input in new ones; `fallback` when neither is there.
  [[nodiscard]] std::vector<int64_t> ints_or_input(const char* name, size_t input);
  /// Whether so many elements of a constant may be worked out; else the step fails.
  bool charge(uint64_t elements, uint64_t bytes_each = sizeof(int64_t));
  [[nodiscard]] bool names(const char* name, size_t input) const { return attribute(name) != nullptr || has(input); }

  [[nodiscard]] TensorId tensor(size_t input);   ///< reals are q16
  [[nodiscard]] TensorId integer(size_t input);  ///< with `scales`: the integers
  [[nodiscard]] Shape shape(TensorId id) const { return b.value(id).shape; }
  [[nodiscard]] DType dtype(TensorId id) const { return b.value(id).dtype; }
  /// The dimensions of an input, known or computed.
  [[nodiscard]] std::vector<int64_t> dims(size_t input);
  [[nodiscard]] TensorId q16(const Shape& shape, const std::vector<float>& values);

  TensorId emit(Op op, Attrs attrs, std::vector<TensorId> inputs, Quantization quant = {});
  /// No node when the shape is the same.
  TensorId reshape(TensorId in, const std::vector<int64_t>& dims);
  TensorId transpose(TensorId in, std::vector<int64_t> perm);

  Status finish(TensorId id, size_t output = 0) { return finish(id, std::nullopt, output); }
  Status finish(TensorId id, std::optional<Scales> scales, size_t output = 0);
  Status finish(Constant constant, size_t output = 0);
  /// The output is another node's: that one has been taken into this.
  Status finish_as(const Node& other, TensorId id, std::optional<Scales> scales = {});

  Lowering& l;
  const Node& node;
  Builder& b;
  Status status;
  std::vector<std::pair<std::string, TensorId>> folded;

 private:
  void bind(const std::string& name, Value value);
  TensorId keep(Result<TensorId> made);
  TensorId materialise(const std::string& name, const TensorData& data);
  bool folding_;
};

/// The product of two matrices, which a vector is a row or a column of, by `op`; the node's output.
Status finish_matmul(Step& s, TensorId a, TensorId b, Op op, Attrs attrs);

/// -1 for an axis outside the rank, which is then an error of the step.
[[nodiscard]] size_t axis_in(Step& s, int64_t axis, size_t rank);
[[nodiscard]] int64_t product(const std::vector<int64_t>& dims, size_t from, size_t to);
[[nodiscard]] int64_t product(const std::vector<int64_t>& dims);
/// The scales of an operator's attributes.
[[nodiscard]] std::vector<uint32_t> bits_of(const std::vector<float>& values);
/// As numpy; nothing where they do not fit.
[[nodiscard]] std::optional<std::vector<int64_t>> broadcast_dims(const std::vector<int64_t>& a,
                                                                 const std::vector<int64_t>& b);
/// Where element `i` of `out` comes from in a tensor of `in`.
[[nodiscard]] size_t broadcast_source(const std::vector<int64_t>& in, const std::vector<int64_t>& out, int64_t i);
/// fixed_from_float; NaN is an error of the step.
[[nodiscard]] int32_t to_q16(Step& s, float real);

using Lower = Status (*)(Step&);
/// How an operator is lowered, and whether constants go through it as they are.
struct Rule {
  Lower lower = nullptr;
  bool moves = false;
};
[[nodiscard]] const std::map<std::string, Rule>& rules();
/// Arithmetic on known elements: nothing when the operator is none of these, or an element is not known.
[[nodiscard]] std::optional<Status> fold_arithmetic(Step& s);

Status lower_conv(Step& s);
Status lower_conv_transpose(Step& s);
Status lower_batch_norm(Step& s);
Status lower_instance_norm(Step& s);
Status lower_gemm(Step& s);
Status lower_matmul(Step& s);
Status lower_max_pool(Step& s);
Status lower_average_pool(Step& s);
Status lower_global_pool(Step& s);
Status lower_relu(Step& s);
Status lower_clip(Step& s);
Status lower_unary(Step& s);
Status lower_prelu(Step& s);
Status lower_softmax(Step& s);
Status lower_binary(Step& s);
Status lower_variadic(Step& s);
Status lower_reduce(Step& s);
Status lower_argmax(Step& s);
Status lower_identity(Step& s);
Status lower_dropout(Step& s);
Status lower_cast(Step& s);
Status lower_concat(Step& s);
Status lower_split(Step& s);
Status lower_slice(Step& s);
Status lower_pad(Step& s);
Status lower_transpose(Step& s);
Status lower_reshape(Step& s);
Status lower_flatten(Step& s);
Status lower_squeeze(Step& s);
Status lower_unsqueeze(Step& s);
Status lower_gather(Step& s);
Status lower_expand(Step& s);
Status lower_resize(Step& s);
Status lower_blocks(Step& s);
Status lower_shape(Step& s);
Status lower_constant(Step& s);
Status lower_constant_of_shape(Step& s);
Status lower_range(Step& s);
Status lower_compare(Step& s);
Status lower_not(Step& s);
Status lower_where(Step& s);
Status lower_known_real(Step& s);
Status lower_reduce_prod(Step& s);
Status lower_quantize(Step& s);
Status lower_dequantize(Step& s);
Status lower_qlinear_conv(Step& s);
Status lower_qlinear_matmul(Step& s);
Status lower_conv_integer(Step& s);
Status lower_matmul_integer(Step& s);

/// A node whose inputs are DequantizeLinear and whose output is only read by QuantizeLinear, on integers. Nothing when
/// it is no such node; then it computes with reals.
[[nodiscard]] std::optional<Status> lower_between_quantized(Step& s);

/// The graph as operators; with problems the model is empty.
[[nodiscard]] Result<ModelFile> lower(const Graph& graph, const ReadOptions& options,
                                      std::vector<ModelProblem>* problems);

}  // namespace bitexact::onnx
