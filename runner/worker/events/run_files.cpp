#include "runner/worker/events/run_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <spdlog/details/null_mutex.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/file_in_place.h"
#include "core/base/text/split.h"
#include "core/base/text/visible_text.h"

namespace ulp::worker {
namespace {

/// Where the log's lines go: a file that is open already.
class OpenFileSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  OpenFileSink(std::filesystem::path path, FileDescriptor file)
      : m_path(std::move(path)), m_file(std::move(file)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (const int failure = writeAll(m_file.get(), std::as_bytes(std::span(line))); failure != 0) {
      throw spdlog::spdlog_ex(systemError(m_path, "cannot write", failure).message());
    }
  }
  void flush_() override {}

  std::filesystem::path m_path;
  FileDescriptor m_file;
};

bool endsInMidLine(int descriptor) {
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

spdlog::level::level_enum levelOf(std::string_view name) {
  if (name == "error") {
    return spdlog::level::err;
  }
  return name == "warning" ? spdlog::level::warn : spdlog::level::info;
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::filesystem::path& path) {
  auto file = ULP_TRY(openInPlace(path, O_APPEND | O_CREAT));
  const bool isInMidLine = endsInMidLine(file.get());
  std::unique_ptr<Journal> journal(new Journal(path, std::move(file)));
  ULP_TRY(isInMidLine ? journal->write("\n") : Result<>());
  return journal;
}

Journal::Journal(std::filesystem::path path, FileDescriptor file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

Result<> Journal::append(const Event& event) {
  return write(toJsonLine(event) + "\n");
}

Result<> Journal::write(std::string_view text) {
  const int failure = writeAll(m_file.get(), std::as_bytes(std::span(text)));
  return failure == 0 ? Result<>() : fail(systemError(m_path, "cannot write", failure));
}

Result<std::unique_ptr<RunLog>> RunLog::open(const std::filesystem::path& path) {
  auto file = ULP_TRY(openInPlace(path, O_APPEND | O_CREAT));
  auto sink = std::make_shared<OpenFileSink>(path, std::move(file));
  return std::unique_ptr<RunLog>(
      new RunLog(std::make_shared<spdlog::logger>("run", std::move(sink))));
}

RunLog::RunLog(std::shared_ptr<spdlog::logger> logger)
    : m_logger(std::move(logger)), m_firstError(std::make_shared<std::string>()) {
  m_logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %-7l %v");
  m_logger->set_error_handler([first = m_firstError](const std::string& text) {
    if (first->empty()) {
      *first = text;
    }
  });
}

RunLog::~RunLog() = default;

void RunLog::write(std::string_view level, std::string_view text) {
  // What looks like another line of the log is none.
  const std::string visible = visibleText(text);
  m_logger->log(levelOf(level), "{}", fmt::format("{}", fmt::join(split(visible, '\n'), "\n  ")));
}

}  // namespace ulp::worker
