#include "bitexact/photo.h"

#include <algorithm>

#include "bitexact/digest.h"
#include "image/size.h"

namespace bitexact {
namespace {

int32_t plane_count(const PhotoTask& task, int32_t channels) {
  return task.channels == PhotoTask::Channels::rgb ? channels_without_alpha(channels, task.background) : 1;
}

Tensor pixel_tensor(Image& image) {
  return {image.bits == 16 ? DType::u16 : DType::u8, {image.height, image.width, image.channels}, image.samples.data()};
}

// What becomes planes: the image itself, or a converted copy in `converted`.
Result<const Image*> planes_of(const Image& image, const PhotoTask& task, Image& converted) {
  const Image* planes = &image;
  const auto convert = [&](Result<Image> to) {
    if (!to.ok()) return to.status();
    converted = std::move(*to);
    planes = &converted;
    return Status{};
  };
  if (image.channels % 2 == 0) BITEXACT_TRY(convert(drop_alpha(*planes, task.background)));
  if (task.channels == PhotoTask::Channels::luma && planes->channels == 3) BITEXACT_TRY(convert(luma(*planes)));
  return planes;
}

Status check_task(const PhotoTask& t, int32_t planes) {
  if (t.kernel_rows < 1 || t.kernel_cols < 1 ||
      t.kernel.size() != static_cast<size_t>(t.kernel_rows) * static_cast<size_t>(t.kernel_cols))
    return error(Code::shape, "kernel has " + std::to_string(t.kernel.size()) + " numbers; its shape is " +
                                  std::to_string(t.kernel_rows) + " x " + std::to_string(t.kernel_cols));
  if (t.mean.size() != t.std.size() || (!t.mean.empty() && t.mean.size() != static_cast<size_t>(planes)))
    return error(Code::argument, "mean and std must both be empty or have one number for each of " +
                                     std::to_string(planes) + " planes");
  const auto zero = std::find(t.std.begin(), t.std.end(), 0);
  if (zero != t.std.end())
    return error(Code::argument, "std must not be 0", at_element(static_cast<uint64_t>(zero - t.std.begin())));
  return {};
}

Status check_sizes(const ImageInfo& info, const PhotoTask& t, const ImageLimits& limits) {
  BITEXACT_TRY(check_image_size(info.width, info.height, info.channels, info.bits, limits));
  if (!t.resize) return {};
  return check_image_size(t.resize->width, t.resize->height, info.channels, info.bits, limits);
}

Status check_arena(size_t bytes, const ImageLimits& limits) {
  if (limits.bytes > UINT64_MAX / PhotoRun::kArenaFactor || bytes <= PhotoRun::kArenaFactor * limits.bytes) return {};
  return error(Code::too_large, "the task needs " + std::to_string(bytes) + " bytes for its tensors; the limit is " +
                                    std::to_string(PhotoRun::kArenaFactor) + " times " + std::to_string(limits.bytes));
}

// Photo planes are a batch of one-channel pictures: one kernel serves them all.
Model build(const PhotoTask& t, int64_t planes, int64_t height, int64_t width) {
  Model m;
  m.values.push_back({"input", DType::q16, {planes, 1, height, width}, nullptr});
  m.values.push_back({"kernel",
                      DType::q16,
                      {1, 1, t.kernel_rows, t.kernel_cols},
                      reinterpret_cast<const std::byte*>(t.kernel.data())});
  m.inputs = {0};
  TensorId last = 0;
  const auto add = [&](const char* name, Op op, Attrs attrs, std::vector<TensorId> inputs) {
    last = static_cast<TensorId>(m.values.size());
    m.values.push_back({name, DType::q16, {}, nullptr});
    m.nodes.push_back({name, op, std::move(attrs), std::move(inputs), last});
  };
  Conv2dAttrs conv;
  conv.layout = Layout::nchw;
  conv.window.pad = t.pad;
  conv.window.stride = t.stride;
  add("conv", Op::conv2d, conv, {0, 1});
  if (t.activation == PhotoTask::Activation::relu) add("activation", Op::relu, {}, {last});
  if (t.activation == PhotoTask::Activation::leaky_relu)
    add("activation", Op::leaky_relu, LeakyReluAttrs{t.alpha}, {last});
  if (t.pool != PhotoTask::Pool::none) {
    Pool2dAttrs pool;
    pool.layout = Layout::nchw;
    pool.kernel = t.pool_kernel;
    pool.window.stride = t.pool_stride;
    add("pool", t.pool == PhotoTask::Pool::max ? Op::max_pool2d : Op::avg_pool2d, pool, {last});
  }
  m.outputs = {last};
  return m;
}

}  // namespace

Result<PhotoRun> PhotoRun::open(std::span<const std::byte> file, PhotoTask task, const ImageLimits& limits,
                                KernelSet kernels) {
  const auto info = probe_image(file);
  if (!info.ok()) return info.status();
  PhotoRun run;
  run.file_ = file;
  run.limits_ = limits;
  run.kernels_ = kernels;
  run.task_ = std::move(task);
  const int32_t planes = plane_count(run.task_, info->channels);
  BITEXACT_TRY(check_task(run.task_, planes));
  BITEXACT_TRY(check_sizes(*info, run.task_, limits));
  run.names_.push_back("pixels");
  if (run.task_.resize) run.names_.push_back("resized");
  // Sizes are known from the header, so that a task that cannot fit says so before any pixel is decoded.
  const bool turned = info->orientation >= 5;
  int64_t height = turned ? info->width : info->height, width = turned ? info->height : info->width;
  if (run.task_.resize) height = run.task_.resize->height, width = run.task_.resize->width;
  run.model_ = build(run.task_, planes, height, width);
  auto plan = prepare(run.model_, {kernels, true});
  if (!plan.ok()) return plan.status();
  run.plan_ = std::move(*plan);
  BITEXACT_TRY(check_arena(arena_bytes(*run.plan_), limits));
  run.names_.push_back("input");
  for (const Model::Node& node : run.model_.nodes) run.names_.push_back(node.name);
  return run;
}

void PhotoRun::add_stage(std::string op, const Tensor& tensor) {
  tensors_.push_back(tensor);
  stages_.push_back({names_[stages_.size()], std::move(op), tensor.dtype, tensor.shape, sha256_hex(tensor)});
}

Status PhotoRun::decode() {
  auto image = decode_image(file_, limits_);
  if (!image.ok()) return image.status();
  pixels_ = std::move(*image);
  file_sha256_ = sha256_hex(file_);
  add_stage("decode", pixel_tensor(pixels_));
  return {};
}

Status PhotoRun::resize() {
  auto image = resize_image(pixels_, task_.resize->width, task_.resize->height, task_.resize->method, limits_);
  if (!image.ok()) return image.status();
  resized_ = std::move(*image);
  add_stage("resize", pixel_tensor(resized_));
  return {};
}

Status PhotoRun::input() {
  auto arena = Buffer::make(arena_bytes(*plan_));
  if (!arena.ok()) return arena.status();
  Image converted;
  const auto image = planes_of(task_.resize ? resized_ : pixels_, task_, converted);
  if (!image.ok()) return image.status();
  auto session = Session::open(plan_, arena->span());
  if (!session.ok()) return session.status();
  const Tensor planes = session->input(0);
  if (planes.count() != (*image)->sample_count())
    return error(Code::malformed, "the image's header and its pixels disagree about the size");
  BITEXACT_TRY(image_to_q16(**image, task_.mean, task_.std, {planes.as<int32_t>(), planes.count()}));
  arena_ = std::move(*arena);
  session_ = std::move(*session);
  add_stage("to_q16", as_planes(planes));
  return {};
}

Tensor PhotoRun::as_planes(const Tensor& t) { return {t.dtype, {t.shape[0], t.shape[2], t.shape[3]}, t.data}; }

Status PhotoRun::step() {
  const std::string& name = names_[stages_.size()];
  if (name == "pixels") return decode();
  if (name == "resized") return resize();
  if (name == "input") return input();
  const size_t node = stages_.size() - (names_.size() - model_.nodes.size());
  session_->step(node);
  add_stage(op_name(model_.nodes[node].op), as_planes(session_->value(model_.nodes[node].output)));
  return {};
}

}  // namespace bitexact
