#include "core/tensors/formats/hdf5/reader_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/plugin_library.h"
#include "core/tensors/archive/byte_reader.h"

namespace ulp::tensors {
namespace {

namespace fs = std::filesystem;

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
  bool prepare(int payload, int report) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    // Ctrl-C in a terminal is for this process to answer; a group of its own keeps it away.
    constexpr short kFlags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    return posix_spawn_file_actions_addopen(&m_actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_adddup2(&m_actions, report, 1) == 0 &&
           posix_spawn_file_actions_addopen(&m_actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
           posix_spawn_file_actions_adddup2(&m_actions, payload, kHdf5ReaderPayload) == 0 &&
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

/// Nothing: it is lost, because the program above ignores SIGCHLD.
std::optional<int> statusOf(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == child ? std::optional<int>(status) : std::nullopt;
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

Result<> runHdf5Reader(const std::vector<std::string>& arguments, const MemoryFile& payload) {
  const auto program = ULP_TRY(readerProgram());
  const auto report = ULP_TRY(MemoryFile::create());
  SpawnPlan plan;
  if (!plan.prepare(payload.descriptor(), report.descriptor())) {
    return fail(ErrorCode::Io, program.string() + ": cannot be started");
  }
  const auto child = ULP_TRY(plan.start(program, arguments));
  const auto status = statusOf(child);
  const auto bytes = ULP_TRY(report.content());
  return resultOf(textOf(bytes), arguments.at(1), status);
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
