#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/ops.h"
#include "bitexact/session.h"
#include "bitexact/status.h"
#include "bitexact/version.h"

namespace bitexact {

/// A tensor that owns its bytes.
struct OwnedTensor {
  Tensor view;
  Buffer bytes;
};
/// Zeroed. `too_large` when this machine cannot address it, `no_memory` when it does not get it.
[[nodiscard]] Result<OwnedTensor> make_tensor(const TensorType& type);

/// An input of an operator under its name in core/OPERATORS.md: "in", "weights", "bias", "b" ...
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
struct NamedType {
  std::string name;
  TensorType type;
};

struct OperatorOptions {
  KernelSet kernels = KernelSet::fastest;
  uint64_t max_bytes = uint64_t{1} << 30;  ///< of the output: `too_large` beyond
};

// One operator by its name, without a model: for tools, tests and other languages. `attributes` is a JSON object with
// the spellings of core/OPERATORS.md, and empty text is no attributes. Unknown operators are `unsupported`; unknown
// inputs and attributes, and those that are missing, are `argument`. "max_pool_ext2" is known here, too.

[[nodiscard]] Result<OwnedTensor> run_operator(std::string_view op, std::string_view attributes,
                                               std::span<const NamedTensor> inputs,
                                               const OperatorOptions& options = {});

/// Type of the output. Dimensions may be -1 (unknown), then so may be those of the output; nothing is computed.
[[nodiscard]] Result<TensorType> infer_operator(std::string_view op, std::string_view attributes,
                                                std::span<const NamedType> inputs);

/// Why `run_operator` would compute as it does.
[[nodiscard]] Result<Explanation> explain_operator(std::string_view op, std::string_view attributes,
                                                   std::span<const NamedTensor> inputs,
                                                   const OperatorOptions& options = {});

/// Names of the first `count` inputs; fewer when it has no more, none for an unknown operator.
[[nodiscard]] std::vector<std::string> operator_inputs(std::string_view op, size_t count);

/// The attributes of an operator from their JSON.
[[nodiscard]] Result<Attrs> read_attributes(Op op, std::string_view json);

}  // namespace bitexact
