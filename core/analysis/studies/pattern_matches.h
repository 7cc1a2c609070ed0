#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::analysis {

struct PatternMatches {
  std::size_t sites = 0;     ///< that the model has, the loss not counted
  std::size_t included = 0;  ///< that a pattern of `include` finds; all without patterns
  std::size_t excluded = 0;  ///< of those included, that a pattern of `exclude` takes away
  std::vector<std::size_t> perInclude;  ///< parallel to `include`
  std::vector<std::size_t> perExclude;  ///< parallel to `exclude`, of all sites
  std::vector<bool> captured;           ///< parallel to the sites

  [[nodiscard]] std::size_t kept() const { return included - excluded; }
};

/// Finds the sites that capture.include and capture.exclude leave, as a run does: an expression
/// fits anywhere in the name, ECMAScript; the loss is always captured. Errors: InvalidArgument
/// naming the expression.
[[nodiscard]] Result<PatternMatches> matchPatterns(const std::vector<Site>& sites,
                                                   const std::vector<std::string>& include,
                                                   const std::vector<std::string>& exclude);

}  // namespace ulp::analysis
