#include "runner/worker/capture/site_filter.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/regular_expression.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kLossName = "loss";

Result<std::vector<RegularExpression>> compile(const std::vector<std::string>& expressions,
                                               std::string_view key) {
  return whileDoing(key, compileExpressions(expressions));
}

/// Whether `name` is included and not excluded.
Result<bool> isWanted(const std::string& name,
                      const std::vector<RegularExpression>& included,
                      const std::vector<RegularExpression>& excluded) {
  const bool isIn = ULP_TRY(included.empty() ? Result<bool>(true) : isAnyFoundIn(included, name));
  const bool isOut = ULP_TRY(isAnyFoundIn(excluded, name));
  return isIn && !isOut;
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
        ULP_TRY(isLoss ? Result<bool>(true) : isWanted(site.name, included, excluded));
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
