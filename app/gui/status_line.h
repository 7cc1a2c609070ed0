#pragma once

#include <QtWidgets/QWidget>

#include "views/framework/view.h"

class QLabel;
class QProgressBar;

namespace ulp::app {

/// The status bar: the hovered or selected point in words at the left, the queue at the right.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  explicit StatusLine(const views::ViewContext& context, QWidget* parent = nullptr);

  /// "bf16 · decoder.11 · backward: RMS rel 19.9 %"; empty for a point that is not in the report.
  [[nodiscard]] static QString pointText(const views::ReportDocument& document,
                                         const views::Hover& point,
                                         const QString& metric);
  /// "RMS rel 19.9 %"; empty where there is no such value.
  [[nodiscard]] static QString valueText(const views::ReportDocument& document,
                                         const views::Hover& point,
                                         const QString& metric);

 private:
  void showPoint();
  void showQueue();

  views::ViewContext m_context;
  QLabel* m_point;
  QLabel* m_queue;
  QProgressBar* m_progress;
};

}  // namespace ulp::app
