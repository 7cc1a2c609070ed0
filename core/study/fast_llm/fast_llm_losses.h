#pragma once

#include <string>
#include <vector>

#include "core/study/schema/value_check.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

struct FastLlmLosses {
  std::vector<YamlNode::Entry> settings;  ///< `loss.*`
  std::vector<ValueProblem> problems;
};

/// `fields` are `model.base_model.head.losses.NAME.FIELD` and
/// `model.base_model.head.logits_scale_factor`. One loss becomes loss.type, several or one with a
/// weight loss.terms, in the order of their names: Fast-LLM's, which decides in what order their
/// gradients are added.
[[nodiscard]] FastLlmLosses translateLosses(const std::vector<YamlNode::Entry>& fields);

}  // namespace ulp::study
