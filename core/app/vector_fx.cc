// fx_* cases: through the C API, and where a faster kernel computes the same operator, through that as well.
#include <cstring>
#include <limits>

#include "bitexact/fx.h"
#include "vector_case.h"

// Vector files hold violated preconditions on purpose; their status is what counts.
extern "C" void fx_contract_violated(const char*, const char*) {}

namespace bitexact::cli {
namespace {

constexpr int64_t kU16Max = std::numeric_limits<uint16_t>::max();

fx_matrix_t matrix(const Tensor& t) {
  fx_matrix_t m;
  fx_matrix_init(&m, t.as<fixed_t>(), static_cast<uint16_t>(t.shape[0]), static_cast<uint16_t>(t.shape[1]));
  return m;
}

bool is_matrix(const Tensor* t) {
  return t != nullptr && t->dtype == DType::q16 && t->shape.rank() == 2 && t->shape[0] <= kU16Max &&
         t->shape[1] <= kU16Max;
}

// The name of a call's second matrix; null when it has none.
const char* second_input(const std::string& op) {
  if (op == "fx_conv2d") return "kernel";
  if (op == "fx_matrix_add_bias") return "bias";
  return op == "fx_matrix_add" || op == "fx_matrix_mul" ? "b" : nullptr;
}

// A checked case: matrices that are some, numbers that fit the C types they go into.
struct Call {
  const std::string& op;
  const Tensor* in = nullptr;
  const Tensor* second = nullptr;
  uint16_t pool_h = 0, pool_w = 0, pool_size = 0, stride = 0, rows = 0, cols = 0;
  fixed_t alpha = 0;
};

Result<Call> read_call(const VectorCase& c) {
  Call call{c.op};
  call.in = c.input("in");
  if (!is_matrix(call.in)) return error(Code::malformed, "fx cases need a q16 matrix `in`");
  if (const char* key = second_input(c.op)) {
    call.second = c.input(key);
    if (!is_matrix(call.second)) return error(Code::malformed, c.op + " needs a q16 matrix `" + key + "`");
  }
  Params p(c.params);
  const auto read = [&](const char* op, const char* key, uint16_t& out) {
    if (c.op == op) out = static_cast<uint16_t>(p.integer(key, std::nullopt, 0, kU16Max));
  };
  read("fx_maxpool_generic", "pool_h", call.pool_h);
  read("fx_maxpool_generic", "pool_w", call.pool_w);
  read("fx_maxpool_stride", "pool_size", call.pool_size);
  read("fx_maxpool_stride", "stride", call.stride);
  read("fx_pad_zeros", "rows", call.rows);
  read("fx_pad_zeros", "cols", call.cols);
  if (c.op == "fx_leaky_relu") call.alpha = static_cast<fixed_t>(p.integer("alpha", std::nullopt, kI32Min, kI32Max));
  BITEXACT_TRY(p.finish());
  return call;
}

int64_t quotient(int64_t a, int64_t b) { return b == 0 ? 0 : a / b; }

// The output's shape where the call can succeed; where it cannot, any shape will do.
Shape output_shape(const Call& c) {
  const int64_t h = c.in->shape[0], w = c.in->shape[1];
  if (c.op == "fx_conv2d") return {h - c.second->shape[0] + 1, w - c.second->shape[1] + 1};
  if (c.op == "fx_maxpool_2x2" || c.op == "fx_avgpool_2x2") return {h / 2, w / 2};
  if (c.op == "fx_maxpool_generic") return {quotient(h, c.pool_h), quotient(w, c.pool_w)};
  if (c.op == "fx_maxpool_stride")
    return {quotient(h - c.pool_size, c.stride) + 1, quotient(w - c.pool_size, c.stride) + 1};
  if (c.op == "fx_pad_zeros") return {c.rows, c.cols};
  if (c.op == "fx_matrix_mul") return {h, c.second->shape[1]};
  return {h, w};
}

Result<fx_status_t> call_fx(const Call& c, const fx_matrix_t& in, fx_matrix_t& out) {
  if (c.op == "fx_maxpool_2x2") return fx_maxpool_2x2(&in, &out);
  if (c.op == "fx_avgpool_2x2") return fx_avgpool_2x2(&in, &out);
  if (c.op == "fx_maxpool_generic") return fx_maxpool_generic(&in, &out, c.pool_h, c.pool_w);
  if (c.op == "fx_maxpool_stride") return fx_maxpool_stride(&in, &out, c.pool_size, c.stride);
  if (c.op == "fx_pad_zeros") return fx_pad_zeros(&in, &out);
  if (c.op == "fx_relu") return fx_relu(&in, &out);
  if (c.op == "fx_leaky_relu") return fx_leaky_relu(&in, &out, c.alpha);
  if (c.second == nullptr) return error(Code::malformed, "unknown op " + c.op);
  const fx_matrix_t b = matrix(*c.second);
  if (c.op == "fx_conv2d") return fx_conv2d(&in, &b, &out);
  if (c.op == "fx_matrix_mul") return fx_matrix_mul(&in, &b, &out);
  if (c.op == "fx_matrix_add") return fx_matrix_add(&in, &b, &out);
  std::memcpy(out.data, in.data, static_cast<size_t>(in.rows) * in.cols * sizeof(fixed_t));
  return fx_matrix_add_bias(&out, &b);
}

constexpr unsigned char kUntouched = 0xa5;

// A call that failed has written nothing; the bias is added in place, to a copy that is there already.
Status failed(const Call& c, fx_status_t status, const Tensor& out) {
  for (size_t i = 0; c.op != "fx_matrix_add_bias" && i < out.bytes(); ++i)
    if (out.data[i] != std::byte{kUntouched})
      return error(Code::malformed, "the output was written although the call failed");
  return error(status == FX_ERR_SHAPE ? Code::shape : Code::argument, c.op);
}

Json pool(int64_t kernel_h, int64_t kernel_w, int64_t stride_h, int64_t stride_w) {
  return {{"layout", "NCHW"}, {"kernel", {kernel_h, kernel_w}}, {"stride", {stride_h, stride_w}}};
}

Tensor plane(const Tensor& t) { return {t.dtype, {1, 1, t.shape[0], t.shape[1]}, t.data}; }

// The same through the operator API; `unsupported` where it has no such operator.
Result<OwnedTensor> run_fast(const Call& c) {
  const NamedTensor data{"in", plane(*c.in)};
  const auto one = [&](const char* op, const Json& attrs) { return run_operator(op, json_text(attrs), {&data, 1}); };
  if (c.op == "fx_maxpool_2x2") return one("max_pool2d", pool(2, 2, 2, 2));
  if (c.op == "fx_avgpool_2x2") return one("avg_pool2d", pool(2, 2, 2, 2));
  if (c.op == "fx_maxpool_generic") return one("max_pool2d", pool(c.pool_h, c.pool_w, c.pool_h, c.pool_w));
  if (c.op == "fx_maxpool_stride") return one("max_pool2d", pool(c.pool_size, c.pool_size, c.stride, c.stride));
  if (c.op == "fx_relu") return one("relu", Json::object());
  if (c.op == "fx_leaky_relu") return one("leaky_relu", {{"alpha", c.alpha}});
  if (c.op != "fx_conv2d") return error(Code::unsupported, "no operator");
  const NamedTensor both[] = {data, {"weights", plane(*c.second)}};
  return run_operator("conv2d", R"({"layout": "NCHW"})", both);
}

Result<OwnedTensor> run_reference(const Call& c) {
  Shape shape = output_shape(c);
  if (shape[0] < 1 || shape[1] < 1) shape = {1, 1};
  auto out = make_vector_tensor(DType::q16, shape);
  if (!out.ok()) return out;
  std::memset(out->view.data, kUntouched, out->view.bytes());
  fx_matrix_t result = matrix(out->view);
  const auto status = call_fx(c, matrix(*c.in), result);
  if (!status.ok()) return status.status();
  if (*status != FX_OK) return failed(c, *status, out->view);
  return out;
}

}  // namespace

Result<OwnedTensor> run_fx_case(const VectorCase& c, KernelSet kernels) {
  const auto call = read_call(c);
  if (!call.ok()) return call.status();
  auto exact = run_reference(*call);
  if (!exact.ok() || kernels == KernelSet::reference) return exact;
  auto fast = run_fast(*call);
  if (!fast.ok()) return fast.status().code == Code::unsupported ? std::move(exact) : std::move(fast);
  if (fast->view.bytes() == exact->view.bytes()) fast->view.shape = exact->view.shape;
  return fast;
}

}  // namespace bitexact::cli
