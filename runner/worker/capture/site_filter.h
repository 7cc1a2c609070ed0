#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::worker {

/// Which sites of a model a study captures. A site is captured when an `include` expression is
/// found in its name (or there is none), and no `exclude` expression is. The
/// loss is always captured.
class SiteFilter {
 public:
  /// `sites` in the order of execution. Errors: InvalidArgument for an expression that is none, or
  /// when nothing but the loss is left; Unsupported for one that takes too many steps.
  [[nodiscard]] static Result<SiteFilter> create(const std::vector<Site>& sites,
                                                 const std::vector<std::string>& include,
                                                 const std::vector<std::string>& exclude);

  [[nodiscard]] bool wants(const Site& site) const;

 private:
  SiteFilter() = default;

  std::unordered_map<std::string, bool> m_wanted;
};

/// Identity of a site within a run: {name, pass}.
[[nodiscard]] std::string siteKey(Pass pass, std::string_view name);

}  // namespace ulp::worker
