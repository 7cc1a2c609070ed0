#include "core/base/processes/helper_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/file_descriptor.h"
#include "core/base/files/plugin_library.h"
#include "core/base/list_of.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

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
  bool prepare(std::span<const HandedOn> given) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    constexpr short kFlags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    return posix_spawnattr_setpgroup(&m_attributes, 0) == 0 &&
           posix_spawnattr_setsigmask(&m_attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(&m_attributes, &all) == 0 &&
           posix_spawnattr_setflags(&m_attributes, kFlags) == 0 &&
           posix_spawn_file_actions_addopen(&m_actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_addopen(&m_actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
           posix_spawn_file_actions_addopen(&m_actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
           std::ranges::all_of(given, [this](const HandedOn& each) {
             return posix_spawn_file_actions_adddup2(&m_actions, each.descriptor, each.number) == 0;
           });
  }

  Result<pid_t> start(const fs::path& program, std::vector<std::string> words) const {
    words.insert(words.begin(), program.string());
    auto pointers = listOf(words, [](std::string& word) { return word.data(); });
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int refused =
        posix_spawn(&child, program.c_str(), &m_actions, &m_attributes, pointers.data(), environ);
    return refused == 0 ? Result<pid_t>(child)
                        : fail(systemError(program, "cannot be started", refused));
  }

 private:
  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
};

}  // namespace

Result<fs::path> findHelper(const HelperProgram& helper) {
  const std::vector<fs::path> candidates = installedAt(helper.variable, helper.name, "bin");
  for (const fs::path& candidate : candidates) {
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  const std::string tried = fmt::format(
      "{}",
      fmt::join(listOf(candidates, [](const fs::path& path) { return path.string(); }), ", "));
  return fail(ErrorCode::Unsupported,
              fmt::format("{} by the program {}, which is not there{}; install Ulpscope anew",
                          helper.purpose,
                          helper.name,
                          tried.empty() ? "" : " (looked for " + tried + ")"));
}

Result<pid_t> startHelper(const fs::path& program,
                          std::vector<std::string> arguments,
                          std::span<const HandedOn> given) {
  // By way of numbers above all that helpers are handed, so that none takes the place of another
  // before that has its own.
  constexpr int kLowest = 10;
  std::vector<FileDescriptor> above;
  std::vector<HandedOn> handedOn;
  for (const HandedOn& each : given) {
    above.emplace_back(::fcntl(each.descriptor, F_DUPFD_CLOEXEC, kLowest));
    if (!above.back()) {
      return fail(systemError(program, "cannot be started", errno));
    }
    handedOn.push_back({above.back().get(), each.number});
  }
  SpawnPlan plan;
  if (!plan.prepare(handedOn)) {
    return fail(ErrorCode::Io, program.string() + ": cannot be started");
  }
  return plan.start(program, std::move(arguments));
}

std::optional<int> killHelper(pid_t helper) {
  ::kill(-helper, SIGKILL);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(helper, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == helper ? std::optional<int>(status) : std::nullopt;
}

std::optional<Error> endOfHelper(const HelperProgram& helper, std::optional<int> status) {
  constexpr int kNotExecutable = 126;
  constexpr int kNotFound = 127;
  const int code = status && WIFEXITED(*status) ? WEXITSTATUS(*status) : 0;
  if (code == kNotExecutable || code == kNotFound) {
    return Error(
        ErrorCode::Unsupported,
        fmt::format(
            "{} cannot be started (exit status {}); install Ulpscope anew", helper.name, code));
  }
  if (status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL) {
    return Error(ErrorCode::OutOfMemory,
                 fmt::format("{} was killed, probably because memory ran out; close other programs",
                             helper.name));
  }
  return std::nullopt;
}

}  // namespace ulp
