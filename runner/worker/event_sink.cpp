#include "runner/worker/event_sink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/base/format_number.h"
#include "core/report/report.h"

namespace ulp::worker {
namespace {

struct LogText {
  std::string_view level;
  std::string text;
};

LogText describe(const StudyStarted& event) {
  return {"info",
          fmt::format("study {}: runs {}; folder {}",
                      event.resumed ? "resumed" : "started",
                      fmt::join(event.runs, ", "),
                      event.outputDir)};
}

LogText describe(const RunStarted& event) {
  return {"info", fmt::format("run {} of {}: {}", event.index + 1, event.total, event.run)};
}

LogText describe(const Progress& /*event*/) {
  return {"info", {}};
}

LogText describe(const RunFinished& event) {
  if (!event.error.empty()) {
    return {"error", fmt::format("{} {}: {}", event.run, event.status, event.error)};
  }
  if (event.status == report::toString(report::RunStatus::Skipped)) {
    return {"info", event.run + " skipped"};
  }
  return {"info",
          fmt::format("{} {}: loss {}, {}, peak {}",
                      event.run,
                      event.status,
                      formatExact(event.loss),
                      formatDuration(event.seconds),
                      formatBytes(event.peakBytes))};
}

LogText describe(const ReportUpdated& event) {
  return {"info", fmt::format("report written: {}", event.path)};
}

LogText describe(const Message& event) {
  return {event.level, event.text};
}

LogText describe(const StudyFinished& event) {
  const std::string text =
      fmt::format("study {} after {}", event.status, formatDuration(event.seconds));
  return event.error.empty() ? LogText{"info", text} : LogText{"error", text + ": " + event.error};
}

}  // namespace

EventSink::EventSink(std::function<void(const Event&)> observer)
    : m_observer(std::move(observer)) {}

void EventSink::emit(const Event& event) {
  if (m_journal) {
    write(event);
  } else {
    m_early.push_back(event);
  }
  m_observer(event);
}

void EventSink::message(std::string_view level, std::string_view text) {
  emit(Message{std::string(level), std::string(text)});
}

Result<> EventSink::openFiles(const std::filesystem::path& folder) {
  auto journal = Journal::open(folder / kJournalFile);
  if (!journal) {
    return tl::unexpected(journal.error());
  }
  auto log = RunLog::open(folder / kLogFile);
  if (!log) {
    return tl::unexpected(log.error());
  }
  m_journal = *std::move(journal);
  m_log = *std::move(log);
  for (const Event& event : std::exchange(m_early, {})) {
    write(event);
  }
  return check();
}

Result<> EventSink::check() const {
  return m_error ? Result<>(tl::unexpected(*m_error)) : Result<>();
}

std::string EventSink::logError() const {
  return m_log ? m_log->firstError() : std::string();
}

void EventSink::write(const Event& event) {
  if (std::holds_alternative<Progress>(event)) {
    return;
  }
  const LogText line = std::visit([](const auto& each) { return describe(each); }, event);
  m_log->write(line.level, line.text);
  if (auto appended = m_journal->append(event); !appended && !m_error) {
    m_error = appended.error();
  }
}

}  // namespace ulp::worker
