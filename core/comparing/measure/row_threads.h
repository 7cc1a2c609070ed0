#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads.h"
#include "core/dumps/model/dump.h"

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

/// Which tensors of a unit are read, and what is told of it.
struct TensorReading {
  const dumps::DumpUnit& unit;
  const std::vector<std::size_t>& rows;
  int threads = 0;  ///< 0: one a core
  const std::stop_token& stop;
  const char* stopped;  ///< message of Cancelled
  const dumps::Progress& progress;
};

/// Looks at tensors on several threads and keeps `look(tensor)`, a Result, of each in its place of
/// `results`, which are parallel to the unit's rows. Returns why the others could not be read,
/// `row: file: what`. Errors: those of forEachRow().
template <class Found, class Look>
[[nodiscard]] Result<std::vector<std::string>> lookAtTensors(const TensorReading& what,
                                                             std::vector<Found>& results,
                                                             const Look& look) {
  std::vector<std::string> problems(what.rows.size());
  std::atomic<std::size_t> done = 0;
  ULP_TRY(forEachRow({.rows = what.rows.size(), .threads = what.threads},
                     what.stop,
                     what.stopped,
                     [&](std::size_t i, bool isCaller) {
                       const std::size_t row = what.rows[i];
                       if (auto known = what.unit.look(row).and_then(look)) {
                         results[row] = std::move(*known);
                       } else {
                         problems[i] = what.unit.rows[row].name + ": " + known.error().message();
                       }
                       ++done;
                       if (isCaller && what.progress) {
                         what.progress(done, what.rows.size());
                       }
                     }));
  std::erase_if(problems, [](const std::string& problem) { return problem.empty(); });
  return problems;
}

}  // namespace ulp::analysis
