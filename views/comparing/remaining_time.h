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
    m_fraction = fraction;
    if (!m_begin && fraction > 0) {
      m_begin = now;
      m_first = fraction;
    }
  }
  /// Nothing while too little is done to tell.
  [[nodiscard]] std::optional<double> secondsLeft(Clock::time_point now) const {
    constexpr double kLeastFraction = 0.02;
    const double done = m_fraction - m_first;
    if (!m_begin || done < kLeastFraction) {
      return std::nullopt;
    }
    return std::chrono::duration<double>(now - *m_begin).count() * (1 - m_fraction) / done;
  }

 private:
  std::optional<Clock::time_point> m_begin;
  double m_first = 0;  ///< done at m_begin
  double m_fraction = 0;
};

}  // namespace ulp::views
