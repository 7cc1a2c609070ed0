#pragma once

#include <QtWidgets/QWidget>

#include "core/report/contents/export_selection.h"

class QCheckBox;
class QListWidget;

namespace ulp::views {
class ReportDocument;
}

namespace ulp::app {

/// Chooses a part of a report: passes, metrics, runs, whether its tables of tensors are wanted, and
/// what the rules that are asked of it say.
class ReportPartPane : public QWidget {
  Q_OBJECT

 public:
  explicit ReportPartPane(const views::ReportDocument& document, QWidget* parent = nullptr);

  /// Where nothing is ticked all is meant.
  [[nodiscard]] report::ExportOptions options() const;
  /// The tables of tensors can be left out.
  void setHasSummary(bool hasSummary);
  /// Rules are asked, and the file has a place for what they say.
  void setHasRules(bool hasRules);
  [[nodiscard]] bool wantsRules() const;

 private:
  QListWidget* m_passes;
  QListWidget* m_metrics;
  QListWidget* m_runs;
  QCheckBox* m_summary;
  QCheckBox* m_rules;
};

}  // namespace ulp::app
