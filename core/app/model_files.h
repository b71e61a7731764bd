#pragma once
#include <string>
#include <vector>

#include "bitexact/model_run.h"
#include "cli.h"

namespace bitexact::cli {

/// A model's file, read and prepared. Everything that cannot be run is listed in `problems`, if given.
[[nodiscard]] Result<PreparedModelPtr> load_model(const std::string& path, const ReadOptions& options,
                                                  KernelSet kernels, std::vector<ModelProblem>* problems = nullptr);

/// A file with one input (or one expected output) of a model. Its name says what it is: .npy, .pb (ONNX TensorProto),
/// .bin (elements as they are, little-endian), or a dtype (.f32, .u8: the same of that dtype); everything else is an
/// image.
struct InputFile {
  std::string path;
  Buffer file;
  std::vector<std::byte> bytes;  ///< elements of .pb
  std::optional<ModelInput::Elements> elements;

  [[nodiscard]] ModelInput input() const { return {file.span(), elements}; }
};
/// `dtype` is that of a .bin file's elements.
[[nodiscard]] Result<InputFile> read_input(const std::string& path, DType dtype);
/// One for each input of the model.
[[nodiscard]] Result<std::vector<InputFile>> read_inputs(const std::vector<std::string>& paths, const Model& model);
[[nodiscard]] std::vector<ModelInput> views(const std::vector<InputFile>& files);

/// How elements of a dtype lie in files: q16 as f32.
[[nodiscard]] DType outside(DType dtype);

}  // namespace bitexact::cli
