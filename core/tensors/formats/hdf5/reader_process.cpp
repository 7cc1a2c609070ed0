#include "core/tensors/formats/hdf5/reader_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/base/files/plugin_library.h"
#include "core/base/stop_scope.h"

namespace ulp::tensors {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kDone = "done\n";
/// Followed by the digit of the code, a space, the message and kDone.
constexpr std::string_view kFailed = "failed ";
constexpr auto kLastCode = static_cast<int>(ErrorCode::Internal);
static_assert(kLastCode < 10, "one digit is written");

Result<fs::path> readerProgram() {
  std::string tried;
  for (const fs::path& candidate : installedAt(kHdf5ReaderVariable, kHdf5ReaderProgram, "bin")) {
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    tried += (tried.empty() ? "" : ", ") + candidate.string();
  }
  return fail(ErrorCode::Unsupported,
              "HDF5 files are read by the program " + std::string(kHdf5ReaderProgram) +
                  ", which is not there" + (tried.empty() ? "" : " (looked for " + tried + ")") +
                  "; install Ulpscope anew");
}

/// What a child is given and how it starts.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&m_actions);
    posix_spawnattr_init(&m_attributes);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&m_actions);
    posix_spawnattr_destroy(&m_attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// False: the system refused.
  bool prepare(const InputFile& input, const MemoryFile& payload, const FileDescriptor& report) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    // Ctrl-C in a terminal is for this process to answer; a group of its own keeps it away, and is
    // killed as a whole.
    constexpr short kFlags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    return posix_spawn_file_actions_addopen(&m_actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_adddup2(&m_actions, report.get(), 1) == 0 &&
           posix_spawn_file_actions_addopen(&m_actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
           posix_spawn_file_actions_adddup2(&m_actions, payload.descriptor(), kHdf5ReaderPayload) ==
               0 &&
           posix_spawn_file_actions_adddup2(&m_actions, input.descriptor(), kHdf5ReaderInput) ==
               0 &&
           posix_spawnattr_setpgroup(&m_attributes, 0) == 0 &&
           posix_spawnattr_setsigmask(&m_attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(&m_attributes, &all) == 0 &&
           posix_spawnattr_setflags(&m_attributes, kFlags) == 0;
  }

  Result<pid_t> start(const fs::path& program, std::vector<std::string> words) const {
    words.insert(words.begin(), program.string());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
      pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int refused =
        posix_spawn(&child, program.c_str(), &m_actions, &m_attributes, pointers.data(), environ);
    if (refused != 0) {
      return fail(systemError(program, "cannot be started", refused));
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
};

/// A reader that runs. Destroyed before it has ended, it is killed.
class RunningReader {
 public:
  RunningReader(pid_t child, FileDescriptor output, std::chrono::milliseconds patience)
      : m_child(child), m_output(std::move(output)), m_deadline(Clock::now() + patience) {}
  ~RunningReader() {
    if (m_hasEnded) {
      return;
    }
    ::kill(-m_child, SIGKILL);
    // One that hangs in the system's own code dies when that returns: somebody else waits for it.
    static_cast<void>(guarded(
        [child = m_child] { std::thread([child] { ::waitpid(child, nullptr, 0); }).detach(); }));
  }
  RunningReader(const RunningReader&) = delete;
  RunningReader& operator=(const RunningReader&) = delete;

  /// All that it prints. Errors: Cancelled, Io (out of patience).
  Result<std::string> report() {
    std::string report;
    std::array<char, 4096> piece{};
    while (true) {
      ULP_TRY(mayGoOn());
      pollfd output{m_output.get(), POLLIN, 0};
      const int ready = ::poll(&output, 1, static_cast<int>(kGlance.count()));
      const ssize_t count = ready > 0 ? ::read(m_output.get(), piece.data(), piece.size()) : -1;
      if (count == 0) {
        return report;
      }
      if (ready != 0 && count < 0 && errno != EINTR) {
        return fail(systemError(kHdf5ReaderProgram, "cannot be listened to", errno));
      }
      report.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (report.size() > kLongestReport) {
        return fail(ErrorCode::CorruptData,
                    "its reader reports without end; the file is damaged inside: copy or write it "
                    "anew");
      }
    }
  }

  /// Its status, which follows at once on the end of what it prints, unless it only closed that.
  /// Nothing: it is lost, because the program above ignores SIGCHLD. Errors: as report().
  Result<std::optional<int>> status() {
    for (std::chrono::microseconds nap{50};;
         nap = std::min<std::chrono::microseconds>(2 * nap, kGlance)) {
      int status = 0;
      const pid_t ended = ::waitpid(m_child, &status, WNOHANG);
      if (ended == m_child || (ended < 0 && errno != EINTR)) {
        m_hasEnded = true;
        return ended == m_child ? std::optional<int>(status) : std::nullopt;
      }
      ULP_TRY(mayGoOn());
      std::this_thread::sleep_for(nap);
    }
  }

 private:
  /// How long it may take until a stop is seen.
  static constexpr std::chrono::milliseconds kGlance{50};
  static constexpr std::size_t kLongestReport = std::size_t{1} << 20U;

  [[nodiscard]] Result<> mayGoOn() const {
    if (currentStop().stop_requested()) {
      return fail(ErrorCode::Cancelled, "reading was cancelled");
    }
    if (Clock::now() >= m_deadline) {
      return fail(ErrorCode::Io,
                  std::string(kHdf5ReaderProgram) +
                      " came to no end in the time that a file of this size takes, waiting "
                      "included; if its disk answers slowly, copy the file to another one");
    }
    return {};
  }

  pid_t m_child;
  FileDescriptor m_output;
  Clock::time_point m_deadline;
  bool m_hasEnded = false;
};

/// Both ends of what a child prints: here, and there.
Result<std::pair<FileDescriptor, FileDescriptor>> makePipe(const fs::path& program) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail(systemError(program, "cannot be started", errno));
  }
  const std::pair<FileDescriptor, FileDescriptor> low{FileDescriptor(ends[0]),
                                                      FileDescriptor(ends[1])};
  std::pair<FileDescriptor, FileDescriptor> lifted{low.first.lifted(), low.second.lifted()};
  if (!lifted.first || !lifted.second) {
    return fail(systemError(program, "cannot be started", errno));
  }
  return lifted;
}

/// Why a reader left no report.
tl::unexpected<Error> endOf(const std::string& file, std::optional<int> status) {
  constexpr int kNotExecutable = 126;
  constexpr int kNotFound = 127;
  const int code = status && WIFEXITED(*status) ? WEXITSTATUS(*status) : 0;
  if (code == kNotExecutable || code == kNotFound) {
    return fail(ErrorCode::Unsupported,
                file + ": " + kHdf5ReaderProgram + " cannot be started (exit status " +
                    std::to_string(code) + "); install Ulpscope anew");
  }
  const auto damaged = [&](const std::string& what) {
    return fail(ErrorCode::CorruptData,
                file + ": " + what + "; the file is damaged inside: copy or write it anew");
  };
  switch (status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0) {
    case SIGKILL:
      return fail(ErrorCode::OutOfMemory,
                  file + ": " + kHdf5ReaderProgram +
                      " was killed, probably because memory ran out; close other programs");
    case SIGXCPU:
      return fail(ErrorCode::CorruptData,
                  file +
                      ": HDF5 came to no end in the time that a file of this size takes; it is "
                      "damaged inside, or its chunks are tiny: write it anew, with larger chunks");
    case SIGSEGV:
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
      return damaged("HDF5 crashed on it");
    default:
      return damaged("HDF5 crashed on it or came to no end");
  }
}

}  // namespace

Result<> runHdf5Reader(const Hdf5Request& request,
                       const InputFile& input,
                       const MemoryFile& payload) {
  const std::string& file = request.arguments.at(1);
  const auto program = ULP_TRY(readerProgram());
  auto [ours, theirs] = ULP_TRY(makePipe(program));
  SpawnPlan plan;
  if (!plan.prepare(input, payload, theirs)) {
    return fail(ErrorCode::Io, program.string() + ": cannot be started");
  }
  const auto child = ULP_TRY(plan.start(program, request.arguments));
  theirs = FileDescriptor();
  RunningReader reader(child, std::move(ours), request.patience);
  const auto report = ULP_TRY(whileDoing(file, reader.report()));
  const auto status = ULP_TRY(whileDoing(file, reader.status()));
  return resultOf(report, file, status);
}

std::string reportOf(const Result<>& result) {
  std::string report;
  if (!result) {
    report += kFailed;
    report +=
        std::to_string(static_cast<int>(result.error().code())) + " " + result.error().message();
  }
  report += kDone;
  return report;
}

Result<> resultOf(std::string_view report,
                  const std::filesystem::path& file,
                  std::optional<int> status) {
  if (report == kDone) {
    return {};
  }
  const bool isWhole = report.starts_with(kFailed) && report.ends_with(kDone) &&
                       report.size() >= kFailed.size() + 2 + kDone.size();
  const int code = isWhole ? report[kFailed.size()] - '0' : -1;
  if (code < 0 || code > kLastCode) {
    return endOf(file.string(), status);
  }
  report.remove_prefix(kFailed.size() + 2);
  report.remove_suffix(kDone.size());
  return fail(static_cast<ErrorCode>(code), std::string(report));
}

}  // namespace ulp::tensors
