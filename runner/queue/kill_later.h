#pragma once

#include <chrono>
#include <sys/types.h>

#include "core/base/result.h"

namespace ulp::queue {

/// Kills a child of this process once `patience` is over, unless it has ended by then; returns at
/// once. That happens, too, where this process has ended meanwhile: a process without a name does
/// it. Errors: Internal, where the system refuses; the child then lives on.
[[nodiscard]] Result<> killLater(pid_t child, std::chrono::milliseconds patience);

}  // namespace ulp::queue
