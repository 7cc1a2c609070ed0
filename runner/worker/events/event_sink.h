#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "runner/worker/events/events.h"
#include "runner/worker/events/run_files.h"

namespace ulp::worker {

/// Where the events of a study go: to the observer at once, and, from the moment that the run
/// folder may be written, to its journal and log, those from before included. Progress is for the
/// observer alone.
class EventSink {
 public:
  explicit EventSink(std::function<void(const Event&)> observer);

  void emit(const Event& event);
  void message(std::string_view level, std::string_view text);
  /// Starts the journal and the log. Errors: Io.
  [[nodiscard]] Result<> openFiles(const std::filesystem::path& folder);
  /// The first event that could not be written; a study must not go on without its journal.
  [[nodiscard]] Result<> check() const;
  /// Empty, or why run.log is incomplete.
  [[nodiscard]] std::string logError() const;

 private:
  void write(const Event& event);

  std::function<void(const Event&)> m_observer;
  std::vector<Event> m_early;
  std::unique_ptr<Journal> m_journal;
  std::unique_ptr<RunLog> m_log;
  std::optional<Error> m_error;
};

}  // namespace ulp::worker
