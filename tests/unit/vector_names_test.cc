#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace bitexact::test {
namespace {

using Json = nlohmann::json;

/// Of a case's parameters; those of shape inference lie deeper.
std::string padding_of(const Json& params) {
  const Json& all = params.contains("attributes") ? params["attributes"] : params;
  if (!all.contains("pad")) return "VALID";
  return all["pad"].is_string() ? all["pad"].get<std::string>() : "explicit";
}

/// How many paddings a case's name says; all are what it computes.
size_t paddings_in(const std::string& name, const std::string& padding) {
  const std::set<std::string> words{"VALID", "SAME_UPPER", "SAME_LOWER", "FULL"};
  size_t count = 0;
  std::istringstream text(name);
  for (std::string word; text >> word;) {
    if (!words.contains(word)) continue;
    EXPECT_EQ(word, padding) << name;
    ++count;
  }
  return count;
}

// A case that says SAME and computes VALID proves nothing of either.
TEST(VectorNames, B059_SayWhatIsComputed) {
  size_t named = 0;
  const auto folder = std::filesystem::path(BITEXACT_SOURCE_DIR) / "tests" / "vectors";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    const Json suite = Json::parse(in, nullptr, false);
    ASSERT_TRUE(suite.is_object()) << file.path();
    for (const Json& c : suite["cases"]) named += paddings_in(c["name"], padding_of(c["params"]));
  }
  EXPECT_GT(named, 500U);
}

}  // namespace
}  // namespace bitexact::test
