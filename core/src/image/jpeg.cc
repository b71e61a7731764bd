#include <algorithm>
#include <string>

#include "image/jpeg_tables.h"
#include "image/layout.h"

namespace bitexact {
namespace {

enum Marker : uint32_t {
  kSof0 = 0xc0,
  kSof1 = 0xc1,
  kSof2 = 0xc2,
  kSof3 = 0xc3,
  kDht = 0xc4,
  kJpg = 0xc8,
  kSof15 = 0xcf,
  kRst0 = 0xd0,
  kRst7 = 0xd7,
  kSoi = 0xd8,
  kEoi = 0xd9,
  kSos = 0xda,
  kDqt = 0xdb,
  kDnl = 0xdc,
  kDri = 0xdd,
  kApp0 = 0xe0,
  kApp1 = 0xe1,
  kApp2 = 0xe2,
  kApp14 = 0xee,
  kJpegLs = 0xf7,
};

/// A file of a few bytes per scan could otherwise ask for hours; real progressive files have about ten.
constexpr int kMaxScans = 500;

constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr bool is_restart(uint32_t marker) { return marker >= kRst0 && marker <= kRst7; }

struct Component {
  uint32_t id = 0, h = 0, v = 0, quantization = 0;
  bool coded = false;
};

struct Frame {
  bool progressive = false;
  uint32_t width = 0, height = 0, count = 0, h_max = 1, v_max = 1;
  Component components[4];

  [[nodiscard]] Component* find(uint32_t id) noexcept {
    Component* end = components + count;
    Component* found = std::find_if(components, end, [id](const Component& c) { return c.id == id; });
    return found == end ? nullptr : found;
  }
  /// Minimum coded units of a scan: blocks when it holds one component, else groups of blocks of all.
  [[nodiscard]] uint32_t units(const Component* only) const noexcept {
    if (!only) return ceil_div(width, 8 * h_max) * ceil_div(height, 8 * v_max);
    return ceil_div(ceil_div(width * only->h, h_max), 8) * ceil_div(ceil_div(height * only->v, v_max), 8);
  }
};

Status unsupported_frame(uint32_t marker, size_t at) {
  const char* process = marker == kJpegLs ? "JPEG-LS"
                        : marker == kSof3 ? "lossless"
                        : marker > kJpg   ? "arithmetic-coded"
                                          : "hierarchical";
  return error(Code::unsupported,
               std::string(process) + " JPEG images are not supported; expected baseline or progressive", at_byte(at));
}

/// Collects a ImageLayout from the marker segments in file order; the decoder sees only segments that were checked
/// here.
class JpegWalk {
 public:
  explicit JpegWalk(Bytes file) : file_(file) {}

  [[nodiscard]] Result<ImageLayout> layout() {
    layout_.info.format = ImageFormat::jpeg;
    layout_.show(file_.first(2));
    at_ = 2;
    while (!ended_) BITEXACT_TRY(next_segment());
    return std::move(layout_);
  }

 private:
  Status next_segment() {
    BITEXACT_TRY(find_marker());
    if (marker_ == kEoi) return take_end();
    if (marker_ == kSoi || is_restart(marker_) || marker_ == 1)
      return malformed("marker in a place where none belongs");
    if (file_.size() - at_ < 4) return truncated();
    const size_t length = be16_at(file_, at_ + 2);
    if (length < 2) return malformed("segment length is below 2");
    if (length > file_.size() - at_ - 2) return truncated();
    segment_ = file_.subspan(at_, length + 2);
    payload_ = segment_.subspan(4);
    BITEXACT_TRY(take_segment());
    at_ += segment_.size();
    return marker_ == kSos ? take_scan_data() : Status{};
  }

  /// Skips what is no marker, as every decoder does, and fill bytes.
  Status find_marker() {
    for (; file_.size() - at_ >= 2; ++at_) {
      const uint32_t code = u8_at(file_, at_ + 1);
      if (u8_at(file_, at_) != 0xff || code == 0 || code == 0xff) continue;
      marker_ = code;
      return {};
    }
    return truncated();
  }

