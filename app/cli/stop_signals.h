#pragma once

#include <csignal>
#include <memory>
#include <stop_token>

#include "app/cli/descriptor_watch.h"
#include "core/base/result.h"
#include "core/base/stop_scope.h"

namespace ulp::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP of the process asks for a stop; a second
/// SIGINT or SIGTERM ends the process at once with exit code 130. Make it before any thread starts:
/// it blocks these signals in the calling thread, which its children inherit, and waits for them in
/// a thread of its own. The calling thread works within its StopScope.
class StopSignals {
 public:
  /// Errors: Internal when the system refuses a descriptor.
  [[nodiscard]] static Result<std::unique_ptr<StopSignals>> install();

  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

 private:
  /// Blocks the signals of the set.
  explicit StopSignals(const sigset_t& stopping);
  void takeSignal();

  sigset_t m_before{};
  Descriptor m_signals;
  std::stop_source m_stop;
  StopScope m_scope{m_stop.get_token()};
  std::unique_ptr<DescriptorWatch> m_watch;
};

}  // namespace ulp::cli
