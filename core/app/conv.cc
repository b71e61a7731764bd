#include <cstdio>
#include <memory>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"
#include "cli.h"
#include "dumps.h"
#include "files.h"
#include "kernel_arg.h"
#include "run_photo.h"

namespace bitexact::cli {
namespace {

constexpr const char* kConvExamples =
    "Examples:\n"
    "  bitexact conv photo.jpg --kernel sobel-x --activation relu --pool max2x2 -o edges.png --receipt r.json\n"
    "  bitexact conv photo.png --kernel \"1 2 1; 2 4 2; 1 2 1\" --channels rgb --resize 640x480\n"
    "  bitexact conv scan.png --kernel kernel.json --pad same --dump out.bin   # sha256sum out.bin is the digest";

struct ConvOptions {
  std::string file, task, kernel = "sobel-x", activation = "none", pool = "none", channels = "luma", pad = "valid";
  std::string resize, resize_method = "bilinear", stride, background, mean, std;
  std::string out, receipt, dump, dump_layers;
  bool magnitude = false, made_by = false;
  double megapixels = 64;
  Engine engine;
};

Result<PhotoTask> build_task(const ConvOptions& o) {
  if (!o.task.empty()) {
    const auto file = read_file(o.task, kTextLimit);
    return file.ok() ? read_task(text_of(*file)) : file.status();
  }
  PhotoTask t;
  t.channels = o.channels == "rgb" ? PhotoTask::Channels::rgb : PhotoTask::Channels::luma;
  BITEXACT_TRY(parse_kernel(o.kernel, t));
  BITEXACT_TRY(parse_activation(o.activation, t));
  BITEXACT_TRY(parse_pool(o.pool, t));
  BITEXACT_TRY(parse_pad(o.pad, t));
  if (!o.resize.empty())
    BITEXACT_TRY(parse_resize(o.resize, o.resize_method == "area" ? Resampling::area : Resampling::bilinear, t));
  if (!o.stride.empty()) BITEXACT_TRY(parse_stride(o.stride, t));
  if (!o.background.empty()) BITEXACT_TRY(parse_background(o.background, t));
  if (!o.mean.empty()) BITEXACT_TRY(parse_reals("--mean", o.mean, t.mean));
  if (!o.std.empty()) BITEXACT_TRY(parse_reals("--std", o.std, t.std));
  return read_task(write_task(t));  // one place knows the limits of a task
}

bool is_png(const ConvOptions& o) { return o.out.ends_with(".png"); }

// Before anything is computed.
Status check_picture_name(const ConvOptions& o) {
  if (o.out.empty() || is_png(o)) return {};
  for (const char* end : {".pgm", ".ppm", ".pnm"})
    if (o.out.ends_with(end)) return {};
  return error(Code::argument, "-o " + o.out + ": expected a name ending in .png, .pgm, .ppm or .pnm");
}

Status write_picture(const ConvOptions& o, const Tensor& t) {
  if (t.count() == 0) return error(Code::shape, "-o " + o.out + ": the result " + t.shape.text() + " is empty");
  const auto height = static_cast<int32_t>(t.shape[1]), width = static_cast<int32_t>(t.shape[2]);
  const auto image = q16_to_image({t.as<int32_t>(), t.count()}, width, height, o.magnitude);
  if (!image.ok()) return image.status();
  const auto bytes = encode_image(*image, is_png(o) ? ImageFormat::png : ImageFormat::pnm);
  return bytes.ok() ? write_file(o.out, bytes->span()) : bytes.status();
}

Status write_dumps(const ConvOptions& o, const PhotoRun& run) {
  const size_t last = run.stages().size() - 1;
  if (!o.dump.empty()) {
    const auto bytes = dump_all(run.tensor(last));
    if (!bytes.ok()) return bytes.status();
    BITEXACT_TRY(write_file(o.dump, bytes->span()));
  }
  if (o.dump_layers.empty()) return {};
  BITEXACT_TRY(make_folder(o.dump_layers));
  for (size_t i = 0; i <= last; ++i) BITEXACT_TRY(write_dump(o.dump_layers, i, run.stages()[i].name, run.tensor(i)));
  return {};
}

Status write_results(const ConvOptions& o, const PhotoRun& run) {
  if (!o.out.empty()) BITEXACT_TRY(write_picture(o, run.tensor(run.stages().size() - 1)));
  if (!o.receipt.empty()) BITEXACT_TRY(write_file(o.receipt, bytes_of(write_receipt(run, o.made_by))));
  return write_dumps(o, run);
}

void print(const ConvOptions& o, const PhotoRun& run) {
  const std::string receipt = write_receipt(run);
  const std::string digest = sha256_hex(bytes_of(receipt));
  if (o.engine.json) {
    std::printf("{\"output\":\"%s\",\"receipt\":%s,\"receipt_sha256\":\"%s\"}\n", run.stages().back().sha256.c_str(),
                receipt.c_str(), digest.c_str());
    return;
  }
  for (const Stage& s : run.stages())
    std::printf("%-10s %-10s %-4s %-18s %s\n", s.name.c_str(), s.op.c_str(), dtype_name(s.dtype),
                s.shape.text().c_str(), s.sha256.c_str());
  std::printf("receipt    %s\n", digest.c_str());
}

int run_conv(const ConvOptions& o) {
  if (const Status s = check_picture_name(o); !s.ok()) return fail("conv", s);
  const auto task = build_task(o);
  if (!task.ok()) return fail("conv", task.status());
  const auto file = read_file(o.file, kImageLimit);
  if (!file.ok()) return fail("conv", file.status());
  const auto done = run_photo(file->span(), *task, limits_of(o.megapixels), o.engine);
  if (!done.ok())
    return fail("conv", error(done.status().code, o.file + ": " + done.status().why, done.status().where));
  if (const Status s = write_results(o, *done); !s.ok()) return fail("conv", s);
  print(o, *done);
  return kOk;
}

// What makes a task; a task from a file leaves none of it open.
void add_task_options(CLI::App& c, ConvOptions& o) {
  c.add_option("--kernel", o.kernel, kernel_forms())->capture_default_str();
  c.add_option("--activation", o.activation, "none, relu or leaky-relu:ALPHA")->capture_default_str();
  c.add_option("--pool", o.pool, "none, max2x2, avg2x2, max:HxW/SHxSW or avg:HxW/SHxSW")->capture_default_str();
  c.add_option("--channels", o.channels, "planes to convolve")
      ->check(CLI::IsMember({"luma", "rgb"}))
      ->capture_default_str();
  c.add_option("--pad", o.pad, "valid, same, same-lower, full or TOP,LEFT,BOTTOM,RIGHT")->capture_default_str();
  c.add_option("--stride", o.stride, "HxW or one number");
  c.add_option("--resize", o.resize, "WIDTHxHEIGHT, before anything else");
  c.add_option("--resize-method", o.resize_method)->check(CLI::IsMember({"bilinear", "area"}))->capture_default_str();
  c.add_option("--background", o.background, "R,G,B to compose alpha over; without it alpha is dropped");
  c.add_option("--mean", o.mean, "subtracted from the samples in [0,1], one number per plane");
  c.add_option("--std", o.std, "divides after --mean, one number per plane");
  CLI::Option* task = c.add_option("--task", o.task, "a task as in receipts (JSON file), instead of the options above");
  for (const char* name : {"--kernel", "--activation", "--pool", "--channels", "--pad", "--stride", "--resize",
                           "--resize-method", "--background", "--mean", "--std"})
    task->excludes(name);
}

void add_result_options(CLI::App& c, ConvOptions& o) {
  c.add_option("-o,--output", o.out, "picture of the result: .png, .pgm or .ppm");
  c.add_flag("--magnitude", o.magnitude, "draw |v| instead of cutting negative values off");
  c.add_option("--receipt", o.receipt, "write the receipt here");
  c.add_flag("--made-by", o.made_by, "say in the receipt which machine made it; no comparison looks at that");
  c.add_option("--dump", o.dump, "write the result's bytes here (int32, little-endian)");
  c.add_option("--dump-layers", o.dump_layers, "write every stage's bytes into this folder");
}

}  // namespace

void add_conv(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ConvOptions>();
  CLI::App* c =
      app.add_subcommand("conv", "decode a photo, convolve, activate and pool it in Q16.16, and digest every stage");
  c->footer(kConvExamples);
  c->add_option("file", o->file, "PNG, JPEG, BMP or PNM")->required();
  add_task_options(*c, *o);
  add_result_options(*c, *o);
  add_megapixels(*c, o->megapixels);
  o->engine.add_to(*c);
  c->callback([o, &action] { action = [o] { return run_conv(*o); }; });
}

}  // namespace bitexact::cli
