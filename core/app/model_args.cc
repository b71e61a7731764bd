#include "model_args.h"

#include "kernel_arg.h"
#include "model_files.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

Status parse_shape(const std::string& argument, std::map<std::string, Shape>& shapes) {
  const auto wrong = [&] {
    return error(Code::argument, "--shape " + argument + ": expected NAME=D,D,..., at most six dimensions");
  };
  const size_t equals = argument.rfind('=');
  if (equals == argument.npos) return wrong();
  const auto list = parse_json("[" + argument.substr(equals + 1) + "]");
  if (!list.ok() || list->size() > Shape::kMaxRank) return wrong();
  Shape shape;
  for (const Json& d : *list) {
    if (!integer_in(d, 0, kI32Max)) return wrong();
    shape.push_back(d.get<int64_t>());
  }
  shapes[argument.substr(0, equals)] = shape;
  return {};
}

Status parse_shapes(const std::vector<std::string>& arguments, std::map<std::string, Shape>& shapes) {
  for (const std::string& a : arguments) BITEXACT_TRY(parse_shape(a, shapes));
  return {};
}

}  // namespace

void ModelArgs::add_model(CLI::App& c) {
  c.add_option("model", model, "ONNX (external data in files beside it) or TFLite, told apart by content")->required();
  c.add_option("--requant", requant, "how quantized sums become outputs")
      ->check(CLI::IsMember({"tflm", "xnnpack"}))
      ->capture_default_str();
  c.add_option("--shape", shapes, "NAME=1,3,224,224 of an input whose dimensions the file leaves open")
      ->allow_extra_args(false);
  engine.add_to(c);
}

void ModelArgs::add_image(CLI::App& c) {
  c.add_option("--preset", preset,
               "how an image becomes an input: unit ([0,1]), raw (bytes), mnist (luma, [0,1]), "
               "imagenet (RGB, its mean and std); unit for models of real numbers, raw for integers")
      ->check(CLI::IsMember({"unit", "raw", "mnist", "imagenet"}));
  c.add_option("--values", values, "of samples: unit, bytes, or reinterpret (bytes as they are, whatever the sign)");
  c.add_option("--mean", mean, "subtracted, one number or one per channel");
  c.add_option("--std", std, "divides after --mean");
  c.add_option("--channels", channels, "automatic (as many as the model's input has), luma, rgb or bgr");
  c.add_option("--layout", layout, "of the model's input: NCHW or NHWC; without it the side with 1 or 3 channels");
  c.add_option("--resize", resize, "to the model's height and width: none, bilinear or area");
  c.add_option("--background", background, "R,G,B to compose alpha over; without it alpha is dropped");
  c.add_flag("--invert", invert, "dark on light becomes light on dark");
  add_megapixels(c, megapixels);
}

Result<ReadOptions> ModelArgs::read_options() const {
  ReadOptions o;
  o.requant = requant_from_name(requant).value_or(Requant::tflm);
  BITEXACT_TRY(parse_shapes(shapes, o.shapes));
  return o;
}

Result<ModelTask> ModelArgs::task(DType input) const {
  ModelTask t;
  t.image = *image_preset(!preset.empty() ? preset : input == DType::q16 ? "unit" : "raw");
  BITEXACT_TRY(parse_shapes(shapes, t.shapes));
  // The rest in the task's own words, so that one place knows them.
  Json json = *parse_json(write_task(t));
  Json& image = json["image"];
  const auto word = [&](const char* key, const std::string& value) {
    if (!value.empty()) image[key] = value;
  };
  word("values", values);
  word("channels", channels);
  word("layout", layout);
  word("resize", resize);
  image["invert"] = invert;
  if (!background.empty()) {
    const auto rgb = parse_json("[" + background + "]");
    image["background"] = rgb.ok() ? *rgb : Json(background);
  }
  if (!mean.empty() || !std.empty()) {
    std::vector<int32_t> means, stds;
    BITEXACT_TRY(parse_reals("--mean", mean, means));
    BITEXACT_TRY(parse_reals("--std", std, stds));
    image["mean"] = means;
    image["std"] = stds;
  }
  return read_model_task(json_text(json));
}

Result<PreparedModelPtr> load_model(const ModelArgs& args) {
  BITEXACT_TRY(args.engine.apply());
  const auto options = args.read_options();
  if (!options.ok()) return options.status();
  return load_model(args.model, *options, args.engine.set());
}

}  // namespace bitexact::cli
