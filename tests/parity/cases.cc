#include "cases.h"

namespace bitexact::parity {
namespace {

constexpr int64_t kWidths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 63, 64, 65, 66, 67, 130};
constexpr const char* kPads[] = {"VALID", "SAME_UPPER", "SAME_LOWER", "FULL"};

std::string text(const char* key, const std::string& value) { return std::string("\"") + key + "\": " + value; }
std::string pad(const char* kind) { return text("pad", "\"" + std::string(kind) + "\""); }
std::string pair(int64_t a, int64_t b) { return "[" + std::to_string(a) + ", " + std::to_string(b) + "]"; }

// One channel in, one out: a picture and a filter.
Case plane(const std::string& attributes, const Shape& in, const Shape& weights, int shift, int32_t bias,
           std::vector<int32_t> given = {}) {
  return {"conv2d",
          "{\"layout\": \"NCHW\"" + attributes + "}",
          {{"in", DType::q16, in},
           {"weights", DType::q16, weights, shift, std::move(given)},
           {"bias", DType::q16, {1}, 0, {bias}}}};
}

void add_planes(std::vector<Case>& all) {
  for (const int64_t width : kWidths)
    for (const int64_t height : {1, 2, 5, 8})
      for (const char* kind : kPads)
        for (const int64_t k : {1, 2, 3, 5})
          for (const int shift : {0, 14, 24})
            all.push_back(plane(", " + pad(kind), {2, 1, height, width}, {1, 1, k, k + 1}, shift, INT32_MIN));
}

// Weights whose |w| add up to just what 64-bit sums bear, and to one more; activation limits; both extreme biases.
void add_plane_limits(std::vector<Case>& all) {
  for (const int32_t last : {-65534, -65535, -65536, -65537})
    for (const int32_t bias : {INT32_MIN, INT32_MAX})
      all.push_back(plane("", {1, 1, 3, 41}, {1, 1, 1, 3}, 0, bias, {INT32_MAX, INT32_MIN + 131072, last}));
  for (const int shift : {0, 14})
    all.push_back(plane(", \"act_min\": -70000, \"act_max\": 1048576", {1, 1, 5, 37}, {1, 1, 3, 3}, shift, 12345));
}

// Several channels, groups, both layouts; weights that leave 64 bits and that do not.
void add_convolutions(std::vector<Case>& all) {
  struct Channels {
    int64_t in, out, groups;
  };
  for (const Channels c : {Channels{3, 2, 1}, {4, 6, 2}, {5, 5, 5}, {17, 33, 1}})
    for (const int64_t width : {1, 4, 9, 17, 34})
      for (const char* kind : kPads)
        for (const int64_t k : {1, 3})
          for (const int shift : {0, 15})
            for (const bool nchw : {true, false}) {
              const Shape in = nchw ? Shape{2, c.in, 4, width} : Shape{2, 4, width, c.in};
              const Shape weights = nchw ? Shape{c.out, c.in / c.groups, k, k} : Shape{c.out, k, k, c.in / c.groups};
              all.push_back(
                  {"conv2d",
                   std::string("{\"layout\": \"") + (nchw ? "NCHW" : "NHWC") + "\", " + pad(kind) + ", " +
                       text("groups", std::to_string(c.groups)) + "}",
                   {{"in", DType::q16, in}, {"weights", DType::q16, weights, shift}, {"bias", DType::q16, {c.out}}}});
            }
}

// i16 weights: both layouts, depths around the lane counts, groups, shifts at the ends and one for each channel.
void add_scaled(std::vector<Case>& all) {
  struct Channels {
    int64_t in, out, groups;
  };
  for (const Channels c : {Channels{3, 2, 1}, {4, 6, 1}, {8, 8, 2}, {5, 5, 5}, {17, 9, 1}, {33, 5, 1}})
    for (const int64_t width : {1, 4, 9, 34})
      for (const char* kind : kPads)
        for (const bool nchw : {true, false})
          for (const char* shift : {"[0]", "[15]", "[30]"})
            all.push_back({"conv2d_w16",
                           std::string("{\"layout\": \"") + (nchw ? "NCHW" : "NHWC") + "\", " + pad(kind) + ", " +
                               text("groups", std::to_string(c.groups)) + ", " + text("weight_shift", shift) + "}",
                           {{"in", DType::q16, nchw ? Shape{2, c.in, 4, width} : Shape{2, 4, width, c.in}},
                            {"weights", DType::i16,
                             nchw ? Shape{c.out, c.in / c.groups, 3, 2} : Shape{c.out, 3, 2, c.in / c.groups}},
                            {"bias", DType::i64, {c.out}, 18}}});
  for (const int64_t depth : kWidths)
    all.push_back({"fully_connected_w16",
                   R"({"weight_shift": [0, 1, 15, 29, 30], "act_min": -2000000000})",
                   {{"in", DType::q16, {3, depth}}, {"weights", DType::i16, {5, depth}}}});
}

// B095: the sizes at which other engines' tiles and threads gave other bytes.
void add_odd_sizes(std::vector<Case>& all) {
  all.push_back({"q_fully_connected",
                 R"({"multiplier": [1518500250], "shift": [-9]})",
                 {{"in", DType::i8, {1, 56}}, {"weights", DType::i8, {444, 56}}}});
  for (const char* layout : {"NHWC", "NCHW"}) {
    const bool nhwc = layout[1] == 'H';
    all.push_back({"conv2d",
                   std::string("{\"layout\": \"") + layout + "\"}",
                   {{"in", DType::q16, nhwc ? Shape{1, 37, 41, 5} : Shape{1, 5, 37, 41}},
                    {"weights", DType::q16, nhwc ? Shape{7, 3, 3, 5} : Shape{7, 5, 3, 3}, 12}}});
  }
}

// 8-bit convolutions: dot products and depthwise, zero points at the ends, both rules, sums that leave 32 bits.
void add_quantized(std::vector<Case>& all) {
  struct Channels {
    int64_t in, out, groups;
  };
  const std::string rules[] = {
      R"("multiplier": [1518500250], "shift": [-9])",
      R"("rule": "xnnpack", "scale": [981668463])",
  };
  for (const Channels c : {Channels{3, 5, 1}, {16, 8, 1}, {33, 9, 1}, {8, 8, 2}, {17, 17, 17}, {64, 64, 64}, {2, 4, 2}})
    for (const int64_t width : {1, 3, 8, 17})
      for (const char* kind : kPads)
        for (const std::string& rule : rules)
          for (const DType dtype : {DType::i8, DType::u8})
            for (const bool dilated : {false, true}) {
              const std::string zeros = dtype == DType::i8
                                            ? R"("input_zero": -128, "output_zero": 127)"
                                            : R"("input_zero": 255, "weight_zero": 131, "output_zero": 3)";
              const std::string window = dilated ? text("dilation", pair(2, 2)) : text("stride", pair(2, 1));
              all.push_back({"q_conv2d",
                             "{" + pad(kind) + ", " + text("groups", std::to_string(c.groups)) + ", " + rule + ", " +
                                 zeros + ", " + window + "}",
                             {{"in", dtype, {2, 5, width, c.in}},
                              {"weights", dtype, {c.out, 3, 3, c.in / c.groups}},
                              {"bias", DType::i32, {c.out}, 12}}});
            }
}

// Dense layers of every depth around the lane counts; a depth whose sums need more than 32 bits.
void add_dense(std::vector<Case>& all) {
  for (const DType dtype : {DType::i8, DType::u8})
    for (const int64_t depth : {1, 15, 16, 17, 31, 32, 33, 64, 100, 131072})
      all.push_back({"q_fully_connected",
                     R"({"multiplier": [1518500250], "shift": [-12], "input_zero": 77})",
                     {{"in", dtype, {2, depth}}, {"weights", dtype, {6, depth}}, {"bias", DType::i32, {6}}}});
}

// Pools in every dtype with channels around every lane count.
void add_channel_pools(std::vector<Case>& all) {
  for (const DType dtype : {DType::q16, DType::i8, DType::u8, DType::i16, DType::u16, DType::i32})
    for (const int64_t channels : {2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130})
      for (const char* kind : kPads)
        for (const int64_t k : {1, 2, 3}) {
          const Input in{"in", dtype, {2, 5, 6, channels}};
          const std::string window =
              "{" + pad(kind) + ", " + text("kernel", pair(k, k + 1)) + ", " + text("stride", pair(1, 2));
          all.push_back({"max_pool2d", window + "}", {in}});
          all.push_back({"avg_pool2d", window + "}", {in}});
          all.push_back({"max_pool2d", window + R"(, "dilation": [2, 2], "act_min": -100, "act_max": 100})", {in}});
          all.push_back({"avg_pool2d", window + R"(, "dilation": [2, 2], "act_min": -3, "act_max": 5})", {in}});
        }
  for (const DType dtype : {DType::i8, DType::u8})
    for (const int64_t k : {1, 7, 8, 9, 10})
      all.push_back({"avg_pool2d",
                     "{" + pad("SAME_UPPER") + ", " + text("kernel", pair(k, 10)) + "}",
                     {{"in", dtype, {1, 12, 12, 65}}}});
}

void add_halving_pools(std::vector<Case>& all) {
  const std::string halve = "{\"layout\": \"NCHW\", " + text("kernel", pair(2, 2)) + ", " + text("stride", pair(2, 2));
  for (const char* op : {"max_pool2d", "avg_pool2d"})
    for (const int64_t width : kWidths)
      for (const int64_t height : {1, 2, 5, 8}) {
        all.push_back({op, halve + "}", {{"in", DType::q16, {2, 3, height, width}}}});
        all.push_back({op,
                       halve + ", \"act_min\": -1000, \"act_max\": 1073741824}",
                       {{"in", DType::q16, {1, 1, height, width}}}});
      }
}

void add_eltwise(std::vector<Case>& all) {
  for (const int64_t width : kWidths) all.push_back({"relu", "", {{"in", DType::q16, {3, width}}}});
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> all;
  add_planes(all);
  add_plane_limits(all);
  add_convolutions(all);
  add_scaled(all);
  add_odd_sizes(all);
  add_quantized(all);
  add_dense(all);
  add_channel_pools(all);
  add_halving_pools(all);
  add_eltwise(all);
  return all;
}

}  // namespace bitexact::parity
