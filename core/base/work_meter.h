#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

namespace ulp {

/// How far a piece of work is, in steps, for whoever waits for it on another thread.
class WorkMeter {
 public:
  /// More is to be done than was known so far.
  void expect(std::uint64_t steps) { m_expected += steps; }
  void advance(std::uint64_t steps) { m_done += steps; }
  /// From 0 to 1; 0 while nothing is expected.
  [[nodiscard]] double fraction() const {
    const auto expected = static_cast<double>(m_expected);
    return expected > 0 ? std::min(1.0, static_cast<double>(m_done) / expected) : 0;
  }

 private:
  std::atomic<std::uint64_t> m_expected = 0;
  std::atomic<std::uint64_t> m_done = 0;
};

/// Has a meter tell of what the calling thread does from here on. Below it, what takes long finds
/// the meter by current(), so that no writer has to hand one through. Scopes nest: the innermost
/// counts.
class MeterScope {
 public:
  /// The meter must outlive the scope.
  explicit MeterScope(WorkMeter& meter) : m_before(std::exchange(ofThisThread(), &meter)) {}
  ~MeterScope() { ofThisThread() = m_before; }
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;

  /// The meter of the calling thread's innermost scope; outside of all, one that nobody reads.
  [[nodiscard]] static WorkMeter& current() {
    thread_local WorkMeter unread;
    return ofThisThread() == nullptr ? unread : *ofThisThread();
  }

 private:
  static WorkMeter*& ofThisThread() {
    thread_local WorkMeter* meter = nullptr;
    return meter;
  }

  WorkMeter* m_before;
};

/// Gives a function that tells the meter of the caller's work (MeterScope) how much of a total is
/// done, for whoever reports it so. Calls come one after the other.
[[nodiscard]] inline auto metered() {
  return [&meter = MeterScope::current(), expected = std::uint64_t{0}, before = std::uint64_t{0}](
             std::uint64_t done, std::uint64_t total) mutable {
    meter.expect(total - std::min(total, std::exchange(expected, std::max(expected, total))));
    meter.advance(done - std::min(done, std::exchange(before, std::max(before, done))));
  };
}

}  // namespace ulp
