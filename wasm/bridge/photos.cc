#include "photos.h"

#include <algorithm>

#include "bitexact/digest.h"
#include "bitexact/photo.h"
#include "bitexact/receipt.h"
#include "marshal.h"
#include "picture.h"
#include "shelf.h"

namespace bitexact::bridge {
namespace {

/// A run and the file it reads.
struct Photo {
  Buffer file;
  std::optional<PhotoRun> run;
};

Shelf<Photo>& photos() {
  static Shelf<Photo> all("run");
  return all;
}

Result<PhotoRun*> find(int32_t id) {
  const Result<Photo*> photo = photos().find(id);
  return photo.ok() ? Result<PhotoRun*>(&*(*photo)->run) : photo.status();
}

Result<Tensor> stage_tensor(int32_t id, uint32_t stage) {
  const Result<PhotoRun*> run = find(id);
  if (!run.ok()) return run.status();
  const size_t count = (*run)->stages().size();
  if (stage < count) return (*run)->tensor(stage);
  return error(Code::argument,
               "stage " + std::to_string(stage) + " of a run with " + std::to_string(count) + " stages");
}

struct Rectangle {
  int64_t plane, y, x, height, width;
};

Rectangle rectangle_from(const val& r) {
  const std::vector<int32_t> v = int32s(r);
  return {v[0], v[1], v[2], v[3], v[4]};
}

/// Copies the part of the rectangle that lies in the plane; `out` is zeroed already.
void copy_rectangle(const Tensor& tensor, const Rectangle& r, int32_t* out) {
  const int64_t height = tensor.shape[1], width = tensor.shape[2];
  const int64_t left = std::clamp<int64_t>(r.x, 0, width), right = std::clamp<int64_t>(r.x + r.width, 0, width);
  const int64_t top = std::clamp<int64_t>(r.y, 0, height), bottom = std::clamp<int64_t>(r.y + r.height, 0, height);
  for (int64_t y = top; y < bottom; ++y) {
    const int32_t* row = tensor.as<const int32_t>() + (r.plane * height + y) * width;
    std::copy(row + left, row + right, out + (y - r.y) * r.width + (left - r.x));
  }
}

Result<Buffer> window(const Tensor& tensor, const Rectangle& r) {
  if (tensor.dtype != DType::q16) return error(Code::argument, "windows are of q16 stages; this one holds pixels");
  if (r.plane < 0 || r.plane >= tensor.shape[0]) {
    return error(Code::argument, "plane " + std::to_string(r.plane) + " of " + std::to_string(tensor.shape[0]));
  }
  const std::optional<size_t> bytes = byte_size(DType::q16, Shape{r.height, r.width});
  if (!bytes) return error(Code::too_large, "a window of " + Shape{r.height, r.width}.text());
  Result<Buffer> out = Buffer::make(*bytes);
  if (out.ok() && *bytes != 0) copy_rectangle(tensor, r, out->as<int32_t>());
  return out;
}

Result<Image> stage_picture(int32_t id, uint32_t stage, const PictureOptions& options) {
  const Result<Tensor> tensor = stage_tensor(id, stage);
  return tensor.ok() ? picture(*tensor, options) : Result<Image>(tensor.status());
}

val answer_bytes(const Result<Buffer>& bytes) {
  return bytes.ok() ? success(copy_out(bytes->span())) : failure(bytes.status());
}

Status open(Photo& photo, const val& file, const std::string& task, const ImageLimits& limits, KernelSet kernels) {
  Result<PhotoTask> wanted = read_task(task);
  if (!wanted.ok()) return wanted.status();
  Result<Buffer> bytes = copy_in(file);
  if (!bytes.ok()) return bytes.status();
  photo.file = std::move(*bytes);
  Result<PhotoRun> run = PhotoRun::open(photo.file.span(), std::move(*wanted), limits, kernels);
  if (!run.ok()) return run.status();
  photo.run.emplace(std::move(*run));
  return {};
}

}  // namespace

val photo_open(const val& file, const std::string& task, double max_pixels, double max_bytes, bool reference) {
  Photo photo;
  const Status status = open(photo, file, task, limits_from(max_pixels, max_bytes),
                             reference ? KernelSet::reference : KernelSet::fastest);
  if (!status.ok()) return failure(status);
  val o = val::object();
  o.set("total", static_cast<uint32_t>(photo.run->stage_count()));
  o.set("id", photos().put(std::move(photo)));
  return success(o);
}

val photo_step(int32_t id) {
  const Result<PhotoRun*> run = find(id);
  if (!run.ok()) return failure(run.status());
  if ((*run)->done()) return failure(error(Code::argument, "this run has no further stage"));
  const Status status = (*run)->step();
  return status.ok() ? success(to_js((*run)->stages().back())) : failure(status);
}

val photo_receipt(int32_t id) {
  const Result<PhotoRun*> run = find(id);
  if (!run.ok()) return failure(run.status());
  if (!(*run)->done()) return failure(error(Code::argument, "this run is not finished"));
  return success(val(write_receipt(**run)));
}

val photo_window(int32_t id, uint32_t stage, const val& rectangle) {
  const Result<Tensor> tensor = stage_tensor(id, stage);
  return tensor.ok() ? answer_bytes(window(*tensor, rectangle_from(rectangle))) : failure(tensor.status());
}

val photo_preview(int32_t id, uint32_t stage, int32_t max_width, int32_t max_height, bool magnitude) {
  const Result<Image> small = stage_picture(id, stage, {magnitude, max_width, max_height});
  return small.ok() ? answer(to_rgba(*small)) : failure(small.status());
}

val photo_dump(int32_t id, uint32_t stage) {
  const Result<Tensor> tensor = stage_tensor(id, stage);
  return tensor.ok() ? success(copy_out({tensor->data, tensor->bytes()})) : failure(tensor.status());
}

val photo_png(int32_t id, uint32_t stage, bool magnitude) {
  const Result<Image> image = stage_picture(id, stage, {magnitude});
  return image.ok() ? answer_bytes(encode_image(*image, ImageFormat::png)) : failure(image.status());
}

void photo_close(int32_t id) { photos().remove(id); }

}  // namespace bitexact::bridge