  Status take_segment() {
    switch (marker_) {
      case kSof0:
      case kSof1:
      case kSof2:
        return take_frame();
      case kDht:
        return shown(tables_.define_huffman(payload_, at_));
      case kDqt:
        return shown(tables_.define_quantization(payload_, at_));
      case kDri:
        return take_restart_interval();
      case kSos:
        return take_scan_header();
      case kApp0:
        return shown({});
      case kApp1:
        return take_exif();
      case kApp2:
        return take_profile();
      case kApp14:
        return take_adobe();
      case kDnl:
        return error(Code::unsupported, "JPEG images with their height after the first scan are not supported",
                     at_byte(at_));
      default:
        if ((marker_ > kSof2 && marker_ <= kSof15 && marker_ != kJpg) || marker_ == kJpegLs)
          return unsupported_frame(marker_, at_);
        return {};
    }
  }

  Status shown(Status status) {
    if (status.ok()) layout_.show(segment_);
    return status;
  }

  Status take_exif() {
    if (!has_text(payload_, 0, std::string_view("Exif\0\0", 6)) || exif_seen_) return {};
    exif_seen_ = true;
    layout_.info.orientation = exif_orientation(payload_.subspan(6));
    return {};
  }

  Status take_profile() {
    if (has_text(payload_, 0, "ICC_PROFILE")) layout_.info.color_profile_ignored = true;
    return {};
  }

  Status take_adobe() {
    if (has_text(payload_, 0, "Adobe") && payload_.size() >= 12)
      adobe_transform_ = static_cast<int>(u8_at(payload_, 11));
    return shown({});
  }

  Status take_restart_interval() {
    if (payload_.size() != 2) return malformed("restart interval (DRI) must hold two bytes");
    restart_interval_ = be16_at(payload_, 0);
    return shown({});
  }

  Status take_frame() {
    if (frame_.count != 0) return malformed("second frame header (SOF)");
    if (payload_.size() < 6) return malformed("frame header (SOF) is too short");
    if (u8_at(payload_, 0) != 8) {
      return error(Code::unsupported,
                   std::to_string(u8_at(payload_, 0)) + "-bit JPEG images are not supported; expected 8-bit",
                   at_byte(at_));
    }
    frame_.progressive = marker_ == kSof2;
    frame_.height = be16_at(payload_, 1);
    frame_.width = be16_at(payload_, 3);
    const uint32_t count = u8_at(payload_, 5);
    if (frame_.width == 0) return malformed("width is 0");
    if (frame_.height == 0)
      return error(Code::unsupported, "JPEG images without a height in their header are not supported", at_byte(at_));
    if (count != 1 && count != 3 && count != 4) {
      return error(Code::unsupported, "JPEG images of " + std::to_string(count) + " components are not supported",
                   at_byte(at_));
    }
    if (payload_.size() != 6 + 3 * count) return malformed("frame header (SOF) has the wrong length");
    layout_.info.width = static_cast<int32_t>(frame_.width);
    layout_.info.height = static_cast<int32_t>(frame_.height);
    layout_.info.channels = layout_.stored_channels = count == 1 ? 1 : 3;
    BITEXACT_TRY(take_components(count));
    return shown({});
  }

  Status take_components(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      const size_t at = 6 + 3 * i;
      const uint32_t id = u8_at(payload_, at), sampling = u8_at(payload_, at + 1), table = u8_at(payload_, at + 2);
      const Component component{id, sampling >> 4, sampling & 15, table, false};
      if (frame_.find(id)) return malformed("two components have the same identifier");
      if (component.h - 1 > 3 || component.v - 1 > 3) return malformed("sampling factors must be 1 to 4");
      if (table > 3) return malformed("quantization table number must be 0 to 3");
      frame_.h_max = std::max(frame_.h_max, component.h);
      frame_.v_max = std::max(frame_.v_max, component.v);
      frame_.components[frame_.count++] = component;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (frame_.h_max % frame_.components[i].h == 0 && frame_.v_max % frame_.components[i].v == 0) continue;
      return error(Code::unsupported, "JPEG images with fractional subsampling are not supported", at_byte(at_));
    }
    return {};
  }

  Status take_scan_header() {
    if (frame_.count == 0) return malformed("scan before the frame header");
    if (++scans_ > kMaxScans) return error(Code::too_large, "JPEG image has more than 500 scans", at_byte(at_));
    const uint32_t count = payload_.empty() ? 0 : u8_at(payload_, 0);
    if (count < 1 || count > frame_.count || payload_.size() != 4 + 2 * count)
      return malformed("scan header (SOS) has the wrong length");
    BITEXACT_TRY(take_spectrum(payload_.subspan(1 + 2 * count), count));
    Component* only = nullptr;
    Component* seen[4] = {};
    for (uint32_t i = 0; i < count; ++i) {
      only = seen[i] = frame_.find(u8_at(payload_, 1 + 2 * i));
      if (!only) return malformed("scan of a component that the frame does not have");
      if (std::find(seen, seen + i, only) != seen + i) return malformed("scan names a component twice");
      BITEXACT_TRY(check_tables(*only, u8_at(payload_, 2 + 2 * i)));
      only->coded = true;
    }
    units_ = frame_.units(count == 1 ? only : nullptr);
    return shown({});
  }

