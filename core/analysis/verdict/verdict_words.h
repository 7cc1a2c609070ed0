#pragma once

#include <string>
#include <string_view>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/format_number.h"

/// Words of the parts of a verdict.
namespace ulp::analysis {

/// Rule of the findings by which a comparison of dumps says which tensors it could not compare.
inline constexpr std::string_view kNotComparedRule = "not_compared";

/// Forward goes without saying.
[[nodiscard]] inline std::string shortPlace(const Site& site) {
  return site.pass == Pass::Forward ? site.name : placeText(site);
}

/// "×2.5".
[[nodiscard]] inline std::string foldText(double factor) {
  return "×" + formatSignificant(factor, factor < 10 ? 2 : 3);
}

}  // namespace ulp::analysis
