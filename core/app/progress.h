#pragma once
#include <cstddef>
#include <string>

namespace bitexact::cli {

/// A bar on stderr with the label of what comes next; nothing when stderr is no terminal.
void show_progress(size_t done, size_t total, const std::string& label);
/// Takes the bar away.
void clear_progress();

}  // namespace bitexact::cli
