#include "app/cli/stop_signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/descriptor.h"

namespace ulp::cli {
namespace {

sigset_t stopSet() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&set, signal);
  }
  return set;
}

class SignalWatch final : public StopSignals {
 public:
  SignalWatch(int signals, int wake, sigset_t before)
      : m_signals(signals), m_wake(wake), m_before(before), m_thread([this] { watch(); }) {}

  ~SignalWatch() override {
    const std::uint64_t one = 1;
    // Cannot fail: the counter of an eventfd takes far more than one.
    static_cast<void>(!::write(m_wake.number(), &one, sizeof(one)));
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  [[nodiscard]] std::stop_token token() const override { return m_stop.get_token(); }

 private:
  void watch() {
    std::array<pollfd, 2> waiting{{{m_signals.number(), POLLIN, 0}, {m_wake.number(), POLLIN, 0}}};
    while (true) {
      if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
        continue;
      }
      if (waiting[1].revents != 0) {
        return;
      }
      signalfd_siginfo info{};
      if (::read(m_signals.number(), &info, sizeof(info)) == sizeof(info)) {
        onSignal();
      }
    }
  }

  void onSignal() {
    if (!m_stop.stop_requested()) {
      m_stop.request_stop();
      return;
    }
    constexpr std::string_view kText = "\nulpscope-cli: stopped at once\n";
    static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
    ::_exit(static_cast<int>(ExitCode::Cancelled));
  }

  Descriptor m_signals;
  Descriptor m_wake;
  sigset_t m_before;
  std::stop_source m_stop;
  std::thread m_thread;
};

}  // namespace

Result<std::unique_ptr<StopSignals>> StopSignals::install() {
  const sigset_t set = stopSet();
  const int signals = ::signalfd(-1, &set, SFD_CLOEXEC);
  const int wake = ::eventfd(0, EFD_CLOEXEC);
  if (signals < 0 || wake < 0) {
    return fail(ErrorCode::Internal,
                "signals: cannot watch them: " + std::generic_category().message(errno));
  }
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  return std::make_unique<SignalWatch>(signals, wake, before);
}

}  // namespace ulp::cli
