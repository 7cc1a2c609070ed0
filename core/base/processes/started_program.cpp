#include "core/base/processes/started_program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <system_error>
#include <unistd.h>

#include "core/base/list_of.h"

namespace ulp {
namespace {

/// "NAME=value" of this process, but for those that the plan names, and then these.
std::vector<std::string> environmentOf(const ProgramPlan& plan) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string text(*each);
    const std::string name = text.substr(0, text.find('='));
    if (std::ranges::none_of(plan.variables,
                             [&](const auto& variable) { return variable.first == name; })) {
      all.push_back(text);
    }
  }
  for (const auto& [name, value] : plan.variables) {
    all.push_back(fmt::format("{}={}", name, value));
  }
  return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  auto pointers = listOf(texts, [](std::string& text) { return text.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

/// What posix_spawn() is told besides words and environment.
struct SpawnSettings {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  bool replace(int number, const std::optional<int>& descriptor) {
    return !descriptor || posix_spawn_file_actions_adddup2(&actions, *descriptor, number) == 0;
  }

  bool prepare(const ProgramPlan& plan) {
    sigset_t blocked;
    sigset_t all;
    sigemptyset(&blocked);
    sigfillset(&all);
    if (plan.isDeafToTerminal) {
      for (const int signal : {SIGINT, SIGHUP, SIGQUIT}) {
        sigaddset(&blocked, signal);
      }
    }
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    flags |= plan.hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0;
    return posix_spawnattr_setsigmask(&attributes, &blocked) == 0 &&
           posix_spawnattr_setsigdefault(&attributes, &all) == 0 &&
           posix_spawnattr_setpgroup(&attributes, 0) == 0 &&
           posix_spawnattr_setflags(&attributes, static_cast<short>(flags)) == 0 &&
           replace(STDIN_FILENO, plan.input) && replace(STDOUT_FILENO, plan.output) &&
           replace(STDERR_FILENO, plan.errors) &&
           std::ranges::all_of(plan.handedOn, [this](const HandedOn& each) {
             return replace(each.number, each.descriptor);
           });
  }
};

}  // namespace

Result<pid_t> startProgram(const ProgramPlan& plan) {
  std::vector<std::string> words = plan.words;
  std::vector<std::string> variables = environmentOf(plan);
  const std::vector<char*> arguments = pointersTo(words);
  const std::vector<char*> environment = pointersTo(variables);
  SpawnSettings settings;
  if (!settings.prepare(plan)) {
    return fail(ErrorCode::Io, words.front() + ": cannot be started");
  }
  pid_t child = 0;
  const int refused = posix_spawnp(&child,
                                   arguments.front(),
                                   &settings.actions,
                                   &settings.attributes,
                                   arguments.data(),
                                   environment.data());
  std::error_code ignored;
  // What is there may be a script whose interpreter is not.
  if (refused == ENOENT && !std::filesystem::exists(words.front(), ignored)) {
    return fail(ErrorCode::NotFound,
                words.front() + ": was not found; give its path, or a name that is in $PATH");
  }
  return refused == 0 ? Result<pid_t>(child)
                      : fail(systemError(words.front(), "cannot be started", refused));
}

}  // namespace ulp
