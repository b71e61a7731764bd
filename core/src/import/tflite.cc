#include "import/tflite.h"

#include <algorithm>
#include <cstring>

#include "import/tflite_ops.h"

namespace bitexact {
namespace tflite {
namespace {

struct Entry {
  fb::BuiltinOperator code;
  Lower lower;
};

using B = fb::BuiltinOperator;
constexpr Entry kOperators[] = {
    {B::ABS, lower_abs},
    {B::ADD, lower_add},
    {B::ARG_MAX, lower_arg_max},
    {B::ARG_MIN, lower_arg_min},
    {B::AVERAGE_POOL_2D, lower_average_pool2d},
    {B::CAST, lower_cast},
    {B::CONCATENATION, lower_concatenation},
    {B::CONV_2D, lower_conv2d},
    {B::DEPTHWISE_CONV_2D, lower_depthwise_conv2d},
    {B::DEPTH_TO_SPACE, lower_depth_to_space},
    {B::DEQUANTIZE, lower_dequantize},
    {B::DIV, lower_div},
    {B::EXP, lower_exp},
    {B::EXPAND_DIMS, lower_expand_dims},
    {B::FULLY_CONNECTED, lower_fully_connected},
    {B::HARD_SWISH, lower_hard_swish},
    {B::LEAKY_RELU, lower_leaky_relu},
    {B::LOGISTIC, lower_logistic},
    {B::MAXIMUM, lower_maximum},
    {B::MAX_POOL_2D, lower_max_pool2d},
    {B::MEAN, lower_mean},
    {B::MINIMUM, lower_minimum},
    {B::MIRROR_PAD, lower_mirror_pad},
    {B::MUL, lower_mul},
    {B::NEG, lower_neg},
    {B::PACK, lower_pack},
    {B::PAD, lower_pad},
    {B::PADV2, lower_pad},
    {B::PRELU, lower_prelu},
    {B::QUANTIZE, lower_quantize},
    {B::REDUCE_MAX, lower_reduce_max},
    {B::REDUCE_MIN, lower_reduce_min},
    {B::RELU, lower_relu},
    {B::RELU6, lower_relu6},
    {B::RELU_N1_TO_1, lower_relu_n1_to_1},
    {B::RESHAPE, lower_reshape},
    {B::RESIZE_BILINEAR, lower_resize_bilinear},
    {B::RESIZE_NEAREST_NEIGHBOR, lower_resize_nearest},
    {B::SHAPE, lower_shape},
    {B::SLICE, lower_slice},
    {B::SOFTMAX, lower_softmax},
    {B::SPACE_TO_DEPTH, lower_space_to_depth},
    {B::SPLIT, lower_split},
    {B::SQUEEZE, lower_squeeze},
    {B::STRIDED_SLICE, lower_strided_slice},
    {B::SUB, lower_sub},
    {B::SUM, lower_sum},
    {B::TANH, lower_tanh},
    {B::TRANSPOSE, lower_transpose},
    {B::TRANSPOSE_CONV, lower_transpose_conv},
};

std::string operator_name(B code) {
  const char* name = fb::EnumNameBuiltinOperator(code);
  return *name != '\0' ? name : "operator " + std::to_string(static_cast<int>(code));
}

std::string supported() {
  std::string names;
  for (const Entry& e : kOperators) names += (names.empty() ? "" : ", ") + operator_name(e.code);
  return names;
}

// A status of the file itself ends the reading; all others are this one node's.
bool is_fatal(const Status& s) {
  return s.code == Code::malformed || s.code == Code::too_large || s.code == Code::no_memory;
}

class Reader {
 public:
  Reader(const File& file, const ReadOptions& options, std::vector<ModelProblem>& problems)
      : file_(file), graph_(file, options), problems_(problems) {}

  Result<ModelFile> read();

 private:
  Status read_node(const fb::Operator& op, size_t index);
  Status lower(const Node& n, const fb::OperatorCode& code);
  Status summary() const;

