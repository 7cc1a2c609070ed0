#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"
#include "runner/worker/events/events.h"

namespace spdlog {
class logger;
}

/// The files that a run folder keeps of the events of its study.
namespace ulp::worker {

inline constexpr std::string_view kJournalFile = "events.jsonl";

/// `events.jsonl` of a run folder: one event a line, handed to the system before append() returns,
/// so that a killed worker loses none. Not thread-safe.
class Journal {
 public:
  /// Opens `path` to append; a last line that an earlier worker did not finish is closed first.
  /// Errors: those of openInPlace().
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& path);

  /// Errors: Io with the path (no space).
  [[nodiscard]] Result<> append(const Event& event);

 private:
  Journal(std::filesystem::path path, FileDescriptor file);
  [[nodiscard]] Result<> write(std::string_view text);

  std::filesystem::path m_path;
  FileDescriptor m_file;
};

inline constexpr std::string_view kLogFile = "run.log";

/// `run.log` of a run folder, for people: what ran when, with sizes and times. A line that cannot
/// be written does not stop a study; firstError() tells of it.
class RunLog {
 public:
  /// Appends to what is there. Errors: those of openInPlace().
  [[nodiscard]] static Result<std::unique_ptr<RunLog>> open(const std::filesystem::path& path);

  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// `level` is info, warning or error.
  void write(std::string_view level, std::string_view text);
  /// Empty: everything was written.
  [[nodiscard]] const std::string& firstError() const { return *m_firstError; }

 private:
  explicit RunLog(std::shared_ptr<spdlog::logger> logger);

  std::shared_ptr<spdlog::logger> m_logger;
  std::shared_ptr<std::string> m_firstError;
};

}  // namespace ulp::worker
