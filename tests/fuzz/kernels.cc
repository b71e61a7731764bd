// Every operator on every instruction set of this machine against the reference: the same refusal, or the same bytes.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bitexact/buffer.h"
#include "kernel_case.h"

namespace bitexact::fuzz {
namespace {

struct Ran {
  Status status;
  std::string kernel;
  TensorType type;
  std::vector<std::byte> data;
};

// An upper bound of what the reference multiplies.
bool affordable(const Case& c, size_t outputs) {
  constexpr size_t kMost = 1 << 21;
  size_t each = 1;
  if (const auto* pool = std::get_if<Pool2dAttrs>(&c.attrs)) {
    const int64_t h = pool->global ? 300 : pool->kernel[0], w = pool->global ? 300 : pool->kernel[1];
    if (h > 300 || w > 300) return outputs == 0;
    each = static_cast<size_t>(h * w);
  }
  const bool scaled = c.op >= Op::conv2d_w16 && c.op <= Op::fully_connected_w16;
  if (c.op <= Op::fully_connected || c.op == Op::q_conv2d || c.op == Op::q_fully_connected || scaled)
    each = *element_count(c.inputs[1].shape);
  if (c.op == Op::matmul) each = static_cast<size_t>(c.inputs[0].shape[c.inputs[0].shape.rank() - 1]);
  return outputs <= kMost / std::max<size_t>(each, 1);
}

Model model_of(const Case& c) {
  Model m;
  m.nodes = {{"", c.op, c.attrs, {}, static_cast<TensorId>(c.inputs.size())}};
  for (const CaseInput& in : c.inputs) {
    const auto id = static_cast<TensorId>(m.values.size());
    static const std::byte none{};
    const std::byte* data = in.bytes.empty() ? &none : in.bytes.data();
    m.values.push_back({"", in.dtype, in.shape, in.constant ? data : nullptr});
    m.nodes[0].inputs.push_back(id);
    if (!in.constant) m.inputs.push_back(id);
  }
  m.values.push_back({});
  m.outputs = {m.nodes[0].output};
  return m;
}

// `paint` fills the memory beforehand: what a kernel leaves unwritten then differs.
Ran run(const Case& c, const Model& m, KernelSet set, uint8_t paint) {
  const auto plan = prepare(m, {set, false});
  if (!plan.ok()) return {plan.status(), {}, {}, {}};
  const size_t bytes = arena_bytes(**plan);
  if (bytes > (1 << 23)) return {error(Code::too_large, "for this test"), {}, {}, {}};
  std::vector<std::byte> arena(bytes, std::byte{paint});
  auto session = Session::open(*plan, arena);
  if (!session.ok()) return {session.status(), {}, {}, {}};
  const Tensor out = session->output(0);
  if (!affordable(c, out.count())) return {error(Code::too_large, "for this test"), {}, {}, {}};
  size_t next = 0;
  for (const CaseInput& in : c.inputs)
    if (!in.constant) {
      const Tensor to = session->input(next++);
      if (!in.bytes.empty()) std::memcpy(to.data, in.bytes.data(), in.bytes.size());
    }
  session->run();
  return {{}, kernel_name(**plan, 0), {out.dtype, out.shape}, {out.data, out.data + out.bytes()}};
}

[[noreturn]] void report(const Case& c, const std::string& target, const Ran& fast, const Ran& reference) {
  std::fprintf(stderr, "%s on %s: %s differs from %s\n", op_name(c.op), target.c_str(), fast.kernel.c_str(),
               reference.kernel.c_str());
  for (const CaseInput& in : c.inputs)
    std::fprintf(stderr, "  input %s %s%s\n", dtype_name(in.dtype), in.shape.text().c_str(),
                 in.constant ? " constant" : "");
  for (const Ran* r : {&fast, &reference})
    std::fprintf(stderr, "  %s %s %s\n", r->status.text().c_str(), dtype_name(r->type.dtype),
                 r->type.shape.text().c_str());
  size_t at = 0;
  while (at < fast.data.size() && at < reference.data.size() && fast.data[at] == reference.data[at]) ++at;
  if (at < fast.data.size() && at < reference.data.size())
    std::fprintf(stderr, "  element %zu\n", at / size_of(fast.type.dtype));
  std::abort();
}

}  // namespace
}  // namespace bitexact::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bitexact;
  using namespace bitexact::fuzz;
  const Case c = CaseMaker(data, size).make();
  const Model m = model_of(c);
  const Ran reference = run(c, m, KernelSet::reference, 0x55);
  static const std::vector<std::string> targets = simd_targets();
  for (const std::string& target : targets) {
    if (!use_simd_target(target)) std::abort();
    const Ran fast = run(c, m, KernelSet::fastest, 0xaa);
    if (fast.status.text() != reference.status.text() || fast.type != reference.type || fast.data != reference.data)
      report(c, target, fast, reference);
  }
  return 0;
}
