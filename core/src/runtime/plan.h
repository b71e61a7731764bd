#pragma once
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/session.h"
#include "kernels/kernels.h"

namespace bitexact {

struct Plan {
  struct Slot {
    TensorType type;
    size_t bytes = 0;
    size_t offset = 0;                    ///< into the arena
    const std::byte* constant = nullptr;  ///< instead of a place in the arena
    int64_t first = 0, last = 0;          ///< when the place is in use, as Lifetime has it
  };
  struct Step {
    Op op{};
    const Kernel* kernel = nullptr;
    KernelSet set{};
    Args args{};
    AccumulatorBound accumulator;
    std::shared_ptr<const void> kept;    ///< parameters that `args` points to
    std::vector<const void*> constants;  ///< inputs as prepare saw them; `args.in` points here
    Buffer packed;
    std::vector<TensorId> inputs;
    size_t first_pointer = 0;  ///< of its inputs in a session's list
    TensorId output = 0;
  };
  std::vector<Slot> slots;
  std::vector<Step> steps;
  std::vector<TensorId> inputs, outputs;
  size_t arena = 0, pointers = 0;
};

/// When a tensor's memory is in use: from the step that writes it to the last that reads it (inputs from -1 on).
struct Lifetime {
  size_t bytes;
  int64_t first, last;
  size_t offset = 0;
};
/// Gives every lifetime an offset so that no two that meet overlap; returns the arena's size. Offsets are multiples
/// of 64. `too_large` when the sum leaves size_t.
[[nodiscard]] Result<size_t> place_lifetimes(std::vector<Lifetime>& lifetimes);

}  // namespace bitexact
