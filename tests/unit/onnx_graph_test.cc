#include "import/onnx_graph.h"

#include <gtest/gtest.h>

#include <bit>

#include "onnx_test_data.h"

namespace bitexact::test {
namespace {

using onnx::Kind;
using onnx::Type;

TEST(OnnxGraph, ReadsWhatTheFileSays) {
  Parts parts;
  Message floats = with({}, 1, "scales");
  pbf_writer(floats).add_float(7, 0.5f);
  pbf_writer(floats).add_float(7, -2.0f);
  Message alpha = with({}, 1, "alpha");
  pbf_writer(alpha).add_float(2, 0.25f);
  parts.nodes = {
      node("Conv", {"x", "w", ""}, {"c", ""},
           {with_number(attribute("pads", 7, 8, Message("\x01\x02", 2)), 8, 3),
            with_number(with_number(with({}, 1, "group"), 3, -1), 20, 2), attribute("auto_pad", 3, 4, "SAME_UPPER"),
            floats, alpha, attribute("value", 4, 5, raw_tensor("", 7, {1}, std::string("\x07\0\0\0\0\0\0\0", 8))),
            with(attribute("names", 8, 9, "a"), 9, "b")},
           "first"),
      with(node("Relu", {"c"}, {"y"}), 7, "ai.onnx")};
  parts.initializers = {raw_tensor("w", 1, {1, 1}, "abcd")};
  parts.inputs = {value_info("x", 1, {-1, 3}), value_info("w", 1, {1, 1})};
  const auto graph = read(model(parts));
  ASSERT_TRUE(graph.ok()) << graph.status().text();
  EXPECT_EQ(graph->ir_version, 8);
  EXPECT_EQ(graph->opset, 13);
  EXPECT_EQ(graph->producer, "by hand");
  ASSERT_EQ(graph->inputs.size(), 1u);  // w is an initializer
  EXPECT_EQ(graph->inputs[0].name, "x");
  EXPECT_TRUE(graph->inputs[0].type == Type::f32);
  EXPECT_EQ(graph->inputs[0].dims, (std::vector<int64_t>{-1, 3}));
  ASSERT_EQ(graph->outputs.size(), 1u);
  EXPECT_EQ(text(graph->initializers.at("w").bytes), "abcd");
  ASSERT_EQ(graph->nodes.size(), 2u);
  const onnx::Node& conv = graph->nodes[0];
  EXPECT_EQ(conv.name + conv.op, "firstConv");
  EXPECT_EQ(conv.inputs, (std::vector<std::string>{"x", "w", ""}));
  EXPECT_EQ(conv.outputs, (std::vector<std::string>{"c", ""}));
  EXPECT_EQ(graph->nodes[1].domain, "");
  ASSERT_EQ(conv.attributes.size(), 7u);
  EXPECT_EQ(conv.attributes[0].ints, (std::vector<int64_t>{1, 2, 3}));  // packed and not
  EXPECT_TRUE(conv.attributes[0].kind == Kind::ints);
  EXPECT_EQ(conv.attributes[1].i, -1);
  EXPECT_EQ(conv.attributes[2].s, "SAME_UPPER");
  EXPECT_EQ(conv.attributes[3].floats, (std::vector<float>{0.5f, -2.0f}));
  EXPECT_TRUE(conv.attributes[3].kind == Kind::floats);  // of an attribute that does not say it
  EXPECT_EQ(conv.attributes[4].f, 0.25f);
  EXPECT_TRUE(conv.attributes[5].t->type == Type::i64);
  EXPECT_EQ(conv.attributes[6].strings, (std::vector<std::string>{"a", "b"}));
}

TEST(OnnxGraph, NodesKnowTheirByteInTheFile) {
  const Message relu = node("Relu", {"x"}, {"y"}), file = model({{relu}, {}});
  const auto graph = read(file);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->nodes[0].offset, file.find(relu));
}

TEST(OnnxGraph, OpenDimensionsAndRanks) {
  const auto info_of = [](const Message& tensor_type) { return with(with({}, 1, "x"), 2, with({}, 1, tensor_type)); };
  Parts parts{{node("Relu", {"x"}, {"y"})}, {}};
  parts.inputs = {info_of(with_number({}, 1, 1))};
  EXPECT_FALSE(read(model(parts))->inputs[0].dims.has_value());
  parts.inputs = {value_info("x", 1, {})};
  EXPECT_EQ(read(model(parts))->inputs[0].dims, std::vector<int64_t>{});
  parts.inputs = {info_of(with(with_number({}, 1, 1), 2, with(with({}, 1, ""), 1, with_number({}, 1, -1))))};
  EXPECT_EQ(read(model(parts))->inputs[0].dims, (std::vector<int64_t>{-1, -1}));
  parts.inputs = {info_of(with(with_number({}, 1, 1), 2, with({}, 1, with_number({}, 1, -2))))};
  expect_refused(read(model(parts)).status(), Code::malformed, "Dimension: it is negative (byte ");
}

TEST(OnnxGraph, OpsetsOutOfRangeAreUnsupported) {
  const Message graph = graph_proto({{node("Relu", {"x"}, {"y"})}, {}});
  for (const int64_t opset : {7, 22}) EXPECT_TRUE(read(model_of(graph, opset)).ok());
  for (const int64_t opset : {int64_t{6}, int64_t{23}, int64_t{0}, INT64_MIN, INT64_MAX})
    expect_refused(read(model_of(graph, opset)).status(), Code::unsupported, "7 to 22");
  // Others' domains do not count, of several entries of ours the highest does.
  const Message ml = with_number(with({}, 1, "ai.onnx.ml"), 2, 3), named = with_number(with({}, 1, "ai.onnx"), 2, 14);
  EXPECT_EQ(read(with(with(model_of(graph), 8, ml), 8, named))->opset, 14);
  expect_refused(read(with(with({}, 7, graph), 8, ml)).status(), Code::unsupported, "opset 0");
}

TEST(OnnxGraph, NamesAndOrderAreChecked) {
  const auto refused = [](const Parts& parts, const std::string& part) {
    expect_refused(read(model(parts)).status(), Code::malformed, part);
  };
  refused({{node("Relu", {"a"}, {"y"})}, {}}, "node 0 ('Relu') reads 'a', which nobody makes (byte ");
  refused({{node("Relu", {"a"}, {"y"}, {}, "late"), node("Relu", {"x"}, {"a"})}, {}},
          "node 0 'late' ('Relu') reads 'a', which is made by node 1: a cycle, or nodes out of order");
  refused({{node("Add", {"x", "y"}, {"y"})}, {}}, "made by node 0: a cycle");
  refused({{node("Relu", {"x"}, {"y"}), node("Relu", {"x"}, {"y"})}, {}}, "makes 'y', which there is already");
  refused({{node("Relu", {"x"}, {"x"})}, {}}, "makes 'x', which there is already");
  refused({{node("Split", {"x"}, {"y", "y"})}, {}}, "makes 'y', which there is already");
  const Message w = raw_tensor("w", 1, {1}, "abcd");
  refused({{node("Relu", {"x"}, {"w"})}, {w}}, "makes 'w', which there is already");
  refused({{node("Relu", {"x"}, {"y"})}, {w, w}}, "two initializers 'w'");
  refused({{node("Relu", {"x"}, {"y"})}, {raw_tensor("", 1, {1}, "abcd")}}, "an initializer has no name");
  refused({{node("Relu", {"x"}, {"z"})}, {}}, "output 'y' is made by nobody");
  refused({{node("Relu", {"x"}, {"y"})}, {}, {value_info("x"), value_info("x")}}, "two inputs 'x'");
  refused({{node("Relu", {"x"}, {"y"})}, {}, {value_info("x")}, {value_info("y"), value_info("y")}}, "two outputs 'y'");
  refused({{node("Relu", {"x"}, {"y"})}, {}, {value_info("x"), value_info("")}}, "has no name");
  refused({{node("Relu", {"x"}, {"y"})}, {}, {value_info("x")}, {}}, "no outputs");
  refused({{node("", {"x"}, {"y"})}, {}}, "node 0 (''): it has no op_type");
  EXPECT_TRUE(read(model({{node("Relu", {"w"}, {"y"})}, {w}, {value_info("w")}})).ok());
}

TEST(OnnxGraph, AttributesAreCheckedAgainstTheirTypes) {
  const auto refused = [](const Message& a, Code code, const std::string& part) {
    const auto graph = read(model({{node("Relu", {"x"}, {"y"}, {a}, "n")}, {}}));
    expect_refused(graph.status(), code, "node 0 'n' ('Relu'): ");
    expect_refused(graph.status(), code, part);
  };
  const Message i = with_number(with_number(with({}, 1, "i"), 3, 5), 20, 2);
  refused(with_number(i, 20, 1), Code::malformed, "holds a value of another type than it says");
  refused(with(i, 4, "text"), Code::malformed, "a second value of another type");
  refused(with({}, 1, "i"), Code::malformed, "neither type nor value");
  refused(with_number(with({}, 1, "t"), 20, 4), Code::malformed, "holds no tensor");
  refused(with_number(with({}, 3, ""), 20, 2), Code::malformed, "field 3 has wire type 2, expected 0");
  refused(with_number({}, 3, 5), Code::malformed, "has no name");
  refused(with(i, 21, "outer"), Code::malformed, "ref_attr_name");
  refused(attribute("l", 9, 10, ""), Code::unsupported, "lists of tensors");
  refused(attribute("l", 11, 22, ""), Code::unsupported, "sparse");
  refused(with_number(with({}, 1, "l"), 20, 77), Code::unsupported, "type of attribute");
  expect_refused(read(model({{node("Relu", {"x"}, {"y"}, {i, i})}, {}})).status(), Code::malformed, "two attributes");
  // A value of 0 need not be written.
  const auto zero = read(model({{node("Relu", {"x"}, {"y"}, {with_number(with({}, 1, "axis"), 20, 2)})}, {}}));
  ASSERT_TRUE(zero.ok());
  EXPECT_TRUE(zero->nodes[0].attributes[0].kind == Kind::i);
}

TEST(OnnxGraph, WhatIsNotSupportedIsNamed) {
  const Message relu = model({{node("Relu", {"x"}, {"y"})}, {}}),
                graph = graph_proto({{node("Relu", {"x"}, {"y"})}, {}});
  expect_refused(read(with(relu, 25, "")).status(), Code::unsupported, "functions");
  expect_refused(read(model_of(with(graph, 15, ""))).status(), Code::unsupported, "sparse");
  expect_refused(read(with(relu, 7, graph)).status(), Code::malformed, "a second graph");
  expect_refused(read(with_number({}, 1, 8)).status(), Code::malformed, "no graph (byte 2)");
  for (const int32_t type : {8, 14, 15, 17, 22, 99, -1})
    expect_refused(read(model_with(raw_tensor("w", type, {1}, "abcd"))).status(), Code::unsupported, "element type");
  const Message sequence = with(with({}, 1, "x"), 2, with({}, 4, ""));
  expect_refused(read(model({{node("Relu", {"x"}, {"y"})}, {}, {sequence}})).status(), Code::unsupported,
                 "'x' is not a tensor");
  const auto branch = read(model({{node("If", {"x"}, {"y"}, {attribute("then_branch", 5, 6, "")})}, {}}));
  ASSERT_TRUE(branch.ok());
  EXPECT_TRUE(branch->nodes[0].attributes[0].has_graph);
}

TEST(OnnxGraph, ACrowdOfSmallPartsIsTooLarge) {
  std::vector<Message> crowd((1 << 19) + 1, with_number(with({}, 1, "a"), 3, 1));
  Message n = node("Relu", {"x"}, {"y"});
  for (const Message& a : crowd) pbf_writer(n).add_bytes(5, a);
  expect_refused(read(model({{n}, {}})).status(), Code::too_large, "more than 524288 nodes, attributes and tensors");
}

TEST(OnnxGraph, LooksLikeOnnx) {
  EXPECT_TRUE(onnx::looks_like_onnx(bytes_of(model({}))));
  EXPECT_TRUE(onnx::looks_like_onnx(bytes_of(with({}, 7, ""))));
  for (const std::string& other :
       {std::string(), std::string("\x1c\0\0\0TFL3", 8), std::string("\x08\0\0\0TFL3", 8), std::string("{\"a\":1}"),
        std::string("\x89PNG\r\n"), std::string("BM\x36\0\0\0", 6)})
    EXPECT_FALSE(onnx::looks_like_onnx(bytes_of(other))) << other;
}

// What field 5 of TensorProto holds for each type, and the bytes it stands for.
TEST(OnnxTensor, TypedFieldsAreTheSameBytesAsRawData) {
  const auto bytes = [](int32_t type, int64_t count, const auto& add) {
    Message m = tensor_head("t", type, {count});
    pbf_writer w(m);
    add(w);
    const auto t = onnx::read_tensor(bytes_of(m));
    EXPECT_TRUE(t.ok()) << t.status().text();
    return t.ok() ? text(t->bytes) : "";
  };
  const auto int32s = [](std::vector<int32_t> v) {
    return [v](pbf_writer& w) { w.add_packed_int32(5, v.begin(), v.end()); };
  };
  using S = std::string;
  EXPECT_EQ(bytes(2, 2, int32s({0, 255})), S("\0\xff", 2));
  EXPECT_EQ(bytes(3, 3, int32s({-128, -1, 127})), S("\x80\xff\x7f"));
  EXPECT_EQ(bytes(4, 1, int32s({0xfffe})), S("\xfe\xff"));
  EXPECT_EQ(bytes(5, 2, int32s({-32768, 2})), S("\0\x80\2\0", 4));
  EXPECT_EQ(bytes(6, 2, int32s({INT32_MIN, -2})), S("\0\0\0\x80\xfe\xff\xff\xff", 8));
  EXPECT_EQ(bytes(9, 2, int32s({1, 0})), S("\1\0", 2));
  EXPECT_EQ(bytes(10, 1, int32s({0x3c01})), S("\1\x3c"));
  EXPECT_EQ(bytes(16, 1, int32s({0xbf80})), S("\x80\xbf"));
  EXPECT_EQ(bytes(6, 1, [](pbf_writer& w) { w.add_uint64(5, 0xfffffffeu); }), S("\xfe\xff\xff\xff"));
  EXPECT_EQ(bytes(7, 1, [](pbf_writer& w) { w.add_int64(7, -3); }), S("\xfd\xff\xff\xff\xff\xff\xff\xff"));
  EXPECT_EQ(bytes(12, 1, [](pbf_writer& w) { w.add_uint64(11, 0x80000001u); }), S("\1\0\0\x80", 4));
  EXPECT_EQ(bytes(13, 1, [](pbf_writer& w) { w.add_uint64(11, UINT64_MAX); }), S(8, '\xff'));
  const std::vector<float> floats{1.0f, -0.0f};
  EXPECT_EQ(bytes(1, 3,
                  [&](pbf_writer& w) {
                    w.add_packed_float(4, floats.begin(), floats.end());
                    w.add_float(4, 2.0f);  // packed and not, as a reader must take them
                  }),
            S("\0\0\x80\x3f\0\0\0\x80\0\0\0\x40", 12));
  EXPECT_EQ(bytes(11, 1, [](pbf_writer& w) { w.add_double(10, 1.0); }), S("\0\0\0\0\0\0\xf0\x3f", 8));
}

TEST(OnnxTensor, ValuesOutOfTheirTypeAreMalformed) {
  const auto refused = [](int32_t type, uint32_t field, uint64_t value, const std::string& part) {
    Message m = tensor_head("t", type, {2});
    pbf_writer(m).add_uint64(field, 1);
    pbf_writer(m).add_uint64(field, value);
    expect_refused(onnx::read_tensor(bytes_of(m)).status(), Code::malformed, part);
  };
  refused(2, 5, 256, "tensor 't' of uint8[2]: element 1 is out of range");
  refused(2, 5, UINT64_MAX, "element 1 is out of range");
  refused(3, 5, 128, "element 1 is out of range");
  refused(9, 5, 2, "element 1 is out of range");
  refused(10, 5, 65536, "element 1 is out of range");
  refused(12, 11, uint64_t{1} << 32, "element 1 is out of range");
  refused(7, 11, 1, "has 0 elements, expected 2");  // the field of another type
  expect_refused(onnx::read_tensor(bytes_of(raw_tensor("t", 9, {2}, "\1\2"))).status(), Code::malformed,
                 "a bool is neither 0 nor 1");
  Message twice = raw_tensor("t", 7, {1}, "12345678");
  pbf_writer(twice).add_int64(7, 1);
  expect_refused(onnx::read_tensor(bytes_of(twice)).status(), Code::malformed, "its data are given twice");
  expect_refused(onnx::read_tensor(bytes_of(with(tensor_head("t", 1, {}), 3, ""))).status(), Code::unsupported,
                 "segments");
}

TEST(OnnxTensor, PiecesThatAreCutOffAreMalformed) {
  const Message halves = with(with(tensor_head("t", 1, {1}), 4, "ab"), 4, "cd");
  expect_refused(onnx::read_tensor(bytes_of(halves)).status(), Code::malformed, "packed numbers are cut off (byte ");
  const Message whole = raw_tensor("t", 1, {1}, "abcd"), cut = whole.substr(0, whole.size() - 1);
  expect_refused(onnx::read_tensor(bytes_of(cut)).status(), Code::malformed, "field 9 has 4 bytes where 3 are left");
}

TEST(OnnxTensor, SizesAreCheckedBeforeAnythingIsAllocated) {
  const auto refused = [](const std::vector<int64_t>& dims, const std::string& part) {
    for (const Message& m : {raw_tensor("w", 1, dims, "abcd"), with(tensor_head("w", 1, dims), 4, "abcd")})
      expect_refused(read(model_with(m)).status(), Code::malformed, part);
  };
  refused({int64_t{1} << 40}, "tensor 'w' of float[1099511627776]: has ");
  refused({int64_t{1} << 20, int64_t{1} << 20}, "tensor 'w' of float[1048576,1048576]: has ");
  refused({int64_t{1} << 62}, "2^64 bytes or more");
  refused({int64_t{1} << 32, int64_t{1} << 32}, "2^64 bytes or more");
  refused({INT64_MAX, 3}, "2^64 bytes or more");
  refused({2}, "has ");
  refused({0, INT64_MAX, INT64_MAX}, "has ");
  EXPECT_EQ(onnx::read_tensor(bytes_of(tensor_head("w", 1, {INT64_MAX, INT64_MAX, 0})))->bytes.size(), 0u);
  EXPECT_EQ(onnx::read_tensor(bytes_of(raw_tensor("w", 1, {}, "abcd")))->bytes.size(), 4u);
}

}  // namespace
}  // namespace bitexact::test
