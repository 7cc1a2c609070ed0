#include "core/analysis/reports/stoppable_comparison.h"

#include <bit>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/tokens/token_errors.h"
#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {
namespace {

std::vector<float> wave(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::sin(static_cast<float>(i) * step);
  }
  return values;
}

numerics::TensorView viewOf(const std::vector<float>& values) {
  return {values.data(), DType::Float32, {static_cast<std::int64_t>(values.size())}};
}

TEST(StoppableComparison, GivesTheBitsOfOneCall) {
  // Several pieces, the last of them short.
  const std::vector<float> a = wave((std::size_t{1} << 21) + 12345, 0.37F);
  const std::vector<float> b = wave(a.size(), 0.3700001F);
  numerics::Comparer comparer;
  const auto whole = comparer.compare(viewOf(a), viewOf(b));
  const auto pieces = compareStoppably(comparer, viewOf(a), viewOf(b), {});
  ASSERT_TRUE(whole && pieces);
  EXPECT_EQ(pieces->count, a.size());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(pieces->sumSquaredDifference),
            std::bit_cast<std::uint64_t>(whole->sumSquaredDifference));
  EXPECT_EQ(pieces->differenceHistogram, whole->differenceHistogram);
  ASSERT_EQ(pieces->worst.size(), whole->worst.size());
  for (std::size_t i = 0; i < whole->worst.size(); ++i) {
    EXPECT_EQ(pieces->worst[i].flat, whole->worst[i].flat);
  }
}

TEST(StoppableComparison, StopsBetweenPieces) {
  const std::vector<float> a = wave(std::size_t{1} << 21, 0.37F);
  numerics::Comparer comparer;
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = compareStoppably(comparer, viewOf(a), viewOf(a), stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
}

TEST(StoppableComparison, RefusesOtherShapes) {
  const std::vector<float> a = wave(10, 0.37F);
  const std::vector<float> b = wave(11, 0.37F);
  numerics::Comparer comparer;
  EXPECT_EQ(compareStoppably(comparer, viewOf(a), viewOf(b), {}).error().code(),
            ErrorCode::InvalidArgument);
}

TEST(StoppableComparison, PartsOfATensorStopToo) {
  const std::vector<float> a = wave(64, 0.37F);
  const numerics::TensorView view{a.data(), DType::Float32, {8, 8}};
  numerics::Comparer comparer;
  const numerics::MetricRegistry metrics = numerics::elementMetrics();
  const numerics::Metric& metric = metrics.all().front();
  std::stop_source stop;
  EXPECT_TRUE(tokenErrors(view, view, metric, comparer, stop.get_token()));
  stop.request_stop();
  EXPECT_EQ(tokenErrors(view, view, metric, comparer, stop.get_token()).error().code(),
            ErrorCode::Cancelled);
  EXPECT_EQ(headErrors(view, view, 4, metric, comparer, stop.get_token()).error().code(),
            ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
