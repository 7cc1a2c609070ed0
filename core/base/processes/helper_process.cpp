#include "core/base/processes/helper_process.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/file_descriptor.h"
#include "core/base/files/plugin_library.h"
#include "core/base/list_of.h"
#include "core/base/processes/process_end.h"

namespace ulp {

namespace fs = std::filesystem;

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
                          std::span<const HandedOn> given,
                          std::vector<std::pair<std::string, std::string>> variables) {
  const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nowhere) {
    return fail(systemError("/dev/null", "cannot be opened", errno));
  }
  arguments.insert(arguments.begin(), program.string());
  ProgramPlan plan{.words = std::move(arguments),
                   .variables = std::move(variables),
                   .hasOwnGroup = true,
                   .input = nowhere.get(),
                   .output = nowhere.get(),
                   .errors = nowhere.get()};
  // By way of numbers above all that helpers are handed, so that none takes the place of another
  // before that has its own.
  constexpr int kLowest = 10;
  std::vector<FileDescriptor> above;
  for (const HandedOn& each : given) {
    above.emplace_back(::fcntl(each.descriptor, F_DUPFD_CLOEXEC, kLowest));
    if (!above.back()) {
      return fail(systemError(program, "cannot be started", errno));
    }
    plan.handedOn.push_back({above.back().get(), each.number});
  }
  return startProgram(plan);
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
  if (status && wasKilled(*status)) {
    return Error(ErrorCode::OutOfMemory,
                 fmt::format("{} {}", helper.name, endInWords(*status, "close other programs")));
  }
  return std::nullopt;
}

}  // namespace ulp
