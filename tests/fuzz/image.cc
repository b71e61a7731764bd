#include "bitexact/image.h"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  const bitexact::ImageLimits limits{.pixels = 1 << 20, .bytes = 1 << 23};
  const auto info = bitexact::probe_image(file);
  const auto image = bitexact::decode_image(file, limits);
  if (!image.ok()) return 0;
  // What could be decoded could be probed, and PNM takes any picture without alpha.
  if (!info.ok()) __builtin_trap();
  const bool alpha = image->channels % 2 == 0;
  if (!alpha && !bitexact::encode_image(*image, bitexact::ImageFormat::pnm).ok()) __builtin_trap();
  return 0;
}
