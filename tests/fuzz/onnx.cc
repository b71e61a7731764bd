#include <cstddef>
#include <cstdint>

#include "bitexact/read_model.h"
#include "import/onnx_graph.h"

// The bytes as a model, which may also name itself as its external data, and as a tensor.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  const auto graph = bitexact::onnx::read_graph(file, {{"w", file}});
  if (!graph.ok() && graph.status().why.empty()) __builtin_trap();
  const auto locations = bitexact::external_locations(file);
  if (graph.ok() && !locations.ok()) __builtin_trap();
  const auto tensor = bitexact::onnx::read_tensor(file);
  if (tensor.ok() && tensor->bytes.size() > 8 * size) __builtin_trap();
  return 0;
}
