// What public bug reports say of readers of ONNX files.
#include <gtest/gtest.h>

#include "bitexact/read_model.h"
#include "import/onnx_graph.h"
#include "onnx_test_data.h"

namespace bitexact::test {
namespace {

Status external_status(const std::vector<std::pair<std::string, std::string>>& entries, const Files& files = {}) {
  return read(model_with(external_tensor(entries)), files).status();
}

TEST(OnnxReports, D001PathsOutOfTheFolderAreRefusedFirst) {
  const std::string data(64, 'a');
  for (const std::string path : {"../../../etc/passwd", "/etc/passwd", "a/../../b", "..", "a/..", "..\\b",
                                 "\\\\host\\b", "C:\\b", "c:b", ".\\..\\b"}) {
    const Status status = external_status({{"location", path}, {"length", "nonsense"}}, {{path, bytes_of(data)}});
    expect_refused(status, Code::malformed,
                   "'" + path + "' leads out of the model's folder, which is refused for security (byte ");
  }
  expect_refused(external_status({{"location", std::string("a\0b", 3)}}), Code::malformed, "refused for security");
  expect_refused(external_status({{"location", "./"}}), Code::malformed, "names no file");
  // Also ahead of a tensor that is missing, and of wrong sizes.
  const Message both =
      model({{node("Relu", {"x"}, {"y"})},
             {external_tensor({{"location", "absent"}}), external_tensor({{"location", "../b"}}, {-1})}});
  expect_refused(read(both).status(), Code::malformed, "'../b' leads out");
  EXPECT_TRUE(external_status({{"location", "..a/b..c/...d"}}).code == Code::argument);
}

// D003 is about writing external data: nothing here writes any, and the core opens no files at all. What a
// reader can do about it is not to pass such a location on.
TEST(OnnxReports, D003NothingIsWrittenAndNoLocationLeavesTheReader) {
  expect_refused(external_status({{"location", "../../target"}}), Code::malformed, "refused for security");
}

TEST(OnnxReports, D005HostileKeysAndLengths) {
  const std::string data = "0123456789abcdef....";
  const Files files{{"w.bin", bytes_of(data)}};
  const auto refused = [&](const std::string& key, const std::string& value, const std::string& part) {
    expect_refused(external_status({{"location", "w.bin"}, {key, value}}, files), Code::malformed, part);
  };
  refused("length", "4611686018427387904", "length 4611686018427387904, expected length 16");
  refused("offset", "4611686018427387904", "lie beyond the file's 20 bytes");
  refused("offset", "18446744073709551615", "lie beyond");
  refused("offset", "5", "lie beyond");
  for (const char* number : {"18446744073709551616", "-1", "+1", "", " 1", "1 ", "0x10", "1e3"})
    refused("offset", number, "is not a decimal number below 2^64");
  refused("location", "w.bin", "is the second one");
  expect_refused(external_status({{"offset", "0"}}, files), Code::malformed, "have no location");
  const auto graph =
      read(model_with(external_tensor(
               {{"location", "w.bin"}, {"__class__", "x"}, {"checksum", "00"}, {"offset", "4"}, {"length", "16"}})),
           files);
  ASSERT_TRUE(graph.ok()) << graph.status().text();
  EXPECT_EQ(text(graph->initializers.at("w").bytes), data.substr(4, 16));
  // A short file that names a long one again and again would multiply it.
  Parts parts{{node("Relu", {"x"}, {"y"})}, {}};
  for (char c = 'a'; c <= 'e'; ++c) {
    Message t = external_tensor({{"location", "w.bin"}});
    pbf_writer(t).add_string(8, std::string(1, c));
    parts.initializers.push_back(t);
  }
  expect_refused(read(model(parts), files).status(), Code::too_large, "again and again");
}

TEST(OnnxReports, D007ShortRawDataIsMalformed) {
  expect_refused(read(model_with(raw_tensor("w", 1, {1000000}, "abcd"))).status(), Code::malformed,
                 "tensor 'w' of float[1000000]: has 4 bytes, expected 4000000 (byte ");
}

TEST(OnnxReports, D009RawDataOfABrokenElementIsMalformed) {
  expect_refused(read(model_with(raw_tensor("w", 1, {2, 2}, std::string(15, 'a')))).status(), Code::malformed,
                 "tensor 'w' of float[2,2]: has 15 bytes, expected 16");
}

TEST(OnnxReports, D011NegativeDimensionsAreMalformed) {
  expect_refused(read(model_with(raw_tensor("w", 1, {-1, 8}, std::string(32, 'a')))).status(), Code::malformed,
                 "tensor 'w' of float[-1,8]: a dimension is negative");
  expect_refused(read(model_with(raw_tensor("w", 1, {INT64_MIN, 0}, ""))).status(), Code::malformed, "is negative");
}

TEST(OnnxReports, D013RawDataAtEveryAlignment) {
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string file = std::string(shift, ' ') + model_with(raw_tensor("w", 7, {1}, "\1\2\3\4\5\6\7\x08"));
    const auto graph = onnx::read_graph(bytes_of(file).subspan(shift), {});
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(text(graph->initializers.at("w").bytes), "\1\2\3\4\5\6\7\x08");
  }
}

// Subgraphs are refused later, as control flow, so nothing descends into them: no depth is too deep for the stack.
TEST(OnnxReports, D015NestedMessagesCostNoStack) {
  for (const int depth : {10, 100, 1001, 5000}) {
    Message graph, type;
    for (int i = 0; i < depth; ++i) {
      graph = graph_proto({{node("If", {}, {"y"}, {attribute("then_branch", 5, 6, graph)})}, {}});
      type = with({}, 4, with({}, 1, type));
    }
    const auto read_back = read(model_of(graph));
    ASSERT_TRUE(read_back.ok()) << read_back.status().text();
    EXPECT_TRUE(read_back->nodes[0].attributes[0].has_graph);
    const Message input = with(with({}, 1, "x"), 2, type);
    expect_refused(read(model({{node("Relu", {"x"}, {"y"})}, {}, {input}})).status(), Code::unsupported,
                   "not a tensor");
  }
}

TEST(OnnxReports, D017MissingTypesAndNodesWithNothing) {
  const Message no_type = with({}, 1, "x"), no_element = with(no_type, 2, with({}, 1, ""));
  for (const Message& input : {no_type, no_element, value_info("x", 0)})
    expect_refused(read(model({{node("Relu", {"x"}, {"y"})}, {}, {input}})).status(), Code::malformed,
                   "input or output 'x' has no element type (byte ");
  expect_refused(read(model_with(raw_tensor("w", 0, {1}, "abcd"))).status(), Code::malformed,
                 "tensor 'w' has no element type");
  expect_refused(read(model({{node("Relu", {}, {})}, {}})).status(), Code::malformed,
                 "node 0 ('Relu'): it has no outputs");
  expect_refused(read(model({{node("Relu", {"x"}, {""})}, {}})).status(), Code::malformed, "it has no outputs");
  // How many inputs an operator needs is known where it is lowered.
  EXPECT_TRUE(read(model({{node("Relu", {}, {"y"})}, {}})).ok());
}

TEST(OnnxReports, D035MissingExternalDataAreListed) {
  const std::string data(16, 'a');
  for (const std::string path : {"model.onnx_data", "./model.onnx_data", "././/model.onnx_data"})
    for (const std::string given : {"model.onnx_data", "./model.onnx_data"})
      EXPECT_TRUE(external_status({{"location", path}}, {{given, bytes_of(data)}}).ok()) << path << " " << given;
  const Message a = external_tensor({{"location", "./a.bin"}, {"offset", "4096"}, {"length", "16"}});
  Message b = external_tensor({{"location", "sub/b.bin"}}, {3});
  pbf_writer(b).add_string(8, "b");
  const Message inner = attribute("value", 4, 5, external_tensor({{"location", "c"}}, {0}));
  const Status status = read(model({{node("Relu", {"x"}, {"y"}, {inner})}, {a, b}})).status();
  EXPECT_EQ(
      status.text(),
      "argument: external data are missing: tensor 'w' in 'c' offset 0 length 0; tensor 'w' in 'a.bin' offset 4096 "
      "length 16; tensor 'b' in 'sub/b.bin' offset 0 length 12");
  expect_refused(onnx::read_tensor(bytes_of(a)).status(), Code::argument, "'a.bin' offset 4096 length 16");
}

// Whoever brings the files can ask for their names first.
TEST(OnnxReports, D035LocationsAreKnownBeforeTheFilesAre) {
  const auto locations = [](const Message& file) { return external_locations(bytes_of(file)); };
  const Message inner = attribute("value", 4, 5, external_tensor({{"location", "c"}, {"length", "1"}}, {1 << 20}));
  const Message a = external_tensor({{"location", ".//sub/./a.bin"}}), b = external_tensor({{"location", "sub/a.bin"}});
  const auto found =
      locations(model({{node("Relu", {"x"}, {"y"}, {inner})}, {a, with(b, 8, "b"), raw_tensor("c", 1, {1}, "abcd")}}));
  ASSERT_TRUE(found.ok()) << found.status().text();
  EXPECT_EQ(*found, (std::set<std::string>{"c", "sub/a.bin"}));
  expect_refused(locations(model_with(external_tensor({{"location", "../a"}}))).status(), Code::malformed, "security");
  expect_refused(locations(model_of("\x08")).status(), Code::malformed, "(byte ");
  for (const Message& other : {model_with(raw_tensor("w", 1, {1}, "abcd")), Message(), Message("junk")})
    EXPECT_TRUE(locations(other).ok() && locations(other)->empty());
}

// The arity of an operator is checked where it is lowered; that the reader passes it on, and does not stumble, is seen
// here.
TEST(OnnxReports, D037NodesOfUnknownOperatorsWithoutInputs) {
  for (const std::vector<std::string>& inputs : {std::vector<std::string>{}, {""}, {"", "", ""}}) {
    const auto graph = read(model({{node("Einsum", inputs, {"y"})}, {}}));
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph->nodes[0].inputs, inputs);
  }
}

}  // namespace
}  // namespace bitexact::test
