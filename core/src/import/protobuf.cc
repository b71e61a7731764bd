#include "import/protobuf.h"

#include <cstring>

namespace bitexact::protobuf {
namespace {

float float_of(uint64_t value) {
  const auto bits = static_cast<uint32_t>(value);
  float out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

}  // namespace

void Reader::fail(uint64_t at, const std::string& why, Code code) {
  if (status_.ok()) status_ = error(code, std::string(name_) + ": " + why, at_byte(at));
}

bool Reader::varint(uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < rest_.data.size() && i < 10; ++i) {
    const auto byte = std::to_integer<uint64_t>(rest_.data[i]);
    value |= (byte & 127) << (7 * i);  // of the tenth byte one bit is left
    if (byte < 128) {
      advance(i + 1);
      return true;
    }
  }
  fail(rest_.at, rest_.data.size() < 10 ? "a number is cut off" : "a number has more than 10 bytes");
  return false;
}

bool Reader::fixed(size_t size, uint64_t& value) {
  if (rest_.data.size() < size) {
    fail(rest_.at, "a number of " + std::to_string(size) + " bytes is cut off");
    return false;
  }
  value = 0;
  for (size_t i = 0; i < size; ++i) value |= std::to_integer<uint64_t>(rest_.data[i]) << (8 * i);
  advance(size);
  return true;
}

bool Reader::scalar(Wire wire, uint64_t& value) {
  return wire == Wire::varint ? varint(value) : fixed(wire == Wire::fixed64 ? 8 : 4, value);
}

bool Reader::next(Field& field) {
  if (!status_.ok() || rest_.data.empty()) return false;
  field = {};
  field.at = rest_.at;
  uint64_t tag = 0;
  if (!varint(tag)) return false;
  const uint64_t wire = tag & 7, number = tag >> 3;
  if (number == 0 || number >= 1u << 29 || wire == 3 || wire == 4 || wire > 5) {
    fail(field.at, "no field begins with the number " + std::to_string(tag));
    return false;
  }
  field.number = static_cast<uint32_t>(number);
  field.wire = static_cast<Wire>(wire);
  if (field.wire != Wire::bytes) return scalar(field.wire, field.value);
  uint64_t length = 0;
  if (!varint(length)) return false;
  if (length > rest_.data.size()) {
    fail(field.at, "field " + std::to_string(number) + " has " + std::to_string(length) + " bytes where " +
                       std::to_string(rest_.data.size()) + " are left");
    return false;
  }
  field.bytes = {rest_.data.first(static_cast<size_t>(length)), rest_.at};
  advance(static_cast<size_t>(length));
  return true;
}

bool Reader::expect(const Field& f, Wire wire) {
  if (f.wire != wire)
    fail(f.at, "field " + std::to_string(f.number) + " has wire type " + std::to_string(static_cast<int>(f.wire)) +
                   ", expected " + std::to_string(static_cast<int>(wire)));
  return f.wire == wire;
}

float Reader::number(const Field& f) { return expect(f, Wire::fixed32) ? float_of(f.value) : 0; }

std::string Reader::text(const Field& f) {
  const auto data = message(f).data;
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

void Reader::integers(const Field& f, std::vector<int64_t>& out) {
  each(f, Wire::varint, [&](uint64_t v) { out.push_back(static_cast<int64_t>(v)); });
}

void Reader::numbers(const Field& f, std::vector<float>& out) {
  each(f, Wire::fixed32, [&](uint64_t v) { out.push_back(float_of(v)); });
}

}  // namespace bitexact::protobuf
