#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bitexact/receipt.h"
#include "cli.h"

namespace bitexact::cli {

struct VerifyOptions {
  std::string receipt, dumps, model, layer;
  std::vector<std::string> inputs;
  double megapixels = 64;
  Engine engine;
};

/// Re-runs a receipt of a model, or one layer of it.
[[nodiscard]] Result<Verdict> verify_model(const VerifyOptions& options, std::string_view receipt);

/// The verdict on stdout; what the program exits with.
int print_verdict(const Verdict& verdict, bool json);

}  // namespace bitexact::cli
