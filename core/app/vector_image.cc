// image_* cases: [H, W, C] tensors of u8 or u16 samples.
#include <cstring>

#include "bitexact/image.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

Result<Image> image_of(const Tensor& t) {
  if (t.shape.rank() != 3 || (t.dtype != DType::u8 && t.dtype != DType::u16))
    return error(Code::malformed, "expected u8 or u16 [H, W, C]");
  for (size_t i = 0; i < 3; ++i)
    if (t.shape[i] > kI32Max) return error(Code::malformed, "an image of shape " + t.shape.text());
  auto samples = Buffer::make(t.bytes());
  if (!samples.ok()) return samples.status();
  std::memcpy(samples->data(), t.data, t.bytes());
  Image image;
  image.height = static_cast<int32_t>(t.shape[0]);
  image.width = static_cast<int32_t>(t.shape[1]);
  image.channels = static_cast<int32_t>(t.shape[2]);
  image.bits = t.dtype == DType::u16 ? 16 : 8;
  image.samples = std::move(*samples);
  return image;
}

Result<OwnedTensor> tensor_of(Result<Image> image) {
  if (!image.ok()) return image.status();
  auto t =
      make_vector_tensor(image->bits == 16 ? DType::u16 : DType::u8, {image->height, image->width, image->channels});
  if (t.ok()) std::memcpy(t->view.data, image->samples.data(), t->view.bytes());
  return t;
}

std::vector<int32_t> q16_list(Params& params, const char* key) {
  const std::vector<int64_t> list = params.integers(key, kI32Min, kI32Max);
  return {list.begin(), list.end()};
}

Result<OwnedTensor> run_resize(const Image& image, Params& params) {
  const auto width = static_cast<int32_t>(params.integer("width", std::nullopt, kI32Min, kI32Max));
  const auto height = static_cast<int32_t>(params.integer("height", std::nullopt, kI32Min, kI32Max));
  const size_t area = params.word("method", {"bilinear", "area"});
  BITEXACT_TRY(params.finish());
  return tensor_of(resize_image(image, width, height, area == 1 ? Resampling::area : Resampling::bilinear));
}

Result<OwnedTensor> run_to_q16(const Image& image, Params& params) {
  const std::vector<int32_t> mean = q16_list(params, "mean"), std = q16_list(params, "std");
  BITEXACT_TRY(params.finish());
  auto out = make_vector_tensor(DType::q16, {image.channels, image.height, image.width});
  if (out.ok()) BITEXACT_TRY(image_to_q16(image, mean, std, {out->view.as<int32_t>(), out->view.count()}));
  return out;
}

}  // namespace

Result<OwnedTensor> run_image_case(const VectorCase& c) {
  const Tensor* in = c.input("in");
  if (in == nullptr) return error(Code::malformed, "no input `in`");
  auto image = image_of(*in);
  if (!image.ok()) return image.status();
  Params params(c.params);
  if (c.op == "image_resize") return run_resize(*image, params);
  if (c.op == "image_to_q16") return run_to_q16(*image, params);
  if (c.op != "image_luma") return error(Code::malformed, "unknown op " + c.op);
  BITEXACT_TRY(params.finish());
  return tensor_of(luma(*image));
}

}  // namespace bitexact::cli
