#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "bitexact/status.h"
#include "bitexact/version.h"
#include "json_args.h"

namespace bitexact::cli {

/// 0 ok, 1 a check failed or two results differ, 2 bad input.
enum Exit : int { kOk = 0, kDiffers = 1, kBadInput = 2 };

/// A command leaves what to do here; main runs it after the arguments have been read.
using Action = std::function<int()>;

/// Control characters as \xNN: what a file says must not steer a terminal.
[[nodiscard]] std::string printable(const std::string& text);

/// One clear line on stderr.
int fail(const std::string& command, const Status& status);
int fail(const std::string& command, const std::string& message);

/// Which kernels compute: options shared by the commands that run something.
struct Engine {
  std::string kernels = "fastest", target;
  bool json = false;

  void add_to(CLI::App& app);
  [[nodiscard]] KernelSet set() const { return kernels == "reference" ? KernelSet::reference : KernelSet::fastest; }
  /// `argument` when this machine has no such instruction set.
  [[nodiscard]] Status apply() const;
};

void add_conformance(CLI::App& app, Action& action);
void add_conv(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_vectors(CLI::App& app, Action& action);
void add_kernels(CLI::App& app, Action& action);
void add_parity(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);

/// The build and the machine, as parity tables name them.
[[nodiscard]] Json platform_json();

}  // namespace bitexact::cli
