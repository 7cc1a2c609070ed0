#pragma once

#include <QtWidgets/QWidget>

#include "runner/queue/job_state.h"

class QLabel;
class QLayout;

namespace ulp::views {

class MemoryLine;
class ThemeManager;

/// "Memory 1.5 GiB, at most 1.7 GiB · GPU – "; a device that is not used is "–", never 0.
[[nodiscard]] QString memoryText(const queue::JobState& job);

/// The chosen job in a few lines: how it goes, what its worker uses, and, when it went wrong, why,
/// with what can be done about it.
class JobSummary : public QWidget {
  Q_OBJECT

 public:
  explicit JobSummary(const ThemeManager& themes, QWidget* parent = nullptr);

  /// Null: no job.
  void setJob(const queue::JobStatePtr& job);

 Q_SIGNALS:
  void resumeRequested();
  void editRequested();
  void copyLogRequested();

 private:
  [[nodiscard]] QLayout* makeButtons();
  void showFailure(const queue::JobState& job);

  QLabel* m_state;
  QLabel* m_usage;
  MemoryLine* m_line;
  QWidget* m_failure;
  QPushButton* m_resume = nullptr;
  QLabel* m_reason;
  QLabel* m_messages;
};

}  // namespace ulp::views
