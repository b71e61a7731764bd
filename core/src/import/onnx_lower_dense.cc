// Matrix products. Constant factors become dense layers with their own powers of two.
#include "import/onnx_lower.h"

namespace bitexact::onnx {
namespace {

std::vector<float> transposed(const std::vector<double>& in, int64_t rows, int64_t columns, double factor) {
  std::vector<float> out(in.size());
  const auto r = static_cast<size_t>(rows), c = static_cast<size_t>(columns);
  for (size_t i = 0; i < r; ++i)
    for (size_t j = 0; j < c; ++j) out[j * r + i] = static_cast<float>(in[i * c + j] * factor);
  return out;
}

// Of shape [N], [1, N] or one element: the same for every row.
std::vector<float> row_bias(const TensorData& c, int64_t n, double factor) {
  if (product(c.dims) != 1 && product(c.dims) != n) return {};
  std::vector<double> values = reals(c);
  if (values.size() == 1) values.assign(static_cast<size_t>(n), values[0]);
  if (static_cast<int64_t>(values.size()) != n || (c.dims.size() > 1 && product(c.dims, 0, c.dims.size() - 1) != 1) ||
      (!c.dims.empty() && c.dims.back() != n && c.dims.back() != 1))
    return {};
  std::vector<float> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(static_cast<float>(v * factor));
  return out;
}

// in [.., K] times weights [N, K], plus bias.
TensorId dense(Step& s, TensorId in, std::vector<int64_t> dims, int64_t n, std::span<const float> weights,
               std::span<const float> bias) {
  const int64_t k = dims.back();
  const TensorId rows = s.reshape(in, {product(dims, 0, dims.size() - 1), k});
  if (!s.ok()) return 0;
  const auto scaled = scale_weights(s.b, s.node.inputs[1], {n, k}, 0, weights, bias);
  if (!scaled.ok()) {
    s.fail(scaled.status().code, scaled.status().why);
    return 0;
  }
  std::vector<TensorId> inputs{rows, scaled->weights};
  if (scaled->bias) inputs.push_back(*scaled->bias);
  dims.back() = n;
  return s.reshape(s.emit(Op::fully_connected_w16, ScaledFullyConnectedAttrs{{}, scaled->shift}, inputs), dims);
}

// The bias of an Add that alone reads this output.
std::vector<float> bias_after(Step& s, int64_t n, size_t rank, const Node*& last) {
  const Node* next = s.l.sole_reader(s.node.outputs[0], "Add");
  if (next == nullptr || next->inputs.size() != 2) return {};
  Step add(s.l, *next);
  const size_t other = next->inputs[0] == s.node.outputs[0] ? 1 : 0;
  const auto found = s.l.values.find(next->inputs[other]);
  if (found == s.l.values.end() || found->second.constant == nullptr) return {};
  const Constant c = add.known(other);
  if (c == nullptr || !is_float(c->type) || c->dims.size() > rank) return {};
  std::vector<float> bias = row_bias(*c, n, 1);
  if (!bias.empty()) last = next;
  return bias;
}

Status lower_constant_matmul(Step& s, const Constant& b) {
  const std::vector<int64_t> dims = s.dims(0);
  const int64_t k = b->dims[0], n = b->dims[1];
  if (s.ok() && (dims.empty() || dims.back() != k))
    s.fail(Code::shape, "a matrix of " + std::to_string(k) + " rows after " +
                            std::to_string(dims.empty() ? 0 : dims.back()) + " columns");
  const TensorId in = s.tensor(0);
  if (!s.charge(static_cast<uint64_t>(product(b->dims)))) return s.status;
  const Node* last = nullptr;
  const std::vector<float> bias = bias_after(s, n, dims.size(), last);
  const TensorId out = dense(s, in, dims, n, transposed(reals(*b), k, n, 1), bias);
  return last != nullptr ? s.finish_as(*last, out) : s.finish(out);
}

TensorId scaled_by(Step& s, TensorId in, float factor) {
  if (factor == 1) return in;
  const TensorId f = s.q16({1}, {factor});
  return s.emit(Op::mul, BinaryAttrs{}, {in, f});
}

}  // namespace

Status finish_matmul(Step& s, TensorId a, TensorId b, Op op, Attrs attrs) {
  if (s.ok() && (s.shape(a).rank() == 0 || s.shape(b).rank() == 0)) s.fail(Code::shape, "a product of a single number");
  if (!s.ok()) return s.status;
  const bool row = s.shape(a).rank() == 1, column = s.shape(b).rank() == 1;
  if (row) a = s.reshape(a, {1, s.shape(a)[0]});
  if (column) b = s.reshape(b, {s.shape(b)[0], 1});
  const TensorId product = s.emit(op, std::move(attrs), {a, b});
  if (!s.ok() || (!row && !column)) return s.finish(product);
  std::vector<int64_t> dims = dims_of(s.shape(product));
  if (column) dims.pop_back();
  if (row) dims.erase(dims.end() - (column ? 1 : 2));
  return s.finish(s.reshape(product, dims));
}

Status lower_matmul(Step& s) {
  const Constant known = s.known(1);
  if (known != nullptr && known->dims.size() == 2 && is_float(known->type)) return lower_constant_matmul(s, known);
  const TensorId a = s.tensor(0), b = s.tensor(1);
  return finish_matmul(s, a, b, Op::matmul, {});
}

Status lower_gemm(Step& s) {
  const float alpha = s.f("alpha", 1), beta = s.f("beta", 1);
  const bool flip_a = s.i("transA", 0) != 0, flip_b = s.i("transB", 0) != 0;
  const std::vector<int64_t> b_dims = s.dims(1);
  TensorId a = s.tensor(0);
  if (s.ok() && (s.shape(a).rank() != 2 || b_dims.size() != 2)) s.fail(Code::shape, "Gemm of more than matrices");
  if (flip_a) a = s.transpose(a, {1, 0});
  if (!s.ok()) return s.status;
  const int64_t n = b_dims[flip_b ? 0 : 1], k = b_dims[flip_b ? 1 : 0];
  if (s.shape(a)[1] != k)
    return s.refuse(Code::shape, std::to_string(s.shape(a)[1]) + " columns before " + std::to_string(k) + " rows");
  const auto reals_in = [&](size_t i) {
    const Constant known = s.has(i) ? s.known(i) : nullptr;
    return known != nullptr && is_float(known->type) ? known : nullptr;
  };
  const Constant b = reals_in(1), c = reals_in(2);
  const std::vector<float> bias = c != nullptr && b != nullptr ? row_bias(*c, n, beta) : std::vector<float>{};
  TensorId out = 0;
  if (b != nullptr) {
    if (!s.charge(static_cast<uint64_t>(product(b_dims)))) return s.status;
    const std::vector<float> weights =
        flip_b ? transposed(reals(*b), 1, n * k, alpha) : transposed(reals(*b), k, n, alpha);
    out = dense(s, a, dims_of(s.shape(a)), n, weights, bias);
  } else {
    const TensorId right = flip_b ? s.tensor(1) : s.transpose(s.tensor(1), {1, 0});
    out = scaled_by(s, s.emit(Op::fully_connected, FullyConnectedAttrs{}, {a, right}), alpha);
  }
  if (s.has(2) && bias.empty()) {
    const TensorId added = scaled_by(s, s.tensor(2), beta);
    out = s.emit(Op::add, BinaryAttrs{}, {out, added});
  }
  return s.finish(out);
}

}  // namespace bitexact::onnx
