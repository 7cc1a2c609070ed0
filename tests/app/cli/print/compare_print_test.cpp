#include "app/cli/print/compare_print.h"

#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::cli {
namespace {

using testing::ElementsAre;

using test::kNan;

report::Comparison row(const std::string& name, double error, std::uint64_t nan = 0) {
  const numerics::MetricRegistry metrics = numerics::builtinMetrics();
  report::Comparison row;
  row.site.name = name;
  row.metrics.assign(metrics.all().size(), kNan);
  row.metrics[*metrics.indexOf("rms_rel")] = error;
  row.variantNonFinite.nan = nan;
  return row;
}

std::vector<std::string> namesOf(const report::DataTable& table) {
  std::vector<std::string> names;
  for (const auto& cells : table.rows) {
    names.push_back(std::get<std::string>(cells.front()));
  }
  return names;
}

/// Of one unit, whose rows are `rows`.
analysis::DumpComparison comparisonOf(std::vector<report::Comparison> rows,
                                      std::vector<analysis::UnitOutcome::Differing> differing) {
  analysis::DumpComparison comparison;
  comparison.units.emplace_back().run.comparisons = std::move(rows);
  comparison.units.front().differing = std::move(differing);
  return comparison;
}

TEST(LargestDifferences, ComeBehindWhatIsBrokenInItsOrderAndBeforeWhatNobodyKnows) {
  report::Comparison zeros = row("beside zeros", kNan);
  zeros.metrics[*numerics::builtinMetrics().indexOf("max_diff")] = 0.1;
  report::Comparison largerZeros = zeros;
  largerZeros.site.name = "farther from zeros";
  largerZeros.metrics[*numerics::builtinMetrics().indexOf("max_diff")] = 0.2;
  const auto comparison = comparisonOf({row("half", 0.5),
                                        row("tenth", 0.1),
                                        row("checksums", kNan),
                                        row("no finite pair", kNan, 2),
                                        row("broken besides", 0.2, 1),
                                        row("equal with NaN", 0, 3),
                                        row("less than half", 0.4),
                                        zeros,
                                        largerZeros},
                                       {{0, 0.5},
                                        {1, 0.1},
                                        {2, kNan},
                                        {3, kNan, true},
                                        {4, 0.2, true},
                                        {6, 0.4},
                                        {7, test::kInfinity},
                                        {8, test::kInfinity}});
  EXPECT_THAT(namesOf(largestDifferences(comparison, 0)),
              ElementsAre("no finite pair",
                          "broken besides",
                          "farther from zeros",
                          "beside zeros",
                          "half",
                          "less than half",
                          "tenth",
                          "checksums"));
  EXPECT_THAT(namesOf(largestDifferences(comparison, 3)),
              ElementsAre("no finite pair", "broken besides", "farther from zeros"));
}

TEST(LargestDifferences, SayHowMuchIsNotFinite) {
  const auto table =
      largestDifferences(comparisonOf({row("broken", kNan, 3)}, {{0, kNan, true}}), 0);
  ASSERT_EQ(table.columns.back().title, "not finite");
  EXPECT_EQ(std::get<double>(table.rows.front().back()), 3);
}

}  // namespace
}  // namespace ulp::cli
