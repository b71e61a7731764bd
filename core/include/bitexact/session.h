#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bitexact/model.h"
#include "bitexact/status.h"
#include "bitexact/version.h"

namespace bitexact {

struct PlanOptions {
  KernelSet kernels = KernelSet::fastest;
  /// Gives every tensor memory of its own, so that each can be read after the run.
  bool keep_all = false;
};

/// What prepare proved of the sums an operator forms, from the weights where they are constant and from every input
/// there could be. Kernels whose accumulator is narrower are not chosen.
struct AccumulatorBound {
  int bits = 0;         ///< the fewest bits of a signed integer that holds every partial sum; 0: nothing is summed
  std::string formula;  ///< the bound with its numbers, for people
};

/// A model made ready: shapes inferred, kernels chosen, weights packed, accumulators bounded, every tensor given its
/// place.
struct Plan;
using PlanPtr = std::shared_ptr<const Plan>;

/// Everything that can go wrong goes wrong here. The model must outlive the plan.
[[nodiscard]] Result<PlanPtr> prepare(const Model& model, const PlanOptions& options = {});

/// Exactly what `Session::open` needs; 0 for an empty model.
[[nodiscard]] size_t arena_bytes(const Plan& plan) noexcept;
/// How many times `Session::step` does something.
[[nodiscard]] size_t step_count(const Plan& plan) noexcept;
/// Name of the kernel chosen for a step.
[[nodiscard]] const char* kernel_name(const Plan& plan, size_t step) noexcept;

/// A tensor in the arena: written by step `first` (an input: -1) and read until step `last` (an output: step_count).
struct PlannedTensor {
  TensorId id = 0;
  TensorType type;
  size_t offset = 0, bytes = 0;
  int64_t first = 0, last = 0;
};
/// Every input and every step's output, in this order. Where two overlap, their times do not.
[[nodiscard]] std::vector<PlannedTensor> arena_map(const Plan& plan);

/// Why a step runs as it does: the bound, and every kernel in the order in which it was considered.
struct Explanation {
  struct Candidate {
    std::string name;
    int accumulator_bits = 0;
    std::string verdict;  ///< "chosen", or why not
  };
  AccumulatorBound bound;
  int headroom_bits = 0;  ///< of the chosen kernel's accumulator
  std::vector<Candidate> kernels;
};
[[nodiscard]] Explanation explain(const Plan& plan, size_t step);

/// A plan and an arena. Running neither allocates nor fails. Not for use from two threads at once.
class Session {
 public:
  /// `arena` is at least `arena_bytes` long, aligned to 8, and outlives the session.
  [[nodiscard]] static Result<Session> open(PlanPtr plan, std::span<std::byte> arena);

  [[nodiscard]] Tensor input(size_t i) const noexcept;
  [[nodiscard]] Tensor output(size_t i) const noexcept;
  /// Any tensor of the model; its contents last only as long as the plan lets them (`keep_all`).
  [[nodiscard]] Tensor value(TensorId id) const noexcept;
  void run() noexcept;
  /// Runs one node: for progress and cancellation between layers.
  void step(size_t node) noexcept;

 private:
  PlanPtr plan_;
  std::byte* arena_ = nullptr;
  std::vector<const void*> pointers_;  ///< of all steps' inputs, one after the other
};

}  // namespace bitexact
