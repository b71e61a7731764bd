// The core from C++: decodes a picture of one grey pixel and digests its bytes.
#include <bitexact/digest.h>
#include <bitexact/fx.h>
#include <bitexact/image.h>

#include <cstdio>
#include <cstring>
#include <span>

int main() {
  const char file[] = "P5\n1 1\n255\nA";
  const auto bytes = std::as_bytes(std::span(file, sizeof file - 1));
  const auto image = bitexact::decode_image(bytes);
  if (!image.ok() || image->width != 1 || image->height != 1) return 1;
  // sha256 of the letter A, as sha256sum prints it.
  const char expected[] = "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd";
  const std::string digest = bitexact::sha256_hex(std::span<const std::byte>(image->samples.data(), 1));
  if (digest != expected) {
    std::printf("expected %s, got %s\n", expected, digest.c_str());
    return 1;
  }
  return fixed_mul(FIXED_ONE, FIXED_HALF) == FIXED_HALF ? 0 : 1;
}
