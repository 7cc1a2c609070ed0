#pragma once

#include <optional>

#include <QtWidgets/QScrollArea>

#include "core/report/model/finding.h"
#include "views/framework/view/view.h"
#include "views/studies/cause_study.h"

class QGridLayout;
class QLabel;

namespace ulp::views {

class CausePane;

/// One finding in full: what was found, the rule with its thresholds, the numbers, the tensors,
/// and, of a divergence, its cause.
class FindingPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit FindingPane(const ViewContext& context, QWidget* parent = nullptr);

  /// Null: no finding is chosen.
  void setFinding(const report::Finding* finding);
  /// What proving the finding's cause means; none: nothing can be proved of its kind.
  void setQuestion(const std::optional<CauseQuestion>& question);
  /// Brings the cause into sight and gives it the focus.
  void showCause();
  [[nodiscard]] const CausePane& cause() const { return *m_cause; }

 private:
  void fillNumbers(const report::Finding& finding);

  QLabel* m_title;
  QLabel* m_explanation;
  QWidget* m_numbers;
  QGridLayout* m_grid;
  QLabel* m_sites;
  CausePane* m_cause;
};

}  // namespace ulp::views
