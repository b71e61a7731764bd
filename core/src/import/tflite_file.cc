#include "import/tflite_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace bitexact::tflite {
namespace {

// Tables of a verified file: a shared table counts each time, so that time is bounded, too.
constexpr uint32_t kMostTables = 1 << 18;
constexpr size_t kAlignment = 16;
constexpr size_t kLongestName = 1 << 10;

Status verify(std::span<const std::byte> bytes) {
  flatbuffers::Verifier::Options limits;
  limits.max_depth = 16;
  limits.max_tables = kMostTables;
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), limits);
  if (fb::VerifyModelBuffer(verifier)) return {};
  return error(Code::malformed,
               "not a whole TFLite file: an offset, size or alignment of its FlatBuffers structure is wrong, or it has "
               "more than " +
                   std::to_string(kMostTables) + " tables",
               at_byte(0));
}

Status check_header(std::span<const std::byte> bytes) {
  if (bytes.size() >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return error(Code::too_large,
                 "TFLite files are below 2 GiB, this one has " + std::to_string(bytes.size()) + " bytes");
  if (bytes.size() < 8 || std::memcmp(bytes.data() + 4, fb::ModelIdentifier(), 4) != 0)
    return error(Code::malformed, "a TFLite file has the identifier TFL3", at_byte(4));
  return {};
}

// A table or vector that a file may leave out, but bitexact needs.
template <class T>
bool complete(const flatbuffers::Vector<flatbuffers::Offset<T>>* v) {
  return v != nullptr && v->size() > 0;
}

}  // namespace

Result<File> File::open(std::span<const std::byte> bytes) {
  BITEXACT_TRY(check_header(bytes));
  File f;
  f.bytes_ = bytes.size();
  if (reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment != 0) {
    auto copy = Buffer::make(bytes.size());
    if (!copy.ok()) return copy.status();
    f.aligned_ = std::move(*copy);
    std::memcpy(f.aligned_.data(), bytes.data(), bytes.size());
    bytes = f.aligned_.span();
  }
  BITEXACT_TRY(verify(bytes));
  f.model_ = fb::GetModel(bytes.data());
  if (f.model_->version() != 3)
    return error(Code::unsupported, "TFLite schema version " + std::to_string(f.model_->version()) + "; expected 3");
  if (!complete(f.model_->subgraphs())) return error(Code::malformed, "the file has no subgraph");
  f.graph_ = f.model_->subgraphs()->Get(0);
  return f;
}

std::string File::name(size_t i) const {
  const auto* s = tensor(i).name();
  return s == nullptr ? std::string() : std::string(s->c_str(), std::min<size_t>(s->size(), kLongestName));
}

Result<Shape> File::shape(size_t i) const {
  const auto *dims = tensor(i).shape(), *open = tensor(i).shape_signature();
  Shape shape;
  if (dims == nullptr) return shape;
  if (dims->size() > Shape::kMaxRank)
    return error(Code::unsupported,
                 "tensor '" + name(i) + "' has " + std::to_string(dims->size()) + " dimensions; at most " +
                     std::to_string(Shape::kMaxRank) + " are supported",
                 at_tensor(i));
  for (uint32_t d = 0; d < dims->size(); ++d) {
    const int64_t n = dims->Get(d);
    if (n < -1)
      return error(Code::malformed, "tensor '" + name(i) + "' has the dimension " + std::to_string(n), at_tensor(i));
    const bool unknown = open != nullptr && open->size() == dims->size() && open->Get(d) == -1;
    shape.push_back(unknown ? -1 : n);
  }
  return shape;
}

