#pragma once
// A node made of a fuzzer's bytes: any operator that has SIMD kernels, and most others, mostly with legal shapes and
// attributes, small enough to compute.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstring>
#include <vector>

#include "bitexact/session.h"

namespace bitexact::fuzz {

struct CaseInput {
  DType dtype;
  Shape shape;
  bool constant;
  std::vector<std::byte> bytes;
};
struct Case {
  Op op{};
  Attrs attrs;
  std::vector<CaseInput> inputs;
};

class CaseMaker {
 public:
  CaseMaker(const uint8_t* data, size_t size) : bytes_(data, size) {}
  Case make();

 private:
  static constexpr std::array<DType, 9> kAll{DType::q16, DType::f16, DType::f32, DType::i8, DType::u8,
                                             DType::i16, DType::u16, DType::i32, DType::i64};
  static constexpr std::array<DType, 3> kQuantized{DType::i8, DType::u8, DType::i16};

  bool rarely() { return bytes_.ConsumeIntegral<uint8_t>() == 255; }
  bool coin() { return bytes_.ConsumeBool(); }
  int64_t between(int64_t low, int64_t high) { return bytes_.ConsumeIntegralInRange(low, high); }
  /// Nearly always within the bounds.
  int64_t number(int64_t low, int64_t high) {
    constexpr int64_t kHostile[] = {INT64_MIN, INT32_MIN, -1, 0, 1 << 20, INT32_MAX, int64_t{1} << 32, INT64_MAX};
    return rarely() ? bytes_.PickValueInArray(kHostile) : between(low, high);
  }
  int32_t int32() {
    constexpr int32_t kEdges[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, 1 << 30, INT32_MAX};
    return coin() ? bytes_.PickValueInArray(kEdges) : bytes_.ConsumeIntegral<int32_t>();
  }
  /// Around the numbers of lanes; now and then 0.
  int64_t dim() {
    constexpr int64_t kDims[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 67};
    return rarely() ? 0 : bytes_.PickValueInArray(kDims);
  }
  int64_t small() { return rarely() ? 0 : between(1, 6); }
  Layout layout() { return coin() ? Layout::nhwc : Layout::nchw; }
  Shape image(Layout l, int64_t n, int64_t c, int64_t h, int64_t w) {
    return l == Layout::nhwc ? Shape{n, h, w, c} : Shape{n, c, h, w};
  }
  Shape shape() {
    Shape s;
    for (int64_t rank = between(0, 6); rank > 0; --rank) s.push_back(rank == 1 ? dim() : small());
    return s;
  }
  /// A shape that broadcasts to `s`.
  Shape narrower(const Shape& s) {
    Shape out;
    for (size_t i = static_cast<size_t>(between(0, static_cast<int64_t>(s.rank()))); i < s.rank(); ++i)
      out.push_back(coin() ? s[i] : 1);
    return out;
  }
  Activation act() {
    if (coin()) return {};
    const int32_t a = int32(), b = int32();
    return rarely() ? Activation{a, b} : Activation{std::min(a, b), std::max(a, b)};
  }
  std::vector<int64_t> numbers(size_t n, int64_t low, int64_t high) {
    std::vector<int64_t> v;
    for (size_t i = 0; i < n; ++i) v.push_back(number(low, high));
    return v;
  }
  Padding padding(int64_t most) {
    if (coin()) return {Pad::explicit_, number(0, most), number(0, most), number(0, most), number(0, most)};
    return {static_cast<Pad>(between(0, 3)), 0, 0, 0, 0};
  }
  WindowAttrs window(int64_t most) {
    return {{number(1, 3), number(1, 3)}, {number(1, 2), number(1, 2)}, padding(most), rarely()};
  }
  QuantAttrs quant(int64_t channels);
  void input(DType dtype, const Shape& shape);
  void convolution(DType in, DType weights, DType bias, Layout l, int64_t& groups, bool transposed);

  std::vector<int32_t> weight_shifts(int64_t channels) {
    std::vector<int32_t> shifts;
    for (int64_t i = coin() ? 1 : channels; i > 0; --i) shifts.push_back(static_cast<int32_t>(number(0, 30)));
    return shifts;
  }

  void fill_products();
  void fill_scaled();
  void fill_quantized();
  void fill_pool();
  void fill_elements();
  void fill_moves();

