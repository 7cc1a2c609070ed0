#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/cli/descriptor_watch.h"
#include "core/base/result.h"
#include "runner/worker/session/skip_requests.h"

namespace ulp::cli {

/// `skip VARIANT`: what can be asked of a study while it runs. Blanks around the name do not count.
/// Errors: InvalidArgument with what is understood.
[[nodiscard]] Result<std::string> parseControlLine(std::string_view line);

/// While the result lives, a thread of its own reads commands, one a line, from a file descriptor
/// and hands them to the study. What is not understood is said on standard error; the end of the
/// stream ends nothing. Call it after StopSignals::install(), whose signals its thread must not
/// take. `descriptor` stays the caller's. Errors: Internal when the system refuses a descriptor.
[[nodiscard]] Result<std::unique_ptr<DescriptorWatch>> readControlInput(
    int descriptor, std::shared_ptr<worker::SkipRequests> skips);

}  // namespace ulp::cli
