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

analysis::DumpComparison comparisonOf(std::vector<report::Comparison> rows) {
  analysis::DumpComparison comparison;
  comparison.units.emplace_back().run.comparisons = std::move(rows);
  return comparison;
}

TEST(LargestDifferences, ComeBehindWhatIsBrokenInItsOrderAndBeforeWhatNobodyKnows) {
  report::Comparison mask = row("masked on both sides", kNan, 4);
  mask.referenceNonFinite.negativeInfinity = 4;
  const auto comparison = comparisonOf({row("half", 0.5),
                                        row("tenth", 0.1),
                                        mask,
                                        row("no finite pair", kNan, 2),
                                        row("broken besides", 0.2, 1),
                                        row("equal", 0),
                                        row("less than half", 0.4)});
  EXPECT_THAT(namesOf(largestDifferences(comparison, 0)),
              ElementsAre("no finite pair",
                          "broken besides",
                          "half",
                          "less than half",
                          "tenth",
                          "masked on both sides"));
  EXPECT_THAT(namesOf(largestDifferences(comparison, 3)),
              ElementsAre("no finite pair", "broken besides", "half"));
}

TEST(LargestDifferences, SayHowMuchIsNotFinite) {
  const auto table = largestDifferences(comparisonOf({row("broken", kNan, 3)}), 0);
  ASSERT_EQ(table.columns.back().title, "not finite");
  EXPECT_EQ(std::get<double>(table.rows.front().back()), 3);
}

}  // namespace
}  // namespace ulp::cli
