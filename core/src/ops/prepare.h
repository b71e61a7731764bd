#pragma once
#include <memory>
#include <span>
#include <vector>

#include "bitexact/model.h"
#include "bitexact/session.h"
#include "bitexact/status.h"
#include "kernels/kernels.h"

namespace bitexact {

/// A node's attributes and the types of its inputs. While shapes are inferred a dimension may be -1 (unknown).
struct Operands {
  Op op;
  const Attrs& attrs;
  std::span<const TensorType> in;

  /// `op_def` says which alternative an operator has; whoever calls an operator has checked it.
  template <class T>
  [[nodiscard]] const T& as() const noexcept {
    return *std::get_if<T>(&attrs);
  }
  [[nodiscard]] bool has(size_t i) const noexcept { return i < in.size(); }
};

/// One node on its way into a plan. All dimensions are known and `out` has been inferred; the operator fills the rest.
struct Prepare {
  Operands operands;
  TensorType out;
  Args args{};  ///< `in` holds the constants
  AccumulatorBound accumulator;
  std::shared_ptr<const void> kept;  ///< parameters that `args` only points to

  template <class T>
  T& keep(T value) {
    auto owner = std::make_shared<T>(std::move(value));
    kept = owner;
    return *owner;
  }
};

/// An operator: its name, its inputs, and what it means.
struct OpDef {
  static constexpr size_t kAnyNumber = 64;

  const char* name;
  std::array<const char*, 3> inputs;  ///< their names; null after the last
  size_t min_inputs, max_inputs;      ///< kAnyNumber: the first name with a number behind it, "in0", "in1" ...
  size_t attrs;                       ///< index in `Attrs`
  /// Checks everything that can be checked and infers the output.
  Result<TensorType> (*infer)(const Operands&);
  /// Fills parameters, and bounds the accumulator.
  Status (*prepare)(Prepare&);
};
[[nodiscard]] const OpDef& op_def(Op op) noexcept;
/// Whether an operator takes so many inputs, and these attributes.
[[nodiscard]] Status check_call(Op op, const Attrs& attrs, size_t inputs);

// One pair for each operator or family; ops.cc has the table.
Result<TensorType> infer_conv2d(const Operands& o);
Status prepare_conv2d(Prepare& p);
Result<TensorType> infer_conv_transpose2d(const Operands& o);
Status prepare_conv_transpose2d(Prepare& p);
Result<TensorType> infer_fully_connected(const Operands& o);
Status prepare_fully_connected(Prepare& p);
Result<TensorType> infer_matmul(const Operands& o);
Status prepare_matmul(Prepare& p);
Result<TensorType> infer_batch_norm(const Operands& o);
Status prepare_batch_norm(Prepare& p);
Result<TensorType> infer_max_pool2d(const Operands& o);
Result<TensorType> infer_avg_pool2d(const Operands& o);
Status prepare_pool2d(Prepare& p);
Result<TensorType> infer_q_conv2d(const Operands& o);
Status prepare_q_conv2d(Prepare& p);
Result<TensorType> infer_q_fully_connected(const Operands& o);
Status prepare_q_fully_connected(Prepare& p);
Result<TensorType> infer_q_binary(const Operands& o);
Status prepare_q_binary(Prepare& p);
Result<TensorType> infer_q_softmax(const Operands& o);
Status prepare_q_softmax(Prepare& p);
Result<TensorType> infer_q_curve(const Operands& o);
Status prepare_q_curve(Prepare& p);
Result<TensorType> infer_eltwise(const Operands& o);
Status prepare_eltwise(Prepare& p);
Result<TensorType> infer_softmax(const Operands& o);
Status prepare_softmax(Prepare& p);
Result<TensorType> infer_prelu(const Operands& o);
Result<TensorType> infer_binary(const Operands& o);
Status prepare_binary(Prepare& p);
Result<TensorType> infer_concat(const Operands& o);
Status prepare_concat(Prepare& p);
Result<TensorType> infer_pad(const Operands& o);
Status prepare_pad(Prepare& p);
Result<TensorType> infer_transpose(const Operands& o);
Status prepare_transpose(Prepare& p);
Result<TensorType> infer_reshape(const Operands& o);
Status prepare_reshape(Prepare& p);
Result<TensorType> infer_slice(const Operands& o);
Status prepare_slice(Prepare& p);
Result<TensorType> infer_resize(const Operands& o);
Status prepare_resize(Prepare& p);
Result<TensorType> infer_depth_to_space(const Operands& o);
Status prepare_depth_to_space(Prepare& p);
Result<TensorType> infer_argmax(const Operands& o);
Status prepare_argmax(Prepare& p);
Result<TensorType> infer_conv2d_w16(const Operands& o);
Status prepare_conv2d_w16(Prepare& p);
Result<TensorType> infer_conv_transpose2d_w16(const Operands& o);
Status prepare_conv_transpose2d_w16(Prepare& p);
Result<TensorType> infer_fully_connected_w16(const Operands& o);
Status prepare_fully_connected_w16(Prepare& p);
Result<TensorType> infer_quantize(const Operands& o);
Status prepare_quantize(Prepare& p);
Result<TensorType> infer_dequantize(const Operands& o);
Status prepare_dequantize(Prepare& p);
Result<TensorType> infer_requantize(const Operands& o);
Status prepare_requantize(Prepare& p);
Result<TensorType> infer_q_mean(const Operands& o);
Status prepare_q_mean(Prepare& p);
Result<TensorType> infer_reduce(const Operands& o);
Status prepare_reduce(Prepare& p);
Result<TensorType> infer_expand(const Operands& o);
Status prepare_expand(Prepare& p);
Result<TensorType> infer_space_to_depth(const Operands& o);
Status prepare_space_to_depth(Prepare& p);
Result<TensorType> infer_instance_norm(const Operands& o);
Status prepare_instance_norm(Prepare& p);
Result<TensorType> infer_conv2d_integer(const Operands& o);
Status prepare_conv2d_integer(Prepare& p);
Result<TensorType> infer_matmul_integer(const Operands& o);
Status prepare_matmul_integer(Prepare& p);

/// `unsupported` unless every input has one of these dtypes.
[[nodiscard]] Status need_dtypes(const Operands& o, DTypes taken);
/// `unsupported` unless input i has one of these dtypes.
[[nodiscard]] Status need_dtype(const Operands& o, size_t i, DTypes taken);
[[nodiscard]] Status check_activation(const Activation& act);
/// What the activation leaves of a dtype's range: bounds beyond it are its ends, so a clamped value is one of the
/// dtype.
[[nodiscard]] Activation clamp_to(const Activation& act, DType t) noexcept;

}  // namespace bitexact
