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

/// Chooses what the runs are compared with.
class BaselineBox : public QComboBox {
  Q_OBJECT

 public:
  BaselineBox(views::ReportSet& reports,
              views::SelectionContext& selection,
              QWidget* parent = nullptr);

 private:
  void refill();
  void showSelection();

  views::ReportSet& m_reports;
  views::SelectionContext& m_selection;
};

/// Chooses whether views show errors against the baseline, or how errors compare with its errors.
class RelationBox : public QComboBox {
  Q_OBJECT

 public:
  explicit RelationBox(views::SelectionContext& selection, QWidget* parent = nullptr);

 private:
  void showSelection();

  views::SelectionContext& m_selection;
};

/// How `run` becomes the baseline unless the user says otherwise: by its tensors where they were
/// kept or dumped, else by the ratio of errors. Where another run is the baseline, the relation
/// stays.
[[nodiscard]] views::Relation relationFor(const views::ReportSet& reports,
                                          const views::Selection& selection,
                                          const QString& run);

}  // namespace ulp::app
