#pragma once

#include <chrono>
#include <optional>

namespace ulp::views {

/// Tells from how far work has come how long the rest takes. Counts from the first progress on:
/// what came before (waiting for a thread, opening files) is not what the rest is made of.
class RemainingTime {
 public:
  using Clock = std::chrono::steady_clock;

  /// `fraction` of the work, from 0 to 1, is done.
  void progressed(double fraction, Clock::time_point now) {
    if (fraction != m_fraction) {
      m_fraction = fraction;
      m_last = now;
    }
    if (!m_begin && fraction > 0) {
      m_begin = now;
      m_first = fraction;
    }
  }
  /// Nothing while too little is done to tell, and when it should be over and is not.
  [[nodiscard]] std::optional<double> secondsLeft(Clock::time_point now) const {
    constexpr double kLeastFraction = 0.02;
    const double done = m_fraction - m_first;
    if (!m_begin || done < kLeastFraction) {
      return std::nullopt;
    }
    const auto seconds = [](Clock::duration time) {
      return std::chrono::duration<double>(time).count();
    };
    // What has told nothing for a while goes on all the same.
    const double left =
        seconds(m_last - *m_begin) * (1 - m_fraction) / done - seconds(now - m_last);
    return left >= 0 ? std::optional(left) : std::nullopt;
  }

 private:
  std::optional<Clock::time_point> m_begin;
  Clock::time_point m_last;  ///< of progress
  double m_first = 0;        ///< done at m_begin
  double m_fraction = 0;
};

}  // namespace ulp::views
