#include "core/analysis/studies/pattern_matches.h"

#include <fmt/format.h>
#include <regex>

#include "core/base/text/regular_expression.h"

namespace ulp::analysis {
namespace {

Result<std::vector<std::regex>> compile(const std::vector<std::string>& patterns) {
  std::vector<std::regex> compiled;
  for (const std::string& pattern : patterns) {
    auto regex = compileExpression(pattern);
    if (!regex) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("'{}' is not a regular expression: {}", pattern, regex.error().message()));
    }
    compiled.push_back(std::move(*regex));
  }
  return compiled;
}

/// Whether any fits; counts each that does.
bool countMatches(const std::string& name,
                  const std::vector<std::regex>& patterns,
                  std::vector<std::size_t>& counts) {
  bool any = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const bool fits = std::regex_search(name, patterns[i]);
    counts[i] += fits ? 1 : 0;
    any = any || fits;
  }
  return any;
}

}  // namespace

Result<PatternMatches> matchPatterns(const std::vector<Site>& sites,
                                     const std::vector<std::string>& include,
                                     const std::vector<std::string>& exclude) {
  const auto included = ULP_TRY(compile(include));
  const auto excluded = ULP_TRY(compile(exclude));
  PatternMatches matches;
  matches.perInclude.resize(include.size());
  matches.perExclude.resize(exclude.size());
  for (const Site& site : sites) {
    if (site.name == "loss") {
      matches.captured.push_back(true);
      continue;
    }
    const bool isIn = countMatches(site.name, included, matches.perInclude) || include.empty();
    const bool isOut = countMatches(site.name, excluded, matches.perExclude);
    ++matches.sites;
    matches.included += isIn ? 1 : 0;
    matches.excluded += isIn && isOut ? 1 : 0;
    matches.captured.push_back(isIn && !isOut);
  }
  return matches;
}

}  // namespace ulp::analysis
