#include <cstddef>
#include <cstdint>

#include "bitexact/read_model.h"
#include "bitexact/session.h"
#include "import/onnx_lower.h"

namespace {

// A graph that was read gives a model that can be prepared, or says why not.
void lower_and_prepare(const bitexact::onnx::Graph& graph) {
  const auto model = bitexact::onnx::lower(graph, {}, nullptr);
  const auto plan = model.ok() ? bitexact::prepare(model->model) : bitexact::Result<bitexact::PlanPtr>(model.status());
  if (!plan.ok() && plan.status().why.empty()) __builtin_trap();
}

}  // namespace

// The bytes as a model, which may also name itself as its external data, and as a tensor.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  const auto graph = bitexact::onnx::read_graph(file, {{"w", file}});
  if (!graph.ok() && graph.status().why.empty()) __builtin_trap();
  if (graph.ok()) lower_and_prepare(*graph);
  const auto locations = bitexact::external_locations(file);
  if (graph.ok() && !locations.ok()) __builtin_trap();
  const auto tensor = bitexact::onnx::read_tensor(file);
  if (tensor.ok() && tensor->bytes.size() > 8 * size) __builtin_trap();
  return 0;
}
