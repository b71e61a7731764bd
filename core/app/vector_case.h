#pragma once
#include <map>
#include <string>

#include "bitexact/operator.h"
#include "cli.h"

namespace bitexact::cli {

/// As many elements as this runner computes with: 64 Mi.
[[nodiscard]] Result<OwnedTensor> make_vector_tensor(DType dtype, const Shape& shape);

/// One case of a bitexact-vectors/1 file, its inputs painted.
struct VectorCase {
  std::string name, op;
  std::map<std::string, OwnedTensor> inputs;
  Json params;

  /// Null when absent.
  [[nodiscard]] const Tensor* input(const std::string& key) const;
};
[[nodiscard]] Result<VectorCase> read_case(const Json& json);

/// Computes a case. The status carries the class of error the vectors speak of: argument, shape, unsupported.
/// `unknown_op` is set, and nothing computed, for an operator this runner does not have.
[[nodiscard]] Result<OwnedTensor> run_case(const VectorCase& c, KernelSet kernels, bool& unknown_op);

[[nodiscard]] Result<OwnedTensor> run_fx_case(const VectorCase& c, KernelSet kernels);
[[nodiscard]] Result<OwnedTensor> run_operator_case(const VectorCase& c, KernelSet kernels);
/// infer_shape, infer_pool_shape, max_pool_ext2_shape: a tensor without elements that has the inferred shape.
[[nodiscard]] Result<OwnedTensor> run_shape_case(const VectorCase& c);
[[nodiscard]] Result<OwnedTensor> run_image_case(const VectorCase& c);

/// What the case says is right; empty when `got` is that, else what differs first.
[[nodiscard]] std::string compare_case(const Json& json, const Result<OwnedTensor>& got);

}  // namespace bitexact::cli
