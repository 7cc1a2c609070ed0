#include "runner/worker/events/run_files.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/text/split.h"
#include "core/base/text/visible_text.h"

namespace ulp::worker {
namespace {

Result<> writeAll(int descriptor, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return fail(systemError(path, "cannot write", errno));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

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
  const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return fail(systemError(path, "cannot open", errno));
  }
  std::unique_ptr<Journal> journal(new Journal(path, descriptor));
  if (endsInMidLine(descriptor)) {
    ULP_TRY(writeAll(descriptor, "\n", path));
  }
  return journal;
}

Journal::Journal(std::filesystem::path path, int descriptor)
    : m_path(std::move(path)), m_descriptor(descriptor) {}

Journal::~Journal() {
  ::close(m_descriptor);
}

Result<> Journal::append(const Event& event) {
  return writeAll(m_descriptor, toJsonLine(event) + "\n", m_path);
}

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
  // What looks like another line of the log is none.
  const std::string visible = visibleText(text);
  m_logger->log(levelOf(level), "{}", fmt::format("{}", fmt::join(split(visible, '\n'), "\n  ")));
}

}  // namespace ulp::worker
