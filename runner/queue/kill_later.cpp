#include "runner/queue/kill_later.h"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "core/base/files/file_descriptor.h"

namespace ulp::queue {
namespace {

/// Runs between fork() and _exit() of a process that had threads: calls of the system alone.
[[noreturn]] void watch(int child, int milliseconds) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::setsid();
  // Nobody waits for the process that watches, but for the one that made it.
  const pid_t watcher = ::fork();
  if (watcher != 0) {
    ::_exit(watcher < 0 ? 1 : 0);
  }
  // Whatever else was open, such as the connection to the display, ends with the window.
  ::dup2(child, STDIN_FILENO);
  ::close_range(STDOUT_FILENO, ~0U, 0);
  pollfd ended{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, milliseconds) == 0) {
    ::syscall(SYS_pidfd_send_signal, STDIN_FILENO, SIGKILL, nullptr, 0);
  }
  ::_exit(0);
}

}  // namespace

Result<> killLater(pid_t child, std::chrono::milliseconds patience) {
  // Unlike a number, it names no other process once the child has ended. By their numbers, because
  // glibc 2.36 declares these calls for C alone.
  const FileDescriptor descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (!descriptor) {
    return fail(ErrorCode::Internal, "pidfd_open: " + std::generic_category().message(errno));
  }
  const pid_t starter = ::fork();
  if (starter < 0) {
    return fail(ErrorCode::Internal, "fork: " + std::generic_category().message(errno));
  }
  if (starter == 0) {
    watch(descriptor.get(), static_cast<int>(patience.count()));
  }
  int status = 0;
  while (::waitpid(starter, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0 ? Result<>()
                     : Result<>(fail(ErrorCode::Internal, "the system makes no further process"));
}

}  // namespace ulp::queue
