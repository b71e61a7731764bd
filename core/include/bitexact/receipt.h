#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bitexact/photo.h"
#include "bitexact/status.h"

namespace bitexact {

/// A receipt is canonical JSON: sorted keys, no spaces, UTF-8, integers only. Nothing in it depends on machine or time.
///   {"bitexact":1,"contract":1,"engine":"0.1.0",
///    "input":{"bits","channels","color_profile","file","format","height","orientation","pixels","resized"?,"tensor","width"},
///    "layers":[{"dtype","name","op","sha256","shape"}...],"outputs":[{"dtype","name","sha256","shape"}],"task":{...}}
/// `made_by` (architecture, simd target), when asked for, is one more key. No comparison looks at it, nor at `engine`.
[[nodiscard]] std::string write_receipt(const PhotoRun& finished, bool made_by = false);

/// What comparing or re-running found.
struct Verdict {
  bool same = true;
  std::string stage;          ///< first difference: "file", a stage's name, "task", "contract" ...
  std::string expected, got;  ///< the two digests (or values) there
  struct Element {
    uint64_t index = 0;
    int64_t expected = 0, got = 0;
  };
  std::optional<Element> element;  ///< the first differing element, when the expected dump was at hand
  [[nodiscard]] std::string text() const;
};

/// The task of a receipt, after checking its form (`malformed`, `unsupported` for other versions or contracts).
[[nodiscard]] Result<PhotoTask> read_receipt_task(std::string_view receipt);

/// The first difference of two receipts in the order file, pixels, resized, input, layers, outputs, then the rest.
/// `engine` and `made_by` are not compared: they say who computed, not what. `malformed` when either lacks a part that
/// holds digests.
[[nodiscard]] Result<Verdict> compare_receipts(std::string_view expected, std::string_view got);

/// Same, or the difference of one digest.
[[nodiscard]] Verdict compare_digests(const std::string& stage, const std::string& expected, const std::string& got);

/// The first element in which a stage differs from its expected little-endian dump; nothing when equal.
/// `shape` when the dump's size is not the tensor's.
[[nodiscard]] Result<std::optional<Verdict::Element>> compare_dump(std::span<const std::byte> expected,
                                                                   const Tensor& got);

}  // namespace bitexact
