#pragma once

#include <QtWidgets/QScrollArea>

#include "core/report/model/finding.h"

class QGridLayout;
class QLabel;

namespace ulp::views {

/// One finding in full: what was found, the rule with its thresholds, the numbers, the tensors.
class FindingPane : public QScrollArea {
  Q_OBJECT

 public:
  explicit FindingPane(QWidget* parent = nullptr);

  /// Null: no finding is chosen.
  void setFinding(const report::Finding* finding);

 private:
  void fillNumbers(const report::Finding& finding);

  QLabel* m_title;
  QLabel* m_explanation;
  QWidget* m_numbers;
  QGridLayout* m_grid;
  QLabel* m_sites;
};

}  // namespace ulp::views
