#pragma once
#include <cstddef>
#include <span>

#include "bitexact/status.h"
#include "bitexact/tensor.h"

namespace bitexact::cli {

/// What an .npy file holds: `bytes` lie in the file.
struct Npy {
  DType dtype = DType::f32;
  Shape shape;
  std::span<const std::byte> bytes;
};

/// Arrays of plain little-endian numbers in C order. Everything else (objects, strings, Fortran order) is
/// `unsupported`; nothing in a file is ever executed. `malformed` names what its header lacks.
[[nodiscard]] Result<Npy> read_npy(std::span<const std::byte> file);

}  // namespace bitexact::cli
