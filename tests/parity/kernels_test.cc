// Every kernel that a faster set lists is compared with the reference on awkward shapes, on every instruction set of
// this machine. A new line in the table is covered without a new test.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bitexact/buffer.h"
#include "bitexact/session.h"

namespace bitexact {
namespace {

uint64_t noise(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

struct Case {
  Op op;
  Attrs attrs;
  Shape in, weights;
  int weight_shift = 0;  ///< right shift of 32-bit noise: how large the weights are
  int32_t bias = INT32_MIN;
  std::vector<int32_t> given;  ///< weights instead of noise
};

struct Ran {
  Status status;
  std::vector<int32_t> data;
};

Ran run(const Case& c, KernelSet set, std::string& kernel) {
  std::vector<int32_t> in(*element_count(c.in)), weights(c.weights.rank() == 0 ? 0 : *element_count(c.weights)), bias;
  uint64_t state = 1;
  for (int32_t& v : in) v = static_cast<int32_t>(static_cast<uint32_t>(noise(state)));
  for (int32_t& v : weights) v = static_cast<int32_t>(static_cast<uint32_t>(noise(state))) >> c.weight_shift;
  if (!c.given.empty()) weights = c.given;
  Model m;
  m.values = {{"in", DType::q16, c.in, nullptr}, {"out", DType::q16, {}, nullptr}};
  m.nodes = {{"", c.op, c.attrs, {0}, 1}};
  if (!weights.empty()) {
    m.values.push_back({"w", DType::q16, c.weights, reinterpret_cast<const std::byte*>(weights.data())});
    bias.assign(static_cast<size_t>(c.weights[0]), c.bias);
    m.values.push_back({"b", DType::q16, {c.weights[0]}, reinterpret_cast<const std::byte*>(bias.data())});
    m.nodes[0].inputs = {0, 2, 3};
  }
  m.inputs = {0};
  m.outputs = {1};
  const auto plan = prepare(m, {set, false});
  if (!plan.ok()) return {plan.status(), {}};
  kernel = kernel_name(**plan, 0);
  auto arena = Buffer::make(arena_bytes(**plan));
  auto session = Session::open(*plan, arena->span());
  if (!in.empty()) std::memcpy(session->input(0).data, in.data(), in.size() * sizeof(int32_t));
  session->run();
  const Tensor out = session->output(0);
  return {{}, {out.as<int32_t>(), out.as<int32_t>() + out.count()}};
}

std::vector<Case> conv_cases(int64_t height, int64_t width, Pad pad) {
  std::vector<Case> all;
  for (const int64_t k : {1, 2, 3, 5})
    for (const int shift : {0, 14, 24}) {
      Conv2dAttrs a;
      a.layout = Layout::nchw;
      a.window.pad.kind = pad;
      all.push_back({Op::conv2d, a, {2, 1, height, width}, {1, 1, k, k + 1}, shift, INT32_MIN, {}});
    }
  return all;
}

// Weights whose |w| add up to just what 64-bit sums bear, and to one more; activation limits; both extreme biases.
void add_conv_limits(std::vector<Case>& all) {
  Conv2dAttrs a;
  a.layout = Layout::nchw;
  for (const int32_t last : {-65534, -65535, -65536, -65537})
    for (const int32_t bias : {INT32_MIN, INT32_MAX})
      all.push_back({Op::conv2d, a, {1, 1, 3, 41}, {1, 1, 1, 3}, 0, bias, {INT32_MAX, INT32_MIN + 131072, last}});
  a.act.min = -70000, a.act.max = 1 << 20;
  for (const int shift : {0, 14}) all.push_back({Op::conv2d, a, {1, 1, 5, 37}, {1, 1, 3, 3}, shift, 12345, {}});
}

std::vector<Case> cases() {
  std::vector<Case> all;
  add_conv_limits(all);
  for (const int64_t width : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 63, 64, 65, 66, 67, 130})
    for (const int64_t height : {1, 2, 5, 8}) {
      for (const Pad pad : {Pad::valid, Pad::same_upper, Pad::same_lower, Pad::full})
        for (Case& c : conv_cases(height, width, pad)) all.push_back(std::move(c));
      for (const Op op : {Op::max_pool2d, Op::avg_pool2d}) {
        Pool2dAttrs a;
        a.layout = Layout::nchw;
        a.kernel = a.window.stride = {2, 2};
        all.push_back({op, a, {2, 3, height, width}, {}, 0, 0, {}});
        a.act.min = -1000, a.act.max = 1 << 30;
        all.push_back({op, a, {1, 1, height, width}, {}, 0, 0, {}});
      }
      all.push_back({Op::relu, {}, {1, 1, height, width}, {}, 0, 0, {}});
    }
  return all;
}

size_t fast_kernel_count() {
  const auto all = kernel_list();
  return static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [](const KernelInfo& k) { return k.set == "simd"; }));
}

struct Tally {
  size_t passed = 0, failed = 0;
  std::vector<std::string> kernels;
};

// Both must succeed alike, or refuse alike (which counts for nothing); prints what differs.
void compare(const Case& c, const std::string& target, Tally& tally) {
  std::string fast, reference;
  const Ran a = run(c, KernelSet::fastest, fast), b = run(c, KernelSet::reference, reference);
  if (!a.status.ok() && a.status.text() == b.status.text()) return;
  if (a.status.ok() && b.status.ok() && a.data == b.data) {
    ++tally.passed;
    const bool known = std::find(tally.kernels.begin(), tally.kernels.end(), fast) != tally.kernels.end();
    if (fast != reference && !known) tally.kernels.push_back(fast);
    return;
  }
  ++tally.failed;
  std::printf("FAILED %s: %s differs from %s on %s %s\n", target.c_str(), fast.c_str(), reference.c_str(),
              c.in.text().c_str(), c.weights.text().c_str());
}

int check_all() {
  size_t passed = 0, failed = 0;
  for (const std::string& target : simd_targets()) {
    Tally tally;
    if (!use_simd_target(target)) ++failed;
    for (const Case& c : cases()) compare(c, target, tally);
    std::printf("%s: %zu kernels compared\n", target.c_str(), tally.kernels.size());
    passed += tally.passed, failed += tally.failed;
    if (tally.kernels.size() == fast_kernel_count()) continue;
    std::printf("FAILED %s: the table has %zu kernels; add a shape for the missing one\n", target.c_str(),
                fast_kernel_count());
    ++failed;
  }
  std::printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}

}  // namespace
}  // namespace bitexact

int main() { return bitexact::check_all(); }
