// Every kernel that a faster set lists is compared with the reference on awkward shapes, on every instruction set of
// this machine. A new line in the table is covered without a new test, if a case here reaches it.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bitexact/operator.h"
#include "cases.h"

namespace bitexact {
namespace {

uint64_t noise(uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

// The upper bits of noise, sign-extended from the dtype's width and shifted right to make them smaller.
void paint(const Tensor& t, int shift, uint64_t& state) {
  const auto bits = static_cast<int>(size_of(t.dtype) * 8);
  for (size_t i = 0; i < t.count(); ++i) {
    const int64_t v = static_cast<int64_t>(noise(state)) >> (64 - bits + shift);
    const auto put = [&](auto x) { std::memcpy(t.data + i * sizeof x, &x, sizeof x); };
    if (bits == 8) put(static_cast<int8_t>(v));
    if (bits == 16) put(static_cast<int16_t>(v));
    if (bits == 32) put(static_cast<int32_t>(v));
    if (bits == 64) put(v);
  }
}

struct Inputs {
  std::vector<OwnedTensor> owners;
  std::vector<NamedTensor> named;
};

Inputs make_inputs(const parity::Case& c) {
  Inputs in;
  uint64_t state = 1;
  for (const parity::Input& i : c.inputs) {
    auto t = make_tensor({i.dtype, i.shape});
    if (!t.ok()) return {};
    paint(t->view, i.shift, state);
    if (!i.given.empty()) std::memcpy(t->view.data, i.given.data(), t->view.bytes());
    in.named.push_back({i.name, t->view});
    in.owners.push_back(std::move(*t));
  }
  return in;
}

bool same(const Result<OwnedTensor>& a, const Result<OwnedTensor>& b) {
  if (!a.ok() || !b.ok()) return a.ok() == b.ok() && a.status().text() == b.status().text();
  const bool alike = a->view.dtype == b->view.dtype && a->view.shape == b->view.shape;
  return alike && (a->view.bytes() == 0 || std::memcmp(a->view.data, b->view.data, a->view.bytes()) == 0);
}

std::string chosen(const parity::Case& c, const Inputs& in) {
  const auto e = explain_operator(c.op, c.attributes, in.named);
  if (e.ok())
    for (const Explanation::Candidate& k : e->kernels)
      if (k.verdict == "chosen") return k.name;
  return "";
}

std::vector<std::string> fast_kernels() {
  std::vector<std::string> names;
  for (const KernelInfo& k : kernel_list())
    if (k.set == "simd") names.push_back(k.name);
  return names;
}

struct Tally {
  size_t passed = 0, failed = 0;
  std::vector<std::string> unseen = fast_kernels();
};

// Cases that both refuse alike count for nothing.
void compare(const parity::Case& c, const std::string& target, Tally& tally) {
  const Inputs in = make_inputs(c);
  const auto fast = run_operator(c.op, c.attributes, in.named, {KernelSet::fastest});
  const auto reference = run_operator(c.op, c.attributes, in.named, {KernelSet::reference});
  if (same(fast, reference)) {
    if (!fast.ok()) return;
    ++tally.passed;
    std::erase(tally.unseen, chosen(c, in));
    return;
  }
  ++tally.failed;
  std::printf("FAILED %s: %s %s differs from the reference on", target.c_str(), chosen(c, in).c_str(),
              c.attributes.c_str());
  for (const parity::Input& i : c.inputs) std::printf(" %s %s", i.name.c_str(), i.shape.text().c_str());
  std::printf("\n");
}

// A result of 2^31 bytes can be planned where addresses have 64 bits, and is `too_large` where they have 32.
bool address_space_is_respected() {
  auto one = make_tensor({DType::u8, {1, 1, 1, 1}});
  const NamedTensor in{"in", one->view};
  const auto e = explain_operator("pad", R"({"pads": [0, 0, 0, 0, 0, 0, 32767, 65535]})", {&in, 1});
  const bool right = sizeof(size_t) == 4 ? e.status().code == Code::too_large : e.ok();
  if (!right) std::printf("FAILED 2^31 bytes: %s\n", e.status().text().c_str());
  return right;
}

int check_all() {
  size_t passed = 0, failed = 0;
  ++(address_space_is_respected() ? passed : failed);
  const std::vector<parity::Case> cases = parity::all_cases();
  for (const std::string& target : simd_targets()) {
    Tally tally;
    if (!use_simd_target(target)) ++failed;
    for (const parity::Case& c : cases) compare(c, target, tally);
    std::printf("%s: %zu kernels compared\n", target.c_str(), fast_kernels().size() - tally.unseen.size());
    for (const std::string& name : tally.unseen)
      std::printf("FAILED %s: no case reaches %s; add a shape to cases.cc\n", target.c_str(), name.c_str());
    passed += tally.passed, failed += tally.failed + tally.unseen.size();
  }
  std::printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}

}  // namespace
}  // namespace bitexact

int main() { return bitexact::check_all(); }
