#include <algorithm>

#include "base/size.h"
#include "runtime/plan.h"

namespace bitexact {
namespace {

constexpr size_t kArenaAlign = 64;

bool meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

// Lowest offset at which `bytes` fit beside the neighbours, which are sorted by offset.
size_t first_gap(const std::vector<const Lifetime*>& neighbours, size_t bytes) {
  size_t at = 0;
  for (const Lifetime* n : neighbours) {
    if (n->offset >= at && n->offset - at >= bytes) break;
    at = std::max(at, n->offset + n->bytes);
  }
  return at;
}

// Looking for a gap takes a step for each tensor that has its place already. Beyond so many steps, which no network
// takes, tensors go to the arena's end: the smallest, since these come last.
constexpr uint64_t kMostSteps = uint64_t{1} << 24;

/// Gives tensors their places, one after the other.
class Arena {
 public:
  void place(Lifetime& l) {
    if (steps_ < kMostSteps) steps_ += placed_.size();
    l.offset = steps_ < kMostSteps ? first_gap(neighbours(l), l.bytes) : bytes_;
    bytes_ = std::max(bytes_, l.offset + l.bytes);
    if (steps_ >= kMostSteps) return;
    const auto after = [](size_t offset, const Lifetime* o) { return offset < o->offset; };
    placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), l.offset, after), &l);
  }
  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] std::vector<const Lifetime*> neighbours(const Lifetime& l) const {
    std::vector<const Lifetime*> all;
    std::copy_if(placed_.begin(), placed_.end(), std::back_inserter(all),
                 [&](const Lifetime* o) { return meet(l, *o); });
    return all;
  }

  std::vector<const Lifetime*> placed_;  // sorted by offset
  size_t bytes_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace

Result<size_t> place_lifetimes(std::vector<Lifetime>& lifetimes) {
  size_t total = 0;
  for (Lifetime& l : lifetimes) {
    size_t padded = 0;
    if (!checked_add(l.bytes, kArenaAlign - 1, padded) ||
        !checked_add(total, padded / kArenaAlign * kArenaAlign, total))
      return error(Code::too_large, "the tensors together exceed this machine's address space");
    l.bytes = padded / kArenaAlign * kArenaAlign;
  }
  std::vector<Lifetime*> order;
  order.reserve(lifetimes.size());
  for (Lifetime& l : lifetimes) order.push_back(&l);
  std::stable_sort(order.begin(), order.end(),
                   [](const Lifetime* a, const Lifetime* b) { return a->bytes > b->bytes; });

  Arena arena;
  for (Lifetime* l : order) arena.place(*l);
  return arena.bytes();
}

}  // namespace bitexact
