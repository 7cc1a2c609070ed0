#pragma once

#include <memory>
#include <string_view>

#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::analysis {

/// Finds sites by a regular expression (ECMAScript, letter case ignored), anywhere in the row's
/// name or its module path. An empty pattern fits every site. Copies share the compiled pattern.
class SiteFilter {
 public:
  /// Errors: InvalidArgument naming the pattern and what is wrong with it.
  [[nodiscard]] static Result<SiteFilter> make(std::string_view pattern);

  [[nodiscard]] bool fits(const Site& site) const;

 private:
  struct Pattern;
  explicit SiteFilter(std::shared_ptr<const Pattern> pattern) : m_pattern(std::move(pattern)) {}

  std::shared_ptr<const Pattern> m_pattern;  ///< null: fits everything
};

}  // namespace ulp::analysis
