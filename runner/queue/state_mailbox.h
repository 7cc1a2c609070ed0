#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "runner/queue/job_state.h"

namespace ulp::queue {

/// The newest state of each job between two threads. A slow reader finds one state a job, however
/// many were posted. Thread-safe.
class StateMailbox {
 public:
  /// True when the reader has to be woken: nothing was waiting before.
  [[nodiscard]] bool post(JobStatePtr state) {
    const std::lock_guard lock(m_mutex);
    const bool wasEmpty = m_states.empty();
    m_states.insert_or_assign(state->id, std::move(state));
    return wasEmpty;
  }

  /// Oldest job first.
  [[nodiscard]] std::vector<JobStatePtr> take() {
    const std::lock_guard lock(m_mutex);
    return listOf(std::exchange(m_states, {}), [](const auto& job) { return job.second; });
  }

 private:
  std::mutex m_mutex;
  std::map<JobId, JobStatePtr> m_states;
};

}  // namespace ulp::queue
