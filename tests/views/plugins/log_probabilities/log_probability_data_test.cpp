#include <algorithm>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "core/report/tables/data_table.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/window/model_checks.h"
#include "views/plugins/log_probabilities/gap_data.h"
#include "views/plugins/log_probabilities/gap_exhibits.h"
#include "views/plugins/log_probabilities/gap_rows.h"
#include "views/plugins/log_probabilities/loss_rows.h"
#include "views/plugins/log_probabilities/token_rows.h"

namespace ulp::views {
namespace {

using test::kNan;

TEST(LogProbabilityData, MapsTokensToTheLogitsOfTheLastMicroBatch) {
  GapBaseline baseline;
  baseline.values = {.name = "reference", .sequences = 4, .length = 3};
  baseline.tokens = report::TokenTexts{
      .sequences = 4, .length = 3, .ids = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  baseline.firstCaptured = 2;
  EXPECT_FALSE(logitOf(baseline, 4)) << "of a micro-batch that was not captured";
  EXPECT_EQ(logitOf(baseline, 10), (std::vector<std::int64_t>{1, 1, 14}));
  EXPECT_EQ(tokenOf(baseline, {1, 1, 14}), std::optional<std::size_t>(10));
  EXPECT_FALSE(tokenOf(baseline, {2, 0, 0}));
  EXPECT_FALSE(tokenOf(baseline, {1, 3, 0}));
  EXPECT_FALSE(tokenOf(baseline, {1, 1}));
}

TEST(LogProbabilityData, MakesBlanksVisible) {
  EXPECT_EQ(visibleText(" is\n\tä\x1b"), QStringLiteral("␣is↵⇥ä\\x1b"));
}

GapBaselinePtr baselineOf(report::LogProbabilities values) {
  return std::make_shared<GapBaseline>(
      GapBaseline{.name = QStringLiteral("reference"), .values = std::move(values)});
}

TEST(LogProbabilityData, OfEqualRunsNoTokenIsTheWorst) {
  report::LogProbabilities values{
      .name = "reference", .sequences = 1, .length = 2, .values = {-1, -2}};
  values.isLabel = {1, 1};
  GapRun run{.name = QStringLiteral("again"), .baseline = baselineOf(values), .values = values};
  run.gap = *report::logProbabilityGap(values, run.values);
  run.differences = *report::logProbabilityDifferences(values, run.values);
  const GapData data{.baseline = run.baseline, .runs = {run}};
  const std::vector<GapRow> rows = makeGapRows(data);
  EXPECT_EQ(rows[0].worstPlace, QString());
  EXPECT_EQ(gapHeadline(data, rows, 0.01),
            QStringLiteral("Every finite log-probability equals that of reference"));
  EXPECT_FALSE(makeTokenRows(data, 0).natural->front().isWorst);
}

TEST(LogProbabilityData, NaNIsANumberInAFileAndACountIsNone) {
  GapData data{.baseline = baselineOf({})};
  data.runs = {
      {.name = QStringLiteral("fp8"),
       .baseline = data.baseline,
       .notFinite = report::LogProbabilityError{.nonFinite = 3, .mean = kNan, .rms = kNan}},
      {.name = QStringLiteral("bf16"),
       .baseline = data.baseline,
       .gap = report::LogProbabilityGap{{.tokens = 3}, 0, {0.5}}}};
  const auto cellOf = [&data](const LogitsGap& ofFp8, const char* title, const char* group) {
    const report::DataTable table = gapData(
        QStringLiteral("x"), makeGapRows(data, {ofFp8, {.tokens = 3, .meanKl = 0.5}}), 0.01);
    const auto column = std::ranges::find_if(table.columns, [&](const report::DataColumn& each) {
      return each.title == title && each.group == group;
    });
    return report::exactCell(
        table.rows[0].at(static_cast<std::size_t>(column - table.columns.begin())));
  };
  const LogitsGap none{.tokens = 0};
  EXPECT_EQ(cellOf(none, "Tokens", ""), "0");
  EXPECT_EQ(cellOf(none, "RMS", "δ of log π, nats"), "NaN");
  EXPECT_EQ(cellOf(none, "Tokens", "whole vocabulary"), "0");
  EXPECT_EQ(cellOf(none, "KL mean", "whole vocabulary"), "NaN");
  EXPECT_EQ(cellOf({}, "KL mean", "whole vocabulary"), "") << "its logits were not kept";
}

TEST(LogProbabilityModels, AreWithoutFlaws) {
  auto data = std::make_shared<GapData>();
  auto baseline = std::make_shared<GapBaseline>();
  baseline->name = QStringLiteral("reference");
  baseline->values = {.name = "reference", .sequences = 2, .length = 1, .values = {-1, -2}};
  baseline->values.isLabel = {1, 1};
  data->baseline = baseline;
  GapRun run{.name = QStringLiteral("bf16"), .baseline = baseline, .values = baseline->values};
  run.values.values = {-1.5, kNan};
  run.gap = *report::logProbabilityGap(baseline->values, run.values);
  run.differences = *report::logProbabilityDifferences(baseline->values, run.values);
  data->runs = {run, {.name = QStringLiteral("x"), .problem = QStringLiteral("other tokens")}};
  GapModel gaps;
  const test::ModelChecks gapChecks(&gaps);
  const std::vector<GapRow> rows = makeGapRows(*data);
  gaps.setContent(gapColumns(rows, 0.01), std::make_shared<const std::vector<GapRow>>(rows));
  EXPECT_EQ(gaps.rowCount(), 2);
  TokenModel tokens;
  const test::ModelChecks tokenChecks(&tokens);
  const TokenOrders orders = makeTokenRows(*data, 0);
  tokens.setContent(tokenColumns(data->runs[0]), orders.natural);
  EXPECT_EQ(tokens.columnCount(), 6);
  tokens.setRows(orders.worstFirst);
  EXPECT_EQ(tokens.row(0).sequence, 1) << "not finite";
  LossModel losses;
  const test::ModelChecks lossChecks(&losses);
  losses.setContent(lossColumns(),
                    std::make_shared<const std::vector<LossRow>>(
                        1, LossRow{.run = QStringLiteral("bf16"), .value = kNan}));
  EXPECT_EQ(losses.index(0, 3).data().toString(), QStringLiteral("NaN"));
}

TEST(LossesExhibit, KeepsTheDigitsInWhichLossesDiffer) {
  const LossRow row{.run = QStringLiteral("fp16"), .value = 6.250178813, .baseline = 6.250166893};
  const report::TextTable table =
      report::formatTable(lossesExhibit(QStringLiteral("reference"), {row}).table());
  EXPECT_EQ(table.rows[0][3], "6.250179");
  EXPECT_EQ(table.rows[0][4], "6.250167");
}

}  // namespace
}  // namespace ulp::views
