// Operators on values that are known when the file is read: what exporters write to find shapes.
#include <algorithm>
#include <cmath>

#include "import/onnx_lower.h"

namespace bitexact::onnx {
namespace {

using Dims = std::vector<int64_t>;

// A shape that may be filled, of all inputs together.
std::optional<Dims> common_dims(Step& s, std::initializer_list<Constant> inputs) {
  std::optional<Dims> dims = Dims{};
  for (const Constant& c : inputs) {
    if (c == nullptr || !dims) return std::nullopt;
    dims = broadcast_dims(*dims, c->dims);
  }
  if (!dims) s.fail(Code::shape, "shapes that do not fit each other");
  if (s.ok() && !shape_of(*dims).ok()) s.fail(Code::too_large, "a constant of too many elements");
  return s.ok() && s.charge(static_cast<uint64_t>(product(*dims))) ? dims : std::nullopt;
}

template <class T>
bool holds(const std::string& op, T a, T b) {
  if (op == "Equal") return a == b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  return op == "And" ? a != 0 && b != 0 : a != 0 || b != 0;
}

template <class T>
Dims compared(Step& s, const TensorData& a, const TensorData& b, const Dims& dims, const std::vector<T>& x,
              const std::vector<T>& y) {
  Dims out;
  for (int64_t i = 0; i < product(dims); ++i)
    out.push_back(holds(s.node.op, x[broadcast_source(a.dims, dims, i)], y[broadcast_source(b.dims, dims, i)]));
  return out;
}

}  // namespace

Status lower_compare(Step& s) {
  const Constant a = s.need(0, "an input"), b = s.need(1, "an input");
  if (s.ok() && (a->type != b->type || (!is_float(a->type) && !is_integer(a->type))))
    s.fail(Code::malformed, "inputs of different types, or of none that is compared");
  const auto dims = s.ok() ? common_dims(s, {a, b}) : std::nullopt;
  if (!dims) return s.status;
  const Dims out = is_float(a->type) ? compared(s, *a, *b, *dims, reals(*a), reals(*b))
                                     : compared(s, *a, *b, *dims, integers(*a), integers(*b));
  return s.finish(make_constant(Type::boolean, *dims, out));
}

Status lower_not(Step& s) {
  const Constant in = s.need(0, "an input");
  if (s.ok() && in->type != Type::boolean) s.fail(Code::malformed, "an input that is not boolean");
  if (!s.ok() || !s.charge(in->bytes.size())) return s.status;
  Dims out = integers(*in);
  for (int64_t& v : out) v = v == 0;
  return s.finish(make_constant(Type::boolean, in->dims, out));
}

Status lower_where(Step& s) {
  const Constant condition = s.need(0, "the condition"), x = s.need(1, "an input"), y = s.need(2, "an input");
  if (s.ok() && (condition->type != Type::boolean || x->type != y->type || size_of(x->type) == 0))
    s.fail(Code::malformed, "a condition that is not boolean, or inputs of different types");
  const auto dims = s.ok() ? common_dims(s, {condition, x, y}) : std::nullopt;
  if (!dims) return s.status;
  const size_t size = size_of(x->type);
  auto out = std::make_shared<TensorData>(TensorData{"", x->type, *dims, {}});
  for (int64_t i = 0; i < product(*dims); ++i) {
    const bool first = condition->bytes[broadcast_source(condition->dims, *dims, i)] != std::byte{0};
    const TensorData& from = first ? *x : *y;
    const auto at = from.bytes.begin() + static_cast<ptrdiff_t>(size * broadcast_source(from.dims, *dims, i));
    out->bytes.insert(out->bytes.end(), at, at + static_cast<ptrdiff_t>(size));
  }
  return s.finish(Constant(std::move(out)));
}

// Floor, Ceil, Sqrt: IEEE 754 fixes all three.
Status lower_known_real(Step& s) {
  const Constant in = s.need(0, "the input");
  if (s.ok() && !is_float(in->type)) s.fail(Code::malformed, "an input that is not of reals");
  if (!s.ok() || !s.charge(static_cast<uint64_t>(product(in->dims)))) return s.status;
  std::vector<double> out = reals(*in);
  for (double& v : out) v = s.node.op == "Floor" ? std::floor(v) : s.node.op == "Ceil" ? std::ceil(v) : std::sqrt(v);
  return s.finish(make_constant(in->type, in->dims, out));
}

// Of all elements of integers, as exporters count a tensor's.
Status lower_reduce_prod(Step& s) {
  const Constant in = s.need(0, "the input");
  const Dims axes = s.version() < 18 ? s.ints("axes") : s.ints_or_input("axes", 1);
  if (s.ok() && (!is_integer(in->type) || in->dims.size() > 1 || axes.size() > 1))
    s.fail(Code::unsupported, "of more than one axis of integers");
  if (!s.ok() || !s.charge(in->bytes.size())) return s.status;
  uint64_t out = 1;
  for (const int64_t v : integers(*in)) out *= static_cast<uint64_t>(v);
  const bool keep = s.i("keepdims", 1) != 0 && !in->dims.empty();
  return s.finish(make_constant(in->type, keep ? Dims{1} : Dims{}, Dims{static_cast<int64_t>(out)}));
}

}  // namespace bitexact::onnx
