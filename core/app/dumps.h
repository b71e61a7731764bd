#pragma once
#include <optional>
#include <string>

#include "bitexact/operator.h"
#include "bitexact/receipt.h"
#include "bitexact/tensor.h"

namespace bitexact::cli {

/// DIR/NN-name.bin, little-endian: what each stage's digest is of. Characters that could not stand in a file's name
/// become '_'.
[[nodiscard]] std::string dump_path(const std::string& dir, size_t index, const std::string& stage);
[[nodiscard]] Result<Buffer> dump_all(const Tensor& tensor);
[[nodiscard]] Status make_folder(const std::string& dir);
/// Writes a dump into its folder.
[[nodiscard]] Status write_dump(const std::string& dir, size_t index, const std::string& stage, const Tensor& tensor);

/// A dump of that type; `argument` unless it has this digest.
[[nodiscard]] Result<OwnedTensor> read_dump(const std::string& path, const TensorType& type, const std::string& sha256);

/// The first element in which `got` differs from the dump, which must have the digest that was expected.
[[nodiscard]] Result<std::optional<Verdict::Element>> first_difference(const std::string& path,
                                                                       const std::string& expected, const Tensor& got);

}  // namespace bitexact::cli
