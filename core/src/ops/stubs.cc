#include "ops/prepare.h"
namespace bitexact {
#define STUB_INFER(x) \
  Result<TensorType> infer_##x(const Operands&) { return error(Code::unsupported, "not yet"); }
#define STUB(x) \
  STUB_INFER(x) Status prepare_##x(Prepare&) { return error(Code::unsupported, "not yet"); }
STUB(conv_transpose2d)
STUB(fully_connected)
STUB(matmul) STUB(batch_norm) STUB(softmax)
    STUB_INFER(prelu) STUB(binary)
}  // namespace bitexact
