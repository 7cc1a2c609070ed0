#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/metric_math.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::numerics {
namespace {

using testing::OwnedTensor;

using test::kInfinity;

double metricOf(std::string_view id, const Moments& moments) {
  const MetricRegistry registry = builtinMetrics();
  const auto index = registry.indexOf(id);
  EXPECT_TRUE(index) << id;
  return index ? registry.all()[*index].value(moments) : std::nan("");
}

double metricOf(std::string_view id,
                const std::vector<double>& reference,
                const std::vector<double>& candidate,
                DType dtype = DType::Float32) {
  const OwnedTensor r(dtype, reference);
  const OwnedTensor v(dtype, candidate);
  return metricOf(id, compare(r.view(), v.view()).value());
}

TEST(Metrics, HaveTheValuesOfTheirDefinitions) {
  const std::vector<double> r{3, 4, 0, 1};
  const std::vector<double> v{3, 5, 0.5, 1};
  EXPECT_DOUBLE_EQ(metricOf("rms_diff", r, v), std::sqrt(1.25 / 4));
  EXPECT_DOUBLE_EQ(metricOf("ref_scale", r, v), std::sqrt(26.0 / 4));
  EXPECT_DOUBLE_EQ(metricOf("rms_rel", r, v), std::sqrt(1.25 / 26));
  EXPECT_DOUBLE_EQ(metricOf("mean_abs_diff", r, v), 1.5 / 4);
  EXPECT_EQ(metricOf("max_diff", r, v), 1);
  EXPECT_EQ(metricOf("max_rel", r, v), 0.25);
  EXPECT_DOUBLE_EQ(metricOf("cosine", r, v), 30 / std::sqrt(26 * 35.25));
  EXPECT_DOUBLE_EQ(metricOf("sqnr_db", r, v), 10 * std::log10(26 / 1.25));
  EXPECT_EQ(metricOf("equal_fraction", r, v), 0.5);
}

TEST(Metrics, SymmetricDifferenceIsThatOfSGLang) {
  EXPECT_DOUBLE_EQ(metricOf("symmetric_diff", {3, 4, 0, 1}, {3, 5, 0.5, 1}), 1 - 60 / 61.25);
  EXPECT_DOUBLE_EQ(metricOf("symmetric_diff", {3, 5, 0.5, 1}, {3, 4, 0, 1}), 1 - 60 / 61.25);
  EXPECT_EQ(metricOf("symmetric_diff", {3, -4}, {3, -4}), 0);
  EXPECT_EQ(metricOf("symmetric_diff", {3, -4}, {-3, 4}), 2);
}

TEST(Metrics, OfFastLlmHaveItsFloorUnderTheScale) {
  const std::vector<double> r{3e-5, 4e-5, 0, 1e-5};
  const std::vector<double> v{3e-5, 5e-5, 0, 1e-5};
  EXPECT_DOUBLE_EQ(metricOf("rms_rel_regularized", r, v, DType::Float64),
                   std::sqrt(1e-10 / 4) / std::sqrt(26e-10 / 4 + 1e-8));
  const std::vector<double> zeros(4, 0.0);
  EXPECT_DOUBLE_EQ(metricOf("rms_rel_regularized", zeros, {1e-4, 1e-4, 1e-4, 1e-4}, DType::Float64),
                   1)
      << "defined where the reference is zero";
  EXPECT_DOUBLE_EQ(metricOf("max_rel_regularized", r, v, DType::Float64),
                   1e-5 / std::sqrt(26e-10 / 4 + 1e-8));
  EXPECT_DOUBLE_EQ(metricOf("max_rel_regularized", zeros, {0, -2e-4, 1e-4, 0}, DType::Float64), 2);
  EXPECT_DOUBLE_EQ(metricOf("max_rel_regularized", {3, 4, 0, 1}, {3, 4, 0.5, 0}),
                   1 / std::sqrt(26.0 / 4 + 1e-8));
  EXPECT_EQ(metricOf("max_rel_regularized", r, r, DType::Float64), 0);
}

TEST(Metrics, OfMsprobeAreRelativeToTheSameStatistic) {
  const MetricRegistry registry = builtinMetrics();
  const auto valueOf = [&](std::string_view id, const TensorStatistics& v) {
    const TensorStatistics r{.max = 4, .min = -0.001, .mean = 0, .norm = 10, .count = 100};
    return registry.all()[*registry.indexOf(id)].ofStatistics(r, v);
  };
  const TensorStatistics v{.max = 3, .min = -0.003, .mean = 0, .norm = 11, .count = 100};
  EXPECT_DOUBLE_EQ(valueOf("msprobe.max_rel", v), 0.25);
  EXPECT_DOUBLE_EQ(valueOf("msprobe.min_rel", v), 2);
  EXPECT_EQ(valueOf("msprobe.mean_rel", v), 0);
  EXPECT_DOUBLE_EQ(valueOf("stat.norm_rel", v), 0.1);
  EXPECT_DOUBLE_EQ(valueOf("stat.min_rel", v), 0.002 / 4) << "in units of the amplitude";
  TensorStatistics shifted = v;
  shifted.mean = 0.5;
  EXPECT_TRUE(std::isnan(valueOf("msprobe.mean_rel", shifted)));
  EXPECT_TRUE(std::isnan(valueOf("msprobe.max_rel", {.count = 100})));
}

TEST(Metrics, CountUlpInTheCoarserFormat) {
  const std::vector<double> r{1, 2, 4, 8};
  const std::vector<double> v{1 + 0x1p-7, 2, 4 + 0x1p-4, 8};
  EXPECT_EQ(metricOf("ulp.mean", r, v, DType::BFloat16), 0.75);
  EXPECT_EQ(metricOf("ulp.max", r, v, DType::BFloat16), 2);
}

TEST(Metrics, AreUndefinedWhereNothingIsCompared) {
  const std::vector<double> nan{std::nan("")};
  const std::vector<double> one{1};
  EXPECT_TRUE(std::isnan(metricOf("max_rel_regularized", nan, one)));
  const MetricRegistry registry = elementMetrics();
  for (const Metric& metric : registry.all()) {
    const double value = metricOf(metric.id, nan, one);
    if (metric.id == "equal_fraction") {
      EXPECT_EQ(value, 0);
    } else {
      EXPECT_TRUE(std::isnan(value)) << metric.id << " " << value;
    }
  }
}

TEST(Metrics, RelativeToAZeroReferenceAreUndefined) {
  const std::vector<double> zeros(5, 0.0);
  const std::vector<double> ones(5, 1.0);
  for (const char* id : {"rms_rel", "max_rel", "cosine", "sqnr_db"}) {
    EXPECT_TRUE(std::isnan(metricOf(id, zeros, ones))) << id;
    EXPECT_TRUE(std::isnan(metricOf(id, zeros, zeros))) << id;
  }
  EXPECT_EQ(metricOf("ref_scale", zeros, ones), 0);
}

TEST(Metrics, OfSquaresBeyondFloat64AreUndefinedAndNotPerfect) {
  const std::vector<double> r{1e200, 1e200};
  const std::vector<double> v{1e200, 1.1e200};
  const std::vector<double> near{1e200 + 1e185, 1e200};
  for (const char* id :
       {"rms_rel", "sqnr_db", "cosine", "rms_rel_regularized", "max_rel_regularized"}) {
    EXPECT_TRUE(std::isnan(metricOf(id, r, v, DType::Float64))) << id;
    EXPECT_TRUE(std::isnan(metricOf(id, r, near, DType::Float64))) << id;
    EXPECT_TRUE(std::isnan(metricOf(id, {1e200, 1}, {1e200, 2}, DType::Float64))) << id;
  }
  EXPECT_NEAR(metricOf("max_rel", r, v, DType::Float64), 0.1, 1e-15);
  const OwnedTensor reference(DType::Float64, r);
  const OwnedTensor candidate(DType::Float64, std::vector<double>{1, 1});
  EXPECT_TRUE(std::isnan(gainError(compare(reference.view(), candidate.view()).value())))
      << "not -100 %";
}

TEST(Metrics, OfDifferencesBeyondFloat64AreInfinite) {
  const std::vector<double> r{-1e308, 1};
  const std::vector<double> v{1e308, 1};
  EXPECT_EQ(metricOf("max_diff", r, v, DType::Float64), kInfinity);
  EXPECT_EQ(metricOf("max_rel", r, v, DType::Float64), kInfinity);
  EXPECT_EQ(metricOf("rms_diff", r, v, DType::Float64), kInfinity);
  EXPECT_EQ(metricOf("equal_fraction", r, v, DType::Float64), 0.5);
  EXPECT_EQ(metricOf("rms_rel", {1}, {1e200}, DType::Float64), kInfinity);
  EXPECT_EQ(metricOf("sqnr_db", {1}, {1e200}, DType::Float64), -kInfinity);
}

TEST(Metrics, OfTinyFloat64StillHaveALargestRelativeDifference) {
  // The squares are 0, as of a reference that is.
  EXPECT_EQ(metricOf("max_rel", {0x1p-1000}, {0x1.8p-1000}, DType::Float64), 0.5);
  EXPECT_EQ(metricOf("ulp.max", {0x1p-1074}, {0x1p-1072}, DType::Float64), 3);
  EXPECT_EQ(metricOf("ulp.max", {0x1p-149}, {0x1p-147}, DType::Float32), 3);
}

TEST(Metrics, OfIntegersAndBoolsCountSteps) {
  EXPECT_EQ(metricOf("ulp.max", {-128, 127}, {127, 127}, DType::Int8), 255);
  EXPECT_EQ(metricOf("equal_fraction", {-128, 127}, {127, 127}, DType::Int8), 0.5);
  EXPECT_EQ(metricOf("mean_abs_diff", {1, 0, 1, 1}, {1, 1, 0, 1}, DType::Bool), 0.5);
  EXPECT_EQ(metricOf("cosine", {1, 0}, {0, 1}, DType::Bool), 0);
}

TEST(Metrics, OfInt64AreThoseOfTheNearestFloat64) {
  const std::vector<std::int64_t> r{std::int64_t{1} << 53, std::int64_t{1} << 53};
  const std::vector<std::int64_t> v{r[0] + 1, r[0] + 2};
  const Moments moments =
      compare({r.data(), DType::Int64, {2}}, {v.data(), DType::Int64, {2}}).value();
  EXPECT_EQ(metricOf("equal_fraction", moments), 0.5);
  EXPECT_EQ(metricOf("max_diff", moments), 2);
}

TEST(Metrics, OfOneElementAreThoseOfItsPair) {
  EXPECT_EQ(metricOf("rms_rel", {-2}, {-3}), 0.5);
  EXPECT_EQ(metricOf("cosine", {-2}, {3}), -1);
  EXPECT_EQ(metricOf("quantiles.p999", {-2}, {-3}), 1);
}

TEST(Cosine, StaysInRangeForHugeAndTinyFloat64) {
  const std::vector<double> huge(3, 1e90);
  const std::vector<double> tiny(3, 1e-100);
  EXPECT_NEAR(metricOf("cosine", huge, huge, DType::Float64), 1, 1e-15);
  EXPECT_NEAR(metricOf("cosine", tiny, tiny, DType::Float64), 1, 1e-15);
  EXPECT_NEAR(metricOf("cosine", huge, std::vector<double>(3, -1e90), DType::Float64), -1, 1e-15);
}

TEST(SqnrDb, IsInfiniteForEqualTensors) {
  EXPECT_EQ(metricOf("sqnr_db", {1, 2}, {1, 2}), kInfinity);
}

TEST(Quantiles, AreExactForZeroAndWithinAnEighthOctaveElsewhere) {
  std::vector<double> r(1000, 0.0);
  std::vector<double> v(1000, 0.0);
  for (std::size_t i = 0; i < 400; ++i) {
    v[i] = std::ldexp(1.0 + static_cast<double>(i) / 400, -10);
  }
  EXPECT_EQ(metricOf("quantiles.p50", r, v), 0);
  // Rank 900 of 1000 is element 299 in ascending order of the 400.
  EXPECT_NEAR(metricOf("quantiles.p90", r, v), v[299], v[299] / 400);
  EXPECT_NEAR(metricOf("quantiles.p99", r, v), v[389], v[389] / 400);
  EXPECT_LE(metricOf("quantiles.p999", r, v), v[399]);
}

TEST(Quantiles, NeverExceedTheMaximum) {
  const std::vector<double> r(10, 0.0);
  const std::vector<double> v(10, 1.001);
  EXPECT_EQ(metricOf("max_diff", r, v), static_cast<double>(1.001F));
  for (const char* id : {"quantiles.p50", "quantiles.p90", "quantiles.p99", "quantiles.p999"}) {
    EXPECT_LE(metricOf(id, r, v), static_cast<double>(1.001F)) << id;
    EXPECT_GE(metricOf(id, r, v), 1) << id;
  }
}

TEST(Quantiles, BeyondTheBinsOnlyTheLargestIsKnown) {
  const std::vector<double> r(4, 0.0);
  for (const double value : {0x1p300, 0x1p160, 0x1p-161, 1e-300}) {
    const std::vector<double> v(4, value);
    EXPECT_TRUE(std::isnan(metricOf("quantiles.p50", r, v, DType::Float64))) << value;
    EXPECT_EQ(metricOf("quantiles.p999", r, v, DType::Float64), value);
  }
  const std::vector<double> mixed{1e-300, 1e-60, 1, 0x1p200};
  EXPECT_TRUE(std::isnan(metricOf("quantiles.p50", r, mixed, DType::Float64)));
  EXPECT_EQ(metricOf("quantiles.p90", r, mixed, DType::Float64), 0x1p200);
  const std::vector<double> within{0x1p-159, 0x1p-159, 0x1.fp159, 0x1.fp159};
  EXPECT_NEAR(metricOf("quantiles.p50", r, within, DType::Float64), 0x1p-159, 0x1p-162);
  EXPECT_NEAR(metricOf("quantiles.p90", r, within, DType::Float64), 0x1.fp159, 0x1p156);
}

}  // namespace
}  // namespace ulp::numerics
