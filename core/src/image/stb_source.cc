#include "image/stb_source.h"

#include <algorithm>

namespace bitexact {
namespace {

constexpr std::byte kGuard[] = {std::byte{0xff}, std::byte{0}, std::byte{0xff}, std::byte{0}};

/// The decoder fills its 32-bit buffer while it has at most 24 bits, so it takes in four ones-bytes ahead of its need
/// (each followed by a stuffed zero); a fifth shows that it has used up all bits of the scan.
constexpr size_t kReadAhead = 8;

/// The position of the first restart marker in [from, to), or `to`.
size_t find_restart(Bytes scan, size_t from, size_t to) noexcept {
  for (size_t i = from; i < to; ++i) {
    if (u8_at(scan, i) == 0xff && i + 1 < scan.size() && (u8_at(scan, i + 1) & 0xf8) == 0xd0) return i;
  }
  return to;
}

/// How much of a guard already stands before position `end`: some encoders pad with a whole byte of ones.
size_t trailing_ones(Bytes scan, size_t end) noexcept {
  size_t n = 0;
  while (n < sizeof kGuard && end >= n + 2 && be16_at(scan, end - n - 2) == 0xff00) n += 2;
  return n;
}

}  // namespace

size_t StbSource::read(std::byte* out, size_t size) noexcept {
  size_t done = 0;
  while (done < size && piece_ < pieces_.size()) {
    const Piece& piece = pieces_[piece_];
    if (piece.entropy_coded) return done > 0 ? done : read_scan(piece.bytes, out, size);
    const size_t n = std::min(size - done, piece.bytes.size() - offset_);
    std::copy_n(piece.bytes.begin() + static_cast<std::ptrdiff_t>(offset_), n, out + done);
    done += n;
    offset_ += n;
    if (offset_ == piece.bytes.size()) next_piece();
  }
  return done;
}

size_t StbSource::read_scan(Bytes scan, std::byte* out, size_t size) noexcept {
  scan_ = scan;
  if (offset_ == scan.size()) return read_guard(out);
  const size_t limit = std::min(scan.size(), offset_ + size);
  const size_t stop = find_restart(scan, offset_ + (at_restart_ ? 2 : 0), limit);
  at_restart_ = stop == offset_;
  if (at_restart_) {
    const size_t n = sizeof kGuard - trailing_ones(scan, offset_);
    std::copy_n(kGuard, n, out);
    return n > 0 ? n : read_scan(scan, out, size);
  }
  std::copy_n(scan.begin() + static_cast<std::ptrdiff_t>(offset_), stop - offset_, out);
  const size_t n = stop - offset_;
  offset_ = stop;
  return n;
}

/// One byte a call, so that none is left in the decoder's buffer when the scan is complete.
size_t StbSource::read_guard(std::byte* out) noexcept {
  *out = kGuard[guard_served_++ % 2];
  if (guard_served_ > kReadAhead) overrun_ = true;
  return 1;
}

void StbSource::skip(size_t bytes) noexcept {
  while (bytes > 0 && piece_ < pieces_.size() && !pieces_[piece_].entropy_coded) {
    const size_t n = std::min(bytes, pieces_[piece_].bytes.size() - offset_);
    bytes -= n;
    offset_ += n;
    if (offset_ == pieces_[piece_].bytes.size()) next_piece();
  }
}

bool StbSource::at_end() noexcept {
  if (piece_ < pieces_.size() && pieces_[piece_].entropy_coded) {
    const Bytes scan = pieces_[piece_].bytes;
    if (find_restart(scan, offset_, scan.size()) < scan.size()) unread_intervals_ = true;
    next_piece();
  }
  return piece_ == pieces_.size();
}

void StbSource::next_piece() noexcept {
  ++piece_;
  offset_ = guard_served_ = 0;
  at_restart_ = false;
}

}  // namespace bitexact
