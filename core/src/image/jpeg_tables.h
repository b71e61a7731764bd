#pragma once
#include <array>
#include <optional>

#include "bitexact/status.h"
#include "image/bytes.h"

namespace bitexact {

/// Which of the four table slots of a kind a file has defined so far.
struct JpegTables {
  std::array<bool, 4> quantization{}, dc{}, ac{};
  bool any_huffman = false;

  /// Takes the payload of a DQT or DHT segment at byte `at` of the file.
  [[nodiscard]] Status define_quantization(Bytes payload, size_t at);
  [[nodiscard]] Status define_huffman(Bytes payload, size_t at);
  void define_standard_huffman() noexcept { dc[0] = dc[1] = ac[0] = ac[1] = any_huffman = true; }
};

/// The DHT segment with the tables of T.81 Annex K, which motion JPEG frames leave out.
[[nodiscard]] Bytes standard_huffman_segment() noexcept;

}  // namespace bitexact
