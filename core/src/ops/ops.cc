#include "bitexact/ops.h"

#include "ops/prepare.h"

namespace bitexact {
namespace {

// In the order of `enum class Op`.
constexpr OpDef kOps[] = {
    {"conv2d", 2, 3, prepare_conv2d}, {"max_pool2d", 1, 1, prepare_pool2d},     {"avg_pool2d", 1, 1, prepare_pool2d},
    {"relu", 1, 1, prepare_relu},     {"leaky_relu", 1, 1, prepare_leaky_relu},
};

}  // namespace

const OpDef& op_def(Op op) noexcept { return kOps[static_cast<size_t>(op)]; }
const char* op_name(Op op) noexcept { return op_def(op).name; }

const char* pad_name(Pad pad) noexcept {
  switch (pad) {
    case Pad::valid:
      return "VALID";
    case Pad::same_upper:
      return "SAME_UPPER";
    case Pad::same_lower:
      return "SAME_LOWER";
    case Pad::full:
      return "FULL";
    case Pad::explicit_:
      return "explicit";
  }
  return "";
}

Status need_q16(const Prepare& p) {
  for (const Model::Value* v : p.inputs)
    if (v->dtype != DType::q16)
      return error(Code::unsupported, std::string(op_name(p.node.op)) + " takes q16, got " + dtype_name(v->dtype));
  return {};
}

}  // namespace bitexact
