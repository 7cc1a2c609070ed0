#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "runner/worker/events/events.h"

namespace ulp::cluster {

/// A process that makes a task and tells of it in events (`ulpscope-cli task … --progress jsonl
/// --control`). It ends with this process, and is not told what a terminal tells this one.
class WorkerProcess {
 public:
  /// Errors: those of startProgram(); Io.
  [[nodiscard]] static Result<std::unique_ptr<WorkerProcess>> start(
      const std::filesystem::path& program, const std::filesystem::path& run, std::size_t task);
  /// Kills it unless it has ended.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Descriptors of its standard output and standard error; -1: at their end.
  [[nodiscard]] int output() const { return m_output.get(); }
  [[nodiscard]] int errors() const { return m_errors.get(); }
  /// Reads what there is, and hands on the events that are complete.
  void readOutput(const std::function<void(const worker::Event&)>& take);
  void readErrors();
  /// Tells it to stop; again: at once.
  void stop() const;
  /// Asks it to leave a run out.
  void skip(std::string_view run) const;

  /// Waits for its end, which is near once both streams have ended. Empty: it ended by itself, with
  /// what it had to say; else how it ended, in words.
  [[nodiscard]] std::string waitForEnd();
  /// What it wrote last to standard error.
  [[nodiscard]] const std::vector<std::string>& lastMessages() const { return m_lastMessages; }

 private:
  WorkerProcess() = default;

  pid_t m_pid = -1;  ///< -1: it has ended
  FileDescriptor m_input;
  FileDescriptor m_output;
  FileDescriptor m_errors;
  std::string m_outputLine;
  std::string m_errorLine;
  std::vector<std::string> m_lastMessages;
};

}  // namespace ulp::cluster
