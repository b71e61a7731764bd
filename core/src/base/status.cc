#include "bitexact/status.h"

namespace bitexact {

const char* place_name(Place place) noexcept {
  switch (place) {
    case Place::nowhere:
      return "";
    case Place::byte:
      return "byte";
    case Place::node:
      return "node";
    case Place::tensor:
      return "tensor";
    case Place::element:
      return "element";
  }
  return "";
}

const char* code_name(Code code) noexcept {
  switch (code) {
    case Code::ok:
      return "ok";
    case Code::argument:
      return "argument";
    case Code::shape:
      return "shape";
    case Code::unsupported:
      return "unsupported";
    case Code::malformed:
      return "malformed";
    case Code::too_large:
      return "too_large";
    case Code::no_memory:
      return "no_memory";
  }
  return "";
}

std::string Status::text() const {
  if (ok()) return "ok";
  std::string s = std::string(code_name(code)) + ": " + why;
  if (where.place != Place::nowhere)
    s += std::string(" (") + place_name(where.place) + " " + std::to_string(where.at) + ")";
  return s;
}

}  // namespace bitexact
