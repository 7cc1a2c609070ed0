#pragma once

#include <csignal>

#include "core/base/files/file_descriptor.h"

namespace ulp::cli {

/// What a user tells a command by signals whose study runs on a host. The first SIGINT or SIGTERM:
/// the study is to be cancelled; a second one, or SIGHUP (the terminal or the window is gone): the
/// command is to end, and the study goes on. Make it before any thread starts.
class HostSignals {
 public:
  HostSignals();
  ~HostSignals();
  HostSignals(const HostSignals&) = delete;
  HostSignals& operator=(const HostSignals&) = delete;

  /// Can be read once there is something to take().
  [[nodiscard]] int descriptor() const { return m_signals.get(); }
  void take();
  [[nodiscard]] bool asksToCancel() const { return m_asksToCancel; }
  [[nodiscard]] bool asksToLeave() const { return m_asksToLeave; }

 private:
  sigset_t m_before{};
  FileDescriptor m_signals;
  bool m_asksToCancel = false;
  bool m_asksToLeave = false;
};

}  // namespace ulp::cli
