#include <cstdio>
#include <memory>

#include "cli.h"

namespace bitexact::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

int run_version(bool json) {
  Json j = platform_json();
  j["engine"] = kVersion;
  j["contract"] = kContract;
  j["targets"] = simd_targets();
  j["kernels"] = Json::array();
  for (const KernelInfo& k : kernel_list()) j["kernels"].push_back({{"name", k.name}, {"op", k.op}, {"set", k.set}});
  if (json) {
    std::printf("%s\n", j.dump().c_str());
    return kOk;
  }
  std::printf("bitexact %s, arithmetic contract %d\n%s, %s, compiled by %s\n", kVersion, kContract, architecture(),
              simd_target(), compiler().c_str());
  std::string targets;
  for (const std::string& t : simd_targets()) targets += " " + t;
  std::printf("targets:%s\nkernels, in the order in which they are tried:\n", targets.c_str());
  for (const KernelInfo& k : kernel_list())
    std::printf("  %-12s %-9s %s\n", k.op.c_str(), k.set.c_str(), k.name.c_str());
  return kOk;
}

}  // namespace

Json platform_json() { return {{"architecture", architecture()}, {"simd", simd_target()}, {"compiler", compiler()}}; }

void add_version(CLI::App& app, Action& action) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("version", "engine, contract, CPU and the kernels available");
  c->add_flag("--json", *json, "print JSON");
  c->callback([json, &action] { action = [json] { return run_version(*json); }; });
}

}  // namespace bitexact::cli
