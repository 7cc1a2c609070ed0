#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/study/schema/value_check.h"

/// The value of `precision.rules`: [{match: regex, pass: forward | backward | both, …_dtype: …}].
namespace ulp::study {

enum class RulePass : std::uint8_t { Both, Forward, Backward };

struct PrecisionRule {
  std::string match;  ///< regular expression over module paths
  RulePass pass = RulePass::Both;
  numerics::FormatOverrides formats;
};

/// The list as JSON in canonical spelling, or what is wrong, at its place in the file: a rule
/// without `match` or without a format, an unknown key (with the nearest), a format that the key of
/// the same name in the section does not take.
[[nodiscard]] CheckedText checkRules(const Key& key, const YamlNode& node);

/// Reads what checkRules() gave. Errors: InvalidArgument.
[[nodiscard]] Result<std::vector<PrecisionRule>> parseRules(std::string_view value);

}  // namespace ulp::study
