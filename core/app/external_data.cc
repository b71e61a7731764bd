#include "external_data.h"

#include <algorithm>
#include <filesystem>

#include "files.h"

namespace bitexact::cli {
namespace {

namespace fs = std::filesystem;

Status at(const std::string& location, Code code, const std::string& why) {
  return error(code, "external data '" + location + "': " + why);
}

// The file itself, all links followed; empty where there is none.
Result<fs::path> find(const fs::path& folder, const std::string& location) {
  std::error_code why;
  const fs::path file = fs::canonical(folder / location, why);
  if (why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory) return fs::path();
  if (why) return at(location, Code::argument, why.message());
  if (std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first != folder.end())
    return at(location, Code::argument, "the link leads out of the model's folder, which is refused for security");
  return file;
}

}  // namespace

Result<ModelFile> read_model_at(const std::string& path, std::span<const std::byte> bytes, ReadOptions options,
                                std::vector<ModelProblem>* problems) {
  const auto locations = external_locations(bytes);
  if (!locations.ok()) return locations.status();
  std::error_code why;
  const fs::path folder = fs::canonical(fs::absolute(path, why).parent_path(), why);
  if (why) return error(Code::argument, why.message());
  std::vector<Buffer> files;
  uint64_t left = kImageLimit;
  for (const std::string& location : *locations) {
    const auto found = find(folder, location);
    if (!found.ok()) return found.status();
    if (found->empty()) continue;  // read_model says what it should hold
    auto file = read_file(found->string(), left);
    if (!file.ok()) return at(location, file.status().code, file.status().why);
    left -= file->size();
    options.external[location] = files.emplace_back(std::move(*file)).span();
  }
  return read_model(bytes, options, problems);
}

}  // namespace bitexact::cli
