// Cases of the 4-D operators, through the public model and session API.
#include <cstring>

#include "bitexact/session.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

// Attributes are read strictly: a parameter this runner does not know is a failure, not a skip.
class Params {
 public:
  explicit Params(const Json& json) : json_(json) {}

  std::array<int64_t, 2> pair(const char* key, std::array<int64_t, 2> fallback) {
    const Json* v = find(key);
    if (v == nullptr) return fallback;
    if (!v->is_array() || v->size() != 2) return bad(key), fallback;
    return {(*v)[0].get<int64_t>(), (*v)[1].get<int64_t>()};
  }
  int64_t integer(const char* key, int64_t fallback) {
    const Json* v = find(key);
    if (v == nullptr) return fallback;
    if (!v->is_number_integer()) return bad(key), fallback;
    return v->get<int64_t>();
  }
  bool flag(const char* key) {
    const Json* v = find(key);
    return v != nullptr && *v == true;
  }
  Layout layout() {
    const Json* v = find("layout");
    if (v != nullptr && *v != "NHWC" && *v != "NCHW") bad("layout");
    return v != nullptr && *v == "NCHW" ? Layout::nchw : Layout::nhwc;
  }
  Padding pad() {
    const Json* v = find("pad");
    if (v == nullptr) return {};
    for (const Pad kind : {Pad::valid, Pad::same_upper, Pad::same_lower, Pad::full})
      if (*v == pad_name(kind)) return {kind, 0, 0, 0, 0};
    if (!v->is_array() || v->size() != 4) return bad("pad"), Padding{};
    const auto side = [&](size_t i) { return (*v)[i].get<int64_t>(); };
    return {Pad::explicit_, side(0), side(1), side(2), side(3)};
  }
  const Json* find(const char* key) {
    ++used_;
    if (!json_.contains(key)) return --used_, nullptr;
    return &json_[key];
  }
  Status finish() {
    if (status_.ok() && used_ != json_.size()) return error(Code::malformed, "unknown parameter in " + json_.dump());
    return status_;
  }

 private:
  void bad(const char* key) {
    if (status_.ok()) status_ = error(Code::argument, std::string(key) + ": " + json_[key].dump());
  }

  const Json& json_;
  size_t used_ = 0;
  Status status_;
};

WindowAttrs window(Params& p) {
  WindowAttrs w;
  w.stride = p.pair("stride", {1, 1});
  w.dilation = p.pair("dilation", {1, 1});
  w.pad = p.pad();
  w.ceil_mode = p.flag("ceil_mode");
  return w;
}

template <class Attributes>
void activation(Params& p, Attributes& a) {
  a.act_min = static_cast<int32_t>(p.integer("act_min", a.act_min));
  a.act_max = static_cast<int32_t>(p.integer("act_max", a.act_max));
}

Conv2dAttrs conv_attrs(Params& p) {
  Conv2dAttrs a;
  a.layout = p.layout();
  a.window = window(p);
  a.groups = p.integer("groups", 1);
  activation(p, a);
  return a;
}

Pool2dAttrs pool_attrs(Params& p) {
  Pool2dAttrs a;
  a.layout = p.layout();
  a.kernel = p.pair("kernel", {1, 1});
  a.window = window(p);
  a.count_include_pad = p.flag("count_include_pad");
  const Json* nan = p.find("nan");
  a.propagate_nan = nan != nullptr && *nan == "propagate";
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
