#pragma once

#include <stop_token>

namespace ulp {

/// Says that what the calling thread does from here on is work that somebody may stop. Below it,
/// what waits for long asks currentStop(), so that no reader has to hand a token through. Scopes
/// nest: the innermost counts. runOnThreads() hands the scope of its caller on to its threads.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token m_before;
};

/// The token of the calling thread's innermost scope; outside of all, one that never stops.
[[nodiscard]] std::stop_token currentStop();

}  // namespace ulp
