#include "import/tflite.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "bitexact/session.h"

// A file that was read gives a model that can be prepared, or says why not.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  bitexact::ReadOptions options;
  options.requant = size % 2 == 0 ? bitexact::Requant::tflm : bitexact::Requant::xnnpack;
  const auto model = bitexact::read_tflite(std::as_bytes(std::span(data, size)), options, nullptr);
  const auto plan = model.ok() ? bitexact::prepare(model->model) : bitexact::Result<bitexact::PlanPtr>(model.status());
  if (!plan.ok() && plan.status().why.empty()) __builtin_trap();
  return 0;
}
