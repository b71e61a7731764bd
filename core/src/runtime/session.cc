#include "bitexact/session.h"

#include <string>

#include "runtime/plan.h"

namespace bitexact {

Result<Session> Session::open(PlanPtr plan, std::span<std::byte> arena) {
  if (arena.size() < plan->arena)
    return error(Code::argument,
                 "arena of " + std::to_string(arena.size()) + " bytes; the plan needs " + std::to_string(plan->arena));
  if (reinterpret_cast<uintptr_t>(arena.data()) % 8 != 0)
    return error(Code::argument, "arena is not aligned to 8 bytes");
  Session s;
  s.plan_ = std::move(plan);
  s.arena_ = arena.data();
  for (const Plan::Step& step : s.plan_->steps)
    for (const TensorId id : step.inputs) s.pointers_.push_back(s.value(id).data);
  return s;
}

Tensor Session::value(TensorId id) const noexcept {
  const Plan::Slot& slot = plan_->slots[id];
  // A constant is only ever read; Tensor has no const form.
  std::byte* data = slot.constant != nullptr ? const_cast<std::byte*>(slot.constant) : arena_ + slot.offset;
  return {slot.type.dtype, slot.type.shape, data};
}

Tensor Session::input(size_t i) const noexcept { return value(plan_->inputs[i]); }
Tensor Session::output(size_t i) const noexcept { return value(plan_->outputs[i]); }

void Session::step(size_t node) noexcept {
  const Plan::Step& s = plan_->steps[node];
  if (plan_->slots[s.output].bytes == 0) return;  // an empty tensor's other dimensions may be of any size
  Args args = s.args;
  args.in = pointers_.data() + s.first_pointer;
  args.out = value(s.output).data;
  s.kernel->run(args);
}

void Session::run() noexcept {
  for (size_t i = 0; i < plan_->steps.size(); ++i) step(i);
}

}  // namespace bitexact