  const File& file_;
  Graph graph_;
  std::vector<ModelProblem>& problems_;
};

Status Reader::lower(const Node& n, const fb::OperatorCode& code) {
  const auto* e =
      std::find_if(std::begin(kOperators), std::end(kOperators), [&](const Entry& k) { return k.code == n.code; });
  if (e != std::end(kOperators)) return e->lower(graph_, n);
  const auto* custom = n.code == B::CUSTOM ? code.custom_code() : nullptr;
  return error(
      Code::unsupported,
      (custom != nullptr ? "the custom operator " + std::string(custom->c_str(), std::min<size_t>(custom->size(), 64))
                         : std::string("this operator")) +
          " is not supported");
}

Status Reader::read_node(const fb::Operator& op, size_t index) {
  const auto* codes = file_.model().operator_codes();
  if (codes == nullptr || op.opcode_index() >= codes->size())
    return error(Code::malformed, "operator code " + std::to_string(op.opcode_index()) + " does not exist",
                 at_node(index));
  const fb::OperatorCode& code = *codes->Get(op.opcode_index());
  // Files from before operator 127 have the old field alone, newer ones both.
  Node n{index, &op, std::max(code.builtin_code(), static_cast<B>(code.old_builtin_code())), ""};
  const std::string name = operator_name(n.code);
  const auto in_node = [&](Status s) {
    s.why = name + (n.name.empty() ? "" : " '" + n.name + "'") + ": " + s.why;
    s.where = at_node(index);
    return s;
  };
  const auto good = graph_.check(n);
  if (!good.ok()) return in_node(good.status());
  n.name = file_.name(static_cast<size_t>(n.output(0)));
  Status s = *good ? lower(n, code) : Status{};
  if (s.ok() && *good) return {};
  graph_.fail(n);
  if (s.ok()) return {};
  if (is_fatal(s)) return in_node(std::move(s));
  problems_.push_back({index, n.name, name, code.version(), in_node(std::move(s))});
  return {};
}

// All problems in one message, of which a file could have a great many.
Status Reader::summary() const {
  constexpr size_t kMost = 32;
  Status first = problems_[0].status;
  if (problems_.size() == 1) {
    first.why += " (version " + std::to_string(problems_[0].version) + ")";
  } else {
    std::string all = std::to_string(problems_.size()) + " operators cannot be run: ";
    for (size_t i = 0; i < std::min(problems_.size(), kMost); ++i)
      all += (i ? "; " : "") + std::string("node ") + std::to_string(problems_[i].node) + " " +
             problems_[i].status.why + " (version " + std::to_string(problems_[i].version) + ")";
    first.why = all + (problems_.size() > kMost ? "; and more" : "");
  }
  first.why += ". Supported are " + supported();
  return first;
}

Result<ModelFile> Reader::read() {
  BITEXACT_TRY(graph_.read_inputs());
  const auto* nodes = file_.graph().operators();
  const size_t count = nodes == nullptr ? 0 : nodes->size();
  for (size_t i = 0; i < count; ++i) BITEXACT_TRY(read_node(*nodes->Get(static_cast<uint32_t>(i)), i));
  if (!problems_.empty()) return summary();
  auto model = graph_.take_outputs();
  if (!model.ok()) return model.status();
  return ModelFile{"tflite", file_.model().version(), graph_.rule(), std::move(*model), count};
}

}  // namespace
}  // namespace tflite

bool looks_like_tflite(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= 8 && std::memcmp(bytes.data() + 4, "TFL3", 4) == 0;
}

Result<ModelFile> read_tflite(std::span<const std::byte> bytes, const ReadOptions& options,
                              std::vector<ModelProblem>* problems) {
  const auto file = tflite::File::open(bytes);
  if (!file.ok()) return file.status();
  std::vector<ModelProblem> found;
  auto model = tflite::Reader(*file, options, found).read();
  if (problems != nullptr) *problems = std::move(found);
  return model;
}

}  // namespace bitexact
