#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitexact/read_model.h"
#include "import/builder.h"
#include "import/quantized.h"
#include "import/tflite_file.h"

namespace bitexact::tflite {

/// One operator of the file. `input(i)` is the index of a tensor, -1 where none is given.
struct Node {
  size_t index = 0;
  const fb::Operator* op = nullptr;
  fb::BuiltinOperator code{};
  std::string name;

  [[nodiscard]] size_t inputs() const noexcept { return op->inputs() == nullptr ? 0 : op->inputs()->size(); }
  [[nodiscard]] size_t outputs() const noexcept { return op->outputs() == nullptr ? 0 : op->outputs()->size(); }
  [[nodiscard]] int32_t input(size_t i) const noexcept {
    return i < inputs() ? op->inputs()->Get(static_cast<uint32_t>(i)) : -1;
  }
  [[nodiscard]] int32_t output(size_t i) const noexcept {
    return i < outputs() ? op->outputs()->Get(static_cast<uint32_t>(i)) : -1;
  }
  /// Null when the operator has no options, or another operator's.
  template <class Options>
  [[nodiscard]] const Options* options() const noexcept {
    return op->builtin_options_as<Options>();
  }
};

using ConstantPtr = std::shared_ptr<const Constant>;

/// A tensor on its way: known elements, or one that the model computes, or both (an input with given values).
struct Operand {
  ConstantPtr constant;
  std::optional<TensorId> id;
};

/// The model as it is lowered: which tensor of the file became what. What a hostile file makes of shared bytes is
/// bounded by `charge`.
class Graph {
 public:
  Graph(const File& file, const ReadOptions& options);

  [[nodiscard]] Requant rule() const noexcept { return options_.requant; }
  [[nodiscard]] Status read_inputs();
  [[nodiscard]] Result<Model> take_outputs();
  /// Indices in range, outputs written once, inputs written before. False: an input comes from a node that failed.
  [[nodiscard]] Result<bool> check(const Node& n);
  void fail(const Node& n);

  [[nodiscard]] static bool has(const Node& n, size_t i) noexcept { return n.input(i) >= 0; }
  [[nodiscard]] fb::TensorType type(const Node& n, size_t i) const;
  [[nodiscard]] fb::TensorType output_type(const Node& n, size_t i = 0) const;
  [[nodiscard]] bool is_float(const Node& n, size_t i) const;
  [[nodiscard]] bool is_quantized(const Node& n, size_t i) const;  ///< i8, u8 or i16
  [[nodiscard]] Result<Operand> operand(const Node& n, size_t i);
  [[nodiscard]] Result<TensorId> value(const Node& n, size_t i);
  [[nodiscard]] Result<Shape> shape(const Node& n, size_t i);

  /// Elements known now; `unsupported` when they are not.
  [[nodiscard]] Result<ConstantPtr> constant(const Node& n, size_t i);
  [[nodiscard]] Result<std::vector<int64_t>> integers(const Node& n, size_t i);
  /// As f32: of floats of 16 bits, and of integers by their scales.
  [[nodiscard]] Result<ConstantPtr> floats(const Node& n, size_t i);

  [[nodiscard]] Result<Scales> scales(const Node& n, size_t i);
  /// Of a tensor with at most one scale; 0 and 0 without.
  [[nodiscard]] Result<Quantization> quantization(const Node& n, size_t i);
  [[nodiscard]] Result<Quantization> output_quantization(const Node& n, size_t i = 0);

  /// An inner step. Operators that only move elements are carried out at once when all of them are known.
  [[nodiscard]] Result<Operand> step(const Node& n, Op op, Attrs attrs, std::vector<Operand> inputs);
  /// The step that makes output `o`.
  [[nodiscard]] Status emit(const Node& n, Op op, Attrs attrs, std::vector<Operand> inputs, size_t o = 0);
  [[nodiscard]] Status fold(const Node& n, Constant constant);
  [[nodiscard]] Result<Operand> make(Constant constant);
  [[nodiscard]] Result<TensorId> id_of(const Operand& operand, const std::string& name = {});
  [[nodiscard]] TensorType type_of(const Operand& operand) const;
  [[nodiscard]] Builder& builder() noexcept { return builder_; }
  [[nodiscard]] Status charge(size_t bytes);

 private:
  struct State {
    Operand operand;
    bool written = false, failed = false;
  };
  [[nodiscard]] Result<Scales> scales_of(size_t tensor);
  [[nodiscard]] Result<Quantization> quantization_of(size_t tensor);
  [[nodiscard]] Status read_input(size_t tensor);
  [[nodiscard]] Status read_given(size_t tensor, const Shape& shape);
  [[nodiscard]] Status load(size_t tensor);
  [[nodiscard]] Result<Operand> apply(const Node& n, Op op, Attrs attrs, std::span<const Operand> inputs,
                                      const std::string& name, const Quantization& quant);
  [[nodiscard]] Result<Operand> run(Op op, const Attrs& attrs, std::span<const Operand> inputs);

  const File& file_;
  const ReadOptions& options_;
  Builder builder_;
  std::vector<State> states_;
  uint64_t charged_ = 0;
};

}  // namespace bitexact::tflite
