#include "core/text/chat/template_process.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/base/processes/helper_process.h"
#include "core/base/stop_scope.h"

namespace ulp::text {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kRemedy =
    "render the messages beforehand and name the field of the text with input.field";

constexpr HelperProgram kProgram{.name = kTemplateProgram,
                                 .variable = kTemplateProgramVariable,
                                 .purpose = "chat templates are run"};

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
  const auto program = ULP_TRY(findHelper(kProgram));
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(systemError(program, "cannot be started", errno));
  }
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  const auto child =
      ULP_TRY(startHelper(program, {}, std::array{HandedOn{theirs.get(), STDIN_FILENO}}));
  return std::unique_ptr<TemplateProcess>(new TemplateProcess(child, std::move(ours)));
}

TemplateProcess::~TemplateProcess() {
  end();
}

std::optional<int> TemplateProcess::end() {
  if (!isRunning()) {
    return std::nullopt;
  }
  m_socket = {};
  return killHelper(std::exchange(m_child, -1));
}

tl::unexpected<Error> TemplateProcess::endOf() {
  const auto status = end();
  if (status && WIFEXITED(*status) && WEXITSTATUS(*status) == kNoMemoryLeft) {
    return fail(ErrorCode::OutOfMemory,
                fmt::format("the chat template takes more memory than it may; {}", kRemedy));
  }
  if (auto end = endOfHelper(kProgram, status)) {
    return fail(std::move(*end));
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
    pollfd socket{m_socket.get(), event, 0};
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
    const ssize_t count =
        ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
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
    const ssize_t count = ::recv(m_socket.get(), to, size, MSG_DONTWAIT);
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
