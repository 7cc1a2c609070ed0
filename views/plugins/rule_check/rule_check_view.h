#pragma once

#include "views/framework/view/view.h"
#include "views/framework/workspace/report_rules.h"
#include "views/plugins/rule_check/judged_rows.h"

class QLabel;
class QTableView;

namespace ulp::views {

class RulesEditor;

/// The rules that are asked of the open report, to be chosen and edited, beside what they say of
/// each variant, with the way to the first row that fails, and of each rule.
class RuleCheckView : public View {
  Q_OBJECT

 public:
  explicit RuleCheckView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void makePage();
  void refresh();
  /// Says what is known, or why nothing is.
  [[nodiscard]] QString headline(const std::vector<JudgedRun>& runs) const;
  void showFirst(const QModelIndex& index);

  ReportRules& m_rules;
  RulesChoice m_shownChoice;  ///< by the editor
  DocumentPtr m_document;
  RulesEditor* m_editor;
  QLabel* m_headline;
  JudgedRunModel* m_runModel;
  QTableView* m_runs;
  JudgedRuleModel* m_ruleModel;
  QTableView* m_ruleTable;
};

}  // namespace ulp::views
