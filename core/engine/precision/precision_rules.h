#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::engine {

/// What the rules of a plan set at one module, by pass, on top of the plan's own formats.
struct MatchedFormats {
  std::string module;
  numerics::FormatOverrides forward;
  numerics::FormatOverrides backward;
};

/// The modules that at least one rule matches. Errors (InvalidArgument) name the rule by its place
/// and pattern: no regular expression, a pattern that no module matches (with near ones), a format
/// of something that has no pass in a rule for one pass.
[[nodiscard]] Result<std::vector<MatchedFormats>> matchRules(
    const PrecisionPlan& plan, const std::vector<std::string>& modules);

}  // namespace ulp::engine
