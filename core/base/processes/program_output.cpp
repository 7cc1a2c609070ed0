#include "core/base/processes/program_output.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/processes/pipe.h"

namespace ulp {
namespace {

constexpr std::size_t kMostOutputBytes = std::size_t{1} << 24;

/// Until the writers are gone; nothing where that takes too long.
std::optional<std::string> readUntilEnd(int descriptor, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + limit;
  std::string text;
  std::array<char, 4096> piece{};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left));
    if (ready == 0) {
      return std::nullopt;
    }
    const ssize_t count = ready < 0 ? ready : ::read(descriptor, piece.data(), piece.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return text;
    }
    if (count > 0 && text.size() < kMostOutputBytes) {
      text.append(piece.data(), static_cast<std::size_t>(count));
    }
  }
}

std::string contentOf(int descriptor) {
  std::string text;
  std::array<char, 4096> piece{};
  ssize_t count = 0;
  while (text.size() < kMostOutputBytes &&
         (count = ::pread(
              descriptor, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0) {
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Result<ProgramOutput> outputOf(ProgramPlan plan, std::chrono::milliseconds limit) {
  const std::string name = plan.words.front();
  Pipe printed = ULP_TRY(makePipe(name));
  const FileDescriptor errors(::memfd_create("errors", MFD_CLOEXEC));
  if (!errors) {
    return fail(systemError(name, "cannot be listened to", errno));
  }
  plan.output = printed.writing.get();
  plan.hasOwnGroup = true;
  if (!plan.errors) {
    plan.errors = errors.get();
  }
  const pid_t child = ULP_TRY(startProgram(plan));
  printed.writing.close();
  std::optional<std::string> text = readUntilEnd(printed.reading.get(), limit);
  if (!text) {
    ::kill(-child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!text) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: did not end within {} ms", name, limit.count()));
  }
  const int exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ProgramOutput{std::move(*text), contentOf(errors.get()), exitCode};
}

}  // namespace ulp
