#pragma once
#include "image/layout.h"

namespace bitexact {

/// Serves a layout's pieces to stb_image's reader.
///
/// stb_image reads zeros when the entropy-coded data of a JPEG end early, and would fill the rest of the image with
/// them. Here the data are followed by a guard of ones instead. No Huffman code is all ones (T.81 reserves it), so a
/// decoder that runs past the end fails at its next symbol. Before a restart marker the guard is two bytes, as many as
/// the decoder surely takes in before it looks for the marker (with the padding, less than 24 bits); after the last
/// interval it is endless, until the decoder asks for the end of the file: that is what stb_image does when a scan is
/// complete, and only then.
class StbSource {
 public:
  explicit StbSource(const std::vector<Piece>& pieces) : pieces_(pieces) {}

  size_t read(std::byte* out, size_t size) noexcept;
  void skip(size_t bytes) noexcept;
  [[nodiscard]] bool at_end() noexcept;

  [[nodiscard]] bool scan_overrun() const noexcept { return overrun_; }  ///< a scan surely needed more data than it had
  [[nodiscard]] bool intervals_unread() const noexcept { return unread_intervals_; }
  [[nodiscard]] Bytes scan() const noexcept { return scan_; }  ///< entropy-coded data, the last that were read
  [[nodiscard]] bool in_guard() const noexcept {
    return guard_served_ > 0;
  }  ///< reading has stopped behind a scan's data

 private:
  [[nodiscard]] size_t read_scan(Bytes scan, std::byte* out, size_t size) noexcept;
  [[nodiscard]] size_t read_guard(std::byte* out) noexcept;
  void next_piece() noexcept;

  const std::vector<Piece>& pieces_;
  Bytes scan_;
  size_t piece_ = 0, offset_ = 0, guard_served_ = 0;
  bool at_restart_ = false;  ///< the guard before the marker at `offset_` was served
  bool overrun_ = false, unread_intervals_ = false;
};

}  // namespace bitexact