  FuzzedDataProvider bytes_;
  Case case_;
};

inline void CaseMaker::input(DType dtype, const Shape& shape) {
  constexpr uint64_t kEdges[] = {0, 1, ~uint64_t{0}, 0x8000000000000000, 0x7fffffffffffffff, 0x80808080, 0x7f7f7f7f};
  CaseInput in{dtype, shape, between(0, 3) != 0, {}};
  const auto size = byte_size(dtype, shape);
  in.bytes.resize(size && *size <= (1 << 18) ? *size : 0);
  if (!size || in.bytes.size() != *size) in.shape = {0};  // more than a test needs
  const int64_t kind = between(0, 3);
  uint64_t state = bytes_.ConsumeIntegral<uint32_t>();
  const size_t step = size_of(dtype);
  for (size_t i = 0; i < in.bytes.size(); i += step) {
    state = state * 6364136223846793005 + 1442695040888963407;
    uint64_t v = state ^ state >> 29;
    if (kind == 1) v = (v >> 40) % 17 - 8;
    if (kind == 3) v = (v >> 40) % 65536 - 32768;
    if (kind == 2) v = kEdges[(v >> 40) % std::size(kEdges)] >> (step == 4 && (v >> 50 & 1) ? 32 : 0);
    const auto narrow = [&](auto x) { std::memcpy(in.bytes.data() + i, &x, step); };
    if (step == 1) narrow(static_cast<uint8_t>(v));
    if (step == 2) narrow(static_cast<uint16_t>(v));
    if (step == 4) narrow(static_cast<uint32_t>(v));
    if (step == 8) narrow(v);
  }
  case_.inputs.push_back(std::move(in));
}

inline QuantAttrs CaseMaker::quant(int64_t channels) {
  QuantAttrs q;
  q.rule = static_cast<Requant>(between(0, 1));
  q.input_zero = static_cast<int32_t>(number(-8, 8)), q.weight_zero = static_cast<int32_t>(number(-1, 1));
  q.output_zero = static_cast<int32_t>(number(-8, 8));
  const auto n = static_cast<size_t>(coin() ? 1 : channels);
  for (size_t i = 0; i < n; ++i) {
    if (q.rule == Requant::tflm) {
      q.multiplier.push_back(rarely() ? int32() : static_cast<int32_t>(between(1 << 30, INT32_MAX)));
      q.shift.push_back(static_cast<int32_t>(number(-31, 8)));
    } else {
      q.scale.push_back(rarely() ? bytes_.ConsumeIntegral<uint32_t>() : static_cast<uint32_t>(between(100, 129)) << 23);
    }
  }
  return q;
}

// Data, weights and perhaps a bias whose channels fit each other.
inline void CaseMaker::convolution(DType in, DType weights, DType bias, Layout l, int64_t& groups, bool transposed) {
  constexpr int64_t kGroups[] = {1, 1, 2, 3, 16, 17};
  groups = bytes_.PickValueInArray(kGroups);
  const int64_t from = groups * (groups > 3 ? 1 : small()), each = groups > 3 ? between(1, 2) : small();
  const int64_t to = coin() && groups == 1 ? dim() : groups * each, k = between(1, 4), kw = between(1, 4);
  input(in, image(l, between(rarely() ? 0 : 1, 2), from, small() + k - 1, (groups > 3 ? small() : dim()) + kw - 1));
  if (transposed && l == Layout::nchw)
    input(weights, image(l, from, to / groups, k, kw));
  else
    input(weights, image(l, to, from / groups, k, kw));
  if (coin()) input(bias, {to});
}

inline void CaseMaker::fill_products() {
  if (case_.op == Op::conv2d) {
    Conv2dAttrs a{layout(), window(3), 1, act()};
    convolution(DType::q16, DType::q16, DType::q16, a.layout, a.groups, false);
    case_.attrs = a;
  } else if (case_.op == Op::conv_transpose2d) {
    ConvTranspose2dAttrs a{layout(), {number(1, 3), number(1, 3)}, {number(1, 2), number(1, 2)}, padding(2), {}, {}, 1,
                           act()};
    if (coin()) a.output_padding = {number(0, 1), number(0, 1)};
    if (coin()) a.output_size = {number(1, 20), number(1, 20)};
    convolution(DType::q16, DType::q16, DType::q16, a.layout, a.groups, true);
    case_.attrs = a;
  } else if (case_.op == Op::fully_connected) {
    const int64_t k = dim(), m = dim();
    input(DType::q16, {small(), k}), input(DType::q16, {m, k});
    if (coin()) input(DType::q16, {m});
    case_.attrs = FullyConnectedAttrs{act()};
  } else if (case_.op == Op::matmul) {
    const int64_t k = dim(), m = small(), n = dim(), lead = small();
    input(DType::q16, coin() ? Shape{m, k} : Shape{lead, m, k});
    input(DType::q16, coin() ? Shape{k, n} : Shape{coin() ? lead : 1, k, n});
  } else {
    const Shape s = shape();
    const int64_t axis = s.rank() == 0 ? -1 : between(0, static_cast<int64_t>(s.rank()) - 1);
    const int64_t channels = axis < 0 ? 1 : s[static_cast<size_t>(axis)];
    input(DType::q16, s), input(DType::q16, {channels}), input(DType::q16, {channels});
    case_.attrs = BatchNormAttrs{rarely() ? number(-6, 6) : axis};
  }
}

inline void CaseMaker::fill_scaled() {
  if (case_.op == Op::conv2d_w16) {
    ScaledConv2dAttrs a{{layout(), window(3), 1, act()}, {}};
    convolution(DType::q16, DType::i16, DType::i64, a.conv.layout, a.conv.groups, false);
    a.weight_shift = weight_shifts(case_.inputs[1].shape[0]);
    case_.attrs = a;
  } else if (case_.op == Op::conv_transpose2d_w16) {
    ScaledConvTranspose2dAttrs a;
    a.conv.layout = layout();
    a.conv.stride = {number(1, 3), number(1, 3)};
    a.conv.pad = padding(2);
    a.conv.act = act();
    convolution(DType::q16, DType::i16, DType::i64, a.conv.layout, a.conv.groups, true);
    const Shape& w = case_.inputs[1].shape;
    const bool by_input = a.conv.layout == Layout::nchw && w.rank() == 4;
    a.weight_shift = weight_shifts(by_input ? w[1] * a.conv.groups : w[0]);
    case_.attrs = a;
  } else {
    const int64_t k = dim(), m = dim();
    input(DType::q16, {small(), k}), input(DType::i16, {m, k});
    if (coin()) input(DType::i64, {m});
    case_.attrs = ScaledFullyConnectedAttrs{act(), weight_shifts(m)};
  }
}

inline void CaseMaker::fill_quantized() {
  const DType in = bytes_.PickValueInArray(kQuantized), weights = coin() ? DType::i8 : DType::u8;
  const DType bias = in == DType::i16 && coin() ? DType::i64 : DType::i32;
  if (case_.op == Op::q_conv2d) {
    QConv2dAttrs a{layout(), window(3), 1, {}, act()};
    convolution(in, weights, bias, a.layout, a.groups, false);
    const Shape& w = case_.inputs[1].shape;
    a.quant = quant(w[0]);
    case_.attrs = a;
  } else if (case_.op == Op::q_fully_connected) {
    const int64_t k = dim(), m = dim();
    input(in, {small(), k}), input(weights, {m, k});
    if (coin()) input(bias, {m});
    case_.attrs = QFullyConnectedAttrs{quant(m), act()};
  } else if (case_.op == Op::q_softmax) {
    input(in, shape());
    constexpr DType kOut[] = {DType::i8, DType::u8, DType::i16, DType::i32};
    case_.attrs = QSoftmaxAttrs{int32(), static_cast<int32_t>(number(0, 31)), static_cast<int32_t>(number(-1000, 0)),
                                coin() ? in : bytes_.PickValueInArray(kOut)};
  } else if (case_.op == Op::q_sigmoid || case_.op == Op::q_tanh) {
    input(in, shape());
    const int32_t multiplier = in == DType::i16 ? static_cast<int32_t>(number(0, INT16_MAX)) : int32();
    case_.attrs = QCurveAttrs{static_cast<int32_t>(number(-8, 8)), multiplier, static_cast<int32_t>(number(-4, 30))};
  } else {
    const Shape s = shape();
    input(in, s), input(in, narrower(s));
    const auto scaled = [&] {
      const int32_t multiplier = rarely() ? int32() : static_cast<int32_t>(between(1 << 20, INT32_MAX));
      return QBinaryAttrs::Scaled{static_cast<int32_t>(number(-8, 8)), multiplier,
                                  static_cast<int32_t>(number(-31, 8))};
    };
    case_.attrs = QBinaryAttrs{static_cast<Requant>(between(0, 1)), scaled(), scaled(), scaled(),
                               static_cast<int32_t>(number(0, 20)), act()};
  }
}

inline void CaseMaker::fill_pool() {
  Pool2dAttrs a{layout(), {number(1, 4), number(1, 4)}, window(3), rarely(), coin(), coin(), act()};
  if (coin()) a.kernel = {2, 2}, a.window = {{2, 2}, {1, 1}, {}, false};
  input(coin() ? DType::q16 : bytes_.PickValueInArray(kAll),
        image(a.layout, small(), coin() ? small() : dim(), small(), dim()));
  case_.attrs = a;
}

inline void CaseMaker::fill_elements() {
  const Shape s = shape();
  const bool wide = case_.op == Op::clamp || case_.op == Op::maximum || case_.op == Op::minimum;
  const DType dtype = wide || rarely() ? bytes_.PickValueInArray(kAll) : DType::q16;
  const bool swapped = coin();
  const bool two = case_.op >= Op::add && case_.op <= Op::minimum;
  input(dtype, two && swapped ? narrower(s) : s);
  if (two || case_.op == Op::prelu) input(dtype, two && swapped ? s : narrower(s));
  if (two) case_.attrs = BinaryAttrs{act()};
  if (case_.op == Op::clamp) case_.attrs = ClampAttrs{act()};
  if (case_.op == Op::leaky_relu) case_.attrs = LeakyReluAttrs{int32()};
  if (case_.op == Op::hard_sigmoid) case_.attrs = HardSigmoidAttrs{int32(), int32()};
  if (case_.op == Op::softmax)
    case_.attrs = SoftmaxAttrs{number(-6, 5), bytes_.PickValueInArray({DType::q16, DType::i8, DType::u8})};
}

inline void CaseMaker::fill_moves() {
  const DType dtype = bytes_.PickValueInArray(kAll);
  const bool four = case_.op == Op::resize || case_.op == Op::depth_to_space;
  const int64_t block = number(1, 3), channels = small() * std::min<int64_t>(std::max<int64_t>(block, 1), 3);
  const Layout l = layout();
  const Shape s = four ? image(l, small(), channels * (coin() ? 1 : block == 2 ? 2 : 3), small(), dim()) : shape();
  const size_t rank = s.rank();
  const bool bilinear = coin();
  input(case_.op == Op::resize && bilinear && !rarely() ? DType::q16 : dtype, s);
  if (case_.op == Op::concat) {
    const int64_t axis = number(-static_cast<int64_t>(rank), rank == 0 ? 0 : static_cast<int64_t>(rank) - 1);
    for (int64_t more = between(0, 4); more > 0; --more) {
      Shape other = s;
      const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
      if (at < rank) other[at] = coin() ? small() : dim();
      input(dtype, other);
    }
    case_.attrs = ConcatAttrs{axis};
  } else if (case_.op == Op::pad) {
    case_.attrs = PadAttrs{numbers(2 * rank, 0, 3), static_cast<PadAttrs::Mode>(between(0, 2)), number(-100, 100)};
  } else if (case_.op == Op::transpose) {
    TransposeAttrs a;
    for (size_t i = 0; i < rank; ++i)
      a.perm.insert(a.perm.begin() + between(0, static_cast<int64_t>(i)), static_cast<int64_t>(i));
    if (rank != 0 && rarely()) a.perm[0] = number(0, 5);
    case_.attrs = a;
  } else if (case_.op == Op::reshape) {
    case_.attrs = ReshapeAttrs{coin() ? std::vector<int64_t>{-1} : numbers(static_cast<size_t>(between(0, 7)), -1, 8)};
  } else if (case_.op == Op::slice) {
    const size_t n = static_cast<size_t>(between(0, static_cast<int64_t>(rank)));
    case_.attrs = SliceAttrs{numbers(n, -70, 70), numbers(n, -70, 70), {}, numbers(n, -3, 3)};
  } else if (case_.op == Op::resize) {
    case_.attrs = ResizeAttrs{l,
                              {number(1, 70), number(1, 70)},
                              bilinear ? ResizeAttrs::Mode::bilinear : ResizeAttrs::Mode::nearest,
                              static_cast<ResizeAttrs::Coordinates>(between(0, 3)),
                              static_cast<ResizeAttrs::Rounding>(between(0, 3))};
  } else if (case_.op == Op::depth_to_space) {
    case_.attrs = DepthToSpaceAttrs{l, block, coin() ? DepthToSpaceAttrs::Mode::dcr : DepthToSpaceAttrs::Mode::crd};
  } else {
    case_.attrs = ArgmaxAttrs{number(-6, 5), coin(), coin(), coin() ? DType::i64 : coin() ? DType::i32 : dtype};
  }
}

inline Case CaseMaker::make() {
  constexpr Op kScaled[] = {Op::conv2d_w16, Op::conv_transpose2d_w16, Op::fully_connected_w16};
  constexpr auto kFirst = static_cast<int64_t>(Op::argmax) + 1;
  const int64_t op = between(0, kFirst + static_cast<int64_t>(std::size(kScaled)) - 1);
  case_.op = op < kFirst ? static_cast<Op>(op) : kScaled[op - kFirst];
  const auto is = [&](Op first, Op last) { return case_.op >= first && case_.op <= last; };
  if (is(Op::conv2d, Op::batch_norm))
    fill_products();
  else if (is(Op::max_pool2d, Op::avg_pool2d))
    fill_pool();
  else if (is(Op::q_conv2d, Op::q_tanh))
    fill_quantized();
  else if (is(Op::concat, Op::argmax))
    fill_moves();
  else if (is(Op::conv2d_w16, Op::fully_connected_w16))
    fill_scaled();
  else
    fill_elements();
  return std::move(case_);
}

}  // namespace bitexact::fuzz
