#include <algorithm>
#include <memory>

#include "dumps.h"
#include "files.h"
#include "verdict.h"

namespace bitexact::cli {
namespace {

constexpr const char* kCompareExamples =
    "Examples:\n"
    "  bitexact compare server.json browser.json\n"
    "  bitexact compare a.json b.json --dumps a-layers/ b-layers/   # names the first differing element, too";

struct CompareOptions {
  std::string a, b;
  std::vector<std::string> dumps;
  bool json = false;
};

/// A stage with a dump, as a receipt tells it.
struct Dumped {
  std::string stage, sha256;
  TensorType type;
};

Result<TensorType> type_of(const Json& j) {
  const auto dtype = dtype_from_name(text_or(j, "dtype", ""));
  const Json* dims = member(j, "shape");
  const bool good = dims != nullptr && dims->is_array() && dims->size() <= Shape::kMaxRank &&
                    std::all_of(dims->begin(), dims->end(), [](const Json& d) { return integer_in(d, 0, kI64Max); });
  if (!dtype || !good) return error(Code::malformed, "receipt: a stage without dtype and shape");
  TensorType type{*dtype, {}};
  for (const Json& d : *dims) type.shape.push_back(d.get<int64_t>());
  return type;
}

// Photos list pixels, resized and input before their layers; models list their inputs.
Result<std::vector<Dumped>> dumped(std::string_view text) {
  const auto json = parse_json(text);
  if (!json.ok()) return json.status();
  std::vector<Dumped> all;
  if (const Json* input = member(*json, "input"); input != nullptr) {
    all.push_back({"pixels", "", {}});
    if (member(*input, "resized") != nullptr) all.push_back({"resized", "", {}});
    all.push_back({"input", "", {}});
  }
  const Json* inputs = member(*json, "inputs");
  for (const char* key : {"inputs", "layers"}) {
    const Json* list = member(*json, key);
    if (list == nullptr) continue;
    for (const Json& j : *list) {
      const auto type = type_of(j);
      if (!type.ok()) return type.status();
      const bool one = list == inputs && list->size() == 1;
      const std::string name = text_or(j, "name", "");
      all.push_back({one              ? "input"
                     : list == inputs ? name + ": input"
                                      : name,
                     text_or(j, list == inputs ? "tensor" : "sha256", ""), *type});
    }
  }
  return all;
}

Status locate(const CompareOptions& o, std::string_view a, std::string_view b, Verdict& verdict) {
  if (o.dumps.empty() || verdict.same) return {};
  const auto left = dumped(a), right = dumped(b);
  if (!left.ok()) return left.status();
  if (!right.ok()) return right.status();
  for (size_t i = 0; i < left->size() && i < right->size(); ++i) {
    const Dumped &l = (*left)[i], &r = (*right)[i];
    if (l.stage != verdict.stage || r.stage != verdict.stage || l.sha256.empty()) continue;
    if (l.type != r.type) return {};
    // A model's input has its own name in the folder.
    const auto file = [&](const std::string& dir, std::string_view text) {
      const auto json = parse_json(text);
      const Json* inputs = json.ok() ? member(*json, "inputs") : nullptr;
      const bool input = inputs != nullptr && i < inputs->size();
      return dump_path(dir, i, input ? text_or((*inputs)[i], "name", "") : l.stage);
    };
    const auto got = read_dump(file(o.dumps[1], b), r.type, r.sha256);
    if (!got.ok()) return got.status();
    const auto element = first_difference(file(o.dumps[0], a), l.sha256, got->view);
    if (!element.ok()) return element.status();
    verdict.element = *element;
    return {};
  }
  return {};
}

int run_compare(const CompareOptions& o) {
  const auto a = read_file(o.a, kTextLimit), b = read_file(o.b, kTextLimit);
  if (!a.ok()) return fail("compare", a.status());
  if (!b.ok()) return fail("compare", b.status());
  auto verdict = compare_receipts(text_of(*a), text_of(*b));
  if (!verdict.ok()) return fail("compare", verdict.status());
  if (const Status s = locate(o, text_of(*a), text_of(*b), *verdict); !s.ok()) return fail("compare", s);
  return print_verdict(*verdict, o.json);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  const auto o = std::make_shared<CompareOptions>();
  CLI::App* c = app.add_subcommand("compare", "say where two receipts first differ");
  c->footer(kCompareExamples);
  c->add_option("a", o->a, "receipt that is taken as expected")->required();
  c->add_option("b", o->b, "receipt that is compared with it")->required();
  c->add_option("--dumps", o->dumps, "the folders that --dump-layers wrote with A and with B")->expected(2);
  c->add_flag("--json", o->json, "print JSON");
  c->callback([o, &action] { action = [o] { return run_compare(*o); }; });
}

}  // namespace bitexact::cli
