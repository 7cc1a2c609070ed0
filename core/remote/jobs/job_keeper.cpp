#include "core/remote/jobs/job_keeper.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_descriptor.h"
#include "core/base/files/file_in_place.h"
#include "core/base/processes/pipe.h"
#include "core/base/processes/started_program.h"
#include "core/json/dump.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kProgressStart = R"({"event":"progress")";
/// Between two states of `progress`.
constexpr std::chrono::milliseconds kProgressPace{200};
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr int kKeeperGlanceMs = 50;

/// What the worker writes to standard output, line by line.
class EventLines {
 public:
  EventLines(fs::path folder, FileDescriptor events)
      : m_folder(std::move(folder)), m_events(std::move(events)) {}

  void feed(std::string_view bytes) {
    m_pending += bytes;
    std::size_t from = 0;
    for (std::size_t end = m_pending.find('\n'); end != std::string::npos;
         end = m_pending.find('\n', from)) {
      take(std::string_view(m_pending).substr(from, end + 1 - from));
      from = end + 1;
    }
    m_pending.erase(0, from);
    if (m_pending.size() > kLongestLine) {
      m_pending.clear();
    }
  }

  /// Writes the newest progress down, if it is time.
  void writeProgress() {
    if (m_progress.empty() || Clock::now() - m_written < kProgressPace) {
      return;
    }
    m_written = Clock::now();
    // Nobody needs it after a loss of power: written beside and renamed, and not waited for.
    const fs::path beside = m_folder / "progress.new";
    if (std::FILE* file = std::fopen(beside.c_str(), "we")) {
      const bool isWhole =
          std::fwrite(m_progress.data(), 1, m_progress.size(), file) == m_progress.size();
      if (std::fclose(file) == 0 && isWhole) {
        std::rename(beside.c_str(), (m_folder / kProgressFile).c_str());
      }
    }
    m_progress.clear();
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with(kProgressStart)) {
      m_progress = line;
      return;
    }
    // A full disk costs lines of the display: the report and the journal are the worker's.
    static_cast<void>(writeAll(m_events.get(), std::as_bytes(std::span(line))));
  }

  fs::path m_folder;
  FileDescriptor m_events;
  std::string m_pending;
  std::string m_progress;
  Clock::time_point m_written{};
};

