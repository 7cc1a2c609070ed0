#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "core/base/result.h"

namespace ulp {

/// Gives the number of threads to work on `pieces` with: at least one, and no more than there are
/// pieces or the machine runs at once. `most`, where it is not 0, stands in for the machine.
[[nodiscard]] std::size_t threadsFor(std::size_t pieces, std::size_t most = 0);

/// Runs `work(0)` on the calling thread and `work(1)` to `work(count - 1)` on others, at once, and
/// returns when all have returned. The work is shared out by itself. An exception becomes the
/// error, the first one where there are several; `isFailed` turns true then, for the other threads,
/// which go on meanwhile, to look at. All work within the caller's StopScope.
[[nodiscard]] Result<> runOnThreads(std::size_t count,
                                    const std::function<void(std::size_t)>& work,
                                    std::atomic<bool>* isFailed = nullptr);

}  // namespace ulp
