#pragma once

#include <map>
#include <optional>

#include <QtWidgets/QWidget>

#include "runner/queue/job_state.h"
#include "views/framework/view/view.h"

class QLabel;
class QProgressBar;

namespace ulp::views {
class DumpComparer;
}

namespace ulp::app {

/// The status bar: the hovered or selected point in words at the left; the export that takes long,
/// the comparison of dumps that runs, and the queue at the right.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  StatusLine(const views::ViewContext& context,
             const views::DumpComparer& comparer,
             QWidget* parent = nullptr);

  /// "bf16 · decoder.11 · backward: RMS rel 19.9 %"; empty for a point that is not in the report.
  [[nodiscard]] static QString pointText(const views::ReportDocument& document,
                                         const views::Hover& point,
                                         const QString& metric);
  /// "RMS rel 19.9 %"; empty where there is no such value.
  [[nodiscard]] static QString valueText(const views::ReportDocument& document,
                                         const views::Hover& point,
                                         const QString& metric);
  /// "study.yaml has finished."; empty while it is not over.
  [[nodiscard]] static QString endText(const queue::JobState& job);

 private:
  /// "Running study.yaml, 3 min left, 2 waiting".
  [[nodiscard]] static QString progressText(const QString& what,
                                            const std::optional<double>& secondsLeft,
                                            int waiting);
  void showPoint();
  void showQueue();
  void showComparison();
  void showExport();
  void announceEnds();

  views::ViewContext m_context;
  const views::DumpComparer& m_comparer;
  QLabel* m_point;
  QLabel* m_export;
  QProgressBar* m_written;
  QLabel* m_comparison;
  QProgressBar* m_compared;
  QLabel* m_queue;
  QProgressBar* m_progress;
  std::map<queue::JobId, bool> m_isOver;  ///< by job, as far as it has been said
};

}  // namespace ulp::app
