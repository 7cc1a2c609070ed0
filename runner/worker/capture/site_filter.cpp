#include "runner/worker/capture/site_filter.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>

#include "core/base/text/regular_expression.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kLossName = "loss";

Result<std::vector<std::regex>> compile(const std::vector<std::string>& expressions,
                                        std::string_view key) {
  std::vector<std::regex> compiled;
  for (const std::string& expression : expressions) {
    auto regex = compileExpression(expression);
    if (!regex) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: '{}' is no regular expression (ECMAScript): {}",
                              key,
                              expression,
                              regex.error().message()));
    }
    compiled.push_back(*std::move(regex));
  }
  return compiled;
}

bool matchesAny(const std::vector<std::regex>& expressions, const Site& site) {
  return std::ranges::any_of(
      expressions, [&site](const std::regex& each) { return std::regex_search(site.name, each); });
}

}  // namespace

std::string siteKey(Pass pass, std::string_view name) {
  return fmt::format("{} {}", toString(pass), name);
}

Result<SiteFilter> SiteFilter::create(const std::vector<Site>& sites,
                                      const std::vector<std::string>& include,
                                      const std::vector<std::string>& exclude) {
  const auto included = ULP_TRY(compile(include, "capture.include"));
  const auto excluded = ULP_TRY(compile(exclude, "capture.exclude"));
  SiteFilter filter;
  bool isAnyWanted = false;
  for (const Site& site : sites) {
    const bool isLoss = site.name == kLossName;
    const bool wanted =
        isLoss || ((included.empty() || matchesAny(included, site)) && !matchesAny(excluded, site));
    filter.m_wanted.emplace(siteKey(site.pass, site.name), wanted);
    isAnyWanted = isAnyWanted || (wanted && !isLoss);
  }
  if (!isAnyWanted) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("capture.include, capture.exclude: leave none of the {} sites of the "
                            "model; the first is '{}'",
                            sites.size(),
                            sites.empty() ? "" : sites.front().name));
  }
  return filter;
}

bool SiteFilter::wants(const Site& site) const {
  const auto found = m_wanted.find(siteKey(site.pass, site.name));
  return found != m_wanted.end() && found->second;
}

}  // namespace ulp::worker
