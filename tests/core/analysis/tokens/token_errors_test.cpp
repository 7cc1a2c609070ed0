#include "core/analysis/tokens/token_errors.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using numerics::TensorView;

const numerics::Metric& metricOf(std::string_view id) {
  static const numerics::MetricRegistry kRegistry = numerics::elementMetrics();
  return kRegistry.all()[kRegistry.indexOf(id).value()];
}

TensorView view(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  return {.data = values.data(), .dtype = DType::Float32, .shape = std::move(shape)};
}

TEST(TokenErrors, ComparesEveryTokenByItself) {
  // Two batches of two tokens with three channels.
  const std::vector<float> reference{3, 0, 4, 1, 0, 0, 0, 2, 0, 0, 0, 0};
  std::vector<float> variant = reference;
  variant[0] += 1;  // token 0: |d| = 1, |r| = 5
  variant[7] -= 1;  // token 2: |d| = 1, |r| = 2
  numerics::Comparer comparer;
  const Result<PartErrors> errors = tokenErrors(
      view(reference, {2, 2, 3}), view(variant, {2, 2, 3}), metricOf("rms_rel"), comparer);
  ASSERT_TRUE(errors.has_value()) << errors.error().message();
  ASSERT_EQ(errors->values.size(), 4U);
  EXPECT_DOUBLE_EQ(errors->values[0], 0.2);
  EXPECT_DOUBLE_EQ(errors->values[1], 0);
  EXPECT_DOUBLE_EQ(errors->values[2], 0.5);
  EXPECT_TRUE(std::isnan(errors->values[3]));  // an all-zero reference
}

TEST(TokenErrors, CountsWhatIsNotANumberInItsOwnToken) {
  const std::vector<float> reference{1, 1, 1, 1};
  const std::vector<float> variant{1, std::numeric_limits<float>::quiet_NaN(), 2, 1};
  numerics::Comparer comparer;
  const Result<PartErrors> errors =
      tokenErrors(view(reference, {2, 2}), view(variant, {2, 2}), metricOf("max_diff"), comparer);
  ASSERT_TRUE(errors.has_value()) << errors.error().message();
  EXPECT_EQ(errors->nonFinite, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(errors->values[1], 1);
}

TEST(TokenErrors, HeadsAreRunsOfChannelsOverAllTokens) {
  // Two tokens, two heads of two channels.
  const std::vector<float> reference{3, 0, 1, 0, 0, 4, 0, 1};
  std::vector<float> variant = reference;
  variant[5] = 5;  // token 1, head 0
  numerics::Comparer comparer;
  const auto errorsOf = [&](std::int64_t headSize) {
    return headErrors(view(reference, {1, 2, 4}),
                      view(variant, {1, 2, 4}),
                      headSize,
                      metricOf("rms_rel"),
                      comparer);
  };
  const Result<PartErrors> errors = errorsOf(2);
  ASSERT_TRUE(errors.has_value()) << errors.error().message();
  ASSERT_EQ(errors->values.size(), 2U);
  EXPECT_DOUBLE_EQ(errors->values[0], 0.2);
  EXPECT_DOUBLE_EQ(errors->values[1], 0);
  EXPECT_EQ(errorsOf(3).error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(errorsOf(0).error().code(), ErrorCode::InvalidArgument);
}

TEST(TokenErrors, RefusesWhatHasNoTokens) {
  const std::vector<float> values{1, 2, 3, 4};
  numerics::Comparer comparer;
  const auto code = [&](const TensorView& a, const TensorView& b) {
    return tokenErrors(a, b, metricOf("rms_rel"), comparer).error().code();
  };
  EXPECT_EQ(code(view(values, {4}), view(values, {4})), ErrorCode::InvalidArgument);
  EXPECT_EQ(code(view(values, {2, 2}), view(values, {4, 1})), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::analysis
