#pragma once
#include <span>

#include "bitexact/model.h"
#include "bitexact/status.h"
#include "kernels/kernels.h"

namespace bitexact {

/// One node on its way into a plan: the operator reads `node` and `inputs`, and fills the rest.
struct Prepare {
  const Model::Node& node;
  std::span<const Model::Value* const> inputs;  ///< shapes inferred, constants known
  DType dtype = DType::q16;                     ///< of the output; also selects the kernel
  Shape shape;                                  ///< of the output
  Args args{};                                  ///< parameters; the plan binds the pointers
};

/// An operator: its name, how many inputs it takes, and what it means (check, infer, fill parameters, bound the
/// accumulator).
struct OpDef {
  const char* name;
  size_t min_inputs, max_inputs;
  Status (*prepare)(Prepare&);
};
[[nodiscard]] const OpDef& op_def(Op op) noexcept;

Status prepare_conv2d(Prepare& p);
Status prepare_pool2d(Prepare& p);
Status prepare_relu(Prepare& p);
Status prepare_leaky_relu(Prepare& p);

/// Output shape of pooling, -1 where a dimension of `in` is unknown (MaxPoolExt2).
[[nodiscard]] Result<Shape> infer_pool_shape(const Shape& in, const Pool2dAttrs& attrs);

/// The only check of the data type every q16 operator makes.
[[nodiscard]] Status need_q16(const Prepare& p);

}  // namespace bitexact
