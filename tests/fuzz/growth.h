#pragma once

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <malloc.h>
#include <string>

#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::test {

/// Makes inputs of about as many bytes as it is told.
using InputOf = std::function<std::string(std::size_t)>;
using WorkOnInput = std::function<void(const std::string&)>;

/// What one measurement of growthProblem() says.
///
/// Work that is done in a moment is done once, on kShort bytes: nobody waits for it. Other work is
/// done again on kFactor times as many. It may take kFactor times as long then, and at most twice
/// that, since caches are small; with the square of the bytes it would take kFactor² times as long.
inline std::string measuredGrowthProblem(const InputOf& inputOf, const WorkOnInput& work) {
  constexpr std::size_t kShort = std::size_t{1} << 17;
  constexpr std::size_t kFactor = 4;
  constexpr double kMostGrowth = 2.0 * kFactor;
  constexpr std::size_t kFewBytes = std::size_t{16} << 20;
  constexpr std::size_t kMostBytes = std::size_t{128} << 20;
  constexpr double kMostSeconds = 5;
  const double fewSeconds = 0.05 * sanitizerFactor();
  struct Cost {
    double seconds;
    double bytes;
  };
  const auto costOf = [&](std::size_t size) -> Cost {
    static const bool isMemoryKnown = MemoryPeak::works() && !isAddressSanitized();
    const std::string input = inputOf(size);
    // What earlier work left would be taken first.
    ::malloc_trim(0);
    const MemoryPeak peak;
    const double start = processSeconds();
    work(input);
    return {processSeconds() - start, isMemoryKnown ? static_cast<double>(peak.bytes()) : 0.0};
  };
  Cost cost = costOf(kShort);
  if (cost.seconds > kMostSeconds || cost.bytes > kMostBytes) {
    return fmt::format("{:.2f} s and {:.0f} bytes for {}", cost.seconds, cost.bytes, kShort);
  }
  if (cost.seconds < fewSeconds && cost.bytes < kFewBytes) {
    return "";
  }
  // The first time may have prepared what stays.
  cost.seconds = std::min(cost.seconds, costOf(kShort).seconds);
  const Cost longer = costOf(kFactor * kShort);
  const bool isSlower = longer.seconds > fewSeconds && longer.seconds > kMostGrowth * cost.seconds;
  const bool isLarger = longer.bytes > kFewBytes && longer.bytes > kMostGrowth * cost.bytes;
  if (!isSlower && !isLarger) {
    return "";
  }
  return fmt::format(
      "{:.2f} s and {:.0f} bytes become {:.2f} s and {:.0f} bytes for {} times as much",
      cost.seconds,
      cost.bytes,
      longer.seconds,
      longer.bytes,
      kFactor);
}

/// Says what of the work on inputs grows faster than they do; empty: nothing. A machine with other
/// work may give memory slowly, so that only what is seen three times counts.
inline std::string growthProblem(const InputOf& inputOf, const WorkOnInput& work) {
  constexpr int kMeasurements = 3;
  std::string problem;
  for (int i = 0; i < kMeasurements; ++i) {
    problem = measuredGrowthProblem(inputOf, work);
    if (problem.empty()) {
      break;
    }
  }
  return problem;
}

}  // namespace ulp::test
