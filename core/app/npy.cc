#include "npy.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bitexact::cli {
namespace {

// numpy's own limit on headers that it reads without being told to trust them.
constexpr size_t kMostHeader = 10000;

constexpr std::pair<std::string_view, DType> kTypes[] = {{"f4", DType::f32}, {"f2", DType::f16}, {"i1", DType::i8},
                                                         {"u1", DType::u8},  {"i2", DType::i16}, {"u2", DType::u16},
                                                         {"i4", DType::i32}, {"i8", DType::i64}};

Status malformed(const std::string& what) { return error(Code::malformed, ".npy: " + what); }

// The header is a Python dictionary of three entries, whose texts are never escaped.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  // What follows 'key': up to the next entry; nothing when absent.
  std::optional<std::string_view> value(std::string_view key) const {
    const std::string quoted = "'" + std::string(key) + "':";
    const size_t at = text_.find(quoted);
    if (at == text_.npos) return std::nullopt;
    std::string_view rest = text_.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }

 private:
  std::string_view text_;
};

Result<std::string_view> header_of(std::span<const std::byte> file, size_t& data) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with("\x93NUMPY") || text.size() < 10) return malformed("it does not begin as one");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(text[i])); };
  const size_t version = byte(6), width = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) return error(Code::unsupported, ".npy: version " + std::to_string(version));
  if (text.size() < 8 + width) return malformed("the header is cut off");
  size_t length = 0;
  for (size_t i = width; i-- > 0;) length = length << 8 | byte(8 + i);
  if (length > kMostHeader) return error(Code::too_large, ".npy: a header of " + std::to_string(length) + " bytes");
  if (text.size() - 8 - width < length) return malformed("the header is cut off");
  data = 8 + width + length;
  return text.substr(8 + width, length);
}

Result<DType> dtype_of(const Header& header) {
  const auto descr = header.value("descr");
  if (!descr) return malformed("no descr");
  const size_t end = descr->size() > 1 ? descr->find('\'', 1) : descr->npos;
  if (descr->front() != '\'' || end == descr->npos) return error(Code::unsupported, ".npy: records are no tensors");
  const std::string_view word = descr->substr(1, end - 1), type = word.substr(std::min<size_t>(1, word.size()));
  const bool little = word.starts_with('<') || (word.starts_with('|') && type.ends_with('1'));
  for (const auto& [name, dtype] : kTypes)
    if (little && type == name) return dtype;
  if (word == "<f8") return error(Code::unsupported, ".npy: float64; convert it with .astype('float32')");
  return error(Code::unsupported, ".npy: dtype " + std::string(word.substr(0, 20)) +
                                      "; expected little-endian numbers of f4 f2 i1 u1 i2 u2 i4 i8");
}

Result<Shape> shape_of(const Header& header) {
  auto rest = header.value("shape");
  if (!rest || !rest->starts_with('(')) return malformed("no shape");
  const size_t end = rest->find(')');
  if (end == rest->npos) return malformed("the shape does not end");
  std::string_view list = rest->substr(1, end - 1);
  Shape shape;
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(' '), list.size()));
    if (list.empty()) return shape;
    int64_t n = -1;
    const auto [stop, wrong] = std::from_chars(list.data(), list.data() + list.size(), n);
    if (wrong != std::errc{} || n < 0) return malformed("the shape holds something other than dimensions");
    if (shape.rank() == Shape::kMaxRank) return error(Code::unsupported, ".npy: more than six dimensions");
    shape.push_back(n);
    list.remove_prefix(static_cast<size_t>(stop - list.data()));
    if (!list.empty() && list.front() != ',') return malformed("the shape holds something other than dimensions");
    list.remove_prefix(list.empty() ? 0 : 1);
  }
}

}  // namespace

Result<Npy> read_npy(std::span<const std::byte> file) {
  size_t data = 0;
  const auto text = header_of(file, data);
  if (!text.ok()) return text.status();
  const Header header(*text);
  const auto dtype = dtype_of(header);
  if (!dtype.ok()) return dtype.status();
  const auto order = header.value("fortran_order");
  if (!order) return malformed("no fortran_order");
  if (!order->starts_with("False")) return error(Code::unsupported, ".npy: Fortran order");
  const auto shape = shape_of(header);
  if (!shape.ok()) return shape.status();
  const auto bytes = byte_size(*dtype, *shape);
  if (!bytes) return error(Code::too_large, ".npy: shape " + shape->text());
  if (file.size() - data != *bytes)
    return malformed("shape " + shape->text() + " needs " + std::to_string(*bytes) + " bytes; there are " +
                     std::to_string(file.size() - data));
  return Npy{*dtype, *shape, file.subspan(data)};
}

}  // namespace bitexact::cli
