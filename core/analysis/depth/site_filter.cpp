#include "core/analysis/depth/site_filter.h"

#include <fmt/format.h>
#include <memory>
#include <regex>
#include <string>
#include <utility>

#include "core/base/text/regular_expression.h"

namespace ulp::analysis {

struct SiteFilter::Pattern {
  std::regex regex;
};

Result<SiteFilter> SiteFilter::make(std::string_view pattern) {
  if (pattern.empty()) {
    return SiteFilter(nullptr);
  }
  auto compiled =
      compileExpression(std::string(pattern), std::regex::ECMAScript | std::regex::icase);
  if (!compiled) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("'{}' is not a regular expression: {}", pattern, compiled.error().message()));
  }
  return SiteFilter(std::make_shared<const Pattern>(Pattern{std::move(*compiled)}));
}

bool SiteFilter::fits(const Site& site) const {
  return m_pattern == nullptr || std::regex_search(site.name, m_pattern->regex) ||
         std::regex_search(site.module, m_pattern->regex);
}

}  // namespace ulp::analysis
