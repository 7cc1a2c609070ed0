#pragma once

#include <string_view>
#include <vector>

#include "core/study/schema/step_settings.h"
#include "core/study/schema/value_check.h"

/// The values of the keys that are lists: input.documents, input.unlabelled, loss.terms.
namespace ulp::study {

/// Ids of the losses that `loss.type` and `loss.terms` name: those of labels alone, then those of
/// policies (generated).
[[nodiscard]] std::vector<std::string_view> lossTypes();
/// Ids of the losses that look at advantages and old log-probabilities (generated).
[[nodiscard]] std::vector<std::string_view> policyLossTypes();

/// A list of whole numbers, or a list of such lists.
[[nodiscard]] Checked<DocumentLengths> readDocuments(const Key& key, const YamlNode& node);
/// A list of [begin, end] pairs.
[[nodiscard]] Checked<TokenRanges> readRanges(const Key& key, const YamlNode& node);
/// A list of {type, weight, epsilon_low, epsilon_high}; `fallback` gives what a term leaves open.
[[nodiscard]] Checked<std::vector<LossTermSetting>> readLossTerms(const Key& key,
                                                                  const YamlNode& node,
                                                                  const LossTermSetting& fallback);

}  // namespace ulp::study
