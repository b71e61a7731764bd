#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "import/onnx_graph.h"
#include "import/protobuf.h"

namespace bitexact::onnx {

/// A name from a file for a message: 'name', cut if it is long.
[[nodiscard]] std::string quoted(std::string_view name);

/// What the reading of one file takes along.
struct Context {
  /// Files of external data by location, and how many of their bytes may still be copied: tensors may share a region,
  /// but a short file must not multiply a long one.
  const std::map<std::string, std::span<const std::byte>>& external;
  uint64_t copies = 0;
  std::string missing{};  ///< tensor, name, offset and length of every piece of external data that is not there
  uint32_t parts = 0;     ///< nodes, attributes, tensors and declarations so far: each costs more memory than bytes

  std::set<std::string>* locations = nullptr;  ///< gathers the locations of external data; tensors then get no bytes

  /// `too_large` when a file has too many parts to hold; the largest public models have some 10^5.
  [[nodiscard]] Status count_part(uint64_t at);
  /// `argument` when external data are missing.
  [[nodiscard]] Status complete() const;
};
[[nodiscard]] Context make_context(const std::map<std::string, std::span<const std::byte>>& external);

/// TensorProto. External data that are missing are noted in the context, and the tensor is left without bytes.
[[nodiscard]] Status read_tensor(protobuf::Bytes message, Context& context, TensorData& out);
/// The type of that number: `malformed` for none, `unsupported` for those that `Type` lacks, and for texts.
[[nodiscard]] Result<Type> element_type(uint64_t number, const std::string& what, uint64_t at);

}  // namespace bitexact::onnx