  Status take_spectrum(Bytes parameters, uint32_t components) {
    const uint32_t start = u8_at(parameters, 0), end = u8_at(parameters, 1);
    const uint32_t high = u8_at(parameters, 2) >> 4, low = u8_at(parameters, 2) & 15;
    if (!frame_.progressive) {
      needs_dc_ = needs_ac_ = true;
      return start == 0 && high == 0 && low == 0 ? Status{} : malformed("baseline scan selects part of the spectrum");
    }
    needs_dc_ = start == 0 && high == 0;
    needs_ac_ = start > 0;
    const bool band = start == 0 ? end == 0 : start <= end && end <= 63 && components == 1;
    if (!band || high > 13 || low > 13) return malformed("progressive scan has impossible spectrum parameters");
    return {};
  }

  Status check_tables(const Component& component, uint32_t huffman) {
    const uint32_t dc = huffman >> 4, ac = huffman & 15;
    if (dc > 3 || ac > 3) return malformed("Huffman table number must be 0 to 3");
    if (!tables_.quantization[component.quantization])
      return malformed("scan uses a quantization table that was not defined");
    if (!tables_.any_huffman && !frame_.progressive) {
      layout_.show(standard_huffman_segment());
      tables_.define_standard_huffman();
    }
    if ((needs_dc_ && !tables_.dc[dc]) || (needs_ac_ && !tables_.ac[ac]))
      return malformed("scan uses a Huffman table that was not defined");
    return {};
  }

  /// Advances to the marker after the entropy-coded data; counts the restart markers in it.
  Status take_scan_data() {
    const size_t begin = at_;
    uint32_t restarts = 0;
    for (;; ++at_) {
      if (file_.size() - at_ < 2) return truncated();
      if (u8_at(file_, at_) != 0xff) continue;
      const uint32_t code = u8_at(file_, at_ + 1);
      if (code == 0 || code == 0xff) continue;
      if (!is_restart(code)) break;
      if (code != kRst0 + restarts % 8) return malformed("restart marker out of order");
      ++restarts;
    }
    const uint32_t expected = restart_interval_ == 0 ? 0 : (units_ - 1) / restart_interval_;
    if (restarts != expected) {
      return malformed("scan has " + std::to_string(restarts) + " restart markers instead of " +
                       std::to_string(expected));
    }
    layout_.pieces.push_back({file_.subspan(begin, at_ - begin), true});
    return {};
  }

  Status take_end() {
    if (scans_ == 0) return malformed("there is no scan before the end of the image");
    for (uint32_t i = 0; i < frame_.count; ++i) {
      if (!frame_.components[i].coded) return malformed("component " + std::to_string(i + 1) + " is missing");
    }
    const bool inks = adobe_transform_ == 0 || adobe_transform_ == 2;
    if (frame_.count == 4 && !inks)
      return error(Code::unsupported, "four-component JPEG images without an Adobe marker are not supported",
                   at_byte(at_));
    layout_.show(file_.subspan(at_, 2));
    ended_ = true;
    return {};
  }

  [[nodiscard]] Status malformed(const std::string& why) const {
    return error(Code::malformed, "JPEG: " + why, at_byte(at_));
  }
  [[nodiscard]] Status truncated() const {
    return error(Code::malformed, "JPEG is truncated: no end-of-image marker", at_byte(file_.size()));
  }

  Bytes file_, segment_, payload_;  ///< the segment with its marker and length; what follows these
  size_t at_ = 0;
  uint32_t marker_ = 0, restart_interval_ = 0, units_ = 0;
  int scans_ = 0, adobe_transform_ = -1;
  bool exif_seen_ = false, ended_ = false, needs_dc_ = false, needs_ac_ = false;
  JpegTables tables_;
  Frame frame_;
  ImageLayout layout_;
};

}  // namespace

Result<ImageLayout> jpeg_layout(Bytes file) {
  JpegWalk walk(file);
  return walk.layout();
}

}  // namespace bitexact
