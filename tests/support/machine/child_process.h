#pragma once

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::test {

struct ChildOptions {
  std::vector<std::pair<std::string, std::string>> environment{};  ///< added to the test's own
  std::filesystem::path workingFolder{};                           ///< empty: the test's own
  std::optional<rlim_t> fileSizeLimit{};                           ///< RLIMIT_FSIZE in bytes
  int standardInput = -1;   ///< a descriptor of the test; -1: nothing can be read
  int standardOutput = -1;  ///< a descriptor of the test; -1: kept for it
  int standardError = -1;   ///< the same
};

/// How a child ended, and everything that it wrote.
struct ChildResult {
  int exitCode = -1;  ///< -1: ended by a signal
  int signal = 0;
  std::string out;
  std::string err;
};

/// A program that runs beside the test. Killed and reaped when it goes out of scope.
class ChildProcess {
 public:
  explicit ChildProcess(const std::vector<std::string>& command, const ChildOptions& options = {})
      : m_pid(::fork()) {
    if (m_pid < 0) {
      throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (m_pid == 0) {
      becomeProgram(command, options);
    }
  }
  ~ChildProcess() {
    if (m_pid > 0) {
      ::kill(m_pid, SIGKILL);
      ::waitpid(m_pid, nullptr, 0);
    }
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  void signal(int number) const { ::kill(m_pid, number); }
  [[nodiscard]] std::string out() const { return textOf("out"); }
  [[nodiscard]] std::string err() const { return textOf("err"); }

  /// Waits until standard output and error together hold `text`; false when the child ends or a
  /// minute passes before.
  [[nodiscard]] bool waitForText(const std::string& text) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while ((out() + err()).find(text) == std::string::npos) {
      siginfo_t info{};
      ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT);
      if (info.si_pid != 0 || std::chrono::steady_clock::now() > end) {
        return (out() + err()).find(text) != std::string::npos;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  /// Waits until the child has taken a signal that was sent to it, so that the same one again is
  /// another one; false when it ends before.
  [[nodiscard]] bool waitUntilTaken(int number) const {
    const std::string field = "ShdPnd:\t";
    while (true) {
      const std::string status = contentOf("/proc/" + std::to_string(m_pid) + "/status");
      const std::size_t at = status.find(field);
      if (at == std::string::npos) {
        return false;
      }
      const std::uint64_t pending = std::stoull(status.substr(at + field.size(), 16), nullptr, 16);
      if ((pending >> (number - 1) & 1U) == 0) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  ChildResult wait() {
    int status = 0;
    if (::waitpid(m_pid, &status, 0) < 0) {
      throw std::system_error(errno, std::generic_category(), "waitpid");
    }
    m_pid = -1;
    return {.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            .out = out(),
            .err = err()};
  }

 private:
  [[noreturn]] void becomeProgram(const std::vector<std::string>& command,
                                  const ChildOptions& options) const {
    for (const auto& [name, given, descriptor] :
         {std::tuple{"out", options.standardOutput, STDOUT_FILENO},
          {"err", options.standardError, STDERR_FILENO}}) {
      const int kept = ::open((m_folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(given >= 0 ? given : kept, descriptor);
    }
    ::dup2(options.standardInput >= 0 ? options.standardInput : ::open("/dev/null", O_RDONLY),
           STDIN_FILENO);
    for (const auto& [name, value] : options.environment) {
      ::setenv(name.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): a new process
    }
    if (!options.workingFolder.empty() && ::chdir(options.workingFolder.c_str()) != 0) {
      ::_exit(126);
    }
    if (options.fileSizeLimit) {
      const rlimit limit{*options.fileSizeLimit, *options.fileSizeLimit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    std::vector<char*> arguments;
    for (const std::string& word : command) {
      arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execv only reads
    }
    arguments.push_back(nullptr);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }

  [[nodiscard]] std::string textOf(const char* name) const { return contentOf(m_folder / name); }

  TempDir m_folder;
  pid_t m_pid = -1;
};

}  // namespace ulp::test
