#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "runner/worker/session/skip_requests.h"

namespace ulp::cli {

/// `skip VARIANT`: what can be asked of a study while it runs. Blanks around the name do not count.
/// Errors: InvalidArgument with what is understood.
[[nodiscard]] Result<std::string> parseControlLine(std::string_view line);

/// While it lives, a thread of its own reads commands, one a line, from a file descriptor and hands
/// them to the study. What is not understood is said on standard error; the end of the stream ends
/// nothing. Make it after StopSignals, whose signals its thread must not take.
class ControlInput {
 public:
  /// `descriptor` stays the caller's. Errors: Internal when the system refuses a descriptor.
  [[nodiscard]] static Result<std::unique_ptr<ControlInput>> start(
      int descriptor, std::shared_ptr<worker::SkipRequests> skips);

  virtual ~ControlInput() = default;

 protected:
  ControlInput() = default;
  ControlInput(const ControlInput&) = default;
  ControlInput& operator=(const ControlInput&) = default;
};

}  // namespace ulp::cli
