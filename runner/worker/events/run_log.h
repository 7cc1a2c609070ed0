#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace spdlog {
class logger;
}

namespace ulp::worker {

inline constexpr std::string_view kLogFile = "run.log";

/// `run.log` of a run folder, for people: what ran when, with sizes and times. A line that cannot
/// be written does not stop a study; firstError() tells of it.
class RunLog {
 public:
  /// Appends to what is there. Errors: Io with the path.
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
