#include "runner/worker/events/run_log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <utility>

namespace ulp::worker {
namespace {

spdlog::level::level_enum levelOf(std::string_view name) {
  if (name == "error") {
    return spdlog::level::err;
  }
  return name == "warning" ? spdlog::level::warn : spdlog::level::info;
}

}  // namespace

Result<std::unique_ptr<RunLog>> RunLog::open(const std::filesystem::path& path) {
  auto logger = guarded([&path] {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path.string());
    return std::make_shared<spdlog::logger>("run", std::move(sink));
  });
  if (!logger) {
    return fail(ErrorCode::Io, path.string() + ": cannot open: " + logger.error().message());
  }
  return std::unique_ptr<RunLog>(new RunLog(*std::move(logger)));
}

RunLog::RunLog(std::shared_ptr<spdlog::logger> logger)
    : m_logger(std::move(logger)), m_firstError(std::make_shared<std::string>()) {
  m_logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %-7l %v");
  m_logger->flush_on(spdlog::level::info);
  m_logger->set_error_handler([first = m_firstError](const std::string& text) {
    if (first->empty()) {
      *first = text;
    }
  });
}

RunLog::~RunLog() = default;

void RunLog::write(std::string_view level, std::string_view text) {
  m_logger->log(levelOf(level), "{}", text);
}

}  // namespace ulp::worker
