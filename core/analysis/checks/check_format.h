#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/checks/check.h"
#include "core/base/registry.h"

namespace ulp::analysis {

/// A file in which the result of a check reaches those who run it.
struct CheckFormat {
  std::string id;         ///< "junit"
  std::string extension;  ///< ".xml"
  std::string (*write)(const Check& check) = nullptr;
};

using CheckFormatRegistry = Registry<CheckFormat>;

/// Adds every format of checks/plugins/ (generated).
void registerBuiltin(CheckFormatRegistry& registry);
[[nodiscard]] std::vector<CheckFormat> checkFormats();

/// "bf16: model.layers.3.mlp, forward".
[[nodiscard]] std::string placeText(const CheckedRow& row);
inline constexpr std::string_view kNothingToAsk = "found nothing to ask";
/// "2 of 180 rows fail, 1 of them new; 3 warnings; 4 not judged".
[[nodiscard]] std::string summaryText(const Check& check);

}  // namespace ulp::analysis
