#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bitexact/model.h"
#include "bitexact/status.h"

namespace bitexact {

struct ReadOptions {
  /// Of quantized convolutions and dense layers; ARITHMETIC 7. Stands in every receipt.
  Requant requant = Requant::tflm;
  /// Shapes of inputs by name, for those whose dimensions the file leaves open. An open dimension that nobody gives
  /// is 1.
  std::map<std::string, Shape> shapes;
  /// Values of inputs that are to be constants, by name: little-endian bytes in the file's own dtype (bool as bytes).
  /// Taken where an operator needs a constant (the shape of a Reshape, the pads of a Pad); others stay inputs.
  std::map<std::string, std::span<const std::byte>> constants;
  /// ONNX external data: location to bytes (`external_locations`). The core opens no files.
  std::map<std::string, std::span<const std::byte>> external;
};

/// One reason why a model cannot be run.
struct ModelProblem {
  size_t node = 0;  ///< index in the file
  std::string name, op;
  int64_t version = 0;
  Status status;
};

/// What a user should know of a node that runs as its file says: a default that exporters are known to confuse.
struct ModelNote {
  size_t node = 0;  ///< index in the file
  std::string name, op, text;
};

/// A model file, read and lowered to operators of `ops.h`.
struct ModelFile {
  std::string format;   ///< "onnx" or "tflite"
  int64_t version = 0;  ///< ONNX: opset of the default domain; TFLite: schema version
  Requant requant{};
  Model model;            ///< float tensors became q16 (ARITHMETIC 9); integers stayed
  size_t file_nodes = 0;  ///< operators in the file, before folding and fusing
  std::vector<ModelNote> notes{};
};

/// Recognises ONNX (opset 7 to 22) and TFLite by content. `malformed` names the byte offset or node; everything that
/// cannot be run is listed at once in `problems` (if given) and in the message: node, operator, version, what is
/// supported. Nothing in `bytes` is referred to afterwards.
[[nodiscard]] Result<ModelFile> read_model(std::span<const std::byte> bytes, const ReadOptions& options = {},
                                           std::vector<ModelProblem>* problems = nullptr);

/// The locations of external data that an ONNX file names: paths below the model's folder, such as "weights/a.bin". One
/// that leads out of it is `malformed`. Files that are not ONNX have none.
[[nodiscard]] Result<std::set<std::string>> external_locations(std::span<const std::byte> bytes);

/// A tensor of an ONNX file by itself, as in the .pb files beside ONNX's test models.
struct OnnxTensor {
  std::string name;
  std::string dtype;  ///< as numpy spells it: "float32", "uint8", "bool" ...
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes;  ///< little-endian, in rows; bool has one byte each
};
[[nodiscard]] Result<OnnxTensor> read_onnx_tensor(std::span<const std::byte> bytes);
/// Elements of a tensor of floats, exactly; of other dtypes none.
[[nodiscard]] std::vector<double> float_elements(const OnnxTensor& tensor);

}  // namespace bitexact
