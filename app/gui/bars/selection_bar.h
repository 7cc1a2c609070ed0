#pragma once

#include <QtWidgets/QComboBox>

#include "views/framework/document/selection_context.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::app {

/// Chooses the metric of all views.
class MetricBox : public QComboBox {
  Q_OBJECT

 public:
  MetricBox(views::ReportSet& reports,
            views::SelectionContext& selection,
            QWidget* parent = nullptr);

 private:
  void refill();
  void showSelection();

  views::ReportSet& m_reports;
  views::SelectionContext& m_selection;
};

/// Chooses which passes all views show.
class PassBox : public QComboBox {
  Q_OBJECT

 public:
  explicit PassBox(views::SelectionContext& selection, QWidget* parent = nullptr);

 private:
  views::SelectionContext& m_selection;
};

}  // namespace ulp::app
