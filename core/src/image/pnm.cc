#include <string>

#include "image/layout.h"

namespace bitexact {
namespace {

bool is_space(uint32_t c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads the three numbers of a header: white space and comments, digits.
class PnmHeader {
 public:
  explicit PnmHeader(Bytes file) : file_(file) {}
  [[nodiscard]] size_t at() const noexcept { return at_; }

  Status number(const char* name, int32_t& out) {
    skip_space();
    const size_t begin = at_;
    int64_t value = 0;
    for (; at_ < file_.size() && digit() < 10 && value <= INT32_MAX; ++at_) value = value * 10 + digit();
    if (at_ == begin || value < 1 || value > INT32_MAX) {
      return error(Code::malformed, std::string("PNM ") + name + " must be a number from 1 to 2147483647",
                   at_byte(begin));
    }
    out = static_cast<int32_t>(value);
    return {};
  }

  /// The one character between the header and the samples.
  Status separator() {
    if (at_ >= file_.size() || !is_space(u8_at(file_, at_))) {
      return error(Code::malformed, "PNM header must end in one white space character", at_byte(at_));
    }
    ++at_;
    return {};
  }

 private:
  [[nodiscard]] uint32_t digit() const noexcept { return u8_at(file_, at_) - '0'; }
  void skip_space() {
    for (bool comment = false; at_ < file_.size(); ++at_) {
      const uint32_t c = u8_at(file_, at_);
      if (c == '#') comment = true;
      if (c == '\n' || c == '\r') comment = false;
      if (!comment && !is_space(c)) return;
    }
  }

  Bytes file_;
  size_t at_ = 2;
};

}  // namespace

Result<ImageLayout> pnm_layout(Bytes file) {
  ImageLayout layout;
  ImageInfo& info = layout.info;
  info.format = ImageFormat::pnm;
  info.channels = layout.stored_channels = u8_at(file, 1) == '6' ? 3 : 1;
  PnmHeader header(file);
  int32_t max = 0;
  BITEXACT_TRY(header.number("width", info.width));
  BITEXACT_TRY(header.number("height", info.height));
  BITEXACT_TRY(header.number("maximum value", max));
  if (max != 255 && max != 65535) {
    return error(Code::unsupported,
                 "PNM maximum value " + std::to_string(max) + " is not supported; expected 255 or 65535",
                 at_byte(header.at() - std::to_string(max).size()));
  }
  BITEXACT_TRY(header.separator());
  info.bits = max == 255 ? 8 : 16;
  const uint64_t row = uint64_t(info.width) * static_cast<uint64_t>(info.channels * info.bits / 8);
  const Bytes samples = file.subspan(header.at());
  if (samples.size() / row < static_cast<uint64_t>(info.height)) {
    return error(Code::malformed, "PNM is truncated: the file ends in the samples", at_byte(file.size()));
  }
  layout.pieces = {{samples.first(static_cast<size_t>(row * static_cast<uint64_t>(info.height))), false}};
  return layout;
}

}  // namespace bitexact
