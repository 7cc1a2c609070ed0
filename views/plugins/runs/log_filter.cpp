#include "views/plugins/runs/log_filter.h"

namespace ulp::views {

LogLevel logLevel(const QString& name) {
  if (name == QLatin1String("error")) {
    return LogLevel::Error;
  }
  return name == QLatin1String("warning") ? LogLevel::Warning : LogLevel::Info;
}

bool passes(const queue::LogLine& line, const LogFilter& filter) {
  return logLevel(line.level) >= filter.least &&
         (filter.text.isEmpty() || line.text.contains(filter.text, Qt::CaseInsensitive));
}

QString logText(const queue::LogLine& line) {
  const QString time = line.time.isValid()
                           ? line.time.toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  ")
                           : QString();
  return logLevel(line.level) == LogLevel::Info
             ? time + line.text
             : QStringLiteral("%1%2: %3").arg(time, line.level, line.text);
}

}  // namespace ulp::views
