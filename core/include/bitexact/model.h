#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/ops.h"
#include "bitexact/tensor.h"

namespace bitexact {

using TensorId = uint32_t;

/// What the integers of a quantized tensor mean: real = scale * (q - zero). A scale of 0: nothing is said.
struct Quantization {
  float scale = 0;
  int32_t zero = 0;
};

/// A graph in topological order: plain data, written by importers and builders, checked by `prepare`.
struct Model {
  struct Value {
    std::string name;  ///< of the model's own tensor; empty for those that an importer made
    DType dtype = DType::q16;
    Shape shape;                          ///< of inputs and constants; of everything else prepare infers it
    const std::byte* constant = nullptr;  ///< weights in machine order, kept alive by `buffers` or the model's owner
    Quantization quant{};
  };
  struct Node {
    std::string name;
    Op op = Op::relu;
    Attrs attrs;
    std::vector<TensorId> inputs;
    TensorId output = 0;
  };

  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<TensorId> inputs, outputs;
  std::vector<std::shared_ptr<const Buffer>> buffers;
};

}  // namespace bitexact
