#include "ops/prepare.h"

namespace bitexact {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 20;

size_t channel_axis(const InstanceNormAttrs& a, const Shape& in) {
  return a.layout == Layout::nchw ? 1 : in.rank() - 1;
}

// Elements of a channel; -1 unknown. Above kMostElements it stops.
int64_t elements(const Shape& in, size_t channel) {
  int64_t count = 1;
  for (size_t i = 1; i < in.rank(); ++i) {
    if (i == channel) continue;
    if (in[i] == 0) return 0;
    if (count < 0 || in[i] < 0)
      count = -1;
    else
      count = in[i] > kMostElements || count > kMostElements ? kMostElements + 1 : count * in[i];
  }
  return count;
}

}  // namespace

Result<TensorType> infer_instance_norm(const Operands& o) {
  const auto& a = o.as<InstanceNormAttrs>();
  const Shape& in = o.in[0].shape;
  BITEXACT_TRY(need_dtypes(o, only(DType::q16)));
  if (a.epsilon < 0)
    return error(Code::argument, "epsilon must be at least 0, got " + std::to_string(a.epsilon) + " / 2^32");
  if (in.rank() < 3) return error(Code::shape, "expected at least 3 dimensions, got " + in.text());
  const size_t channel = channel_axis(a, in);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    const Shape& s = o.in[i].shape;
    if (s.rank() != 1 || (s[0] != in[channel] && s[0] != -1 && in[channel] != -1))
      return error(Code::shape, std::string(i == 1 ? "scale" : "bias") + " must be [" + std::to_string(in[channel]) +
                                    "], got " + s.text());
  }
  const int64_t count = elements(in, channel);
  if (count == 0) return error(Code::shape, "a channel of " + in.text() + " has no elements");
  if (count > kMostElements)
    return error(Code::unsupported, "a channel of " + in.text() + " has more than 2^20 elements");
  return o.in[0];
}

Status prepare_instance_norm(Prepare& p) {
  const auto& a = p.operands.as<InstanceNormAttrs>();
  const Shape& in = p.out.shape;
  InstanceNormParams& n = p.args.instance_norm = {};
  if (element_count(in) == size_t{0}) return {};
  const size_t channel = channel_axis(a, in);
  const bool nchw = a.layout == Layout::nchw;
  const auto count = static_cast<ptrdiff_t>(elements(in, channel)), channels = static_cast<ptrdiff_t>(in[channel]);
  n = {static_cast<ptrdiff_t>(in[0]), channels, count, count * channels, nchw ? count : 1,
       nchw ? 1 : channels,           a.epsilon};
  return {};
}

}  // namespace bitexact
