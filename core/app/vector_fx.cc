// fx_* cases: through the C API, and where a faster kernel computes the same operator, through that as well.
#include <cstring>

#include "bitexact/fx.h"
#include "vector_case.h"

// Vector files hold violated preconditions on purpose; their status is what counts.
extern "C" void fx_contract_violated(const char*, const char*) {}

namespace bitexact::cli {
namespace {

Status status_of(fx_status_t s, const std::string& op) {
  if (s == FX_OK) return {};
  return error(s == FX_ERR_SHAPE ? Code::shape : Code::argument, op);
}

fx_matrix_t matrix(const Tensor& t) {
  fx_matrix_t m;
  fx_matrix_init(&m, t.as<fixed_t>(), static_cast<uint16_t>(t.shape[0]), static_cast<uint16_t>(t.shape[1]));
  return m;
}

int64_t param(const VectorCase& c, const char* key) {
  return c.params.contains(key) && c.params[key].is_number_integer() ? c.params[key].get<int64_t>() : 0;
}

int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : a / b; }

// The output's shape where the call can succeed; where it cannot, any shape will do.
Shape output_shape(const VectorCase& c, const Tensor& in) {
  const int64_t h = in.shape[0], w = in.shape[1];
  if (c.op == "fx_conv2d") return {h - c.input("kernel")->shape[0] + 1, w - c.input("kernel")->shape[1] + 1};
  if (c.op == "fx_maxpool_2x2" || c.op == "fx_avgpool_2x2") return {h / 2, w / 2};
  if (c.op == "fx_maxpool_generic") return {quotient(h, param(c, "pool_h")), quotient(w, param(c, "pool_w"))};
  if (c.op == "fx_maxpool_stride") {
    const int64_t p = param(c, "pool_size"), s = param(c, "stride");
    return {quotient(h - p, s) + 1, quotient(w - p, s) + 1};
  }
  if (c.op == "fx_pad_zeros") return {param(c, "rows"), param(c, "cols")};
  if (c.op == "fx_matrix_mul") return {h, c.input("b")->shape[1]};
  return {h, w};
}

Result<fx_status_t> call(const VectorCase& c, const fx_matrix_t& in, fx_matrix_t& out) {
  const auto u16 = [&](const char* key) { return static_cast<uint16_t>(param(c, key)); };
  if (c.op == "fx_maxpool_2x2") return fx_maxpool_2x2(&in, &out);
  if (c.op == "fx_avgpool_2x2") return fx_avgpool_2x2(&in, &out);
  if (c.op == "fx_maxpool_generic") return fx_maxpool_generic(&in, &out, u16("pool_h"), u16("pool_w"));
  if (c.op == "fx_maxpool_stride") return fx_maxpool_stride(&in, &out, u16("pool_size"), u16("stride"));
  if (c.op == "fx_pad_zeros") return fx_pad_zeros(&in, &out);
  if (c.op == "fx_relu") return fx_relu(&in, &out);
  if (c.op == "fx_leaky_relu") return fx_leaky_relu(&in, &out, static_cast<fixed_t>(param(c, "alpha")));
  const Tensor* second = c.input(c.op == "fx_conv2d" ? "kernel" : c.op == "fx_matrix_add_bias" ? "bias" : "b");
  if (second == nullptr) return error(Code::malformed, "the case lacks its second input");
  const fx_matrix_t b = matrix(*second);
  if (c.op == "fx_conv2d") return fx_conv2d(&in, &b, &out);
  if (c.op == "fx_matrix_mul") return fx_matrix_mul(&in, &b, &out);
  if (c.op == "fx_matrix_add") return fx_matrix_add(&in, &b, &out);
  if (c.op != "fx_matrix_add_bias") return error(Code::malformed, "unknown op " + c.op);
  std::memcpy(out.data, in.data, static_cast<size_t>(in.rows) * in.cols * sizeof(fixed_t));
  return fx_matrix_add_bias(&out, &b);
}

Pool2dAttrs pool(int64_t kernel_h, int64_t kernel_w, int64_t stride_h, int64_t stride_w) {
  Pool2dAttrs a;
  a.layout = Layout::nchw;
  a.kernel = {kernel_h, kernel_w};
  a.window.stride = {stride_h, stride_w};
  return a;
}

Tensor plane(const Tensor& t) { return {t.dtype, {1, 1, t.shape[0], t.shape[1]}, t.data}; }

// The same through the operator API; null attributes where it has no such operator.
Result<OwnedTensor> run_fast(const VectorCase& c, const Tensor& in) {
  const Tensor data = plane(in);
  const auto p = [&](const char* key) { return param(c, key); };
  const auto one = [&](Op op, const Attrs& attrs) { return run_node(op, attrs, {&data}, KernelSet::fastest); };
  if (c.op == "fx_maxpool_2x2") return one(Op::max_pool2d, pool(2, 2, 2, 2));
  if (c.op == "fx_avgpool_2x2") return one(Op::avg_pool2d, pool(2, 2, 2, 2));
  if (c.op == "fx_maxpool_generic")
    return one(Op::max_pool2d, pool(p("pool_h"), p("pool_w"), p("pool_h"), p("pool_w")));
  if (c.op == "fx_maxpool_stride")
    return one(Op::max_pool2d, pool(p("pool_size"), p("pool_size"), p("stride"), p("stride")));
  if (c.op == "fx_relu") return one(Op::relu, {});
  if (c.op == "fx_leaky_relu") return one(Op::leaky_relu, LeakyReluAttrs{static_cast<int32_t>(p("alpha"))});
  if (c.op != "fx_conv2d") return error(Code::unsupported, "no operator");
  const Tensor weights = plane(*c.input("kernel"));
  Conv2dAttrs attrs;
  attrs.layout = Layout::nchw;
  return run_node(Op::conv2d, attrs, {&data, &weights}, KernelSet::fastest);
}

}  // namespace

Result<OwnedTensor> run_fx_case(const VectorCase& c, KernelSet kernels) {
  const Tensor* in = c.input("in");
  if (in == nullptr || in->shape.rank() != 2 || in->dtype != DType::q16)
    return error(Code::malformed, "fx cases need a q16 matrix `in`");
  if (c.op == "fx_conv2d" && c.input("kernel") == nullptr) return error(Code::malformed, "no kernel");
  Shape shape = output_shape(c, *in);
  if (shape[0] < 1 || shape[1] < 1) shape = {1, 1};
  auto out = make_tensor(DType::q16, shape);
  if (!out.ok()) return out;
  constexpr unsigned char kUntouched = 0xa5;
  std::memset(out->view.data, kUntouched, out->view.bytes());
  const fx_matrix_t m = matrix(*in);
  fx_matrix_t result = matrix(out->view);
  const auto status = call(c, m, result);
  if (!status.ok()) return status.status();
  if (Status s = status_of(*status, c.op); !s.ok()) {
    for (size_t i = 0; c.op != "fx_matrix_add_bias" && i < out->view.bytes(); ++i)
      if (out->view.data[i] != std::byte{kUntouched})
        return error(Code::malformed, "the output was written although the call failed");
    return s;
  }
  if (kernels == KernelSet::reference) return out;
  auto fast = run_fast(c, *in);
  if (fast.ok() && std::memcmp(fast->view.data, out->view.data, out->view.bytes()) == 0) return out;
  if (!fast.ok()) return fast.status().code == Code::unsupported ? std::move(out) : Result<OwnedTensor>(fast.status());
  fast->view.shape = shape;
  return fast;
}

}  // namespace bitexact::cli
