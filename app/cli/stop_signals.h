#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <stop_token>
#include <thread>

#include "app/cli/descriptor_watch.h"
#include "core/base/result.h"
#include "core/base/stop_scope.h"

namespace ulp::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP of the process asks for a stop; a second
/// SIGINT or SIGTERM ends the process at once with exit code 130, and so does a stop that
/// expendable work has not obeyed after kPatience. Make it before any thread starts: it blocks
/// these signals in the calling thread, which its children inherit, and waits for them in a thread
/// of its own. The calling thread works within its StopScope.
class StopSignals {
 public:
  static constexpr std::chrono::milliseconds kPatience{1000};

  /// Errors: Internal when the system refuses a descriptor.
  [[nodiscard]] static Result<std::unique_ptr<StopSignals>> install();

  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
  /// Says that from here on nothing is lost where the process ends, or that something is again.
  void setExpendable(bool isExpendable) { m_isExpendable = isExpendable; }

 private:
  /// Blocks the signals of the set.
  explicit StopSignals(const sigset_t& stopping);
  void takeSignal();
  /// Ends the process once what it does is expendable, unless `over` says that the command ended.
  void endWhenExpendable(const std::stop_token& over) const;

  sigset_t m_before{};
  FileDescriptor m_signals;
  std::stop_source m_stop;
  StopScope m_scope{m_stop.get_token()};
  std::atomic<bool> m_isExpendable = false;
  std::unique_ptr<DescriptorWatch> m_watch;
  std::jthread m_impatience;  ///< from the first signal on
};

/// While it lives, what the process does is expendable.
class ExpendableWork {
 public:
  explicit ExpendableWork(StopSignals& signals) : m_signals(signals) {
    m_signals.setExpendable(true);
  }
  ~ExpendableWork() { m_signals.setExpendable(false); }
  ExpendableWork(const ExpendableWork&) = delete;
  ExpendableWork& operator=(const ExpendableWork&) = delete;

 private:
  StopSignals& m_signals;
};

}  // namespace ulp::cli
