#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/study/schema/value_check.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {

/// The file sets what only Fast-LLM's tool evaluate_precision knows: `pretrained`, a path of
/// `model.base_model`, `model.distributed` or `model.multi_stage`, or a switch of PyTorch.
[[nodiscard]] bool isFastLlmStudy(const YamlNode& root);

/// A Fast-LLM file in Ulpscope's words.
struct FastLlmTranslation {
  YamlNode study;  ///< a study; values keep their position in the file
  /// What was accepted without an effect and how the rest is meant, one line each.
  std::vector<std::string> notes;
  std::vector<ValueProblem> problems;
};

/// Translates the fields of losses, `model.base_model.head.losses.NAME.FIELD` and
/// `model.base_model.head.logits_scale_factor`, to a study that has `loss.*` alone. One loss
/// becomes loss.type, several or one with a weight loss.terms, in the order of their names:
/// Fast-LLM's, which decides in what order their gradients are added.
[[nodiscard]] FastLlmTranslation translateLosses(const std::vector<YamlNode::Entry>& fields);

/// Whatever the keys of the schema can say is translated, the rest is a problem. `folder` is that
/// of the file: relative paths of data are looked up there, too.
[[nodiscard]] FastLlmTranslation translateFastLlm(const YamlNode& root,
                                                  const std::filesystem::path& folder);

}  // namespace ulp::study
