#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/machine/content_of.h"

/// What every registered metric owes, run over all of them.
namespace ulp::numerics {
namespace {

using testing::OwnedTensor;
using testing::PairValues;
using testing::randomPair;

using test::kInfinity;

/// Pairs of the elements that are finite in both tensors.
using Pairs = std::vector<std::pair<long double, long double>>;

long double sumOf(const Pairs& pairs,
                  const std::function<long double(long double r, long double v)>& term) {
  long double sum = 0;
  for (const auto& [r, v] : pairs) {
    sum += term(r, v);
  }
  return sum;
}

long double largest(const Pairs& pairs,
                    const std::function<long double(long double r, long double v)>& term) {
  long double value = 0;
  for (const auto& [r, v] : pairs) {
    value = std::max(value, term(r, v));
  }
  return value;
}

long double quantile(const Pairs& pairs, long double q) {
  std::vector<long double> magnitudes;
  for (const auto& [r, v] : pairs) {
    magnitudes.push_back(std::abs(v - r));
  }
  std::sort(magnitudes.begin(), magnitudes.end());
  const auto rank = static_cast<std::size_t>(
      std::max(std::ceil(q * static_cast<long double>(magnitudes.size())) - 1, 0.0L));
  return magnitudes.at(rank);
}

long double float32Ulps(long double r, long double v) {
  const auto next =
      std::nextafter(std::abs(static_cast<float>(r)), std::numeric_limits<float>::infinity());
  return std::abs(v - r) / (next - std::abs(r));
}

using Definition = std::function<long double(const Pairs&)>;

/// Every metric by its textbook formula, float32 against float32.
std::map<std::string, Definition> definitions() {
  const auto d2 = [](long double r, long double v) { return (v - r) * (v - r); };
  const auto d1 = [](long double r, long double v) { return std::abs(v - r); };
  const auto r2 = [](long double r, long double) { return r * r; };
  const auto v2 = [](long double, long double v) { return v * v; };
  const auto rv = [](long double r, long double v) { return r * v; };
  const auto rel = [](long double r, long double v) {
    return r == 0 ? 0 : std::abs(v - r) / std::abs(r);
  };
  const auto n = [](const Pairs& p) { return static_cast<long double>(p.size()); };
  return {
      {"rms_rel", [=](const Pairs& p) { return std::sqrt(sumOf(p, d2) / sumOf(p, r2)); }},
      {"rms_rel_regularized",
       [=](const Pairs& p) { return std::sqrt(sumOf(p, d2) / (sumOf(p, r2) + 1e-8L * n(p))); }},
      {"rms_diff", [=](const Pairs& p) { return std::sqrt(sumOf(p, d2) / n(p)); }},
      {"ref_scale", [=](const Pairs& p) { return std::sqrt(sumOf(p, r2) / n(p)); }},
      {"mean_abs_diff", [=](const Pairs& p) { return sumOf(p, d1) / n(p); }},
      {"max_diff", [=](const Pairs& p) { return largest(p, d1); }},
      {"max_rel", [=](const Pairs& p) { return largest(p, rel); }},
      {"cosine",
       [=](const Pairs& p) { return sumOf(p, rv) / std::sqrt(sumOf(p, r2) * sumOf(p, v2)); }},
      {"sqnr_db", [=](const Pairs& p) { return 10 * std::log10(sumOf(p, r2) / sumOf(p, d2)); }},
      {"equal_fraction",
       [=](const Pairs& p) {
         return sumOf(p, [](long double r, long double v) { return r == v ? 1 : 0; }) / n(p);
       }},
      {"ulp.mean", [=](const Pairs& p) { return sumOf(p, float32Ulps) / n(p); }},
      {"ulp.max", [=](const Pairs& p) { return largest(p, float32Ulps); }},
      {"quantiles.p50", [](const Pairs& p) { return quantile(p, 0.5L); }},
      {"quantiles.p90", [](const Pairs& p) { return quantile(p, 0.9L); }},
      {"quantiles.p99", [](const Pairs& p) { return quantile(p, 0.99L); }},
      {"quantiles.p999", [](const Pairs& p) { return quantile(p, 0.999L); }},
  };
}

/// Value between a tensor and itself.
double neutral(const Metric& metric, double refScale) {
  if (metric.id == "ref_scale") {
    return refScale;
  }
  if (metric.id == "sqnr_db") {
    return kInfinity;
  }
  return metric.better == Better::Higher ? 1 : 0;
}

Moments momentsOf(const PairValues& values, DType dtype = DType::Float32) {
  const OwnedTensor r(dtype, values.reference);
  const OwnedTensor v(dtype, values.candidate);
  return compare(r.view(), v.view()).value();
}

class EveryMetric : public ::testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] const Metric& metric() const { return m_registry.all()[GetParam()]; }

 private:
  MetricRegistry m_registry = elementMetrics();
};

TEST_P(EveryMetric, DescribesItself) {
  EXPECT_FALSE(metric().id.empty());
  EXPECT_FALSE(metric().label.empty());
  EXPECT_FALSE(metric().formula.empty());
  ASSERT_NE(metric().value, nullptr);
}

