#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bitexact/tensor.h"
#include "import/onnx_graph.h"

namespace bitexact::onnx {

/// Elements known when a file is read.
using Constant = std::shared_ptr<const TensorData>;

[[nodiscard]] const char* type_name(Type t) noexcept;
[[nodiscard]] size_t size_of(Type t) noexcept;  ///< 0 for those without a size
[[nodiscard]] bool is_float(Type t) noexcept;
[[nodiscard]] bool is_integer(Type t) noexcept;  ///< bool, too

/// What a tensor of the file becomes: q16 for floats; nothing for what bitexact does not hold (bool, u32, u64).
[[nodiscard]] std::optional<DType> dtype_of(Type t) noexcept;
/// `unsupported` beyond six dimensions, `shape` for negative ones.
[[nodiscard]] Result<Shape> shape_of(const std::vector<int64_t>& dims);
[[nodiscard]] std::vector<int64_t> dims_of(const Shape& shape);

/// Of integers and bools; u64 wraps. Of floats: none.
[[nodiscard]] std::vector<int64_t> integers(const TensorData& t);
/// Of floats, exactly. Of integers: none.
[[nodiscard]] std::vector<double> reals(const TensorData& t);
/// Of floats, rounded once to binary32.
[[nodiscard]] std::vector<float> floats(const TensorData& t);

/// The elements are as many as `dims` say. Integers wrap to the type; floats are rounded once to f32, or stay f64.
[[nodiscard]] Constant make_constant(Type t, std::vector<int64_t> dims, const std::vector<int64_t>& elements);
[[nodiscard]] Constant make_constant(Type t, std::vector<int64_t> dims, const std::vector<double>& elements);

/// Little-endian elements in machine order, or back.
void swap_on_big_endian(std::span<std::byte> bytes, size_t size) noexcept;

}  // namespace bitexact::onnx
