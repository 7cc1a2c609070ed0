#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/study/schema/loss_settings.h"
#include "core/study/schema/value_check.h"

/// The values of the keys that are lists: input.documents, input.unlabelled, loss.terms.
namespace ulp::study {

/// Ids of the losses that `loss.type` and `loss.terms` name: those of labels alone, then those of
/// policies (generated).
[[nodiscard]] std::vector<std::string_view> lossTypes();
/// Ids of the losses that look at advantages and old log-probabilities (generated).
[[nodiscard]] std::vector<std::string_view> policyLossTypes();

/// A list of whole numbers, or a list of such lists.
[[nodiscard]] CheckedText checkDocuments(const Key& key, const YamlNode& node);
/// A list of [begin, end] pairs.
[[nodiscard]] CheckedText checkRanges(const Key& key, const YamlNode& node);
/// A list of {type, weight, epsilon_low, epsilon_high}.
[[nodiscard]] CheckedText checkLossTerms(const Key& key, const YamlNode& node);

// From values that were checked, in their canonical spelling.
[[nodiscard]] std::vector<std::vector<std::int64_t>> parseDocuments(std::string_view text);
[[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> parseRanges(std::string_view text);
/// `fallback` gives what a term leaves open.
[[nodiscard]] std::vector<LossTermSetting> parseLossTerms(std::string_view text,
                                                          const LossTermSetting& fallback);

}  // namespace ulp::study
