// What is known when the file is read: shapes, constants, and arithmetic with them. Integers wrap as int64; floats
// are computed in binary64 and rounded once to their type.
#include <algorithm>
#include <cmath>
#include <limits>

#include "import/onnx_lower.h"

namespace bitexact::onnx {
namespace {

using Dims = std::vector<int64_t>;

int64_t wrapped(uint64_t v) { return static_cast<int64_t>(v); }

std::optional<int64_t> apply(const std::string& op, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  if (op == "Add") return wrapped(x + y);
  if (op == "Sub") return wrapped(x - y);
  if (op == "Mul") return wrapped(x * y);
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  if (b == 0) return std::nullopt;
  return b == -1 ? wrapped(0 - x) : a / b;
}

std::optional<double> apply(const std::string& op, double a, double b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  return a / b;
}

template <class T>
Status fold_two(Step& s, const TensorData& a, const TensorData& b, const std::vector<T>& x, const std::vector<T>& y) {
  const auto dims = broadcast_dims(a.dims, b.dims);
  if (!dims) return s.refuse(Code::shape, "shapes that do not fit each other");
  const auto shape = shape_of(*dims);
  if (!shape.ok()) return s.refuse(Code::too_large, "a constant of too many elements");
  if (!s.charge(static_cast<uint64_t>(product(*dims)))) return s.status;
  std::vector<T> out;
  out.reserve(static_cast<size_t>(product(*dims)));
  for (int64_t i = 0; i < product(*dims); ++i) {
    const auto v = apply(s.node.op, x[broadcast_source(a.dims, *dims, i)], y[broadcast_source(b.dims, *dims, i)]);
    if (!v) return s.refuse(Code::argument, "a division by 0");
    out.push_back(*v);
  }
  return s.finish(make_constant(a.type, *dims, out));
}

Status fold_cast(Step& s, const TensorData& in) {
  if (!s.charge(static_cast<uint64_t>(product(in.dims)))) return s.status;
  const auto to = static_cast<Type>(s.i("to", 0));
  if (size_of(to) == 0) return s.refuse(Code::unsupported, std::string("to ") + type_name(to));
  if (is_float(to) && is_float(in.type)) return s.finish(make_constant(to, in.dims, reals(in)));
  if (is_float(to)) {
    const std::vector<int64_t> from = integers(in);
    return s.finish(make_constant(to, in.dims, std::vector<double>(from.begin(), from.end())));
  }
  if (is_integer(in.type)) {
    std::vector<int64_t> values = integers(in);
    if (to == Type::boolean)
      for (int64_t& v : values) v = v != 0;
    return s.finish(make_constant(to, in.dims, values));
  }
  std::vector<int64_t> out;
  for (const double v : reals(in)) {
    if (!(std::fabs(v) < 0x1p63)) return s.refuse(Code::argument, "a value outside the integers");
    out.push_back(to == Type::boolean ? v != 0 : static_cast<int64_t>(v));
  }
  return s.finish(make_constant(to, in.dims, out));
}

Status fold_one(Step& s, const TensorData& in) {
  if (!s.charge(static_cast<uint64_t>(product(in.dims)))) return s.status;
  std::vector<double> v = reals(in);
  const std::string& op = s.node.op;
  for (double& x : v) x = op == "Neg" ? -x : std::fabs(x);
  if (is_float(in.type)) return s.finish(make_constant(in.type, in.dims, v));
  std::vector<int64_t> n = integers(in);
  for (int64_t& x : n)
    if (op == "Neg" || x < 0) x = wrapped(0 - static_cast<uint64_t>(x));
  return s.finish(make_constant(in.type, in.dims, n));
}

}  // namespace

std::optional<Status> fold_arithmetic(Step& s) {
  const std::string& op = s.node.op;
  const bool one = op == "Cast" || op == "Neg" || op == "Abs";
  const bool two = op == "Add" || op == "Sub" || op == "Mul" || op == "Div" || op == "Max" || op == "Min";
  if ((!one && !two) || s.node.inputs.size() != (one ? 1U : 2U)) return std::nullopt;
  const Constant a = s.known(0), b = one ? a : s.known(1);
  if (a == nullptr || b == nullptr) return std::nullopt;
  if (one) return op == "Cast" ? fold_cast(s, *a) : fold_one(s, *a);
  if (a->type != b->type) return s.refuse(Code::malformed, "inputs of different types");
  if (!s.charge(static_cast<uint64_t>(product(a->dims))) || !s.charge(static_cast<uint64_t>(product(b->dims))))
    return s.status;
  return is_float(a->type) ? fold_two(s, *a, *b, reals(*a), reals(*b))
                           : fold_two(s, *a, *b, integers(*a), integers(*b));
}

Status lower_shape(Step& s) {
  const Dims dims = s.dims(0);
  if (!s.ok()) return s.status;
  if (s.node.op == "Size") return s.finish(make_constant(Type::i64, {}, Dims{product(dims)}));
  const auto rank = static_cast<int64_t>(dims.size());
  const auto within = [&](int64_t k) { return std::clamp<int64_t>(k < 0 ? k + rank : k, 0, rank); };
  const int64_t start = within(s.i("start", 0)), end = std::max(start, within(s.i("end", rank)));
  const auto part = std::span(dims).subspan(static_cast<size_t>(start), static_cast<size_t>(end - start));
  return s.finish(make_constant(Type::i64, {end - start}, Dims(part.begin(), part.end())));
}

Status lower_constant(Step& s) {
  if (s.node.attributes.size() != 1) return s.refuse(Code::malformed, "a constant has one attribute");
  const Attribute& a = s.node.attributes[0];
  const auto reals_of = [](const std::vector<float>& v) { return std::vector<double>(v.begin(), v.end()); };
  if (a.name == "value" && a.t) return s.finish(std::make_shared<const TensorData>(*a.t));
  if (a.name == "value_int") return s.finish(make_constant(Type::i64, {}, Dims{a.i}));
  if (a.name == "value_float") return s.finish(make_constant(Type::f32, {}, reals_of({a.f})));
  if (a.name == "value_ints") return s.finish(make_constant(Type::i64, {static_cast<int64_t>(a.ints.size())}, a.ints));
  if (a.name == "value_floats")
    return s.finish(make_constant(Type::f32, {static_cast<int64_t>(a.floats.size())}, reals_of(a.floats)));
  return s.refuse(Code::unsupported, a.name);
}

Status lower_constant_of_shape(Step& s) {
  const Dims dims = s.need_ints(0, "shape");
  if (!s.ok()) return s.status;
  const auto shape = shape_of(dims);
  if (!shape.ok()) return shape.status();
  if (!s.charge(static_cast<uint64_t>(product(dims)))) return s.status;
  const auto count = static_cast<size_t>(product(dims));
  const Attribute* value = s.attribute("value");
  if (value == nullptr) return s.finish(make_constant(Type::f32, dims, std::vector<double>(count)));
  if (!value->t || size_of(value->t->type) != value->t->bytes.size())
    return s.refuse(Code::malformed, "value is not of one element");
  auto out = std::make_shared<TensorData>(*value->t);
  out->dims = dims;
  out->bytes.clear();
  out->bytes.reserve(count * value->t->bytes.size());
  for (size_t i = 0; i < count; ++i)
    out->bytes.insert(out->bytes.end(), value->t->bytes.begin(), value->t->bytes.end());
  return s.finish(Constant(std::move(out)));
}

Status lower_range(Step& s) {
  const Constant start = s.need(0, "start"), limit = s.need(1, "limit"), delta = s.need(2, "delta");
  if (!s.ok()) return s.status;
  if (start->type != limit->type || start->type != delta->type || product(start->dims) != 1 ||
      product(limit->dims) != 1 || product(delta->dims) != 1)
    return s.refuse(Code::malformed, "start, limit and delta are not single numbers of one type");
  const bool whole = is_integer(start->type);
  const auto of = [&](const Constant& c) { return whole ? static_cast<double>(integers(*c)[0]) : reals(*c)[0]; };
  const double count = std::max(0.0, std::ceil((of(limit) - of(start)) / of(delta)));
  if (!(count < 0x1p40)) return s.refuse(Code::too_large, "a range of too many elements");
  if (!s.charge(static_cast<uint64_t>(count))) return s.status;
  const auto n = static_cast<int64_t>(count);
  std::vector<double> out;
  Dims whole_out;
  for (int64_t i = 0; i < n; ++i) {
    if (whole)
      whole_out.push_back(wrapped(static_cast<uint64_t>(integers(*start)[0]) +
                                  static_cast<uint64_t>(i) * static_cast<uint64_t>(integers(*delta)[0])));
    else
      out.push_back(of(start) + static_cast<double>(i) * of(delta));
  }
  return s.finish(whole ? make_constant(start->type, {n}, whole_out) : make_constant(start->type, {n}, out));
}

}  // namespace bitexact::onnx
