#include "runtime/receipt.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "bitexact/digest.h"
#include "bitexact/receipt.h"

namespace bitexact {

Json shape_json(const Shape& shape) {
  Json j = Json::array();
  for (size_t i = 0; i < shape.rank(); ++i) j.push_back(shape[i]);
  return j;
}

void image_json(const ImageInfo& p, Json& j) {
  j["format"] = format_name(p.format);
  j["width"] = p.width;
  j["height"] = p.height;
  j["channels"] = p.channels;
  j["bits"] = p.bits;
  j["orientation"] = p.orientation;
  j["color_profile"] = p.color_profile_ignored ? "ignored" : "none";
}

Json receipt_json(Json task, bool made_by) {
  Json j{{"bitexact", 1}, {"contract", kContract}, {"engine", kVersion}, {"task", std::move(task)}};
  if (made_by) j["made_by"] = {{"architecture", architecture()}, {"simd", simd_target()}};
  return j;
}

namespace {

Json input_json(const PhotoRun& run) {
  Json j{{"file", run.file_sha256()}};
  image_json(info_of(run.pixels()), j);
  for (const Stage& s : run.stages()) {
    if (s.name == "pixels") j["pixels"] = s.sha256;
    if (s.name == "resized") j["resized"] = s.sha256;
    if (s.name == "input") j["tensor"] = s.sha256;
  }
  return j;
}

bool is_layer(const Stage& s) { return s.name != "pixels" && s.name != "resized" && s.name != "input"; }

// One digest of a receipt, in the order in which things were computed.
struct Digest {
  std::string stage, sha256;
};

std::vector<Digest> digests_of(const Json& receipt) {
  std::vector<Digest> all;
  const auto add = [&](std::string stage, const Json& object, const char* key) {
    if (object.contains(key)) all.push_back({std::move(stage), object[key].get<std::string>()});
  };
  const auto add_input = [&](const std::string& which, const Json& input) {
    for (const char* key : {"file", "pixels", "resized"}) add(which + key, input, key);
    add(which + "input", input, "tensor");
  };
  const bool model = receipt.contains("model");
  if (model) add("model", receipt["model"], "file");
  if (!model) add_input("", receipt["input"]);
  if (model)
    for (const Json& input : receipt["inputs"])
      add_input(receipt["inputs"].size() == 1 ? "" : input["name"].get<std::string>() + ": ", input);
  for (const char* list : {"layers", "outputs"})
    for (const Json& step : receipt[list])
      all.push_back({step["name"].get<std::string>(), step["sha256"].get<std::string>()});
  return all;
}

bool has_strings(const Json& object, std::initializer_list<const char*> keys) {
  return object.is_object() && std::all_of(keys.begin(), keys.end(), [&](const char* key) {
           return object.contains(key) && object[key].is_string();
         });
}

Status check_input(const Json& receipt) {
  if (!receipt.contains("input") || !has_strings(receipt["input"], {"file", "pixels", "tensor"}))
    return error(Code::malformed, "input: expected an object with the strings file, pixels and tensor");
  if (receipt["input"].contains("resized") && !has_strings(receipt["input"], {"resized"}))
    return error(Code::malformed, "input: resized: expected a string");
  return {};
}

Status check_model(const Json& receipt) {
  if (!has_strings(receipt["model"], {"file", "requant"}))
    return error(Code::malformed, "model: expected an object with the strings file and requant");
  if (!receipt.contains("inputs") || !receipt["inputs"].is_array())
    return error(Code::malformed, "inputs: expected an array");
  for (const Json& input : receipt["inputs"]) {
    if (!has_strings(input, {"name", "file", "tensor"}))
      return error(Code::malformed, "inputs: expected objects with the strings name, file and tensor");
    for (const char* key : {"pixels", "resized"})
      if (input.contains(key) && !has_strings(input, {key}))
        return error(Code::malformed, std::string("inputs: ") + key + ": expected a string");
  }
  return {};
}

Status check_steps(const Json& receipt, const std::string& list) {
  if (!receipt.contains(list) || !receipt[list].is_array()) return error(Code::malformed, list + ": expected an array");
  for (size_t i = 0; i < receipt[list].size(); ++i)
    if (!has_strings(receipt[list][i], {"name", "sha256"}))
      return error(Code::malformed,
                   list + "[" + std::to_string(i) + "]: expected an object with the strings name and sha256");
  return {};
}

// The parts that name and compare stages; everything else may be absent, and then differs.
Status check_form(const Json& receipt) {
  BITEXACT_TRY(receipt.contains("model") ? check_model(receipt) : check_input(receipt));
  BITEXACT_TRY(check_steps(receipt, "layers"));
  return check_steps(receipt, "outputs");
}

}  // namespace

Result<Json> parse_receipt(std::string_view text, const char* which) {
  auto json = parse_json(text);
  const std::string name = std::string(which) + "receipt";
  if (!json.ok()) return error(Code::malformed, name + ": " + json.status().why);
  if (!json->is_object() || !json->contains("bitexact")) return error(Code::malformed, name + ": no bitexact receipt");
  if ((*json)["bitexact"] != 1)
    return error(Code::unsupported, name + ": receipt version " + canonical((*json)["bitexact"]) + "; expected 1");
  if (const Status form = check_form(*json); !form.ok()) return error(form.code, name + ": " + form.why);
  return json;
}

Status check_contract(const Json& receipt) {
  if (!receipt.contains("contract") || receipt["contract"] != kContract)
    return error(Code::unsupported, "receipt: arithmetic contract " +
                                        (receipt.contains("contract") ? canonical(receipt["contract"]) : "missing") +
                                        "; this engine obeys contract " + std::to_string(kContract));
  if (!receipt.contains("task")) return error(Code::malformed, "receipt: no task");
  return {};
}

namespace {

Verdict differs(std::string stage, std::string expected, std::string got) {
  return {false, std::move(stage), std::move(expected), std::move(got), std::nullopt};
}

// What stands beside the digests: the task, shapes, contract. Neither the engine's version nor the place decides
// sameness.
Verdict compare_rest(Json a, Json b) {
  for (const char* key : {"engine", "made_by"}) {
    a.erase(key);
    b.erase(key);
  }
  const Json patch = Json::diff(a, b);
  if (patch.empty()) return {};
  const auto path = patch[0]["path"].get<std::string>();
  const Json::json_pointer at(path);
  const auto text = [&](const Json& side) { return side.contains(at) ? canonical(side[at]) : "nothing"; };
  return differs(path.substr(1), text(a), text(b));
}

}  // namespace

std::string write_receipt(const PhotoRun& run, bool made_by) {
  Json layers = Json::array();
  for (const Stage& s : run.stages())
    if (is_layer(s))
      layers.push_back({{"name", s.name},
                        {"op", s.op},
                        {"dtype", dtype_name(s.dtype)},
                        {"shape", shape_json(s.shape)},
                        {"sha256", s.sha256}});
  Json output = layers.back();
  output.erase("op");
  Json j = receipt_json(*parse_json(write_task(run.task())), made_by);
  j["input"] = input_json(run);
  j["layers"] = std::move(layers);
  j["outputs"] = Json::array({output});
  return canonical(j);
}

std::string Verdict::text() const {
  if (same) return "same";
  std::string s = "differs at " + stage;
  if (element)
    return s + ", element " + std::to_string(element->index) + ": expected " + std::to_string(element->expected) +
           ", got " + std::to_string(element->got);
  return s + ": expected " + expected + ", got " + got;
}

Result<PhotoTask> read_receipt_task(std::string_view text) {
  const auto json = parse_receipt(text, "");
  if (!json.ok()) return json.status();
  BITEXACT_TRY(check_contract(*json));
  auto task = read_task(canonical((*json)["task"]));
  if (!task.ok()) return error(task.status().code, "receipt: " + task.status().why);
  return task;
}

Result<Verdict> compare_receipts(std::string_view expected, std::string_view got) {
  const auto a = parse_receipt(expected, "expected "), b = parse_receipt(got, "");
  if (!a.ok()) return a.status();
  if (!b.ok()) return b.status();
  const std::vector<Digest> da = digests_of(*a), db = digests_of(*b);
  for (size_t i = 0; i < da.size() || i < db.size(); ++i) {
    const Digest left = i < da.size() ? da[i] : Digest{db[i].stage, "nothing"},
                 right = i < db.size() ? db[i] : Digest{da[i].stage, "nothing"};
    if (left.stage != right.stage) return differs(left.stage, "stage " + left.stage, "stage " + right.stage);
    if (left.sha256 != right.sha256) return differs(left.stage, left.sha256, right.sha256);
  }
  return compare_rest(*a, *b);
}

namespace {

int64_t element(DType dtype, const std::byte* p) {
  uint64_t v = 0;
  for (size_t i = 0; i < size_of(dtype); ++i) v |= static_cast<uint64_t>(p[i]) << (8 * i);
  switch (dtype) {
    case DType::q16:
    case DType::i32:
      return static_cast<int32_t>(v);
    case DType::i16:
      return static_cast<int16_t>(v);
    case DType::i8:
      return static_cast<int8_t>(v);
    default:
      return static_cast<int64_t>(v);
  }
}

}  // namespace

Result<std::optional<Verdict::Element>> compare_dump(std::span<const std::byte> expected, const Tensor& got) {
  if (expected.size() != got.bytes())
    return error(Code::shape, "dump has " + std::to_string(expected.size()) + " bytes; the tensor " + got.shape.text() +
                                  " has " + std::to_string(got.bytes()));
  const size_t width = size_of(got.dtype);
  std::array<std::byte, 8> mine{};
  for (size_t i = 0; i < got.count(); ++i) {
    dump(got, i, 1, mine.data());
    const int64_t want = element(got.dtype, expected.data() + i * width), have = element(got.dtype, mine.data());
    if (want != have) return std::optional(Verdict::Element{i, want, have});
  }
  return std::optional<Verdict::Element>{};
}

}  // namespace bitexact
