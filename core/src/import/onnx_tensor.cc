#include <algorithm>
#include <charconv>

#include "import/onnx_read.h"

namespace bitexact::onnx {
namespace {

using protobuf::Bytes;
using protobuf::Field;
using protobuf::Reader;
using protobuf::Wire;

/// How a type's elements are kept: as little-endian bytes, and as scalars of one of TensorProto's fields.
struct Storage {
  Type type;
  const char* name;
  uint32_t bits;  ///< bool has one, in a byte of its own
  bool is_signed;
  uint32_t field;
  Wire wire;

  [[nodiscard]] uint32_t size() const { return (bits + 7) / 8; }
};

constexpr Storage kStorages[] = {
    {Type::f32, "float", 32, false, 4, Wire::fixed32},    {Type::u8, "uint8", 8, false, 5, Wire::varint},
    {Type::i8, "int8", 8, true, 5, Wire::varint},         {Type::u16, "uint16", 16, false, 5, Wire::varint},
    {Type::i16, "int16", 16, true, 5, Wire::varint},      {Type::i32, "int32", 32, true, 5, Wire::varint},
    {Type::i64, "int64", 64, true, 7, Wire::varint},      {Type::boolean, "bool", 1, false, 5, Wire::varint},
    {Type::f16, "float16", 16, false, 5, Wire::varint},   {Type::f64, "double", 64, false, 10, Wire::fixed64},
    {Type::u32, "uint32", 32, false, 11, Wire::varint},   {Type::u64, "uint64", 64, false, 11, Wire::varint},
    {Type::bf16, "bfloat16", 16, false, 5, Wire::varint},
};
constexpr bool is_data_field(uint32_t n) { return (n >= 4 && n <= 7) || n == 10 || n == 11; }

const Storage* storage_of(uint64_t type) {
  const auto* found = std::find_if(std::begin(kStorages), std::end(kStorages),
                                   [&](const Storage& s) { return static_cast<uint64_t>(s.type) == type; });
  return found == std::end(kStorages) ? nullptr : found;
}

struct External {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

/// TensorProto as it stands in the file.
struct RawTensor {
  uint64_t type = 0, at = 0;
  std::optional<Bytes> raw;
  bool typed = false, has_external = false;
  External external;
};

/// "a/b" for "./a//b": the same file by one name.
std::string normalised(std::string_view location) {
  std::string out;
  while (!location.empty()) {
    const size_t end = std::min(location.find('/'), location.size());
    const std::string_view part = location.substr(0, end);
    if (!part.empty() && part != ".") out += (out.empty() ? "" : "/") + std::string(part);
    location.remove_prefix(std::min(end + 1, location.size()));
  }
  return out;
}

/// Whether a path stays below the folder it is relative to, on every system.
bool stays_below(std::string location) {
  std::replace(location.begin(), location.end(), '\\', '/');
  if (location.starts_with('/') || location.find('\0') != location.npos) return false;
  if (location.size() > 1 && location[1] == ':') return false;
  return ("/" + location + "/").find("/../") == std::string::npos;
}

std::optional<uint64_t> decimal(std::string_view text) {
  uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Status read_external_entry(Bytes message, External& out) {
  Reader r(message, "external_data");
  std::string key, value;
  for (Field f; r.next(f);) {
    if (f.number == 1) key = r.text(f);
    if (f.number == 2) value = r.text(f);
  }
  BITEXACT_TRY(r.status());
  const auto refused = [&](const std::string& why) {
    return error(Code::malformed, "external_data: " + key + " " + quoted(value) + why, at_byte(message.at));
  };
  if (key == "location") {
    if (!out.location.empty()) return refused(" is the second one");
    if (!stays_below(value)) return refused(" leads out of the model's folder, which is refused for security");
    out.location = normalised(value);
    if (out.location.empty()) return refused(" names no file");
  } else if (key == "offset" || key == "length") {
    const auto number = decimal(value);
    if (!number) return refused(" is not a decimal number below 2^64");
    if (key == "offset") out.offset = *number;
    if (key == "length") out.length = *number;
  }
  return {};
}

Status read_fields(Bytes message, RawTensor& raw, TensorData& out) {
  Reader r(message, "TensorProto");
  for (Field f; r.next(f);) {
    if (f.number == 1) r.integers(f, out.dims);
    if (f.number == 2) raw.type = r.integer(f);
    if (f.number == 3) r.fail(f.at, "segments of tensors are not supported", Code::unsupported);
    if (f.number == 8) out.name = r.text(f);
    if (f.number == 9) raw.raw = r.message(f);
    if (f.number == 13) {
      const Bytes entry = r.message(f);
      BITEXACT_TRY(r.status());
      BITEXACT_TRY(read_external_entry(entry, raw.external));
    }
    if (f.number == 14) raw.has_external = r.integer(f) == 1;
    if (is_data_field(f.number)) raw.typed |= f.wire != Wire::bytes || !f.bytes.data.empty();
  }
  return r.status();
}

std::string shape_text(const std::vector<int64_t>& dims) {
  std::string s = "[";
  for (size_t i = 0; i < dims.size() && i < 16; ++i) s += (i ? "," : "") + std::to_string(dims[i]);
  return s + (dims.size() > 16 ? ",...]" : "]");
}

/// One tensor on its way from the file to `out`.
struct Filling {
  Bytes message;
  const Storage& storage;
  TensorData& out;
  uint64_t count = 0, size = 0;  ///< elements and bytes by shape and type

  [[nodiscard]] Status refused(const std::string& why, Code code = Code::malformed) const {
    return error(code, "tensor " + quoted(out.name) + " of " + storage.name + shape_text(out.dims) + ": " + why,
                 at_byte(message.at));
  }

  Status measure() {
    count = 1;
    bool fits = true;
    for (const int64_t d : out.dims) {
      if (d < 0) return refused("a dimension is negative");
      fits &= !__builtin_mul_overflow(count, static_cast<uint64_t>(d), &count);
    }
    if (std::find(out.dims.begin(), out.dims.end(), 0) != out.dims.end()) count = 0, fits = true;
    if (!fits || __builtin_mul_overflow(count, storage.size(), &size)) return refused("2^64 bytes or more");
    return {};
  }

  Status copy(std::span<const std::byte> data) {
    if (data.size() != size)
      return refused("has " + std::to_string(data.size()) + " bytes, expected " + std::to_string(size));
    if (storage.bits == 1)
      for (const std::byte b : data)
        if (b > std::byte{1}) return refused("a bool is neither 0 nor 1");
    out.bytes.assign(data.begin(), data.end());
    return {};
  }

  [[nodiscard]] bool in_range(uint64_t v) const {
    if (storage.bits == 64) return true;
    if (storage.field != 5) return v >> storage.bits == 0;
    const int64_t s = static_cast<int32_t>(v);  // int32_data: writers differ in the upper half of negative numbers
    const int64_t half = int64_t{1} << (storage.bits - 1);
    return storage.is_signed ? s >= -half && s < half : s >= 0 && s < 2 * half;
  }

  /// float_data and double_data are already what is wanted, in pieces.
  Status join() {
    Reader r(message, "TensorProto");
    for (Field f; r.next(f);) {
      if (f.number != storage.field) continue;
      if (f.wire == storage.wire) {
        for (uint32_t i = 0; i < storage.size(); ++i)
          out.bytes.push_back(static_cast<std::byte>(f.value >> (8 * i) & 255));
        continue;
      }
      const auto packed = r.message(f).data;
      if (packed.size() % storage.size() != 0) r.fail(f.at, "packed numbers are cut off");
      out.bytes.insert(out.bytes.end(), packed.begin(), packed.end());
    }
    BITEXACT_TRY(r.status());
    if (out.bytes.size() == size) return {};
    return refused("has " + std::to_string(out.bytes.size()) + " bytes, expected " + std::to_string(size));
  }

  Status decode() {
    // An element takes a byte of the file at least; nothing is allocated for those that cannot be there.
    if (count > message.data.size())
      return refused("has " + std::to_string(message.data.size()) + " bytes or less, expected " +
                     std::to_string(count) + " elements");
    out.bytes.resize(static_cast<size_t>(size));
    Reader r(message, "TensorProto");
    uint64_t n = 0;
    std::optional<uint64_t> wrong;
    const auto store = [&](uint64_t v) {
      if (!wrong && !in_range(v)) wrong = n;
      if (n++ < count)
        for (size_t i = 0, at = static_cast<size_t>(n - 1) * storage.size(); i < storage.size(); ++i)
          out.bytes[at + i] = static_cast<std::byte>(v >> (8 * i) & 255);
    };
    for (Field f; r.next(f);)
      if (f.number == storage.field) r.each(f, storage.wire, store);
    BITEXACT_TRY(r.status());
    if (n != count) return refused("has " + std::to_string(n) + " elements, expected " + std::to_string(count));
    if (wrong) return refused("element " + std::to_string(*wrong) + " is out of range");
    return {};
  }

  Status fetch(const External& external, Context& context) {
    if (external.location.empty()) return refused("its external data have no location");
    const uint64_t length = external.length.value_or(size), begin = external.offset;
    const std::string piece =
        quoted(external.location) + " offset " + std::to_string(begin) + " length " + std::to_string(length);
    if (length != size) return refused("external data " + piece + ", expected length " + std::to_string(size));
    const auto file = std::find_if(context.external.begin(), context.external.end(),
                                   [&](const auto& e) { return normalised(e.first) == external.location; });
    if (file == context.external.end()) {
      context.missing += (context.missing.empty() ? "tensor " : "; tensor ") + quoted(out.name) + " in " + piece;
      return {};
    }
    const auto data = file->second;
    if (begin > data.size() || length > data.size() - begin)
      return refused("external data " + piece + " lie beyond the file's " + std::to_string(data.size()) + " bytes");
    if (length > context.copies) return refused("external data are used again and again", Code::too_large);
    context.copies -= length;
    return copy(data.subspan(static_cast<size_t>(begin), static_cast<size_t>(length)));
  }
};

}  // namespace

std::string quoted(std::string_view name) {
  constexpr size_t kMost = 200;
  return "'" + std::string(name.substr(0, kMost)) + (name.size() > kMost ? "...'" : "'");
}

Context make_context(const std::map<std::string, std::span<const std::byte>>& external) {
  Context context{external};
  for (const auto& [name, data] : external) context.copies += 2 * uint64_t{data.size()};
  return context;
}

Status Context::count_part(uint64_t at) {
  constexpr uint32_t kMost = 1 << 19;
  if (++parts <= kMost) return {};
  return error(Code::too_large, "more than " + std::to_string(kMost) + " nodes, attributes and tensors", at_byte(at));
}

Status Context::complete() const {
  return missing.empty() ? Status{} : error(Code::argument, "external data are missing: " + missing);
}

Result<Type> element_type(uint64_t number, const std::string& what, uint64_t at) {
  if (number == 0) return error(Code::malformed, what + " has no element type", at_byte(at));
  const Storage* storage = storage_of(number);
  if (!storage)
    return error(Code::unsupported, what + ": element type " + std::to_string(number) + " of ONNX is not supported",
                 at_byte(at));
  return storage->type;
}

Status read_tensor(Bytes message, Context& context, TensorData& out) {
  BITEXACT_TRY(context.count_part(message.at));
  RawTensor raw;
  BITEXACT_TRY(read_fields(message, raw, out));
  if (context.locations != nullptr) {
    if (raw.has_external && !raw.external.location.empty()) context.locations->insert(raw.external.location);
    return {};
  }
  const auto type = element_type(raw.type, "tensor " + quoted(out.name), message.at);
  if (!type.ok()) return type.status();
  out.type = *type;
  Filling filling{message, *storage_of(raw.type), out};
  BITEXACT_TRY(filling.measure());
  if (raw.has_external + raw.raw.has_value() + raw.typed > 1) return filling.refused("its data are given twice");
  if (raw.has_external) return filling.fetch(raw.external, context);
  if (raw.raw) return filling.copy(raw.raw->data);
  return filling.storage.wire == Wire::varint ? filling.decode() : filling.join();
}

Result<TensorData> read_tensor(std::span<const std::byte> bytes) {
  const std::map<std::string, std::span<const std::byte>> nothing;
  Context context = make_context(nothing);
  TensorData tensor;
  BITEXACT_TRY(read_tensor({bytes, 0}, context, tensor));
  BITEXACT_TRY(context.complete());
  return tensor;
}

}  // namespace bitexact::onnx
