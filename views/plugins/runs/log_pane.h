#pragma once

#include <cstdint>

#include <QtWidgets/QWidget>

#include "runner/queue/job_state.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace ulp::views {

enum class LogLevel : std::uint8_t { Info, Warning, Error };

/// Which lines of a log are shown.
struct LogFilter {
  QString text;                     ///< in the line, whatever the case; empty: any
  LogLevel least = LogLevel::Info;  ///< and what is worse
};

/// Tells whether a line is shown: its level and its text.
[[nodiscard]] bool passes(const queue::LogLine& line, const LogFilter& filter);
/// Writes a line as "12:34:56  warning: text"; plain information goes without its level.
[[nodiscard]] QString logText(const queue::LogLine& line);

/// The log of one job, live, with a filter. Follows the end until the user scrolls away from it.
class LogPane : public QWidget {
  Q_OBJECT

 public:
  explicit LogPane(QWidget* parent = nullptr);

  /// Null: no job. A newer state of the same job only adds what is new.
  void setJob(const queue::JobStatePtr& job);
  /// The lines that pass the filter, to the clipboard.
  void copyAll() const;
  [[nodiscard]] bool isFollowing() const;

 private:
  void onFilterChanged();
  void append();
  void followEnd();
  void updateFollow();

  queue::JobStatePtr m_job;
  std::uint64_t m_lines = 0;  ///< of the job's log that have been looked at
  LogFilter m_filter;
  QLineEdit* m_text;
  QComboBox* m_level;
  QToolButton* m_follow;
  QPlainTextEdit* m_log;
};

}  // namespace ulp::views
