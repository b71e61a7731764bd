#include "bitexact/photo.h"
#include "runtime/json.h"

namespace bitexact {
namespace {

// Larger windows are refused, not endured.
constexpr int64_t kWindowMax = 64;

constexpr const char* kPhotoChannels[] = {"luma", "rgb"};
constexpr const char* kActivations[] = {"none", "relu", "leaky_relu"};
constexpr const char* kPools[] = {"none", "max", "avg"};
constexpr const char* kMethods[] = {"bilinear", "area"};

Json pad_json(const Padding& p) {
  if (p.kind == Pad::explicit_) return Json::array({p.top, p.left, p.bottom, p.right});
  return pad_name(p.kind);
}

Json activation_json(const PhotoTask& t) {
  Json j{{"kind", name_of(kActivations, t.activation)}};
  if (t.activation == PhotoTask::Activation::leaky_relu) j["alpha"] = t.alpha;
  return j;
}

Json pool_json(const PhotoTask& t) {
  Json j{{"kind", name_of(kPools, t.pool)}};
  if (t.pool != PhotoTask::Pool::none) {
    j["kernel"] = t.pool_kernel;
    j["stride"] = t.pool_stride;
  }
  return j;
}

void read_kernel(const Json* kernel, JsonReader& parent, PhotoTask& t) {
  if (kernel == nullptr) return parent.fail(Code::argument, "kernel is missing");
  JsonReader r(*kernel, "task.kernel");
  std::array<int64_t, 2> shape{0, 0};
  std::vector<int64_t> q16;
  r.string("name", t.kernel_name);
  r.pair("shape", 1, kWindowMax, shape);
  r.integers("q16", kI32Min, kI32Max, q16);
  if (static_cast<int64_t>(q16.size()) != shape[0] * shape[1] || q16.empty())
    r.fail(Code::shape,
           "q16 has " + std::to_string(q16.size()) + " numbers; shape asks for " + std::to_string(shape[0] * shape[1]));
  if (t.kernel_name.size() > 100) r.fail(Code::argument, "name is longer than 100 bytes");
  if (Status s = r.finish(); !s.ok()) return parent.fail(s.code, s.why);
  t.kernel_rows = static_cast<int32_t>(shape[0]);
  t.kernel_cols = static_cast<int32_t>(shape[1]);
  t.kernel.assign(q16.begin(), q16.end());
}

void read_resize(const Json* resize, JsonReader& parent, PhotoTask& t) {
  if (resize == nullptr) return;
  JsonReader r(*resize, "task.resize");
  int64_t width = 0, height = 0;
  size_t method = 0;
  r.integer("width", 1, kI32Max, width);
  r.integer("height", 1, kI32Max, height);
  r.word("method", {kMethods[0], kMethods[1]}, method);
  if (width == 0 || height == 0) r.fail(Code::argument, "width and height are needed");
  if (Status s = r.finish(); !s.ok()) return parent.fail(s.code, s.why);
  t.resize = {static_cast<int32_t>(width), static_cast<int32_t>(height), static_cast<Resampling>(method)};
}

void read_pad(const Json* pad, JsonReader& parent, PhotoTask& t) {
  if (pad == nullptr) return;
  for (const Pad kind : {Pad::valid, Pad::same_upper, Pad::same_lower, Pad::full})
    if (*pad == pad_name(kind)) {
      t.pad = {kind, 0, 0, 0, 0};
      return;
    }
  const Json wrapped{{"pad", *pad}};
  JsonReader r(wrapped, "task");
  std::vector<int64_t> sides;
  if (pad->is_array()) r.integers("pad", 0, kWindowMax, sides);
  if (sides.size() != 4)
    return parent.fail(Code::argument,
                       "pad: expected VALID | SAME_UPPER | SAME_LOWER | FULL | [top,left,bottom,right]");
  t.pad = {Pad::explicit_, sides[0], sides[1], sides[2], sides[3]};
}

void read_activation(const Json* activation, JsonReader& parent, PhotoTask& t) {
  if (activation == nullptr) return;
  JsonReader r(*activation, "task.activation");
  size_t kind = 0;
  r.word("kind", {kActivations[0], kActivations[1], kActivations[2]}, kind);
  if (kind == 2) r.integer("alpha", t.alpha);
  if (Status s = r.finish(); !s.ok()) return parent.fail(s.code, s.why);
  t.activation = static_cast<PhotoTask::Activation>(kind);
}

void read_pool(const Json* pool, JsonReader& parent, PhotoTask& t) {
  if (pool == nullptr) return;
  JsonReader r(*pool, "task.pool");
  size_t kind = 0;
  r.word("kind", {kPools[0], kPools[1], kPools[2]}, kind);
  if (kind != 0) {
    r.pair("kernel", 1, kWindowMax, t.pool_kernel);
    r.pair("stride", 1, kI32Max / 2, t.pool_stride);
  }
  if (Status s = r.finish(); !s.ok()) return parent.fail(s.code, s.why);
  t.pool = static_cast<PhotoTask::Pool>(kind);
}

void read_background(JsonReader& r, PhotoTask& t) {
  std::vector<int64_t> rgb;
  r.integers("background", 0, 255, rgb);
  if (rgb.empty()) return;
  if (rgb.size() != 3) return r.fail(Code::argument, "background: expected [r,g,b]");
  t.background = Rgb8{static_cast<uint8_t>(rgb[0]), static_cast<uint8_t>(rgb[1]), static_cast<uint8_t>(rgb[2])};
}

}  // namespace

std::string write_task(const PhotoTask& t) {
  Json j{{"op", "conv"},
         {"channels", name_of(kPhotoChannels, t.channels)},
         {"resize", nullptr},
         {"background", nullptr},
         {"mean", t.mean},
         {"std", t.std},
         {"kernel", {{"name", t.kernel_name}, {"shape", {t.kernel_rows, t.kernel_cols}}, {"q16", t.kernel}}},
         {"pad", pad_json(t.pad)},
         {"stride", t.stride},
         {"activation", activation_json(t)},
         {"pool", pool_json(t)}};
  if (t.resize)
    j["resize"] = {
        {"width", t.resize->width}, {"height", t.resize->height}, {"method", name_of(kMethods, t.resize->method)}};
  if (t.background) j["background"] = {t.background->r, t.background->g, t.background->b};
  return canonical(j);
}

Result<PhotoTask> read_task(std::string_view text) {
  const auto json = parse_json(text);
  if (!json.ok()) return json.status();
  PhotoTask t;
  JsonReader r(*json, "task");
  size_t op = 0, channels = 0;
  std::vector<int64_t> mean, std;
  r.word("op", {"conv"}, op);
  r.word("channels", {kPhotoChannels[0], kPhotoChannels[1]}, channels);
  t.channels = static_cast<PhotoTask::Channels>(channels);
  r.integers("mean", kI32Min, kI32Max, mean);
  r.integers("std", kI32Min, kI32Max, std);
  t.mean.assign(mean.begin(), mean.end());
  t.std.assign(std.begin(), std.end());
  r.pair("stride", 1, kI32Max / 2, t.stride);
  read_background(r, t);
  read_resize(r.find("resize"), r, t);
  read_kernel(r.find("kernel"), r, t);
  read_pad(r.find("pad"), r, t);
  read_activation(r.find("activation"), r, t);
  read_pool(r.find("pool"), r, t);
  BITEXACT_TRY(r.finish());
  return t;
}

}  // namespace bitexact
