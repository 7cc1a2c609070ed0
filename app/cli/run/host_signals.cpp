#include "app/cli/run/host_signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace ulp::cli {

HostSignals::HostSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&set, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &set, &m_before);
  m_signals = FileDescriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

HostSignals::~HostSignals() {
  ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void HostSignals::take() {
  signalfd_siginfo info{};
  while (::read(m_signals.get(), &info, sizeof(info)) == sizeof(info)) {
    m_asksToLeave = m_asksToLeave || m_asksToCancel || info.ssi_signo == SIGHUP;
    m_asksToCancel = m_asksToCancel || info.ssi_signo != SIGHUP;
  }
}

}  // namespace ulp::cli
