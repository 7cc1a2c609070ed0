#include "views/plugins/findings/variant_edit.h"

#include "core/study/editing/study_edit.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::views {

std::string newVariantName(std::string_view yaml,
                           const std::string& base,
                           const Overrides& overrides) {
  std::string name = base;
  for (const auto& [path, value] : overrides) {
    std::string key = path.substr(path.rfind('.') + 1);
    key = key.substr(0, key.find("_dtype"));
    name.append("_").append(key).append("_").append(value);
  }
  const auto study = study::parseYaml(yaml, "study");
  return study ? study::freeVariantName(study::variantNames(*study), name) : name;
}

Result<std::string> withVariant(std::string_view yaml,
                                const std::string& name,
                                const Overrides& overrides) {
  return study::addVariant(yaml, name, {overrides.begin(), overrides.end()});
}

}  // namespace ulp::views
