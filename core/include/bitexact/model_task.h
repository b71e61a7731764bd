#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/image.h"
#include "bitexact/ops.h"
#include "bitexact/status.h"
#include "bitexact/tensor.h"

namespace bitexact {

/// How an image becomes an input of a model: decoded, alpha dropped or composed, resized to the input's height and
/// width, made of the input's channels, and its samples made numbers.
struct ImageTask {
  enum class Values : uint8_t {
    unit,         ///< reals in [0, 1]: ARITHMETIC 10
    bytes,        ///< reals 0 to 255; an integer input takes the byte (i8: the byte less 128)
    reinterpret,  ///< only for integer inputs of one byte: its bits, whatever the sign
  };
  enum class Channels : uint8_t { automatic, luma, rgb, bgr };  ///< automatic: luma when the input has one channel
  enum class Resize : uint8_t { none, bilinear, area };         ///< none: the image has the size already

  Values values = Values::unit;
  Channels channels = Channels::automatic;
  std::optional<Layout> layout;  ///< of the input; nothing: the side that has 1 or 3 channels, of two the format's
  Resize resize = Resize::bilinear;
  bool invert = false;             ///< the largest sample less each sample: dark on light becomes light on dark
  std::optional<Rgb8> background;  ///< composes alpha over this colour; without it alpha is dropped
  /// q16, one per channel or one for all, or both empty: (x - mean) / std by fixed_div and fixed_sub. With them, and
  /// with `unit`, an integer input takes the real number quantized by its own scale and zero (nearest; ties as its
  /// format has them: OPERATORS.md, quantize).
  std::vector<int32_t> mean, std;
};

/// raw: bytes. unit: [0, 1]. mnist: luma, area, [0, 1]. imagenet: RGB, mean 0.485 0.456 0.406, std 0.229 0.224 0.225.
[[nodiscard]] std::optional<ImageTask> image_preset(std::string_view name);

/// "tflm" or "xnnpack", as receipts and options have it.
[[nodiscard]] const char* requant_name(Requant rule);
[[nodiscard]] std::optional<Requant> requant_from_name(std::string_view name);

/// How the inputs of a model are made.
struct ModelTask {
  ImageTask image;
  std::map<std::string, Shape> shapes;  ///< given to inputs whose dimensions the file leaves open
};

/// The canonical JSON of a task as it stands in a receipt under "task":
///   {"image":{"background","channels","invert","layout","mean","resize","std","values"},"op":"model","shapes":{}}
/// "image" is null when no input is an image (`with_image` false).
[[nodiscard]] std::string write_task(const ModelTask& task, bool with_image = true);
/// Accepts any JSON object with these keys; a missing key means its default; an unknown key is an error. "image" may
/// also be the name of a preset.
[[nodiscard]] Result<ModelTask> read_model_task(std::string_view json);

}  // namespace bitexact
