#include "image/orient.h"

#include <algorithm>

#include "image/size.h"

namespace bitexact {
namespace {

/// Where the samples of an upright row come from: the first one, and the steps to the next column and row.
struct Path {
  ptrdiff_t first, column, row;
};

Path path_of(const Image& image) {
  const bool transposed = image.orientation >= 5;
  const bool from_right =
      image.orientation == 2 || image.orientation == 3 || image.orientation == 7 || image.orientation == 8;
  const bool from_bottom =
      image.orientation == 3 || image.orientation == 4 || image.orientation == 6 || image.orientation == 7;
  const ptrdiff_t pixel = image.channels, row = pixel * image.width;
  const ptrdiff_t x_step = from_right ? -pixel : pixel, y_step = from_bottom ? -row : row;
  const ptrdiff_t first = (from_right ? row - pixel : 0) + (from_bottom ? row * (image.height - 1) : 0);
  return transposed ? Path{first, y_step, x_step} : Path{first, x_step, y_step};
}

template <class T>
void copy_along(const Image& in, Image& out) {
  const Path path = path_of(in);
  T* to = out.samples.as<T>();
  for (ptrdiff_t y = 0; y < out.height; ++y) {
    const T* from = in.samples.as<T>() + path.first + y * path.row;
    for (ptrdiff_t x = 0; x < out.width; ++x, from += path.column) to = std::copy_n(from, in.channels, to);
  }
}

}  // namespace

Result<Image> apply_orientation(Image image) {
  if (image.orientation == 1) return image;
  const bool transposed = image.orientation >= 5;
  Result<Image> out = make_image_like(image, transposed ? image.height : image.width,
                                      transposed ? image.width : image.height, image.channels);
  if (!out.ok()) return out;
  if (image.bits == 8) {
    copy_along<uint8_t>(image, *out);
  } else {
    copy_along<uint16_t>(image, *out);
  }
  return out;
}

}  // namespace bitexact
