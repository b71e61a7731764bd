// Cases of the 4-D operators, through the public model and session API.
#include <cstring>

#include "bitexact/session.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

Layout layout(Params& p) { return p.word("layout", {"NHWC", "NCHW"}) == 1 ? Layout::nchw : Layout::nhwc; }

Padding pad(Params& p) {
  const Json* v = p.find("pad");
  if (v == nullptr) return {};
  for (const Pad kind : {Pad::valid, Pad::same_upper, Pad::same_lower, Pad::full})
    if (*v == pad_name(kind)) return {kind, 0, 0, 0, 0};
  const std::vector<int64_t> n = p.integers("pad", kI64Min, kI64Max);
  if (n.size() != 4) return p.fail(Code::malformed, "pad"), Padding{};
  return {Pad::explicit_, n[0], n[1], n[2], n[3]};
}

WindowAttrs window(Params& p) {
  WindowAttrs w;
  w.stride = p.pair("stride", {1, 1});
  w.dilation = p.pair("dilation", {1, 1});
  w.pad = pad(p);
  w.ceil_mode = p.flag("ceil_mode");
  return w;
}

template <class Attributes>
void activation(Params& p, Attributes& a) {
  a.act.min = static_cast<int32_t>(p.integer("act_min", a.act.min, kI32Min, kI32Max));
  a.act.max = static_cast<int32_t>(p.integer("act_max", a.act.max, kI32Min, kI32Max));
}

Conv2dAttrs conv_attrs(Params& p) {
  Conv2dAttrs a;
  a.layout = layout(p);
  a.window = window(p);
  a.groups = p.integer("groups", 1, kI64Min, kI64Max);
  activation(p, a);
  return a;
}

Pool2dAttrs pool_attrs(Params& p) {
  Pool2dAttrs a;
  a.layout = layout(p);
  a.kernel = p.pair("kernel", {1, 1});
  a.window = window(p);
  a.count_include_pad = p.flag("count_include_pad");
  a.propagate_nan = p.word("nan", {"ignore", "propagate"}) == 1;
  activation(p, a);
  return a;
}

}  // namespace

Result<OwnedTensor> run_node(Op op, const Attrs& attrs, const std::vector<const Tensor*>& inputs, KernelSet kernels) {
  Model m;
  std::vector<TensorId> ids;
  for (const Tensor* t : inputs) {
    ids.push_back(static_cast<TensorId>(m.values.size()));
    m.values.push_back({"", t->dtype, t->shape, ids.size() == 1 ? nullptr : t->data});
  }
  const auto result = static_cast<TensorId>(m.values.size());
  m.values.push_back({"", DType::q16, {}, nullptr});
  m.nodes.push_back({"", op, attrs, ids, result});
  m.inputs = {0};
  m.outputs = {result};
  const auto plan = prepare(m, {kernels, false});
  if (!plan.ok()) return plan.status();
  constexpr size_t kLargestArena = size_t{1} << 30;
  if (arena_bytes(**plan) > kLargestArena)
    return error(Code::too_large, std::to_string(arena_bytes(**plan)) + " bytes; at most 1 GiB is computed with");
  auto arena = Buffer::make(arena_bytes(**plan));
  if (!arena.ok()) return arena.status();
  auto session = Session::open(*plan, arena->span());
  if (!session.ok()) return session.status();
  std::memcpy(session->input(0).data, inputs[0]->data, inputs[0]->bytes());
  session->run();
  const Tensor out = session->output(0);
  auto owned = make_tensor(out.dtype, out.shape);
  if (owned.ok()) std::memcpy(owned->view.data, out.data, out.bytes());
  return owned;
}

Result<OwnedTensor> run_node_case(const VectorCase& c, KernelSet kernels) {
  Params params(c.params);
  const bool conv = c.op == "conv2d";
  const Attrs attrs = conv ? Attrs(conv_attrs(params)) : Attrs(pool_attrs(params));
  BITEXACT_TRY(params.finish());
  std::vector<const Tensor*> inputs{c.input("in")};
  if (conv) inputs.push_back(c.input("weights"));
  if (inputs[0] == nullptr || inputs.back() == nullptr) return error(Code::malformed, "an input is missing");
  if (conv && c.input("bias") != nullptr) inputs.push_back(c.input("bias"));
  const Op op = conv ? Op::conv2d : c.op == "max_pool2d" ? Op::max_pool2d : Op::avg_pool2d;
  return run_node(op, attrs, inputs, kernels);
}

}  // namespace bitexact::cli
