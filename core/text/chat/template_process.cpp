#include "core/text/chat/template_process.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/plugin_library.h"
#include "core/base/stop_scope.h"

namespace ulp::text {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kRemedy =
    "render the messages beforehand and name the field of the text with input.field";

Result<fs::path> findProgram() {
  for (const fs::path& candidate : installedAt(kTemplateProgramVariable, kTemplateProgram, "bin")) {
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("chat templates are run by the program {}, which is not there; install "
                          "Ulpscope anew",
                          kTemplateProgram));
}

/// What the child is given and how it starts.
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

  /// Starts it with `socket` as its standard input. Error: Io.
  Result<pid_t> start(const fs::path& program, int socket) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    // Ctrl-C in a terminal is for this process to answer; a group of its own keeps it away.
    constexpr short kFlags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawn_file_actions_adddup2(&m_actions, socket, 0);
    posix_spawn_file_actions_addopen(&m_actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&m_actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setpgroup(&m_attributes, 0);
    posix_spawnattr_setsigmask(&m_attributes, &none);
    posix_spawnattr_setsigdefault(&m_attributes, &all);
    posix_spawnattr_setflags(&m_attributes, kFlags);
    std::string name = program.string();
    std::array<char*, 2> words{name.data(), nullptr};
    pid_t child = 0;
    const int refused =
        posix_spawn(&child, program.c_str(), &m_actions, &m_attributes, words.data(), environ);
    if (refused != 0) {
      return fail(systemError(program, "cannot be started", refused));
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
};

/// What a process has computed so far; nothing where the system does not say.
milliseconds processorTimeOf(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    return {};
  }
  return std::chrono::duration_cast<milliseconds>(std::chrono::seconds(time.tv_sec) +
                                                  std::chrono::nanoseconds(time.tv_nsec));
}

/// The answer in a message, or the error in it; nothing where it is damaged.
std::optional<Result<std::string>> answerIn(std::string_view message) {
  auto words = wordsOf(message);
  if (!words || words->size() != 2) {
    return std::nullopt;
  }
  const std::string& kind = words->front();
  if (kind == kDone) {
    return std::move(words->back());
  }
  int code = -1;
  std::from_chars(kind.data(), kind.data() + kind.size(), code);
  if (code < 0 || code > static_cast<int>(ErrorCode::Internal)) {
    return std::nullopt;
  }
  return fail(static_cast<ErrorCode>(code), std::move(words->back()));
}

}  // namespace

struct TemplateProcess::Deadline {
  TemplateLimits limits;
  milliseconds processorBefore;
  Clock::time_point clock;
};

Result<std::unique_ptr<TemplateProcess>> TemplateProcess::start() {
  const auto program = ULP_TRY(findProgram());
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(systemError(program, "cannot be started", errno));
  }
  auto child = SpawnPlan().start(program, ends[1]);
  ::close(ends[1]);
  if (!child) {
    ::close(ends[0]);
    return tl::unexpected(std::move(child.error()));
  }
  return std::unique_ptr<TemplateProcess>(new TemplateProcess(*child, ends[0]));
}

TemplateProcess::~TemplateProcess() {
  end();
}

std::optional<int> TemplateProcess::end() {
  if (!isRunning()) {
    return std::nullopt;
  }
  ::close(m_socket);
  ::kill(m_child, SIGKILL);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(m_child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  const bool isKnown = ended == std::exchange(m_child, -1);
  return isKnown ? std::optional<int>(status) : std::nullopt;
}

tl::unexpected<Error> TemplateProcess::endOf() {
  const auto status = end();
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == kNoMemoryLeft) {
    return fail(ErrorCode::OutOfMemory,
                fmt::format("the chat template takes more memory than it may; {}", kRemedy));
  }
  constexpr int kNotExecutable = 126;
  constexpr int kNotFound = 127;
  if (status && WIFEXITED(*status) &&
      (WEXITSTATUS(*status) == kNotExecutable || WEXITSTATUS(*status) == kNotFound)) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} cannot be started; install Ulpscope anew", kTemplateProgram));
  }
  if (status && WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL) {
    return fail(ErrorCode::OutOfMemory,
                fmt::format("{} was killed, probably because memory ran out; close other programs",
                            kTemplateProgram));
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("the chat template nests or recurses too deep: the program that runs it "
                          "crashed; {}",
                          kRemedy));
}

Result<> TemplateProcess::waitFor(short event, const Deadline& deadline) {
  constexpr int kGlanceMs = 50;
  while (true) {
    const milliseconds used = processorTimeOf(m_child) - deadline.processorBefore;
    const bool isOver = used >= deadline.limits.processor || Clock::now() >= deadline.clock;
    pollfd socket{m_socket, event, 0};
    // What has arrived counts, however late this process comes to look at it.
    if (::poll(&socket, 1, isOver ? 0 : kGlanceMs) > 0) {
      return {};
    }
    if (currentStop().stop_requested()) {
      end();
      return fail(ErrorCode::Cancelled, "the chat template was stopped");
    }
    if (isOver) {
      end();
      return fail(ErrorCode::Unsupported,
                  fmt::format("the chat template comes to no end: it was stopped after {:.1f} s of "
                              "computing; {}",
                              std::chrono::duration<double>(used).count(),
                              kRemedy));
    }
  }
}

Result<> TemplateProcess::send(std::string_view bytes, const Deadline& deadline) {
  while (!bytes.empty()) {
    ULP_TRY(waitFor(POLLOUT, deadline));
    const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      return endOf();
    }
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return {};
}

Result<> TemplateProcess::receive(char* to, std::size_t size, const Deadline& deadline) {
  while (size > 0) {
    ULP_TRY(waitFor(POLLIN, deadline));
    const ssize_t count = ::recv(m_socket, to, size, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
      return endOf();
    }
    const std::size_t read = count > 0 ? static_cast<std::size_t>(count) : 0;
    to += read;
    size -= read;
  }
  return {};
}

Result<std::string> TemplateProcess::ask(const WordList& question) {
  const std::string message = asMessage(question);
  const TemplateLimits limits = TemplateLimits::of(question.front() == kParse, message.size());
  const Deadline deadline{limits, processorTimeOf(m_child), Clock::now() + limits.clock};
  if (message.size() > kMostMessage) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} bytes are more than a chat template is given at once; {}",
                            message.size(),
                            kRemedy));
  }
  ULP_TRY(send(message, deadline));
  MessageSize size = 0;
  ULP_TRY(receive(reinterpret_cast<char*>(&size), sizeof size, deadline));
  if (size > kMostMessage) {
    end();
    return fail(
        ErrorCode::Unsupported,
        fmt::format("the chat template writes more than {} bytes; {}", kMostMessage, kRemedy));
  }
  std::string answer(size, '\0');
  ULP_TRY(receive(answer.data(), size, deadline));
  auto result = answerIn(answer);
  if (!result) {
    end();
    return fail(ErrorCode::CorruptData,
                fmt::format("{} gave no answer that can be read", kTemplateProgram));
  }
  return *std::move(result);
}

}  // namespace ulp::text
