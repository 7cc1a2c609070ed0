#include "core/engine/cuda/worst_search.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::engine::cuda {
namespace {

/// The places of `values`, largest first, found by `threads` threads together.
std::vector<std::int32_t> ranking(const std::vector<double>& values, std::int32_t threads) {
  const auto valueAt = [&](std::int32_t place) { return values[place]; };
  std::vector<std::int32_t> places;
  Ranked last = beforeAll();
  for (;;) {
    Ranked best;
    for (std::int32_t thread = 0; thread < threads; ++thread) {
      const Ranked own =
          bestAfter(last, thread, threads, static_cast<std::int32_t>(values.size()), valueAt);
      best = isBefore(own, best) ? own : best;
    }
    if (best.value <= 0) {
      return places;
    }
    last = best;
    places.push_back(best.place);
  }
}

TEST(WorstSearch, RanksByValueAndThenByPlace) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values{1, 0, 3, 3, infinity, 0x1p-1074, 1, infinity};
  const std::vector<std::int32_t> expected{4, 7, 2, 3, 0, 6, 5};
  for (const std::int32_t threads : {1, 2, 3, 8, 64}) {
    EXPECT_EQ(ranking(values, threads), expected) << threads;
  }
}

TEST(WorstSearch, PassesOverPairsThatAreNotCompared) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(comparedMagnitude(1, nan), 0);
  EXPECT_EQ(comparedMagnitude(-std::numeric_limits<double>::infinity(), 1), 0);
  EXPECT_EQ(comparedMagnitude(1, -2), 3);
}

}  // namespace
}  // namespace ulp::engine::cuda
