#include "app/cli/stop_signals.h"

#include <condition_variable>
#include <mutex>
#include <string_view>
#include <sys/signalfd.h>
#include <unistd.h>

#include "app/cli/command.h"

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

[[noreturn]] void endAtOnce() {
  constexpr std::string_view kText = "\nulpscope-cli: stopped at once\n";
  static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  ::_exit(static_cast<int>(ExitCode::Cancelled));
}

}  // namespace

Result<std::unique_ptr<StopSignals>> StopSignals::install() {
  std::unique_ptr<StopSignals> signals(new StopSignals(stopSet()));
  signals->m_watch = ULP_TRY(DescriptorWatch::start(
      signals->m_signals.get(), "signals: cannot watch them", [&made = *signals] {
        made.takeSignal();
        return true;
      }));
  return signals;
}

StopSignals::StopSignals(const sigset_t& stopping)
    : m_signals(::signalfd(-1, &stopping, SFD_CLOEXEC)) {
  pthread_sigmask(SIG_BLOCK, &stopping, &m_before);
}

StopSignals::~StopSignals() {
  m_watch.reset();
  pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void StopSignals::takeSignal() {
  signalfd_siginfo info{};
  if (::read(m_signals.get(), &info, sizeof(info)) != sizeof(info)) {
    return;
  }
  if (m_stop.stop_requested()) {
    endAtOnce();
  }
  m_stop.request_stop();
  // Where the system makes no thread, a second signal still ends the process.
  static_cast<void>(guarded([this] {
    m_impatience = std::jthread([this](const std::stop_token& over) { endWhenExpendable(over); });
  }));
}

void StopSignals::endWhenExpendable(const std::stop_token& over) const {
  constexpr std::chrono::milliseconds kGlance{20};
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  const auto sleep = [&](std::chrono::milliseconds time) {
    never.wait_for(lock, over, time, [] { return false; });
  };
  for (sleep(kPatience); !over.stop_requested(); sleep(kGlance)) {
    if (m_isExpendable) {
      endAtOnce();
    }
  }
}

}  // namespace ulp::cli
