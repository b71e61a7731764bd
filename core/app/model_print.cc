#include "model_print.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "cli.h"

namespace bitexact::cli {
namespace {

bool is_list(const Shape& shape) {
  size_t above_one = 0;
  for (size_t i = 0; i < shape.rank(); ++i) above_one += shape[i] > 1 ? 1u : 0u;
  return above_one <= 1;
}

std::string real_text(double real) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.6f", real);
  return text.data();
}

}  // namespace

int64_t element_at(const Tensor& t, size_t i) {
  switch (t.dtype) {
    case DType::q16:
    case DType::i32:
      return t.as<int32_t>()[i];
    case DType::i8:
      return t.as<int8_t>()[i];
    case DType::u8:
      return t.as<uint8_t>()[i];
    case DType::i16:
      return t.as<int16_t>()[i];
    case DType::u16:
      return t.as<uint16_t>()[i];
    case DType::i64:
      return t.as<int64_t>()[i];
    default:
      return 0;
  }
}

double real_value(DType dtype, const Quantization& quant, int64_t value) {
  if (dtype == DType::q16) return static_cast<double>(value) / 65536;
  if (quant.scale == 0) return static_cast<double>(value);
  return static_cast<double>(quant.scale) * static_cast<double>(value - quant.zero);
}

std::vector<Score> top_scores(const ModelRun& run, size_t count, const std::vector<std::string>& labels) {
  const Model& m = run.model().file.model;
  std::vector<Score> scores;
  if (count == 0 || m.outputs.empty()) return scores;
  const Tensor t = run.output(0);
  const bool floats = t.dtype == DType::f16 || t.dtype == DType::f32;
  if (!is_list(t.shape) || floats) return scores;
  std::vector<size_t> order(t.count());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto larger = [&](size_t a, size_t b) {
    const int64_t x = element_at(t, a), y = element_at(t, b);
    return x != y ? x > y : a < b;
  };
  const size_t shown = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), larger);
  for (size_t i = 0; i < shown; ++i) {
    const int64_t value = element_at(t, order[i]);
    scores.push_back({order[i], value, real_value(t.dtype, m.values[m.outputs[0]].quant, value),
                      order[i] < labels.size() ? labels[order[i]] : ""});
  }
  return scores;
}

Json shape_json(const Shape& shape) {
  Json j = Json::array();
  for (size_t i = 0; i < shape.rank(); ++i) j.push_back(shape[i]);
  return j;
}

Json scores_json(const std::vector<Score>& scores) {
  Json all = Json::array();
  for (const Score& s : scores) {
    Json j{{"index", s.index}, {"value", s.value}, {"real", s.real}};
    if (!s.label.empty()) j["label"] = s.label;
    all.push_back(std::move(j));
  }
  return all;
}

std::string scores_text(const std::vector<Score>& scores, const char* between) {
  std::string text;
  for (const Score& s : scores)
    text += (text.empty() ? "" : between) + std::to_string(s.index) +
            (s.label.empty() ? "" : " " + printable(s.label)) + " " + real_text(s.real) + " (" +
            std::to_string(s.value) + ")";
  return text;
}

Json saturated_json(const ModelRun& run) {
  Json j = Json::object();
  for (const Layer& l : run.layers())
    if (l.saturated > 0) j[l.name] = l.saturated;
  return j;
}

}  // namespace bitexact::cli
