#pragma once

#include <cstddef>
#include <stop_token>

#include "core/base/result.h"
#include "core/base/stop_scope.h"
#include "core/base/work_meter.h"

namespace ulp {

/// Looks at the stop of the caller's work (StopScope) now and then, for loops of many short steps:
/// `if (pace.isStopped()) { return stopped(); }`. A loop that is short ends as if nobody had asked
/// for a stop. For one thread.
class StopPace {
 public:
  /// `steps`: so many that a look costs nothing beside them, and far less than a second.
  explicit StopPace(std::size_t steps = kSteps) : m_steps(steps), m_left(steps) {}
  /// The same for a loop of `total` steps: at each look the work's meter (MeterScope) learns how
  /// many are done.
  StopPace(std::size_t steps, std::size_t total)
      : m_steps(steps), m_left(steps), m_meter(&MeterScope::current()) {
    m_meter->expect(total);
  }

  /// To be asked in front of a step, or of `count` steps that are done at once.
  [[nodiscard]] bool isStopped(std::size_t count = 1) {
    if (m_left >= count) {
      m_left -= count;
      return false;
    }
    if (m_meter != nullptr) {
      m_meter->advance(m_steps - m_left + (count > m_steps ? count - m_steps : 0));
    }
    m_left = count < m_steps ? m_steps - count : 0;
    return m_stop.stop_requested();
  }

 private:
  static constexpr std::size_t kSteps = 4096;

  std::stop_token m_stop = currentStop();
  std::size_t m_steps;
  std::size_t m_left;
  WorkMeter* m_meter = nullptr;
};

/// Cancelled: the caller's work was stopped.
[[nodiscard]] inline tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "stopped");
}

}  // namespace ulp
