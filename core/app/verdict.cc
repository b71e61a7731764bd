#include "verdict.h"

#include <cstdio>

namespace bitexact::cli {
namespace {

Json to_json(const Verdict& v) {
  Json j{{"same", v.same}, {"text", v.text()}};
  if (v.same) return j;
  j["stage"] = v.stage;
  j["expected"] = v.expected;
  j["got"] = v.got;
  if (v.element)
    j["element"] = {{"index", v.element->index}, {"expected", v.element->expected}, {"got", v.element->got}};
  return j;
}

}  // namespace

int print_verdict(const Verdict& v, bool json) {
  std::printf("%s\n", json ? json_text(to_json(v)).c_str() : printable(v.text()).c_str());
  return v.same ? kOk : kDiffers;
}

}  // namespace bitexact::cli
