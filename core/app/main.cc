#include <cstdio>
#include <iostream>

#include "cli.h"

namespace bitexact::cli {

std::string printable(const std::string& text) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    else
      out += c;
  }
  return out;
}

int fail(const std::string& command, const std::string& message) {
  std::fprintf(stderr, "bitexact %s: %s\n", command.c_str(), printable(message).c_str());
  return kBadInput;
}

int fail(const std::string& command, const Status& status) { return fail(command, status.text()); }

void Engine::add_to(CLI::App& app) {
  app.add_option("--kernels", kernels, "which kernels compute")
      ->check(CLI::IsMember({"reference", "fastest"}))
      ->capture_default_str();
  app.add_option("--target", target, "instruction set of the fastest kernels; `bitexact version` lists them");
  app.add_flag("--json", json, "print JSON");
}

Status Engine::apply() const {
  if (target.empty() || use_simd_target(target)) return {};
  std::string known;
  for (const std::string& t : simd_targets()) known += " " + t;
  return error(Code::argument, "--target " + target + ": this machine has" + known);
}

namespace {

// A result that could not be printed, on a full disk for instance, is no result.
int printed(int code) {
  if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "bitexact: stdout could not be written\n");
  return kBadInput;
}

}  // namespace
}  // namespace bitexact::cli

int main(int argc, char** argv) {
  using namespace bitexact::cli;
  CLI::App app{"CNN arithmetic whose answer is an integer you can hash.", "bitexact"};
  app.require_subcommand(1);
  app.footer("Exit codes: 0 ok, 1 a check failed or results differ, 2 bad input.");
  Action action;
  add_conv(app, action);
  add_run(app, action);
  add_inspect(app, action);
  add_report(app, action);
  add_verify(app, action);
  add_compare(app, action);
  add_vectors(app, action);
  add_conformance(app, action);
  add_kernels(app, action);
  add_parity(app, action);
  add_version(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return printed(app.exit(help));
  } catch (const CLI::ParseError& wrong) {
    std::fprintf(stderr, "bitexact: %s (see bitexact --help)\n", printable(wrong.what()).c_str());
    return kBadInput;
  }
  return printed(action());
}
