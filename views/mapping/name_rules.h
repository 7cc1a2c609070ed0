#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/match/mapping_names.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A rule or a pair of the mapping that is edited, as the list shows it.
struct NameRule {
  std::optional<std::size_t> rule;  ///< its place among the rules; nothing: a pair
  std::string name;                 ///< the regular expression, or the candidate's name
  std::string readsAs;
  std::optional<analysis::RuleEffect> effect{};  ///< of a rule; nothing: not counted yet
};

using NameRuleModel = RowTableModel<NameRule>;
[[nodiscard]] std::vector<Column<NameRule>> nameRuleColumns();
/// Rules in their order, then pairs by name. `effects`: of the rules; empty: not counted yet.
[[nodiscard]] NameRuleModel::Rows nameRules(const analysis::SiteMapping& mapping,
                                            const std::vector<analysis::RuleEffect>& effects);

/// "names changed: 24; all of them are in the baseline then"
[[nodiscard]] QString effectText(const analysis::RuleEffect& effect);

}  // namespace ulp::views
