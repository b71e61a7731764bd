// Files made to hurt: whatever they hold, `survive` bounds time and memory, and a refusal says where.
#include "onnx_test_data.h"

namespace bitexact::test {
namespace {

constexpr int64_t kHuge = int64_t{1} << 40;

Message integer(const std::string& name, int64_t value) {
  return with_number(with_number(with({}, 1, name), 3, value), 20, 2);
}
Message integers(const std::string& name, const std::vector<int64_t>& values) {
  Message m = with_number(with({}, 1, name), 20, 7);
  for (const int64_t v : values) m = with_number(m, 8, v);
  return m;
}

template <class T>
Message constant(const std::string& name, int32_t type, const std::vector<int64_t>& dims,
                 const std::vector<T>& values) {
  std::string raw(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(raw.data(), values.data(), raw.size());
  return raw_tensor(name, type, dims, raw);
}
Message longs(const std::string& name, const std::vector<int64_t>& values) {
  return constant(name, 7, {static_cast<int64_t>(values.size())}, values);
}
Message floats(const std::string& name, const std::vector<int64_t>& dims, const std::vector<float>& values) {
  return constant(name, 1, dims, values);
}

/// A graph of one node 'n', from x (and constants) to y.
Message one_node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<Message>& attributes,
                 const std::vector<Message>& constants = {}, const std::vector<int64_t>& x = {1, 4, 4, 4}) {
  return model({{node(op, inputs, {"y"}, attributes, "n")}, constants, {value_info("x", 1, x)}});
}

void expect_refusal(const Message& file, const std::string& what) {
  const Status s = survive(bytes_of(file));
  EXPECT_FALSE(s.ok()) << what;
  EXPECT_TRUE(says_where(s)) << what << ": " << s.text();
}

TEST(HostileModels, ShapesOfTwoToTheFortieth) {
  const std::vector<Message> to{longs("c", {kHuge})};
  expect_refusal(one_node("ConstantOfShape", {"c"}, {}, to), "ConstantOfShape");
  expect_refusal(one_node("Expand", {"w", "c"}, {}, {floats("w", {1}, {1}), to[0]}), "Expand of a constant");
  expect_refusal(one_node("Reshape", {"x", "c"}, {}, to), "Reshape");
  expect_refusal(one_node("Range", {"a", "b", "d"}, {},
                          {constant<int64_t>("a", 7, {}, {0}), constant("b", 7, {}, std::vector{kHuge}),
                           constant<int64_t>("d", 7, {}, {1})}),
                 "Range");
  expect_refusal(one_node("Relu", {"x"}, {}, {}, {kHuge, kHuge}), "an input of 2^80 elements");
  expect_refusal(one_node("Relu", {"w"}, {}, {raw_tensor("w", 1, {kHuge}, "abcd")}), "a constant of 4 bytes");
  expect_refusal(one_node("Conv", {"x", "w"}, {}, {raw_tensor("w", 1, {kHuge, 4, 3, 3}, "abcd")}), "weights");
  expect_refusal(one_node("Resize", {"x", "", "", "c"}, {}, {longs("c", {1, 4, kHuge, kHuge})}), "Resize");
  expect_refusal(one_node("MatMul", {"x", "b"}, {}, {floats("b", {1, 3}, {1, 2, 3})}, {kHuge, kHuge}), "MatMul");
  expect_refusal(one_node("Concat", {"x", "x", "x", "x"}, {integer("axis", 0)}, {}, {int64_t{1} << 61}), "Concat");
  expect_refusal(one_node("Add", {"x", "w"}, {}, {floats("w", {1, 1, 1, 1, 1, 1, 1}, {1})}, {kHuge}),
                 "seven dimensions");
  for (const char* name : {"pads", "strides", "dilations", "kernel_shape"}) {
    const bool pads = std::string(name) == "pads";
    for (const int64_t size : {kHuge, std::numeric_limits<int64_t>::max(), int64_t{-1}}) {
      std::vector<Message> attributes{integers(name, std::vector<int64_t>(pads ? 4 : 2, size))};
      if (std::string(name) != "kernel_shape") attributes.push_back(integers("kernel_shape", {2, 2}));
      for (const char* op : {"MaxPool", "AveragePool"}) (void)survive(bytes_of(one_node(op, {"x"}, attributes)));
      (void)survive(
          bytes_of(one_node("Conv", {"x", "w"}, attributes, {floats("w", {1, 4, 2, 2}, std::vector<float>(16))})));
    }
  }
  // What nobody has to hold before it is run may be so large.
  const Message large = one_node("Relu", {"x"}, {}, {}, {kHuge});
  EXPECT_TRUE(survive(bytes_of(large)).ok());
}

TEST(HostileModels, ZeroDivisors) {
  const std::vector<Message> w{floats("w", {4, 4, 1, 1}, std::vector<float>(16))};
  expect_refusal(one_node("Conv", {"x", "w"}, {integers("strides", {0, 1})}, w), "strides");
  expect_refusal(one_node("Conv", {"x", "w"}, {integers("dilations", {1, 0})}, w), "dilations");
  expect_refusal(one_node("Conv", {"x", "w"}, {integer("group", 0)}, w), "group");
  expect_refusal(one_node("ConvTranspose", {"x", "w"}, {integer("group", 0)}, w), "group, transposed");
  expect_refusal(one_node("ConvTranspose", {"x", "w"}, {integers("strides", {0, 0})}, w), "strides, transposed");
  expect_refusal(one_node("Conv", {"x", "v"}, {}, {floats("v", {0, 4, 1, 1}, {})}), "no filters");
  expect_refusal(one_node("Conv", {"x", "v"}, {}, {floats("v", {4, 4, 0, 1}, {})}), "filters of no rows");
  for (const char* op : {"MaxPool", "AveragePool"}) {
    expect_refusal(one_node(op, {"x"}, {integers("kernel_shape", {0, 2})}), "kernel_shape");
    expect_refusal(one_node(op, {"x"}, {integers("kernel_shape", {2, 2}), integers("strides", {0, 2})}), "strides");
  }
  expect_refusal(one_node("GlobalAveragePool", {"x"}, {}, {}, {1, 4, 0, 4}), "an average of nothing");
  for (const char* op : {"SpaceToDepth", "DepthToSpace"})
    expect_refusal(one_node(op, {"x"}, {integer("blocksize", 0)}), op);
  expect_refusal(one_node("Slice", {"x", "s", "e", "a", "z"}, {},
                          {longs("s", {0}), longs("e", {1}), longs("a", {0}), longs("z", {0})}),
                 "steps");
  expect_refusal(one_node("Div", {"a", "b"}, {}, {longs("a", {1}), longs("b", {0})}), "Div");
  const auto zero = [](const char* name, int64_t v) { return constant<int64_t>(name, 7, {}, {v}); };
  expect_refusal(one_node("Range", {"a", "b", "d"}, {}, {zero("a", 0), zero("b", 5), zero("d", 0)}), "Range");
  expect_refusal(one_node("Reshape", {"x", "c"}, {}, {longs("c", {0, -1})}, {0, 3, 4}), "Reshape of nothing");
  expect_refusal(one_node("Split", {"x"}, {integer("axis", 9)}), "Split");
  expect_refusal(one_node("Resize", {"x", "", "c"}, {}, {floats("c", {4}, {1, 1, 0, 1})}), "Resize");
  expect_refusal(one_node("Softmax", {"x"}, {}, {}, {2, 0}), "Softmax");
  expect_refusal(one_node("InstanceNormalization", {"x", "s", "s"}, {}, {floats("s", {4}, {1, 1, 1, 1})}, {1, 4, 0}),
                 "InstanceNormalization");
  (void)survive(bytes_of(one_node("BatchNormalization", {"x", "s", "s", "s", "v"}, {attribute("epsilon", 1, 2, "")},
                                  {floats("s", {4}, {1, 1, 1, 1}), floats("v", {4}, {0, 0, -1, 0})})));
}

TEST(HostileModels, QuantizationArraysThatAreWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const Message zero = constant<uint8_t>("z", 2, {}, {0}), zeros = constant<uint8_t>("z", 2, {2}, {0, 0});
  const Message bytes = constant<uint8_t>("b", 2, {2, 2}, {1, 2, 3, 4});
  for (const float scale : {0.0F, -1.0F, nan, infinity})
    expect_refusal(one_node("QuantizeLinear", {"x", "s", "z"}, {}, {floats("s", {}, {scale}), zero}), "a scale");
  for (const char* op : {"QuantizeLinear", "DequantizeLinear"}) {
    const std::string in = op[0] == 'Q' ? "x" : "b";
    expect_refusal(one_node(op, {in, "s", "z"}, {}, {bytes, floats("s", {0}, {}), zero}), "no scales");
    expect_refusal(one_node(op, {in, "s", "z"}, {}, {bytes, floats("s", {3}, {1, 1, 1}), zeros}), "3 scales, 2 zeros");
    expect_refusal(one_node(op, {in, "s", "z"}, {integer("axis", 9)}, {bytes, floats("s", {2}, {1, 1}), zeros}),
                   "axis");
    expect_refusal(one_node(op, {in, "z", "z"}, {}, {bytes, zero}), "a scale of integers");
    expect_refusal(one_node(op, {in, "s", "s"}, {}, {bytes, floats("s", {}, {1})}), "a zero point of reals");
  }
  const auto matmul = [&](const std::string& op, const Message& scale, const Message& point) {
    std::vector<std::string> inputs{"b", "s", "z", "b", "s", "z", "s", "z"};
    if (op == "QLinearConv") inputs = {"p", "s", "z", "p", "s", "z", "s", "z"};
    const Message picture = constant<uint8_t>("p", 2, {1, 1, 2, 2}, {1, 2, 3, 4});
    return one_node(op, inputs, {}, {bytes, picture, scale, point});
  };
  for (const char* op : {"QLinearConv", "QLinearMatMul"}) {
    expect_refusal(matmul(op, floats("s", {2}, {1, 1}), zero), "two scales");
    expect_refusal(matmul(op, floats("s", {}, {0}), zero), "a scale of 0");
    expect_refusal(matmul(op, floats("s", {}, {nan}), zero), "NaN");
    expect_refusal(matmul(op, floats("s", {}, {1}), zeros), "two zeros");
    expect_refusal(matmul(op, floats("s", {}, {1}), constant<int64_t>("z", 7, {}, {kHuge})), "a zero of 2^40");
  }
}

// One constant, and many nodes that each would make another of it.
TEST(HostileModels, AConstantThatIsUsedAgainAndAgain) {
  const int64_t side = 512;
  const Message w = floats("w", {side, side}, std::vector<float>(side * side)),
                filters = floats("w", {side, side, 1, 1}, std::vector<float>(side * side)),
                bytes = constant("w", 3, {side, side}, std::vector<int8_t>(side * side)), scale = floats("s", {}, {1}),
                to = longs("t", {64, side, side}), perm = integers("perm", {1, 0});
  struct Use {
    std::string op;
    std::vector<std::string> inputs;
    std::vector<Message> attributes, constants;
    std::vector<int64_t> x;
  };
  for (const Use& use :
       {Use{"Conv", {"x", "w"}, {}, {filters}, {1, side, 1, 1}},
        {"MatMul", {"x", "w"}, {}, {w}, {1, side}},
        {"Gemm", {"x", "w"}, {}, {w}, {1, side}},
        {"Transpose", {"w"}, {perm}, {w}, {1}},
        {"Expand", {"w", "t"}, {}, {w, to}, {1}},
        {"Neg", {"w"}, {}, {w}, {1}},
        {"Mul", {"w", "w"}, {}, {w}, {1}},
        {"Cast", {"w"}, {integer("to", 7)}, {w}, {1}},
        {"QuantizeLinear", {"w", "s"}, {}, {w, scale}, {1}},
        {"Add", {"x", "w"}, {}, {w}, {1, 1}},
        {"Reshape", {"x", "w"}, {}, {constant("w", 7, {side * side}, std::vector<int64_t>(side * side))}, {1}},
        {"MatMulInteger", {"w", "w"}, {}, {bytes}, {1}}}) {
    Parts parts{{}, use.constants, {value_info("x", 1, use.x)}, {value_info("y")}};
    for (int i = 0; i < 5000; ++i)
      parts.nodes.push_back(node(use.op, use.inputs, {i == 4999 ? "y" : "y" + std::to_string(i)}, use.attributes));
    const Status s = survive(bytes_of(model(parts)));
    EXPECT_TRUE(s.ok() || says_where(s)) << use.op << ": " << s.text();
  }
  // As reals each of these is one of its own.
  Parts parts{{}, {bytes, scale}, {value_info("x", 1, {1, 1})}, {value_info("y")}};
  for (int i = 0; i < 2000; ++i) {
    const std::string r = "r" + std::to_string(i), y = i == 1999 ? "y" : "y" + std::to_string(i);
    parts.nodes.push_back(node("DequantizeLinear", {"w", "s"}, {r}));
    parts.nodes.push_back(node("Add", {"x", r}, {y}));
  }
  expect_refusal(model(parts), "DequantizeLinear");
}

Message many_outputs(int count) {
  Parts parts{{}, {}, {}, {}};
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    parts.inputs.push_back(value_info("x" + n));
    parts.nodes.push_back(node("Identity", {"x" + n}, {"y" + n}));
    parts.outputs.push_back(value_info("y" + n));
  }
  return model(parts);
}

Message long_chain(int count) {
  Parts parts;
  const auto tensor = [&](int i) { return i == 0 ? "x" : i == count ? "y" : "y" + std::to_string(i); };
  for (int i = 0; i < count; ++i) parts.nodes.push_back(node("Relu", {tensor(i)}, {tensor(i + 1)}));
  return model(parts);
}

/// Every tensor is read at the end.
Message wide_fan(int count) {
  Parts parts;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i)
    parts.nodes.push_back(node("Relu", {"x"}, {names.emplace_back("y" + std::to_string(i))}));
  for (int i = 1; i < count; ++i)
    parts.nodes.push_back(node("Add", {i == 1 ? "y0" : "z" + std::to_string(i - 1), names[static_cast<size_t>(i)]},
                               {i + 1 == count ? "y" : "z" + std::to_string(i)}));
  return model(parts);
}

TEST(HostileModels, CrowdsOfTensorsArePlannedInTime) {
  EXPECT_TRUE(survive(bytes_of(many_outputs(8192))).ok());
  EXPECT_TRUE(survive(bytes_of(long_chain(16384))).ok());
  EXPECT_TRUE(survive(bytes_of(wide_fan(8192))).ok());
}

}  // namespace
}  // namespace bitexact::test
