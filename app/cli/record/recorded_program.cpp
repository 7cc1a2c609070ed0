#include "app/cli/record/recorded_program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <poll.h>
#include <string_view>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/cli/record/record_events.h"
#include "app/cli/record/recorder_files.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/file_descriptor.h"
#include "core/base/processes/started_program.h"
#include "core/base/text/format_number.h"
#include "core/json/dump.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kGlanceMs = 100;
constexpr std::chrono::seconds kBetweenLines{2};
constexpr int kSignalCode = 128;  // added to the signal's number, as shells do
constexpr const char* kEvents = "events.jsonl";

/// The folder that Python finds the recorder in; it goes with this object.
class RecorderFolder {
 public:
  /// Error: Io.
  [[nodiscard]] static Result<std::unique_ptr<RecorderFolder>> make() {
    std::error_code failed;
    const fs::path parent = fs::temp_directory_path(failed);
    std::string pattern = (parent / "ulpscope-record-XXXXXX").string();
    if (failed || ::mkdtemp(pattern.data()) == nullptr) {
      return fail(systemError(
          pattern, "no folder for the recorder can be made", failed ? failed.value() : errno));
    }
    std::unique_ptr<RecorderFolder> made(new RecorderFolder(pattern));
    for (const RecorderFile& file : recorderFiles()) {
      ULP_TRY(writeFileAtomically(made->m_path / file.name, file.text));
    }
    ULP_TRY(writeFileAtomically(made->events(), ""));
    return made;
  }
  ~RecorderFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  RecorderFolder(const RecorderFolder&) = delete;
  RecorderFolder& operator=(const RecorderFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return m_path; }
  [[nodiscard]] fs::path events() const { return m_path / kEvents; }

 private:
  explicit RecorderFolder(fs::path path) : m_path(std::move(path)) {}

  fs::path m_path;
};

/// What tells this process to stop comes to a descriptor while it lives.
class CaughtSignals {
 public:
  CaughtSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) {
      sigaddset(&set, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &set, &m_before);
    m_signals = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~CaughtSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;

  [[nodiscard]] int descriptor() const { return m_signals.get(); }
  /// Hands on each one that came.
  template <class Take>
  void take(const Take& use) const {
    signalfd_siginfo info{};
    while (::read(m_signals.get(), &info, sizeof(info)) == sizeof(info)) {
      use(static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL);
    }
  }

 private:
  sigset_t m_before{};
  FileDescriptor m_signals;
};

class Recording {
 public:
  Recording(const RecordRequest& request, const CommandContext& context)
      : m_request(request), m_context(context) {}

  [[nodiscard]] Result<ExitCode> run() {
    m_folder = ULP_TRY(recordFolder(m_request.wishes));
    json::Object options = ULP_TRY(recordOptions(m_request.wishes, m_folder));
    const auto place = ULP_TRY(RecorderFolder::make());
    options["events"] = place->events().string();
    RecordEvents events(place->events());
    m_events = &events;
    const CaughtSignals signals;
    ProgramPlan plan{.words = m_request.words,
                     .variables = {{"ULPSCOPE_RECORD", json::dump(options)},
                                   {"PYTHONPATH", pythonPath(place->path())}},
                     .hasOwnGroup = m_hasOwnGroup};
    if (m_request.progress == RecordProgress::JsonLines) {
      plan.output = STDERR_FILENO;
    }
    m_child = ULP_TRY(startProgram(plan));
    const int status = wait(signals);
    events.read();
    const int code = WIFSIGNALED(status) ? kSignalCode + WTERMSIG(status) : WEXITSTATUS(status);
    return finish(code);
  }

