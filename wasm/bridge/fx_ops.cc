#include "fx_ops.h"

#include <cstring>

#include "bitexact/fx.h"
#include "marshal.h"

namespace bitexact::bridge {
namespace {

struct Size {
  int64_t rows = 0, cols = 0;
};
using Parameters = std::vector<int32_t>;

/// A matrix with its memory.
struct Owned {
  Buffer memory;
  fx_matrix_t matrix{};
};

/// One function of fx.h: how many matrices go in, how large the result must be (any size when the arguments are wrong,
/// since the function itself then refuses), and the call.
struct FxOp {
  const char* name;
  size_t inputs;
  Size (*size)(const fx_matrix_t* in, const Parameters& p);
  fx_status_t (*run)(const fx_matrix_t* in, fx_matrix_t* out, const Parameters& p);
};

uint16_t u16(int32_t x) { return static_cast<uint16_t>(x); }
int64_t divide(int64_t n, int64_t by) { return by > 0 ? n / by : 0; }
Size same(const fx_matrix_t* in, const Parameters&) { return {in->rows, in->cols}; }
Size half(const fx_matrix_t* in, const Parameters&) { return {in->rows / 2, in->cols / 2}; }

fx_status_t add_bias(const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) {
  if (in[0].rows != 0 && in[0].cols != 0) {
    std::memcpy(out->data, in[0].data, size_t{4} * in[0].rows * in[0].cols);
  }
  return fx_matrix_add_bias(out, &in[1]);
}

constexpr FxOp kOps[] = {
    {"fx_conv2d", 2,
     [](const fx_matrix_t* in, const Parameters&) {
       return Size{in[0].rows - in[1].rows + 1, in[0].cols - in[1].cols + 1};
     },
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_conv2d(&in[0], &in[1], out); }},
    {"fx_maxpool_2x2", 1, half,
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_maxpool_2x2(in, out); }},
    {"fx_avgpool_2x2", 1, half,
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_avgpool_2x2(in, out); }},
    {"fx_maxpool_generic", 1,
     [](const fx_matrix_t* in, const Parameters& p) {
       return Size{divide(in->rows, p[0]), divide(in->cols, p[1])};
     },
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters& p) {
       return fx_maxpool_generic(in, out, u16(p[0]), u16(p[1]));
     }},
    {"fx_maxpool_stride", 1,
     [](const fx_matrix_t* in, const Parameters& p) {
       return Size{divide(in->rows - p[0], p[1]) + 1, divide(in->cols - p[0], p[1]) + 1};
     },
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters& p) {
       return fx_maxpool_stride(in, out, u16(p[0]), u16(p[1]));
     }},
    {"fx_pad_zeros", 1,
     [](const fx_matrix_t*, const Parameters& p) {
       return Size{p[0], p[1]};
     },
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_pad_zeros(in, out); }},
    {"fx_relu", 1, same, [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_relu(in, out); }},
    {"fx_leaky_relu", 1, same,
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters& p) { return fx_leaky_relu(in, out, p[0]); }},
    {"fx_matrix_add_bias", 2, same, add_bias},
    {"fx_matrix_mul", 2,
     [](const fx_matrix_t* in, const Parameters&) {
       return Size{in[0].rows, in[1].cols};
     },
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_matrix_mul(&in[0], &in[1], out); }},
    {"fx_matrix_add", 2, same,
     [](const fx_matrix_t* in, fx_matrix_t* out, const Parameters&) { return fx_matrix_add(&in[0], &in[1], out); }},
};

const FxOp* find(const std::string& name) {
  for (const FxOp& op : kOps) {
    if (name == op.name) return &op;
  }
  return nullptr;
}

Result<Owned> make(Size size) {
  const uint16_t rows = u16(static_cast<int32_t>(size.rows > 0 ? size.rows : 0));
  const uint16_t cols = u16(static_cast<int32_t>(size.cols > 0 ? size.cols : 0));
  const std::optional<size_t> bytes = byte_size(DType::q16, Shape{rows, cols});
  if (!bytes) return error(Code::too_large, "the result would have " + Shape{rows, cols}.text() + " elements");
  Result<Buffer> memory = Buffer::make(*bytes);
  if (!memory.ok()) return memory.status();
  Owned m{std::move(*memory), {}};
  fx_matrix_init(&m.matrix, m.memory.as<fixed_t>(), rows, cols);
  return m;
}

Result<Owned> matrix_from(const val& matrix) {
  Result<Buffer> memory = copy_in(matrix["data"]);
  if (!memory.ok()) return memory.status();
  Owned m{std::move(*memory), {}};
  fx_matrix_init(&m.matrix, m.memory.as<fixed_t>(), u16(matrix["rows"].as<int32_t>()),
                 u16(matrix["cols"].as<int32_t>()));
  return m;
}

val to_js(const Owned& m) {
  val o = val::object();
  o.set("rows", static_cast<int32_t>(m.matrix.rows));
  o.set("cols", static_cast<int32_t>(m.matrix.cols));
  o.set("data", copy_out(m.memory.span()));
  return o;
}

std::string sizes(const FxOp& op, const fx_matrix_t* in, const Parameters& p) {
  std::string text = op.name;
  for (size_t i = 0; i < op.inputs; ++i) {
    text += (i ? ", " : ": ") + std::to_string(in[i].rows) + "x" + std::to_string(in[i].cols);
  }
  for (int32_t x : p) text += ", " + std::to_string(x);
  return text;
}

Status status_of(fx_status_t status, const FxOp& op, const fx_matrix_t* in, const Parameters& p) {
  if (status == FX_OK) return {};
  if (status == FX_ERR_SHAPE) return error(Code::shape, sizes(op, in, p) + ": zero sizes, or sizes that do not fit");
  return error(Code::argument, sizes(op, in, p) + ": a parameter is out of its range");
}

Result<Owned> run(const FxOp& op, const val& inputs, const Parameters& p) {
  Owned owned[2];
  fx_matrix_t in[2]{};
  for (size_t i = 0; i < op.inputs; ++i) {
    Result<Owned> m = matrix_from(inputs[i]);
    if (!m.ok()) return m.status();
    owned[i] = std::move(*m);
    in[i] = owned[i].matrix;
  }
  Result<Owned> out = make(op.size(in, p));
  if (!out.ok()) return out;
  BITEXACT_TRY(status_of(op.run(in, &out->matrix, p), op, in, p));
  return out;
}

}  // namespace

val fx_op(const std::string& name, const val& inputs, const val& parameters) {
  const FxOp* op = find(name);
  if (!op) return failure(error(Code::unsupported, "there is no function " + name));
  const Result<Owned> result = run(*op, inputs, int32s(parameters));
  return result.ok() ? success(to_js(*result)) : failure(result.status());
}

}  // namespace bitexact::bridge
