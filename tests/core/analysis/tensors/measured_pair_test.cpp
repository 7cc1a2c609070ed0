#include "core/analysis/tensors/measured_pair.h"

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

tensors::Tensor tensorOf(const std::vector<float>& values) {
  return {.view = {values.data(), DType::Float32, {static_cast<std::int64_t>(values.size())}},
          .owner = nullptr};
}

TEST(MeasuredPair, GivesTheBitsOfOneCall) {
  // Several pieces, the last of them short.
  const std::vector<float> a = wave((std::size_t{1} << 21) + 12345, 0.37F);
  const std::vector<float> b = wave(a.size(), 0.3700001F);
  numerics::Comparer comparer;
  const auto whole = comparer.compare(tensorOf(a).view, tensorOf(b).view);
  const auto measured = measure(tensorOf(a), tensorOf(b), comparer, {}, {});
  ASSERT_TRUE(whole && measured);
  const numerics::Moments* const pieces = &measured->moments;
  EXPECT_EQ(pieces->count, a.size());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(pieces->sumSquaredDifference),
            std::bit_cast<std::uint64_t>(whole->sumSquaredDifference));
  EXPECT_EQ(pieces->differenceHistogram, whole->differenceHistogram);
  ASSERT_EQ(pieces->worst.size(), whole->worst.size());
  for (std::size_t i = 0; i < whole->worst.size(); ++i) {
    EXPECT_EQ(pieces->worst[i].flat, whole->worst[i].flat);
  }
}

TEST(MeasuredPair, StopsBetweenPieces) {
  const std::vector<float> a = wave(std::size_t{1} << 21, 0.37F);
  numerics::Comparer comparer;
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = measure(tensorOf(a), tensorOf(a), comparer, {}, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
}

TEST(MeasuredPair, RefusesOtherShapes) {
  const std::vector<float> a = wave(10, 0.37F);
  const std::vector<float> b = wave(11, 0.37F);
  numerics::Comparer comparer;
  EXPECT_EQ(measure(tensorOf(a), tensorOf(b), comparer, {}, {}).error().code(),
            ErrorCode::InvalidArgument);
}

TEST(MeasuredPair, PartsOfATensorStopToo) {
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
