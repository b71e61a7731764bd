// The whole of what JavaScript can call: bytes and small objects in, {value} or {error} out.
#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <new>

#include "bitexact/digest.h"
#include "bitexact/fx.h"
#include "bitexact/image.h"
#include "bitexact/version.h"
#include "fx_ops.h"
#include "marshal.h"
#include "models.h"
#include "operators.h"
#include "photos.h"

// clang-format off
EM_JS(void, throw_out_of_memory, (), { throw new RangeError('out of memory'); });
// clang-format on

namespace bitexact::bridge {
namespace {

val named_kernels() {
  val o = val::object();
  for (const fx_named_kernel_t& named : FX_NAMED_KERNELS) {
    const fx_matrix_t& k = *named.kernel;
    val matrix = val::object();
    matrix.set("rows", static_cast<int32_t>(k.rows));
    matrix.set("cols", static_cast<int32_t>(k.cols));
    matrix.set("data", numbers({k.data, static_cast<size_t>(k.rows) * k.cols}));
    o.set(std::string(named.name), matrix);
  }
  return o;
}

val kernels() {
  val list = val::array();
  for (const KernelInfo& k : kernel_list()) {
    val o = val::object();
    o.set("name", k.name);
    o.set("op", k.op);
    o.set("set", k.set);
    list.call<void>("push", o);
  }
  return list;
}

constexpr bool built_with_simd() {
#ifdef __wasm_simd128__
  return true;
#else
  return false;
#endif
}

val info() {
  val o = val::object();
  o.set("version", std::string(kVersion));
  o.set("contract", kContract);
  o.set("simd", built_with_simd());
  o.set("kernelList", kernels());
  o.set("kernels", named_kernels());
  return o;
}

int32_t to_q16(double x) { return fixed_from_double(x); }

val sha256(const val& bytes) {
  const Result<Buffer> copy = copy_in(bytes);
  return copy.ok() ? success(val(sha256_hex(copy->span()))) : failure(copy.status());
}

val decode(const val& file, double max_pixels, double max_bytes) {
  const Result<Buffer> bytes = copy_in(file);
  return bytes.ok() ? answer(decode_image(bytes->span(), limits_from(max_pixels, max_bytes))) : failure(bytes.status());
}

val encode(const val& image, bool png) {
  const Result<Image> from = image_from(image);
  if (!from.ok()) return failure(from.status());
  const Result<Buffer> file = encode_image(*from, png ? ImageFormat::png : ImageFormat::pnm);
  return file.ok() ? success(copy_out(file->span())) : failure(file.status());
}

val resize(const val& image, int32_t width, int32_t height, bool area) {
  const Result<Image> from = image_from(image);
  if (!from.ok()) return failure(from.status());
  return answer(resize_image(*from, width, height, area ? Resampling::area : Resampling::bilinear));
}

/// `background`: null, or three numbers 0..255.
val drop_alpha_of(const val& image, const val& background) {
  Result<Image> from = image_from(image);
  if (!from.ok()) return failure(from.status());
  std::optional<Rgb8> colour;
  if (!background.isNull()) {
    const std::vector<int32_t> c = int32s(background);
    colour = Rgb8{static_cast<uint8_t>(c[0]), static_cast<uint8_t>(c[1]), static_cast<uint8_t>(c[2])};
  }
  return answer(drop_alpha(*from, colour));
}

val luma_of(const val& image) {
  Result<Image> from = image_from(image);
  return from.ok() ? answer(luma(*from)) : failure(from.status());
}

Result<Buffer> to_planes(const Image& image, std::span<const int32_t> mean, std::span<const int32_t> std) {
  const std::optional<size_t> bytes = byte_size(DType::q16, Shape{image.channels, image.height, image.width});
  if (!bytes) return error(Code::too_large, "the image has more samples than can be addressed as q16");
  Result<Buffer> out = Buffer::make(*bytes);
  if (out.ok()) BITEXACT_TRY(image_to_q16(image, mean, std, {out->as<int32_t>(), image.sample_count()}));
  return out;
}

val image_q16(const val& image, const val& mean, const val& std) {
  const Result<Image> from = image_from(image);
  if (!from.ok()) return failure(from.status());
  const Result<Buffer> planes = to_planes(*from, int32s(mean), int32s(std));
  return planes.ok() ? success(copy_out(planes->span())) : failure(planes.status());
}

val receipt_task(const std::string& receipt) {
  const Result<PhotoTask> task = read_receipt_task(receipt);
  return task.ok() ? success(val(write_task(*task))) : failure(task.status());
}

val compare(const std::string& expected, const std::string& got) { return answer(compare_receipts(expected, got)); }

}  // namespace
}  // namespace bitexact::bridge

EMSCRIPTEN_BINDINGS(bitexact) {
  using namespace bitexact::bridge;
  using emscripten::function;
  // The containers of the core end in `new`: without this a refused allocation would be an abort without a reason.
  std::set_new_handler(throw_out_of_memory);
  function("info", &info);
  function("toQ16", &to_q16);
  function("sha256", &sha256);
  function("fx", &fx_op);
  function("operator", &run_named_operator);
  function("inferShape", &infer_named_operator);
  function("decode", &decode);
  function("encode", &encode);
  function("resize", &resize);
  function("dropAlpha", &drop_alpha_of);
  function("luma", &luma_of);
  function("imageToQ16", &image_q16);
  function("photoOpen", &photo_open);
  function("photoStep", &photo_step);
  function("photoReceipt", &photo_receipt);
  function("photoWindow", &photo_window);
  function("photoPreview", &photo_preview);
  function("photoDump", &photo_dump);
  function("photoPng", &photo_png);
  function("photoClose", &photo_close);
  function("modelOpen", &model_open);
  function("modelInspect", &model_inspect);
  function("modelClose", &model_close);
  function("runOpen", &run_open);
  function("runStep", &run_step);
  function("runReceipt", &run_receipt);
  function("runTensor", &run_tensor);
  function("runClose", &run_close);
  function("modelReceipt", &model_receipt);
  function("compareModelFiles", &compare_model_files);
  function("receiptTask", &receipt_task);
  function("compare", &compare);
}
