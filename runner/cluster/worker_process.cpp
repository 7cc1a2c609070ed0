#include "runner/cluster/worker_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <span>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/processes/pipe.h"
#include "core/base/processes/process_end.h"
#include "core/base/processes/started_program.h"

namespace ulp::cluster {
namespace {

constexpr std::size_t kLastMessages = 8;

/// Reads what there is and hands on the lines that are complete; closes at the end.
void readLines(FileDescriptor& from,
               std::string& line,
               const std::function<void(const std::string&)>& take) {
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(from.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
    return;
  }
  if (count <= 0) {
    from = FileDescriptor();
    if (!line.empty()) {
      take(std::exchange(line, {}));
    }
    return;
  }
  for (const char byte : std::span(bytes).first(static_cast<std::size_t>(count))) {
    if (byte == '\n') {
      take(std::exchange(line, {}));
    } else {
      line += byte;
    }
  }
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::filesystem::path& program,
                                                            const std::filesystem::path& run,
                                                            std::size_t task) {
  Pipe input = ULP_TRY(makePipe("a worker"));
  Pipe output = ULP_TRY(makePipe("a worker"));
  Pipe errors = ULP_TRY(makePipe("a worker"));
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess);
  worker->m_pid = ULP_TRY(startProgram({.words = {program.string(),
                                                  "task",
                                                  run.string(),
                                                  std::to_string(task),
                                                  "--progress",
                                                  "jsonl",
                                                  "--control"},
                                        .hasOwnGroup = true,
                                        .input = input.reading.get(),
                                        .output = output.writing.get(),
                                        .errors = errors.writing.get()}));
  worker->m_input = std::move(input.writing);
  worker->m_output = std::move(output.reading);
  worker->m_errors = std::move(errors.reading);
  return worker;
}

WorkerProcess::~WorkerProcess() {
  if (m_pid > 0) {
    ::kill(-m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void WorkerProcess::readOutput(const std::function<void(const worker::Event&)>& take) {
  readLines(m_output, m_outputLine, [&](const std::string& line) {
    if (const auto event = worker::parseEvent(line)) {
      take(*event);
    }
  });
}

void WorkerProcess::readErrors() {
  readLines(m_errors, m_errorLine, [this](const std::string& line) {
    m_lastMessages.push_back(line);
    if (m_lastMessages.size() > kLastMessages) {
      m_lastMessages.erase(m_lastMessages.begin());
    }
  });
}

void WorkerProcess::stop() const {
  if (m_pid > 0) {
    ::kill(m_pid, SIGINT);
  }
}

void WorkerProcess::skip(std::string_view run) const {
  const std::string line = fmt::format("skip {}\n", run);
  // One that has ended needs not know.
  static_cast<void>(!::write(m_input.get(), line.data(), line.size()));
}

std::string WorkerProcess::waitForEnd() {
  int status = 0;
  while (::waitpid(m_pid, &status, 0) < 0) {
    if (errno != EINTR) {
      m_pid = -1;
      return "its end was lost";
    }
  }
  m_pid = -1;
  if (WIFEXITED(status)) {
    constexpr int kNotFound = 127;
    return WEXITSTATUS(status) == kNotFound ? "a library of it was not found" : "";
  }
  return "it " + endInWords(status,
                            "try a shorter sequence, fewer captured tensors, fewer devices, or "
                            "close other programs");
}

}  // namespace ulp::cluster
