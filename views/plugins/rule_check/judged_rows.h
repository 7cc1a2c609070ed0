#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QtCore/QString>

#include "core/report/model/report.h"
#include "views/framework/document/rule_verdicts.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// What the rules say of a variant.
struct JudgedRun {
  QString run;
  int style = 0;  ///< of the variant
  analysis::Judgement overall = analysis::Judgement::NotJudged;
  std::array<std::size_t, 4> counts{};  ///< of rows, by Judgement
  std::optional<Site> first{};          ///< that fails, else that warns
  QString reason{};                     ///< of the first one, or why none is known
};

/// What a rule says of all rows.
struct JudgedRule {
  QString rule;
  Severity severity = Severity::Fine;
  bool isUnasked = false;  ///< nothing could be asked
  QString outcome;
};

[[nodiscard]] std::vector<JudgedRun> judgedRuns(const RuleVerdicts& verdicts);
[[nodiscard]] std::vector<JudgedRule> judgedRules(const RuleVerdicts& verdicts);
/// "fail: 2 of 4 variants · pass: 2"; the gravest first.
[[nodiscard]] QString judgementHeadline(const std::vector<JudgedRun>& runs);

using JudgedRunModel = RowTableModel<JudgedRun>;
using JudgedRuleModel = RowTableModel<JudgedRule>;
/// The place of the column that leads to the first failing row.
inline constexpr int kFirstFailingColumn = 2;
[[nodiscard]] std::vector<Column<JudgedRun>> judgedRunColumns();
[[nodiscard]] std::vector<Column<JudgedRule>> judgedRuleColumns();

}  // namespace ulp::views
