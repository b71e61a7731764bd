#pragma once
#include <string>
#include <vector>

#include "bitexact/model_run.h"
#include "json_args.h"

namespace bitexact::cli {

/// One element of a model's first output.
struct Score {
  uint64_t index = 0;
  int64_t value = 0;
  double real = 0;  ///< of a quantized tensor by its scale and zero; else the value
  std::string label;
};

/// The largest elements of the first output, the largest first and of equal ones the first; nothing when it is not a
/// list (more than one dimension above 1).
[[nodiscard]] std::vector<Score> top_scores(const ModelRun& finished, size_t count,
                                            const std::vector<std::string>& labels);

/// Elements of a tensor as integers.
[[nodiscard]] int64_t element_at(const Tensor& tensor, size_t i);
/// What such an integer means.
[[nodiscard]] double real_value(DType dtype, const Quantization& quant, int64_t value);

[[nodiscard]] Json shape_json(const Shape& shape);
[[nodiscard]] Json scores_json(const std::vector<Score>& scores);
[[nodiscard]] std::string scores_text(const std::vector<Score>& scores, const char* between);

/// Names of layers with elements at the ends of their range, and how many.
[[nodiscard]] Json saturated_json(const ModelRun& finished);

}  // namespace bitexact::cli
