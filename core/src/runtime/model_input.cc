#include "runtime/model_input.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "bitexact/digest.h"
#include "bitexact/fx.h"
#include "runtime/receipt.h"

namespace bitexact {
namespace {

// An input as a picture: where a sample of channel c lies is c * channel + pixel * step.
struct Picture {
  int32_t height = 0, width = 0, channels = 0;
  size_t channel_step = 0, pixel_step = 0;
};

bool is_channels(int64_t n) { return n == 1 || n == 3; }

Result<Picture> picture_of(const Shape& shape, const ImageTask& task, std::string_view format) {
  const auto no = [&] {
    return error(Code::shape, "input of shape " + shape.text() +
                                  " takes no image: expected [1, H, W, C] or [1, C, H, W] with 1 or 3 channels");
  };
  if (shape.rank() < 2 || shape.rank() > 4 || (shape.rank() == 4 && shape[0] != 1)) return no();
  Shape s;  // three dimensions: a matrix is a picture of one channel
  for (size_t i = shape.rank() == 4 ? 1 : 0; i < shape.rank(); ++i) s.push_back(shape[i]);
  const bool matrix = s.rank() == 2;
  if (matrix) s.push_back(1);
  Layout layout = format == "onnx" ? Layout::nchw : Layout::nhwc;
  if (matrix || is_channels(s[0]) != is_channels(s[2])) layout = is_channels(s[2]) ? Layout::nhwc : Layout::nchw;
  if (task.layout && !matrix) layout = *task.layout;
  const bool last = layout == Layout::nhwc;
  const int64_t channels = s[last ? 2 : 0], height = s[last ? 0 : 1], width = s[last ? 1 : 2];
  constexpr int64_t kMost = 1 << 30;
  if (!is_channels(channels) || height < 1 || width < 1 || height > kMost || width > kMost) return no();
  Picture p{static_cast<int32_t>(height), static_cast<int32_t>(width), static_cast<int32_t>(channels), 1, 1};
  if (last)
    p.pixel_step = static_cast<size_t>(channels);
  else
    p.channel_step = static_cast<size_t>(height * width);
  return p;
}

Result<Image> resized(Image image, const Picture& to, const ImageTask& task, const ImageLimits& limits,
                      InputDigests& digests) {
  if (image.height == to.height && image.width == to.width) return image;
  if (task.resize == ImageTask::Resize::none)
    return error(Code::shape, "the image has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                                  " pixels; the model takes " + std::to_string(to.width) + " x " +
                                  std::to_string(to.height) + ", and nothing is resized");
  const auto method = task.resize == ImageTask::Resize::area ? Resampling::area : Resampling::bilinear;
  auto out = resize_image(image, to.width, to.height, method, limits);
  if (out.ok())
    digests.resized = sha256_hex(
        {out->bits == 16 ? DType::u16 : DType::u8, {out->height, out->width, out->channels}, out->samples.data()});
  return out;
}

// One channel for luma; else the channels of the file without alpha: 1 or 3.
Result<Image> in_channels(Image image, const Picture& to, const ImageTask& task) {
  const bool grey = task.channels == ImageTask::Channels::luma ||
                    (task.channels == ImageTask::Channels::automatic && to.channels == 1);
  if (grey != (to.channels == 1))
    return error(Code::argument, std::string("the model's input has ") +
                                     (to.channels == 1 ? "1 channel" : "3 channels") + "; the task makes " +
                                     (grey ? "luma" : "colours"));
  if (image.channels % 2 == 0) {
    auto opaque = drop_alpha(image, task.background);
    if (!opaque.ok()) return opaque;
    image = std::move(*opaque);
  }
  if (grey && image.channels == 3) return luma(image);
  return image;
}

uint32_t sample(const Image& image, size_t i) {
  return image.bits == 16 ? image.samples.as<uint16_t>()[i] : image.samples.as<uint8_t>()[i];
}

// Visits every sample with its channel, in planes: visit(channel, sample, index in the input).
template <class Visit>
void each_sample(const Image& image, const Picture& to, const ImageTask& task, Visit&& visit) {
  const auto pixels = static_cast<size_t>(to.height) * static_cast<size_t>(to.width);
  const auto channels = static_cast<size_t>(image.channels);
  const uint32_t most = image.bits == 16 ? 65535 : 255;
  for (size_t c = 0; c < static_cast<size_t>(to.channels); ++c) {
    const size_t colour = task.channels == ImageTask::Channels::bgr ? 2 - c : c;
    for (size_t p = 0; p < pixels; ++p) {
      const uint32_t s = sample(image, p * channels + (channels == 1 ? 0 : colour));
      visit(c, task.invert ? most - s : s, c * to.channel_step + p * to.pixel_step);
    }
  }
}

int32_t one_of(const std::vector<int32_t>& list, size_t channel) { return list[list.size() == 1 ? 0 : channel]; }

Status check_normalisation(const ImageTask& task, const Picture& to) {
  const size_t n = task.mean.size();
  if (n == task.std.size() && (n <= 1 || n == static_cast<size_t>(to.channels))) return {};
  return error(Code::argument, "mean has " + std::to_string(n) + " numbers, std " + std::to_string(task.std.size()) +
                                   "; the model's input has " + std::to_string(to.channels) + " channels");
}

Status to_reals(const Image& image, const Picture& to, const ImageTask& task, int32_t* out) {
  BITEXACT_TRY(check_normalisation(task, to));
  const int64_t most = image.bits == 16 ? 65535 : 255;
  const bool unit = task.values == ImageTask::Values::unit;
  each_sample(image, to, task, [&](size_t c, uint32_t s, size_t at) {
    const auto x = unit ? static_cast<int32_t>(fx_round_div(int64_t{s} * FIXED_ONE, most))
                        : fixed_from_int(static_cast<int32_t>(s));
    out[at] = task.mean.empty() ? x : fixed_div(fixed_sub(x, one_of(task.mean, c)), one_of(task.std, c));
  });
  return {};
}

Status to_bytes(const Image& image, const Picture& to, const ImageTask& task, const Tensor& out) {
  const bool centred = task.values == ImageTask::Values::bytes && out.dtype == DType::i8;
  if (image.bits == 16) return error(Code::unsupported, "samples of 16 bits are no bytes; values unit takes them");
  if (size_of(out.dtype) != 1)
    return error(Code::unsupported, std::string("bytes do not fill an input of dtype ") + dtype_name(out.dtype) +
                                        "; values unit quantizes");
  each_sample(image, to, task,
              [&](size_t, uint32_t s, size_t at) { out.data[at] = static_cast<std::byte>(centred ? s ^ 128 : s); });
  return {};
}

// By the operator that does it within models.
Status quantize(const Image& image, const Picture& to, const ImageTask& task, const Model::Value& value,
                std::string_view format, const Tensor& out) {
  if (!(value.quant.scale > 0) || !std::isfinite(value.quant.scale))
    return error(Code::argument, "has no scale to quantize real numbers by; values bytes need none");
  const auto reals = make_tensor({DType::q16, out.shape});
  if (!reals.ok()) return reals.status();
  BITEXACT_TRY(to_reals(image, to, task, reals->view.as<int32_t>()));
  const std::string attributes = "{\"scale\":" + std::to_string(__builtin_bit_cast(uint32_t, value.quant.scale)) +
                                 ",\"zero\":" + std::to_string(value.quant.zero) + ",\"output_dtype\":\"" +
                                 dtype_name(out.dtype) + "\",\"ties\":\"" + (format == "tflite" ? "away" : "even") +
                                 "\"}";
  const NamedTensor in{"in", reals->view};
  const auto quantized = run_operator("quantize", attributes, {&in, 1});
  if (!quantized.ok()) return quantized.status();
  std::memcpy(out.data, quantized->view.data, out.bytes());
  return {};
}

Status from_image(std::span<const std::byte> file, const Model::Value& value, const Tensor& to, const ImageTask& task,
                  std::string_view format, const ImageLimits& limits, InputDigests& digests) {
  const auto picture = picture_of(to.shape, task, format);
  if (!picture.ok()) return picture.status();
  auto image = decode_image(file, limits);
  if (!image.ok()) return image.status();
  digests.image = info_of(*image);
  digests.pixels = sha256_hex({image->bits == 16 ? DType::u16 : DType::u8,
                               {image->height, image->width, image->channels},
                               image->samples.data()});
  image = resized(std::move(*image), *picture, task, limits, digests);
  if (!image.ok()) return image.status();
  image = in_channels(std::move(*image), *picture, task);
  if (!image.ok()) return image.status();
  if (to.dtype == DType::q16) {
    if (task.values == ImageTask::Values::reinterpret)
      return error(Code::argument, "takes real numbers; values reinterpret fill integers only");
    return to_reals(*image, *picture, task, to.as<int32_t>());
  }
  const bool real = task.values == ImageTask::Values::unit || !task.mean.empty();
  return real ? quantize(*image, *picture, task, value, format, to) : to_bytes(*image, *picture, task, to);
}

// Dimensions of 1 aside.
bool same_shape(const Shape& a, const Shape& b) {
  const auto larger = [](const Shape& s) {
    Shape out;
    for (size_t i = 0; i < s.rank(); ++i)
      if (s[i] != 1) out.push_back(s[i]);
    return out;
  };
  return larger(a) == larger(b);
}

// Little-endian bytes to the machine's order.
template <class T>
T load(const std::byte* p) {
  std::array<std::byte, sizeof(T)> bytes;
  std::copy_n(p, sizeof(T), bytes.begin());
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return __builtin_bit_cast(T, bytes);
}

Status floats_to_q16(std::span<const std::byte> bytes, const Tensor& to) {
  for (size_t i = 0; i < to.count(); ++i) {
    const auto x = load<float>(bytes.data() + 4 * i);
    if (!std::isfinite(x)) return error(Code::argument, "holds NaN or infinity", at_element(i));
    to.as<int32_t>()[i] = fixed_from_float(x);
  }
  return {};
}

Status from_elements(const ModelInput::Elements& e, const Tensor& to) {
  const bool floats = to.dtype == DType::q16 && e.dtype == DType::f32;
  if (!floats && e.dtype != to.dtype)
    return error(Code::argument, std::string("elements are ") + dtype_name(e.dtype) + "; the model takes " +
                                     (to.dtype == DType::q16 ? "f32" : dtype_name(to.dtype)));
  if (e.shape && !same_shape(*e.shape, to.shape))
    return error(Code::shape, "the tensor's shape is " + e.shape->text() + "; the model takes " + to.shape.text());
  if (e.bytes.size() != to.bytes())
    return error(Code::shape, std::to_string(e.bytes.size()) + " bytes; the model takes " + std::to_string(to.bytes()) +
                                  " for " + to.shape.text());
  if (floats) return floats_to_q16(e.bytes, to);
  const size_t width = size_of(to.dtype);
  std::copy(e.bytes.begin(), e.bytes.end(), to.data);
  if constexpr (std::endian::native == std::endian::big)
    for (size_t i = 0; i < to.count(); ++i) std::reverse(to.data + i * width, to.data + (i + 1) * width);
  return {};
}

}  // namespace

Result<InputDigests> make_input(const ModelInput& from, const Model::Value& value, const Tensor& to,
                                const ImageTask& task, std::string_view format, const ImageLimits& limits) {
  InputDigests digests;
  digests.name = value.name;
  digests.shape = to.shape;
  digests.dtype = to.dtype;
  digests.file = sha256_hex(from.file);
  Status s = from.elements ? from_elements(*from.elements, to)
                           : from_image(from.file, value, to, task, format, limits, digests);
  if (!s.ok()) return error(s.code, "input " + value.name + ": " + s.why, s.where);
  digests.tensor = sha256_hex(to);
  return digests;
}

}  // namespace bitexact
