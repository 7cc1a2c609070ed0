#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"

namespace ulp::analysis {

/// Names that the parts of a fused tensor may have.
struct FusedParts {
  std::vector<std::string> paths;
  FusedLayout layout = FusedLayout::Found;
  std::int64_t groups = 0;
  std::optional<std::int64_t> dim{};
};

/// What is fused, by the rules of a mapping and by the names that models and frameworks use.
class FusedNames {
 public:
  explicit FusedNames(const DumpRules& rules);
  ~FusedNames();
  FusedNames(const FusedNames&) = delete;
  FusedNames& operator=(const FusedNames&) = delete;

  /// Where parts of what is called `path` may be found, likeliest first; empty: it is not fused.
  [[nodiscard]] std::vector<FusedParts> partsOf(const std::string& path) const;
  /// Whether weights of these names are the other way round is found; false: the rules say it.
  [[nodiscard]] bool findsTransposed(std::span<const std::string* const> names) const;

 private:
  struct Compiled;

  bool m_knowsNames;
  bool m_findsTransposed;
  std::vector<FusedRule> m_rules;
  std::unique_ptr<Compiled> m_compiled;
};

/// Segments of dotted names that differ: "qkv_proj" and "q_proj".
struct NameDifference {
  std::string from;
  std::string to;
};
[[nodiscard]] NameDifference differenceOf(std::string_view from, std::string_view to);
/// `path` with the last segments `difference.from` replaced; unchanged where it has none.
[[nodiscard]] std::string replaced(const std::string& path, const NameDifference& difference);

}  // namespace ulp::analysis
