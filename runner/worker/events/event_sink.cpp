#include "runner/worker/events/event_sink.h"

#include <utility>

namespace ulp::worker {

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
  auto journal = ULP_TRY(Journal::open(folder / kJournalFile));
  auto log = ULP_TRY(RunLog::open(folder / kLogFile));
  m_journal = std::move(journal);
  m_log = std::move(log);
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
  const EventText line = describeEvent(event);
  m_log->write(line.level, line.text);
  if (auto appended = m_journal->append(event); !appended && !m_error) {
    m_error = appended.error();
  }
}

}  // namespace ulp::worker
