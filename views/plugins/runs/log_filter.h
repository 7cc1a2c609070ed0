#pragma once

#include <cstdint>

#include <QtCore/QString>

#include "runner/queue/job_state.h"

namespace ulp::views {

enum class LogLevel : std::uint8_t { Info, Warning, Error };

/// Which lines of a log are shown.
struct LogFilter {
  QString text;                     ///< in the line, whatever the case; empty: any
  LogLevel least = LogLevel::Info;  ///< and what is worse

  friend bool operator==(const LogFilter&, const LogFilter&) = default;
};

/// Of a level's name; an unknown one is Info.
[[nodiscard]] LogLevel logLevel(const QString& name);
[[nodiscard]] bool passes(const queue::LogLine& line, const LogFilter& filter);
/// "12:34:56  warning: text"
[[nodiscard]] QString logText(const queue::LogLine& line);

}  // namespace ulp::views
