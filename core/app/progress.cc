#include "progress.h"

#include <unistd.h>

#include <cstdio>

#include "cli.h"

namespace bitexact::cli {
namespace {

bool is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace

void show_progress(size_t done, size_t total, const std::string& label) {
  constexpr size_t kWidth = 20;
  if (!is_terminal() || total == 0) return;
  const size_t filled = done * kWidth / total;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r\033[K[%s] %s", bar.c_str(), printable(label.substr(0, 50)).c_str());
}

void clear_progress() {
  if (is_terminal()) std::fprintf(stderr, "\r\033[K");
}

}  // namespace bitexact::cli
