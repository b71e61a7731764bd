#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bitexact/status.h"

/// The wire format of protocol buffers. Nothing is trusted, nothing recurses, and nothing is allocated beyond what is
/// asked for. Groups, which nobody writes any more, are refused.
namespace bitexact::protobuf {

enum class Wire : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// A part of a file that knows where in the file it lies.
struct Bytes {
  std::span<const std::byte> data;
  uint64_t at = 0;
};

struct Field {
  uint32_t number = 0;
  Wire wire = Wire::varint;
  uint64_t at = 0;     ///< of its tag in the file
  uint64_t value = 0;  ///< unless wire is bytes
  Bytes bytes;         ///< if wire is bytes: a text, a message or packed scalars
};

/// Reads the fields of one message in order. The first error ends the reading: `next` is false, and `status`, to be
/// asked once after the loop, names the message, the byte and what was expected there.
class Reader {
 public:
  Reader(Bytes message, const char* name) : rest_(message), name_(name) {}

  [[nodiscard]] bool next(Field& field);
  [[nodiscard]] const Status& status() const { return status_; }
  void fail(uint64_t at, const std::string& why, Code code = Code::malformed);

  // A field of another wire type than asked for is an error.
  uint64_t integer(const Field& f) { return expect(f, Wire::varint) ? f.value : 0; }
  float number(const Field& f);
  std::string text(const Field& f);
  Bytes message(const Field& f) { return expect(f, Wire::bytes) ? f.bytes : Bytes{}; }

  /// Visits the value of a scalar, or all values of packed scalars.
  template <class Visit>
  void each(const Field& f, Wire element, Visit visit) {
    if (f.wire == element) return visit(f.value);
    if (!expect(f, Wire::bytes)) return;
    Reader packed(f.bytes, name_);
    for (uint64_t v = 0; status_.ok() && !packed.rest_.data.empty() && packed.scalar(element, v);) visit(v);
    if (status_.ok()) status_ = packed.status_;
  }
  void integers(const Field& f, std::vector<int64_t>& out);
  void numbers(const Field& f, std::vector<float>& out);

 private:
  [[nodiscard]] bool expect(const Field& f, Wire wire);
  [[nodiscard]] bool scalar(Wire wire, uint64_t& value);
  [[nodiscard]] bool varint(uint64_t& value);
  [[nodiscard]] bool fixed(size_t size, uint64_t& value);
  void advance(size_t n) { rest_ = {rest_.data.subspan(n), rest_.at + n}; }

  Bytes rest_;
  const char* name_;
  Status status_;
};

}  // namespace bitexact::protobuf
