#pragma once
#include <string>
#include <vector>

#include "bitexact/model_run.h"
#include "cli.h"

namespace bitexact::cli {

/// How a model is read and its inputs are made: options of the commands that run one.
struct ModelArgs {
  std::string model, requant = "tflm";
  std::vector<std::string> shapes;
  std::string preset, values, channels, layout, resize, background, mean, std;
  bool invert = false;
  double megapixels = 64;
  Engine engine;

  /// MODEL, --requant and --shape.
  void add_model(CLI::App& app);
  /// What makes inputs of images.
  void add_image(CLI::App& app);

  [[nodiscard]] Result<ReadOptions> read_options() const;
  /// `input` is the dtype of the model's first input: real numbers take [0, 1], integers bytes, unless options say
  /// otherwise.
  [[nodiscard]] Result<ModelTask> task(DType input) const;
};

[[nodiscard]] Result<PreparedModelPtr> load_model(const ModelArgs& args);

}  // namespace bitexact::cli
