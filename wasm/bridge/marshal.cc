#include "marshal.h"

#include <bit>

namespace bitexact::bridge {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes are exchanged as they lie in memory");

val view(std::span<const std::byte> bytes) {
  return val(emscripten::typed_memory_view(bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data())));
}

}  // namespace

val success(const val& value) {
  val o = val::object();
  o.set("value", value);
  return o;
}

val failure(const Status& status) {
  val error = val::object();
  error.set("code", std::string(code_name(status.code)));
  error.set("message", status.why);
  if (status.where.place != Place::nowhere) {
    error.set("place", std::string(place_name(status.where.place)));
    error.set("at", static_cast<double>(status.where.at));
  }
  val o = val::object();
  o.set("error", error);
  return o;
}

val outcome(const Status& status) { return status.ok() ? success(val::undefined()) : failure(status); }

Result<Buffer> copy_in(const val& uint8_array) {
  Result<Buffer> buffer = Buffer::make(uint8_array["byteLength"].as<uint32_t>());
  if (buffer.ok()) view(buffer->span()).call<void>("set", uint8_array);
  return buffer;
}

val copy_out(std::span<const std::byte> bytes) { return val::global("Uint8Array").new_(view(bytes)); }

std::vector<int32_t> int32s(const val& array) {
  std::vector<int32_t> values(array["length"].as<uint32_t>());
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = array[i].as<int32_t>();
  return values;
}

val numbers(std::span<const int32_t> values) {
  val array = val::array();
  for (int32_t v : values) array.call<void>("push", v);
  return array;
}

val numbers(const Shape& shape) {
  val array = val::array();
  for (size_t i = 0; i < shape.rank(); ++i) array.call<void>("push", static_cast<double>(shape[i]));
  return array;
}

ImageLimits limits_from(double pixels, double bytes) {
  return {static_cast<uint64_t>(pixels), static_cast<uint64_t>(bytes)};
}

Result<Image> image_from(const val& image) {
  Result<Buffer> samples = copy_in(image["data"]);
  if (!samples.ok()) return samples.status();
  Image i;
  i.width = image["width"].as<int32_t>();
  i.height = image["height"].as<int32_t>();
  i.channels = image["channels"].as<int32_t>();
  i.bits = image["bits"].as<int32_t>();
  i.format = static_cast<ImageFormat>(image["format"].as<int32_t>());
  i.orientation = image["orientation"].as<int32_t>();
  i.color_profile_ignored = image["colorProfileIgnored"].as<bool>();
  i.samples = std::move(*samples);
  return i;
}

val to_js(const Image& image) {
  val o = val::object();
  o.set("width", image.width);
  o.set("height", image.height);
  o.set("channels", image.channels);
  o.set("bits", image.bits);
  o.set("format", std::string(format_name(image.format)));
  o.set("orientation", image.orientation);
  o.set("colorProfileIgnored", image.color_profile_ignored);
  o.set("data", copy_out(image.samples.span().first(image.sample_count() * static_cast<size_t>(image.bits / 8))));
  return o;
}

val to_js(const Stage& stage) {
  val o = val::object();
  o.set("name", stage.name);
  o.set("op", stage.op);
  o.set("dtype", std::string(dtype_name(stage.dtype)));
  o.set("shape", numbers(stage.shape));
  o.set("sha256", stage.sha256);
  return o;
}

val to_js(const Verdict& verdict) {
  val o = val::object();
  o.set("same", verdict.same);
  o.set("text", verdict.text());
  if (verdict.same) return o;
  o.set("stage", verdict.stage);
  o.set("expected", verdict.expected);
  o.set("got", verdict.got);
  return o;
}

}  // namespace bitexact::bridge
