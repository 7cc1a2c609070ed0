#pragma once

#include <memory>
#include <stop_token>

#include "core/base/result.h"

namespace ulp::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP of the process asks for a stop; a second
/// SIGINT or SIGTERM ends the process at once with exit code 130. Make it before any thread starts:
/// it blocks these signals in the calling thread, which its children inherit, and waits for them in
/// a thread of its own.
class StopSignals {
 public:
  /// Errors: Internal when the system refuses a descriptor.
  [[nodiscard]] static Result<std::unique_ptr<StopSignals>> install();

  virtual ~StopSignals() = default;
  [[nodiscard]] virtual std::stop_token token() const = 0;

 protected:
  StopSignals() = default;
  StopSignals(const StopSignals&) = default;
  StopSignals& operator=(const StopSignals&) = default;
};

}  // namespace ulp::cli