TEST_P(EveryMetric, IsDefinedInTheManual) {
  const std::string manual = test::contentOf(ULP_SOURCE_DIR "/docs/metrics.md");
  EXPECT_NE(manual.find("| `" + metric().id + "` |"), std::string::npos);
}

TEST_P(EveryMetric, IsNeutralOnEqualInput) {
  const std::vector<double> values{1, -2, 3, 0.125, 1e-20, 7};
  const double refScale = std::sqrt((1 + 4 + 9 + 0.015625 + 49) / 6);
  EXPECT_DOUBLE_EQ(metric().value(momentsOf({values, values})), neutral(metric(), refScale));
}

TEST_P(EveryMetric, ExcludesElementsThatAreNotFinite) {
  PairValues values = randomPair(1000, DType::Float32, DType::Float32, false);
  double expected = metric().value(momentsOf(values));
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    values.reference.insert(values.reference.end(), {bad, 1, bad});
    values.candidate.insert(values.candidate.end(), {1, bad, bad});
  }
  if (metric().id == "equal_fraction") {
    // The one that counts all elements: three more are equal, of nine.
    expected = (expected * 1000 + 3) / 1009;
  }
  EXPECT_DOUBLE_EQ(metric().value(momentsOf(values)), expected);
}

TEST_P(EveryMetric, IsUndefinedForEmptyTensors) {
  EXPECT_TRUE(std::isnan(metric().value(momentsOf({}))));
  EXPECT_TRUE(std::isnan(metric().value(Moments{})));
}

TEST_P(EveryMetric, OfMergedPiecesEqualsOnePass) {
  const std::size_t chunk = Comparer::kChunkElements;
  const PairValues values = randomPair(3 * chunk + 100, DType::Float32, DType::BFloat16, true);
  const OwnedTensor r(DType::Float32, values.reference);
  const OwnedTensor v(DType::BFloat16, values.candidate);
  Comparer comparer;
  Moments total;
  ASSERT_TRUE(comparer.accumulate(total, r.slice(0, 2 * chunk), v.slice(0, 2 * chunk)));
  ASSERT_TRUE(
      comparer.accumulate(total, r.slice(2 * chunk, chunk + 100), v.slice(2 * chunk, chunk + 100)));
  EXPECT_EQ(metric().value(total), metric().value(compare(r.view(), v.view()).value()));
}

TEST_P(EveryMetric, AgreesWithItsDefinition) {
  const auto all = definitions();
  const auto found = all.find(metric().id);
  ASSERT_NE(found, all.end()) << "add the definition of " << metric().id << " to this test";
  const PairValues values = randomPair(50'000, DType::Float32, DType::Float32, false);
  Pairs pairs;
  for (std::size_t i = 0; i < values.reference.size(); ++i) {
    pairs.emplace_back(static_cast<float>(values.reference[i]),
                       static_cast<float>(values.candidate[i]));
  }
  const auto expected = static_cast<double>(found->second(pairs));
  // Quantiles know the bin only, an eighth of an octave.
  const double tolerance = metric().id.starts_with("quantiles") ? 0.125 : 1e-13;
  EXPECT_NEAR(metric().value(momentsOf(values)), expected, tolerance * std::abs(expected));
}

std::string nameOfMetric(const ::testing::TestParamInfo<std::size_t>& info) {
  const MetricRegistry registry = elementMetrics();
  std::string name = registry.all()[info.param].id;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registered,
                         EveryMetric,
                         ::testing::Range<std::size_t>(0, elementMetrics().all().size()),
                         nameOfMetric);

TEST(MetricRegistry, HasTheMetricsOfTheReportInTheirOrder) {
  std::vector<std::string> ids;
  const MetricRegistry registry = elementMetrics();
  for (const Metric& metric : registry.all()) {
    ids.push_back(metric.id);
  }
  EXPECT_EQ(ids,
            (std::vector<std::string>{"rms_rel",
                                      "rms_diff",
                                      "ref_scale",
                                      "mean_abs_diff",
                                      "max_diff",
                                      "max_rel",
                                      "cosine",
                                      "sqnr_db",
                                      "equal_fraction",
                                      "ulp.mean",
                                      "ulp.max",
                                      "quantiles.p50",
                                      "quantiles.p90",
                                      "quantiles.p99",
                                      "quantiles.p999",
                                      "rms_rel_regularized"}));
}

TEST(MetricRegistry, FindsMetricsById) {
  const MetricRegistry registry = elementMetrics();
  EXPECT_EQ(registry.indexOf("rms_rel"), 0);
  EXPECT_EQ(registry.indexOf("no such metric"), std::nullopt);
}

TEST(MetricRegistry, HasUniqueIdsAndLabels) {
  std::set<std::string> ids;
  std::set<std::string> labels;
  const MetricRegistry registry = builtinMetrics();
  for (const Metric& metric : registry.all()) {
    EXPECT_TRUE(ids.insert(metric.id).second) << metric.id;
    EXPECT_TRUE(labels.insert(metric.label).second) << metric.label;
  }
}

}  // namespace
}  // namespace ulp::numerics
