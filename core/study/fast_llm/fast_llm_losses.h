#pragma once

#include <string>
#include <vector>

#include "core/study/schema/value_check.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// `model.base_model.head.losses.NAME.FIELD`, or `model.base_model.head.logits_scale_factor`.
struct FastLlmLossField {
  std::string path;
  YamlNode value;
};

struct FastLlmLosses {
  std::vector<YamlNode::Entry> settings;  ///< `loss.*`
  std::vector<ValueProblem> problems;
};

/// One loss becomes loss.type, several or one with a weight loss.terms, in the order of their
/// names: Fast-LLM's, which decides in what order their gradients are added.
[[nodiscard]] FastLlmLosses translateLosses(const std::vector<FastLlmLossField>& fields);

}  // namespace ulp::study