 private:
  static std::string pythonPath(const fs::path& first) {
    const char* before = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe)
    return before == nullptr || *before == '\0' ? first.string()
                                                : fmt::format("{}:{}", first.string(), before);
  }

  /// Until the program has ended; gives its status.
  int wait(const CaughtSignals& signals) {
    m_begun = m_lastLine = Clock::now();
    while (true) {
      int status = 0;
      const pid_t ended = ::waitpid(m_child, &status, WNOHANG);
      if (ended == m_child || (ended < 0 && errno != EINTR)) {
        return status;
      }
      pollfd descriptor{signals.descriptor(), POLLIN, 0};
      ::poll(&descriptor, 1, kGlanceMs);
      signals.take([this](int signal, bool isOfTerminal) { passOn(signal, isOfTerminal); });
      if (m_events->read()) {
        m_isNew = true;
      }
      showProgress();
    }
  }

  /// A terminal tells the program by itself, where both are of one group. The second time the
  /// program is ended at once.
  void passOn(int signal, bool isOfTerminal) {
    if (signal == SIGCHLD || (isOfTerminal && !m_hasOwnGroup)) {
      return;
    }
    const pid_t target = m_hasOwnGroup ? -m_child : m_child;
    ::kill(target, std::exchange(m_wasTold, true) ? SIGKILL : signal);
  }

  void showProgress() {
    if (!m_isNew || m_request.progress == RecordProgress::None) {
      return;
    }
    const auto now = Clock::now();
    const bool isJson = m_request.progress == RecordProgress::JsonLines;
    if (isJson) {
      m_isNew = false;
      say("progress", {});
    } else if (now - m_lastLine >= kBetweenLines && !m_events->state().ranks.empty()) {
      m_isNew = false;
      m_lastLine = now;
      const auto& ranks = m_events->state().ranks;
      fmt::print(m_context.err,
                 "ulpscope-cli: recording step {}: {}\n",
                 ranks.begin()->second.step,
                 amount());
    }
  }

  /// "1,234 tensors, 56 MB".
  [[nodiscard]] std::string amount() const {
    const RecordState& state = m_events->state();
    std::string text = fmt::format(
        "{} tensors, {}", state.tensors(), formatBytes(static_cast<std::uint64_t>(state.bytes())));
    if (state.ranks.size() > 1) {
      text += fmt::format(" of {} ranks", state.ranks.size());
    }
    return text;
  }

  /// A line for programs, with what was recorded so far.
  void say(const char* event, json::Object more) const {
    const RecordState& state = m_events->state();
    json::Object line{{"event", event},
                      {"steps", state.steps()},
                      {"tensors", state.tensors()},
                      {"bytes", state.bytes()},
                      {"ranks", state.ranks.size()},
                      {"seconds", std::chrono::duration<double>(Clock::now() - m_begun).count()}};
    for (auto& [name, value] : more) {
      line[name] = value;
    }
    m_context.out << json::dump(line) << std::endl;
  }

  [[nodiscard]] Result<ExitCode> finish(int code) const {
    const RecordState& state = m_events->state();
    const bool hasRecorded = state.tensors() > 0;
    const std::string problem = this->problem();
    if (m_request.progress == RecordProgress::JsonLines) {
      say("finished",
          {{"folder", hasRecorded ? m_folder.string() : ""},
           {"exit_code", code},
           {"problem", problem}});
    } else {
      tell(hasRecorded, problem);
    }
    const bool isIncomplete = code == 0 && !problem.empty();
    return isIncomplete ? ExitCode::RunFailed : static_cast<ExitCode>(code);
  }

  void tell(bool hasRecorded, const std::string& problem) const {
    const RecordState& state = m_events->state();
    if (!problem.empty()) {
      static_cast<void>(m_context.reportError(Error(ErrorCode::Io, problem)));
    }
    if (!hasRecorded || m_request.progress == RecordProgress::None) {
      return;
    }
    fmt::print(m_context.err,
               "ulpscope-cli: recorded {} {}: {}\n",
               state.steps(),
               state.steps() == 1 ? "step" : "steps",
               amount());
    if (state.evaluations > 0) {
      fmt::print(m_context.err,
                 "ulpscope-cli: {} calls in evaluation between the steps of the training are not "
                 "recorded\n",
                 state.evaluations);
    }
    fmt::print(m_context.err,
               "ulpscope-cli: open {0} in the window, or compare it: ulpscope-cli compare {0} "
               "OTHER\n",
               m_folder.string());
  }

  /// Why nothing was recorded, or not all; empty: all was.
  [[nodiscard]] std::string problem() const {
    const RecordState& state = m_events->state();
    if (!state.problems.empty()) {
      return fmt::format("the recording is not complete: {}", state.problems.front());
    }
    if (!state.hasTorch) {
      return fmt::format(
          "{}: no Python of it imported torch, so that nothing was recorded (Python "
          "that is started with -I, -E or -S does not say so: start it without)",
          m_request.words.front());
    }
    if (state.ranks.empty() && state.idleRanks == 0) {
      return state.nothing.empty()
                 ? fmt::format("{}: no module of torch was called, so that nothing was recorded",
                               m_request.words.front())
                 : fmt::format("nothing was recorded: {}", state.nothing);
    }
    if (state.ranks.empty()) {
      return "nothing was recorded: the program has no rank of --ranks";
    }
    return state.tensors() > 0 ? ""
                               : "nothing was recorded: no call fits what was asked for, or none "
                                 "of the steps was reached";
  }

  const RecordRequest& m_request;
  const CommandContext& m_context;
  /// A program at a terminal reads it and gets its Ctrl-C and Ctrl-Z, as without us.
  bool m_hasOwnGroup = ::isatty(STDIN_FILENO) == 0;
  fs::path m_folder;
  RecordEvents* m_events = nullptr;
  pid_t m_child = 0;
  bool m_wasTold = false;
  bool m_isNew = false;
  Clock::time_point m_begun;
  Clock::time_point m_lastLine;
};

}  // namespace

Result<ExitCode> recordProgram(const RecordRequest& request, const CommandContext& context) {
  return Recording(request, context).run();
}

}  // namespace ulp::cli
