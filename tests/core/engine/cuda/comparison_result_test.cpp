#include "core/engine/cuda/comparison_result.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace ulp::engine::cuda {
namespace {

using numerics::Moments;

TEST(ComparisonResult, FollowsTensorsOfMoreElementsThanThirtyTwoBitsCount) {
  constexpr std::uint64_t kBefore = std::uint64_t{1} << 33U;
  Moments total;
  total.count = kBefore;
  total.compared = kBefore - 1;
  total.equal = kBefore - 3;
  total.differenceHistogram.resize(numerics::kHistogramBins);
  total.differenceHistogram[0] = kBefore - 3;
  total.worst = {{.flat = kBefore - 1, .reference = 1, .candidate = 3}};

  Totals totals{};
  totals.histogram[700] = 2;
  totals.excluded[kNaN * kElementKinds + kNaN] = 1;
  const Sums sums{.absoluteDifference = 5};
  addResult(total,
            {.count = 10,
             .totals = &totals,
             .sumsOfChunks = &sums,
             .worst = {{.flat = 9, .reference = 0, .candidate = -2},
                       {.flat = 4, .reference = 0, .candidate = 3}}},
            3);

  EXPECT_EQ(total.count, kBefore + 10);
  EXPECT_EQ(total.compared, kBefore + 8);
  EXPECT_EQ(total.equal, kBefore + 5);
  EXPECT_EQ(total.differenceHistogram[0], kBefore + 4);
  EXPECT_EQ(total.differenceHistogram[700], 2U);
  EXPECT_EQ(total.sumAbsoluteDifference, 5);
  ASSERT_EQ(total.worst.size(), 3U);
  EXPECT_EQ(total.worst[0].flat, kBefore + 4);
  EXPECT_EQ(total.worst[1].flat, kBefore - 1);
  EXPECT_EQ(total.worst[2].flat, kBefore + 9);
}

}  // namespace
}  // namespace ulp::engine::cuda
