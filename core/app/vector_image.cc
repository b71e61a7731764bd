// image_* cases: [H, W, C] tensors of u8 or u16 samples.
#include <cstring>

#include "bitexact/image.h"
#include "vector_case.h"

namespace bitexact::cli {
namespace {

Result<Image> image_of(const Tensor& t) {
  if (t.shape.rank() != 3 || (t.dtype != DType::u8 && t.dtype != DType::u16))
    return error(Code::malformed, "expected u8 or u16 [H, W, C]");
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
  auto t = make_tensor(image->bits == 16 ? DType::u16 : DType::u8, {image->height, image->width, image->channels});
  if (t.ok()) std::memcpy(t->view.data, image->samples.data(), t->view.bytes());
  return t;
}

std::vector<int32_t> integers(const Json& params, const char* key) {
  std::vector<int32_t> out;
  for (const Json& v : params.value(key, Json::array())) out.push_back(v.get<int32_t>());
  return out;
}

}  // namespace

Result<OwnedTensor> run_image_case(const VectorCase& c) {
  const Tensor* in = c.input("in");
  if (in == nullptr) return error(Code::malformed, "no input `in`");
  auto image = image_of(*in);
  if (!image.ok()) return image.status();
  if (c.op == "image_luma") return tensor_of(luma(std::move(*image)));
  if (c.op == "image_resize") {
    const Resampling method = c.params.value("method", "bilinear") == "area" ? Resampling::area : Resampling::bilinear;
    return tensor_of(resize_image(*image, c.params.value("width", 0), c.params.value("height", 0), method));
  }
  if (c.op != "image_to_q16") return error(Code::malformed, "unknown op " + c.op);
  auto out = make_tensor(DType::q16, {image->channels, image->height, image->width});
  if (!out.ok()) return out;
  BITEXACT_TRY(image_to_q16(*image, integers(c.params, "mean"), integers(c.params, "std"),
                            {out->view.as<int32_t>(), out->view.count()}));
  return out;
}

}  // namespace bitexact::cli
