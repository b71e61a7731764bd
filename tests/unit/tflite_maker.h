#pragma once
// Small TFLite files, made with FlatBuffers' own builder.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "image_test_data.h"
#include "import/tflite_file.h"

namespace bitexact::test {

namespace fb = tflite::fb;

struct MadeTensor {
  std::string name;
  std::vector<int32_t> shape;
  fb::TensorType type = fb::TensorType::FLOAT32;
  ByteVector data{};  ///< of a constant
  std::vector<float> scale{};
  std::vector<int64_t> zero{};
  int32_t axis = 0;
  std::vector<int32_t> signature{};
};

struct MadeNode {
  fb::BuiltinOperator code;
  std::vector<int32_t> inputs, outputs;
  fb::BuiltinOptions type = fb::BuiltinOptions::NONE;
  std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder&)> options{};
  std::string custom{};
};

struct MadeFile {
  std::vector<MadeTensor> tensors;
  std::vector<MadeNode> nodes;
  std::vector<int32_t> inputs{0}, outputs{};
  uint32_t version = 3;
};

template <class T>
ByteVector elements(std::initializer_list<T> values) {
  ByteVector bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

inline ByteVector make_tflite(const MadeFile& file) {
  flatbuffers::FlatBufferBuilder b;
  std::vector<flatbuffers::Offset<fb::Buffer>> buffers{fb::CreateBuffer(b)};
  std::vector<flatbuffers::Offset<fb::Tensor>> tensors;
  for (const MadeTensor& t : file.tensors) {
    uint32_t buffer = 0;
    if (!t.data.empty()) {
      buffer = static_cast<uint32_t>(buffers.size());
      buffers.push_back(
          fb::CreateBuffer(b, b.CreateVector(reinterpret_cast<const uint8_t*>(t.data.data()), t.data.size())));
    }
    flatbuffers::Offset<fb::Quantization> quant;
    if (!t.scale.empty()) quant = fb::CreateQuantizationDirect(b, &t.scale, &t.zero, 0, t.axis);
    const auto* signature = t.signature.empty() ? nullptr : &t.signature;
    tensors.push_back(fb::CreateTensorDirect(b, &t.shape, t.type, buffer, t.name.c_str(), quant, false, 0, signature));
  }
  std::vector<flatbuffers::Offset<fb::OperatorCode>> codes;
  std::vector<flatbuffers::Offset<fb::Operator>> nodes;
  for (const MadeNode& n : file.nodes) {
    const auto old = static_cast<int8_t>(std::min(127, static_cast<int>(n.code)));
    const auto custom = n.custom.empty() ? flatbuffers::Offset<flatbuffers::String>() : b.CreateString(n.custom);
    codes.push_back(fb::CreateOperatorCode(b, old, custom, 1, n.code));
    const auto options = n.options ? n.options(b) : flatbuffers::Offset<void>();
    nodes.push_back(fb::CreateOperatorDirect(b, static_cast<uint32_t>(codes.size() - 1), &n.inputs, &n.outputs,
                                             options.IsNull() ? fb::BuiltinOptions::NONE : n.type, options));
  }
  const auto graph = fb::CreateSubGraphDirect(b, &tensors, &file.inputs, &file.outputs, &nodes, "main");
  const std::vector<flatbuffers::Offset<fb::SubGraph>> graphs{graph};
  fb::FinishModelBuffer(b, fb::CreateModelDirect(b, file.version, &codes, &graphs, "made", &buffers));
  const auto* bytes = reinterpret_cast<const std::byte*>(b.GetBufferPointer());
  return {bytes, bytes + b.GetSize()};
}

}  // namespace bitexact::test