Result<std::optional<Constant>> File::constant(size_t i) const {
  const fb::Tensor& t = tensor(i);
  const auto* buffers = model_->buffers();
  const std::string who = "tensor '" + name(i) + "'";
  if (t.buffer() != 0 && (buffers == nullptr || t.buffer() >= buffers->size()))
    return error(Code::malformed,
                 who + " has its elements in buffer " + std::to_string(t.buffer()) + ", which does not exist",
                 at_tensor(i));
  const fb::Buffer* buffer = buffers == nullptr || buffers->size() == 0 ? nullptr : buffers->Get(t.buffer());
  if (buffer != nullptr && buffer->size() > 0 && buffer->offset() > 1)
    return error(Code::unsupported, who + " has its elements outside of the FlatBuffers structure", at_tensor(i));
  if (buffer == nullptr || buffer->data() == nullptr || buffer->data()->size() == 0) return std::optional<Constant>();
  const auto dtype = file_dtype(t.type());
  if (!dtype || t.sparsity() != nullptr)
    return error(Code::unsupported, who + " is constant and " + (dtype ? "sparse" : type_name(t.type())), at_tensor(i));
  const auto shape = this->shape(i);
  if (!shape.ok()) return shape.status();
  const auto bytes = byte_size(*dtype, *shape);
  if (!bytes || *bytes != buffer->data()->size())
    return error(Code::malformed,
                 who + " of shape " + shape->text() + " and type " + dtype_name(*dtype) + " has " +
                     std::to_string(buffer->data()->size()) + " bytes",
                 at_tensor(i));
  Constant c{{*dtype, *shape}, std::vector<std::byte>(*bytes)};
  std::memcpy(c.bytes.data(), buffer->data()->data(), *bytes);
  to_machine_order(c.bytes, size_of(*dtype));
  return std::optional(std::move(c));
}

Result<Scales> File::scales(size_t i) const {
  const auto* q = tensor(i).quantization();
  Scales s;
  if (q == nullptr || q->scale() == nullptr || q->scale()->size() == 0) return s;
  const std::string who = "tensor '" + name(i) + "'";
  if (q->details_type() != 0) return error(Code::unsupported, who + " has a custom quantization", at_tensor(i));
  s.scale.assign(q->scale()->begin(), q->scale()->end());
  s.axis = q->quantized_dimension();
  const auto* zeros = q->zero_point();
  if (zeros == nullptr || zeros->size() == 0) return s;
  if (zeros->size() != s.scale.size())
    return error(Code::malformed,
                 who + " has " + std::to_string(s.scale.size()) + " scales and " + std::to_string(zeros->size()) +
                     " zero points",
                 at_tensor(i));
  // The verifier knows that 64-bit elements lie inside, not that they are aligned.
  for (uint32_t z = 0; z < zeros->size(); ++z) {
    std::array<std::byte, 8> bytes;
    std::memcpy(bytes.data(), zeros->Data() + size_t{z} * 8, 8);
    to_machine_order(bytes, 8);
    const auto zero = __builtin_bit_cast(int64_t, bytes);
    if (zero < std::numeric_limits<int32_t>::min() || zero > std::numeric_limits<int32_t>::max())
      return error(Code::malformed, who + " has a zero point of " + std::to_string(zero), at_tensor(i));
    s.zero.push_back(static_cast<int32_t>(zero));
  }
  return s;
}

std::optional<DType> file_dtype(fb::TensorType type) noexcept {
  switch (type) {
    case fb::TensorType::FLOAT32:
      return DType::f32;
    case fb::TensorType::FLOAT16:
      return DType::f16;
    case fb::TensorType::INT8:
      return DType::i8;
    case fb::TensorType::UINT8:
      return DType::u8;
    case fb::TensorType::INT16:
      return DType::i16;
    case fb::TensorType::UINT16:
      return DType::u16;
    case fb::TensorType::INT32:
      return DType::i32;
    case fb::TensorType::INT64:
      return DType::i64;
    default:
      return std::nullopt;
  }
}

std::string type_name(fb::TensorType type) {
  const char* name = fb::EnumNameTensorType(type);
  return *name != '\0' ? name : "of type " + std::to_string(static_cast<int>(type));
}

void to_machine_order(std::span<std::byte> bytes, size_t size) noexcept {
  if constexpr (std::endian::native == std::endian::big)
    for (size_t i = 0; i + size <= bytes.size(); i += size)
      std::reverse(bytes.begin() + static_cast<ptrdiff_t>(i), bytes.begin() + static_cast<ptrdiff_t>(i + size));
}

}  // namespace bitexact::tflite
