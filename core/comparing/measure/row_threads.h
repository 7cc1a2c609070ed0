#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stop_token>

#include "core/base/result.h"
#include "core/base/threads.h"

namespace ulp::analysis {

/// How many rows are worked on, and by how many threads.
struct RowThreads {
  std::size_t rows = 0;
  int threads = 0;  ///< 0: one a core
  /// Below this, starting a thread costs more than it saves.
  std::size_t rowsWorthAThread = 1;
};

/// Calls `use(row, isCaller)` once for each row, on several threads at once; `isCaller` is true on
/// the thread that called. Returns when all are done, or early when it is stopped or a thread
/// fails. Errors: Cancelled, with `stopped` as its message; OutOfMemory.
template <class Use>
[[nodiscard]] Result<> forEachRow(const RowThreads& how,
                                  const std::stop_token& stop,
                                  const char* stopped,
                                  const Use& use) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> isFailed = false;
  const auto work = [&](std::size_t thread) {
    while (!isFailed && !stop.stop_requested()) {
      const std::size_t row = next++;
      if (row >= how.rows) {
        break;
      }
      use(row, thread == 0);
    }
  };
  const std::size_t most = static_cast<std::size_t>(std::max(how.threads, 0));
  ULP_TRY(runOnThreads(threadsFor(how.rows / how.rowsWorthAThread, most), work, &isFailed));
  return stop.stop_requested() ? fail(ErrorCode::Cancelled, stopped) : Result<>();
}

}  // namespace ulp::analysis
