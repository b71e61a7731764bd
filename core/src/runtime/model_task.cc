#include "bitexact/model_task.h"

#include "runtime/json.h"

namespace bitexact {
namespace {

constexpr int64_t kMostChannels = 4;

constexpr const char* kValues[] = {"unit", "bytes", "reinterpret"};
constexpr const char* kChannels[] = {"automatic", "luma", "rgb", "bgr"};
constexpr const char* kResizes[] = {"none", "bilinear", "area"};
constexpr const char* kLayouts[] = {"NHWC", "NCHW"};
constexpr const char* kRequants[] = {"tflm", "xnnpack"};

Json image_json(const ImageTask& t) {
  Json j{{"background", nullptr}, {"channels", name_of(kChannels, t.channels)},
         {"invert", t.invert},    {"layout", nullptr},
         {"mean", t.mean},        {"resize", name_of(kResizes, t.resize)},
         {"std", t.std},          {"values", name_of(kValues, t.values)}};
  if (t.background) j["background"] = {t.background->r, t.background->g, t.background->b};
  if (t.layout) j["layout"] = name_of(kLayouts, *t.layout);
  return j;
}

void read_background(JsonReader& r, ImageTask& t) {
  std::vector<int64_t> rgb;
  r.integers("background", 0, 255, rgb);
  if (rgb.empty()) return;
  if (rgb.size() != 3) return r.fail(Code::argument, "background: expected [r,g,b]");
  t.background = Rgb8{static_cast<uint8_t>(rgb[0]), static_cast<uint8_t>(rgb[1]), static_cast<uint8_t>(rgb[2])};
}

void read_normalisation(JsonReader& r, ImageTask& t) {
  std::vector<int64_t> mean, std;
  r.integers("mean", kI32Min, kI32Max, mean);
  r.integers("std", kI32Min, kI32Max, std);
  if (mean.size() != std.size() || mean.size() > kMostChannels)
    return r.fail(Code::argument, "mean and std: expected both empty, or one number for each channel or for all");
  for (const int64_t s : std)
    if (s == 0) return r.fail(Code::argument, "std must not be 0");
  if (t.values == ImageTask::Values::reinterpret && !mean.empty())
    return r.fail(Code::argument, "values reinterpret are bits, and have no mean and std");
  t.mean.assign(mean.begin(), mean.end());
  t.std.assign(std.begin(), std.end());
}

void read_image(const Json* image, JsonReader& parent, ImageTask& t) {
  if (image == nullptr) return;
  if (image->is_string()) {
    const auto preset = image_preset(image->get_ref<const std::string&>());
    if (!preset) return parent.fail(Code::argument, "image: expected an object, or unit, raw, mnist or imagenet");
    t = *preset;
    return;
  }
  JsonReader r(*image, "task.image");
  r.choice("values", {kValues[0], kValues[1], kValues[2]}, t.values);
  r.choice("channels", {kChannels[0], kChannels[1], kChannels[2], kChannels[3]}, t.channels);
  r.choice("resize", {kResizes[0], kResizes[1], kResizes[2]}, t.resize);
  r.flag("invert", t.invert);
  if (r.find("layout") != nullptr) {
    Layout layout{};
    r.choice("layout", {kLayouts[0], kLayouts[1]}, layout);
    t.layout = layout;
  }
  read_background(r, t);
  read_normalisation(r, t);
  if (Status s = r.finish(); !s.ok()) parent.fail(s.code, s.why);
}

void read_shapes(const Json* shapes, JsonReader& parent, std::map<std::string, Shape>& out) {
  if (shapes == nullptr) return;
  if (!shapes->is_object()) return parent.fail(Code::argument, "shapes: expected an object");
  for (const auto& [input, dims] : shapes->items()) {
    JsonReader r(*shapes, "task.shapes");
    std::vector<int64_t> list;
    r.integers(input.c_str(), 0, kI32Max, list);
    if (!dims.is_array() || list.size() != dims.size() || list.size() > Shape::kMaxRank)
      return parent.fail(Code::argument, "shapes: expected arrays of at most six dimensions, each at least 0");
    Shape shape;
    for (const int64_t d : list) shape.push_back(d);
    out[input] = shape;
  }
}

}  // namespace

std::optional<ImageTask> image_preset(std::string_view preset) {
  ImageTask t;
  if (preset == "unit") return t;
  if (preset == "raw") {
    t.values = ImageTask::Values::bytes;
    return t;
  }
  if (preset == "mnist") {
    t.channels = ImageTask::Channels::luma;
    t.resize = ImageTask::Resize::area;
    return t;
  }
  if (preset != "imagenet") return std::nullopt;
  t.channels = ImageTask::Channels::rgb;
  t.mean = {31785, 29884, 26608};  // 0.485 0.456 0.406, each floor(x * 65536 + 1/2)
  t.std = {15008, 14680, 14746};   // 0.229 0.224 0.225
  return t;
}

const char* requant_name(Requant rule) { return name_of(kRequants, rule); }

std::optional<Requant> requant_from_name(std::string_view text) {
  for (const Requant rule : {Requant::tflm, Requant::xnnpack})
    if (text == requant_name(rule)) return rule;
  return std::nullopt;
}

std::string write_task(const ModelTask& t, bool with_image) {
  Json shapes = Json::object();
  for (const auto& [input, shape] : t.shapes) {
    Json& list = shapes[input] = Json::array();
    for (size_t i = 0; i < shape.rank(); ++i) list.push_back(shape[i]);
  }
  return canonical({{"op", "model"}, {"image", with_image ? image_json(t.image) : Json()}, {"shapes", shapes}});
}

Result<ModelTask> read_model_task(std::string_view text) {
  const auto json = parse_json(text);
  if (!json.ok()) return json.status();
  ModelTask t;
  JsonReader r(*json, "task");
  size_t op = 0;
  r.word("op", {"model"}, op);
  read_image(r.find("image"), r, t.image);
  read_shapes(r.find("shapes"), r, t.shapes);
  BITEXACT_TRY(r.finish());
  return t;
}

}  // namespace bitexact