/// SIGTERM and SIGCHLD come to a descriptor.
FileDescriptor watchSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGCHLD, SIGHUP, SIGINT}) {
    sigaddset(&set, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

class JobKeeper {
 public:
  JobKeeper(const JobFolder& job, int attempt, KeeperPatience patience)
      : m_folder(job.attemptFolder(attempt)), m_patience(patience) {}

  Result<> run(const fs::path& program, const JobFolder& job, const JobOrder& order) {
    const FileDescriptor signals = watchSignals();
    FileDescriptor events = ULP_TRY(openInPlace(m_folder / kEventsFile, O_CREAT | O_APPEND));
    EventLines lines(m_folder, std::move(events));
    ULP_TRY(redirect());
    Pipe output = ULP_TRY(makePipe(m_folder));
    ProgramPlan plan{.words = {program.string(),
                               "run",
                               (job.studyFolder() / order.study).string(),
                               "--output",
                               job.outputOf(order).string(),
                               "--progress",
                               "jsonl",
                               "--control"},
                     .hasOwnGroup = true,
                     .output = output.writing.get()};
    plan.words.insert(plan.words.end(), order.options.begin(), order.options.end());
    m_worker = ULP_TRY(startProgram(plan));
    static_cast<void>(output.writing.close());
    writeProcesses();
    ::fcntl(output.reading.get(), F_SETFL, O_NONBLOCK);
    const int status = watch(signals.get(), output.reading.get(), lines);
    return writeEnd(status);
  }

  Result<> writeEnd(int status) const {
    const bool isExit = WIFEXITED(status);
    return writeFileAtomically(
        m_folder / kEndFile,
        json::dump(json::Object{{"exit_code", isExit ? WEXITSTATUS(status) : -1},
                                {"signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0}}));
  }

 private:
  /// Standard input becomes the pipe of commands, which has no end; standard error a file.
  Result<> redirect() const {
    const fs::path control = m_folder / kControlFile;
    const FileDescriptor commands(::open(control.c_str(), O_RDWR | O_CLOEXEC));
    if (!commands) {
      return fail(systemError(control, "cannot be opened", errno));
    }
    const FileDescriptor messages =
        ULP_TRY(openInPlace(m_folder / kMessagesFile, O_CREAT | O_APPEND));
    ::dup2(commands.get(), STDIN_FILENO);
    ::dup2(messages.get(), STDERR_FILENO);
    return {};
  }

  void writeProcesses() const {
    json::Object processes;
    if (const auto keeper = identityOf(::getpid())) {
      processes["keeper"] = toJson(*keeper);
    }
    if (const auto worker = identityOf(m_worker)) {
      processes["worker"] = toJson(*worker);
    }
    static_cast<void>(writeFileAtomically(m_folder / kProcessesFile, json::dump(processes)));
  }

  int watch(int signals, int output, EventLines& lines) {
    std::optional<int> status;
    while (true) {
      std::array<pollfd, 2> waiting{{{output, POLLIN, 0}, {signals, POLLIN, 0}}};
      ::poll(waiting.data(), waiting.size(), kKeeperGlanceMs);
      signalfd_siginfo info{};
      while (::read(signals, &info, sizeof(info)) == sizeof(info)) {
        if (info.ssi_signo == SIGTERM && m_asked == 0) {
          ask(SIGINT, m_patience.terminateMs);
        }
      }
      const bool hasEnded = readOutput(output, lines);
      lines.writeProgress();
      if (status && hasEnded) {
        return *status;
      }
      int now = 0;
      if (!status && ::waitpid(m_worker, &now, WNOHANG) == m_worker) {
        // What it wrote last is in the pipe yet; what it started may hold the pipe for ever.
        status = now;
        m_asked = -1;
        static_cast<void>(readOutput(output, lines));
        return *status;
      }
      if (m_asked > 0 && Clock::now() >= m_askAgain) {
        ask(m_asked == SIGINT ? SIGTERM : SIGKILL, m_patience.killMs);
      }
    }
  }

  /// True: nothing more comes.
  static bool readOutput(int output, EventLines& lines) {
    std::array<char, 65536> piece{};
    ssize_t size = 0;
    while ((size = ::read(output, piece.data(), piece.size())) > 0) {
      lines.feed({piece.data(), static_cast<std::size_t>(size)});
    }
    return size == 0;
  }

  void ask(int signal, int patienceMs) {
    m_asked = signal;
    m_askAgain = Clock::now() + std::chrono::milliseconds(patienceMs);
    ::kill(signal == SIGKILL ? -m_worker : m_worker, signal);
  }

  fs::path m_folder;
  KeeperPatience m_patience;
  pid_t m_worker = 0;
  int m_asked = 0;  ///< the last signal; 0: none, -1: it has ended
  Clock::time_point m_askAgain{};
};

}  // namespace

Result<> startKeeper(const fs::path& program, const JobOrder& order, const FileDescriptor& lock) {
  const pid_t starter = ::fork();
  if (starter < 0) {
    return fail(systemError(program, "no process can be started", errno));
  }
  if (starter == 0) {
    // The lock is inherited; all else is the connection's.
    ::setsid();
    // Relative paths of a study begin in the home. Where there is none, in the root of ssh's
    // choice.
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): one thread
    static_cast<void>(!(home != nullptr && ::chdir(home) == 0));
    const int kept = ::dup2(lock.get(), STDERR_FILENO + 1);
    // Where it has that number already, dup2() changes nothing.
    ::fcntl(kept, F_SETFD, 0);
    ::close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ::dup2(nowhere, stream);
    }
    if (nowhere > STDERR_FILENO) {
      ::close(nowhere);
    }
    if (::fork() != 0) {
      ::_exit(0);
    }
    const std::string attempt = std::to_string(order.attempt);
    ::execl(program.c_str(),
            program.c_str(),
            "serve",
            "--keep",
            order.job.c_str(),
            "--attempt",
            attempt.c_str(),
            nullptr);
    ::_exit(127);
  }
  while (::waitpid(starter, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {};
}

Result<> keepJob(const fs::path& program,
                 const JobFolder& job,
                 int attempt,
                 KeeperPatience patience) {
  JobKeeper keeper(job, attempt, patience);
  const JobOrder order = ULP_TRY(job.order(attempt));
  auto kept = keeper.run(program, job, order);
  if (!kept) {
    // Whoever waits for the job is told, where nothing could be started.
    static_cast<void>(writeFileAtomically(job.attemptFolder(attempt) / kMessagesFile,
                                          kept.error().message() + "\n"));
    constexpr int kCouldNotStart = 3 << 8;
    static_cast<void>(keeper.writeEnd(kCouldNotStart));
  }
  return kept;
}

}  // namespace ulp::remote
