#include <algorithm>

#include "base/size.h"
#include "runtime/plan.h"

namespace bitexact {
namespace {

constexpr size_t kAlign = 64;

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

}  // namespace

Result<size_t> place_lifetimes(std::vector<Lifetime>& lifetimes) {
  size_t total = 0;
  for (Lifetime& l : lifetimes) {
    size_t padded = 0;
    if (!checked_add(l.bytes, kAlign - 1, padded) || !checked_add(total, padded / kAlign * kAlign, total))
      return error(Code::too_large, "the tensors together exceed this machine's address space");
    l.bytes = padded / kAlign * kAlign;
  }
  std::vector<Lifetime*> order;
  order.reserve(lifetimes.size());
  for (Lifetime& l : lifetimes) order.push_back(&l);
  std::stable_sort(order.begin(), order.end(),
                   [](const Lifetime* a, const Lifetime* b) { return a->bytes > b->bytes; });

  size_t arena = 0;
  std::vector<const Lifetime*> placed;  // sorted by offset
  for (Lifetime* l : order) {
    std::vector<const Lifetime*> neighbours;
    std::copy_if(placed.begin(), placed.end(), std::back_inserter(neighbours),
                 [&](const Lifetime* o) { return meet(*l, *o); });
    l->offset = first_gap(neighbours, l->bytes);
    arena = std::max(arena, l->offset + l->bytes);
    const auto after = [](size_t offset, const Lifetime* o) { return offset < o->offset; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), l->offset, after), l);
  }
  return arena;
}

}  // namespace bitexact
