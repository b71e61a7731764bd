#include "operators.h"

#include "tensors.h"

namespace bitexact::bridge {

val run_named_operator(const std::string& name, const std::string& attributes, const val& inputs, bool reference) {
  std::vector<OwnedTensor> owned;
  std::vector<NamedTensor> named;
  const auto count = inputs["length"].as<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    const auto input = inputs[i]["name"].as<std::string>();
    auto tensor = tensor_from(inputs[i], "inputs." + input);
    if (!tensor.ok()) return failure(tensor.status());
    owned.push_back(std::move(*tensor));
    named.push_back({input, owned.back().view});
  }
  const auto output = run_operator(name, attributes, named, {reference ? KernelSet::reference : KernelSet::fastest});
  return output.ok() ? success(to_js(output->view)) : failure(output.status());
}

val infer_named_operator(const std::string& name, const std::string& attributes, const val& inputs) {
  std::vector<NamedType> named;
  const auto count = inputs["length"].as<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    const auto input = inputs[i]["name"].as<std::string>();
    const auto type = type_from(inputs[i], "inputs." + input, -2);
    if (!type.ok()) return failure(type.status());
    named.push_back({input, *type});
  }
  const auto output = infer_operator(name, attributes, named);
  return output.ok() ? success(to_js(*output)) : failure(output.status());
}

}  // namespace bitexact::bridge
