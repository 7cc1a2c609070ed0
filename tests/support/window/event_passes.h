#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>

namespace ulp::test {

/// How long the GUI thread was away from its event loop.
struct Stall {
  double elapsedMs = 0;
  double processorMs = 0;  ///< without what other programs took of the machine
};

/// Runs the event loop of the calling thread pass by pass and remembers the longest one: nothing
/// that the user does is answered before a pass has ended.
class EventPasses {
 public:
  using Clock = std::chrono::steady_clock;

  /// False when `limitSeconds` pass before `isDone` holds.
  template <class Condition>
  bool runUntil(Condition isDone, double limitSeconds) {
    const auto start = Clock::now();
    while (!isDone()) {
      if (seconds(start) > limitSeconds) {
        return false;
      }
      runOnce();
    }
    return true;
  }

  void runOnce() {
    const auto start = Clock::now();
    const double processor = processorSeconds();
    QCoreApplication::processEvents(QEventLoop::AllEvents);
    const Stall pass{.elapsedMs = seconds(start) * 1e3,
                     .processorMs = (processorSeconds() - processor) * 1e3};
    m_longest.elapsedMs = std::max(m_longest.elapsedMs, pass.elapsedMs);
    m_longest.processorMs = std::max(m_longest.processorMs, pass.processorMs);
    if (pass.elapsedMs < 0.2) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  [[nodiscard]] const Stall& longest() const { return m_longest; }
  void forget() { m_longest = {}; }

  [[nodiscard]] static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  }

  /// Of the calling thread.
  [[nodiscard]] static double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + (static_cast<double>(now.tv_nsec) * 1e-9);
  }

 private:
  Stall m_longest;
};

}  // namespace ulp::test
