#include "import/onnx_constant.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bitexact::onnx {
namespace {

uint64_t load(const std::byte* p, size_t size) {
  uint64_t bits = 0;
  for (size_t k = 0; k < size; ++k) bits |= std::to_integer<uint64_t>(p[k]) << (8 * k);
  return bits;
}

void store(std::byte* p, size_t size, uint64_t bits) {
  for (size_t k = 0; k < size; ++k) p[k] = static_cast<std::byte>(bits >> (8 * k) & 255);
}

bool is_signed(Type t) { return t == Type::i8 || t == Type::i16 || t == Type::i32 || t == Type::i64; }

double half(uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

double real(Type t, uint64_t bits) {
  switch (t) {
    case Type::f32:
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
    case Type::f64:
      return __builtin_bit_cast(double, bits);
    case Type::f16:
      return half(bits);
    default:
      return static_cast<double>(__builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16));
  }
}

std::shared_ptr<TensorData> blank(Type t, std::vector<int64_t> dims, size_t count) {
  auto out = std::make_shared<TensorData>();
  out->type = t;
  out->dims = std::move(dims);
  out->bytes.resize(count * size_of(t));
  return out;
}

}  // namespace

const char* type_name(Type t) noexcept {
  switch (t) {
    case Type::f32:
      return "float32";
    case Type::u8:
      return "uint8";
    case Type::i8:
      return "int8";
    case Type::u16:
      return "uint16";
    case Type::i16:
      return "int16";
    case Type::i32:
      return "int32";
    case Type::i64:
      return "int64";
    case Type::string:
      return "string";
    case Type::boolean:
      return "bool";
    case Type::f16:
      return "float16";
    case Type::f64:
      return "float64";
    case Type::u32:
      return "uint32";
    case Type::u64:
      return "uint64";
    case Type::bf16:
      return "bfloat16";
    default:
      return "undefined";
  }
}

size_t size_of(Type t) noexcept {
  switch (t) {
    case Type::u8:
    case Type::i8:
    case Type::boolean:
      return 1;
    case Type::u16:
    case Type::i16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::f32:
    case Type::i32:
    case Type::u32:
      return 4;
    case Type::i64:
    case Type::u64:
    case Type::f64:
      return 8;
    default:
      return 0;
  }
}

bool is_float(Type t) noexcept { return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16; }
bool is_integer(Type t) noexcept { return size_of(t) != 0 && !is_float(t); }

std::optional<DType> dtype_of(Type t) noexcept {
  switch (t) {
    case Type::f32:
    case Type::f64:
    case Type::f16:
    case Type::bf16:
      return DType::q16;
    case Type::u8:
      return DType::u8;
    case Type::i8:
      return DType::i8;
    case Type::u16:
      return DType::u16;
    case Type::i16:
      return DType::i16;
    case Type::i32:
      return DType::i32;
    case Type::i64:
      return DType::i64;
    default:
      return std::nullopt;
  }
}

Result<Shape> shape_of(const std::vector<int64_t>& dims) {
  if (dims.size() > Shape::kMaxRank)
    return error(Code::unsupported, std::to_string(dims.size()) + " dimensions; at most 6 are supported");
  Shape shape;
  for (const int64_t d : dims) shape.push_back(d);
  if (!element_count(shape)) return error(Code::shape, shape.text() + " is no shape of this machine");
  return shape;
}

std::vector<int64_t> dims_of(const Shape& shape) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < shape.rank(); ++i) dims.push_back(shape[i]);
  return dims;
}

std::vector<int64_t> integers(const TensorData& t) {
  std::vector<int64_t> out;
  if (!is_integer(t.type)) return out;
  const size_t size = size_of(t.type), unused = 64 - 8 * size;
  for (size_t at = 0; at < t.bytes.size(); at += size) {
    const uint64_t high = load(t.bytes.data() + at, size) << unused;
    out.push_back(is_signed(t.type) ? static_cast<int64_t>(high) >> unused : static_cast<int64_t>(high >> unused));
  }
  return out;
}

std::vector<double> reals(const TensorData& t) {
  std::vector<double> out;
  if (!is_float(t.type)) return out;
  const size_t size = size_of(t.type);
  for (size_t at = 0; at < t.bytes.size(); at += size) out.push_back(real(t.type, load(t.bytes.data() + at, size)));
  return out;
}

std::vector<float> floats(const TensorData& t) {
  std::vector<float> out;
  for (const double v : reals(t)) out.push_back(static_cast<float>(v));
  return out;
}

Constant make_constant(Type t, std::vector<int64_t> dims, const std::vector<int64_t>& elements) {
  auto out = blank(t, std::move(dims), elements.size());
  const size_t size = size_of(t);
  for (size_t i = 0; i < elements.size(); ++i)
    store(out->bytes.data() + i * size, size, static_cast<uint64_t>(elements[i]));
  return out;
}

namespace {

// To so many bits, ties to even, with steps of at least 2^least.
double rounded(double v, int bits, int least, double most) {
  int exponent = 0;
  std::frexp(v, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - bits, least)), r = std::nearbyint(v / step) * step;
  return std::fabs(r) > most ? std::copysign(INFINITY, v) : r;
}

double rounded_to(Type t, double v) {
  if (!std::isfinite(v)) return v;
  if (t == Type::f16) return rounded(v, 11, -24, 65504);
  return t == Type::bf16 ? rounded(v, 8, -133, 0x1.fep127) : v;
}

}  // namespace

Constant make_constant(Type t, std::vector<int64_t> dims, const std::vector<double>& elements) {
  auto out = blank(t == Type::f64 ? t : Type::f32, std::move(dims), elements.size());
  const size_t size = size_of(out->type);
  for (size_t i = 0; i < elements.size(); ++i) {
    const double v = rounded_to(t, elements[i]);
    store(out->bytes.data() + i * size, size,
          size == 8 ? __builtin_bit_cast(uint64_t, v) : __builtin_bit_cast(uint32_t, static_cast<float>(v)));
  }
  return out;
}

void swap_on_big_endian(std::span<std::byte> bytes, size_t size) noexcept {
  if constexpr (std::endian::native == std::endian::big)
    for (size_t at = 0; size > 1 && at < bytes.size(); at += size)
      std::reverse(bytes.data() + at, bytes.data() + at + size);
}

}  // namespace bitexact::onnx
