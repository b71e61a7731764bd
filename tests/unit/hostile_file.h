#pragma once
#include <gtest/gtest.h>

#include <ctime>

#include "allocations.h"
#include "bitexact/read_model.h"
#include "bitexact/session.h"

namespace bitexact::test {

/// Whether a status says what it is about: a byte, a node or a tensor, something by its name, or the file as a whole.
inline bool says_where(const Status& s) {
  if (s.where.place != Place::nowhere) return true;
  for (const char* what : {"'", " of the model, tensor ", "the model has no outputs", "the file has no subgraph",
                           "opset ", "TFLite schema version ", "TFLite files are below"})
    if (s.why.find(what) != std::string::npos) return true;
  return false;
}

/// What becomes of a file that may hold anything: read, lowered and prepared, or refused with a reason; within a second
/// of this processor and 256 MiB.
inline Status survive(std::span<const std::byte> file, const ReadOptions& options = {}) {
  const size_t before = allocated();
  forget_peak();
  const std::clock_t begin = std::clock();
  const auto model = read_model(file, options);
  const auto plan = model.ok() ? prepare(model->model) : Result<PlanPtr>(model.status());
  if (kAllocationsAreCounted) {
    EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC);
    EXPECT_LT(peak_allocated() - before, size_t{256} << 20);
  }
  EXPECT_TRUE(plan.ok() || !plan.status().why.empty());
  return plan.status();
}

}  // namespace bitexact::test
