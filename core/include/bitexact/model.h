#pragma once
#include <span>
#include <string>
#include <vector>

#include "bitexact/ops.h"
#include "bitexact/tensor.h"

namespace bitexact {

using TensorId = uint32_t;

/// A graph in topological order: plain data, written by importers and builders, checked by `prepare`.
struct Model {
  struct Value {
    std::string name;
    DType dtype = DType::q16;
    Shape shape;                          ///< of inputs and constants; of everything else prepare infers it
    const std::byte* constant = nullptr;  ///< weights in machine order, which the model's owner keeps alive
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
};

}  // namespace bitexact
