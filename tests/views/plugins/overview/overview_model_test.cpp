#include "views/plugins/overview/overview_model.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/realistic_report.h"

namespace ulp::views {
namespace {

Overview overviewOf(report::Report report, const QString& metric = QStringLiteral("rms_rel")) {
  return makeOverview(*test::documentOf(std::move(report)), metric);
}

int columnOf(const std::string& id) {
  const auto& columns = report::summaryColumns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].id == id) {
      return static_cast<int>(i) + kFirstCell;
    }
  }
  return -1;
}

TEST(OverviewModel, KeepsTheModelContract) {
  OverviewModel model;
  const test::ModelChecks checks(&model);
  Overview overview = overviewOf(test::sampleReport(5, {"bf16", "fp16"}));
  model.setContent(overview.columns, overview.rows);
  EXPECT_EQ(model.rowCount(), 3) << "the reference and two variants";
  EXPECT_EQ(model.columnCount(), 11 + 4) << "no gradients of parameters";
  model.setContent({}, nullptr);
}

TEST(OverviewModel, ShowsTheSummaryAndMarksTheWorstCell) {
  OverviewModel model;
  Overview overview = overviewOf(test::sampleReport(5, {"bf16", "fp16"}));
  model.setContent(overview.columns, overview.rows);
  // Row 2 of the forward pass in variant 1: (1 + 1) * 1 / 1000.
  const int embeddings = columnOf("forward.embeddings");
  ASSERT_GT(embeddings, 0);
  EXPECT_EQ(model.index(1, embeddings).data().toString(), QStringLiteral("0.10"));
  EXPECT_EQ(model.index(2, embeddings).data().toString(), QStringLiteral("0.20"));
  EXPECT_EQ(model.index(2, embeddings).data(RawRole).toString(), QStringLiteral("0.002"));
  int marked = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      marked += model.index(row, column).data(EmphasisRole).toBool() ? 1 : 0;
    }
  }
  EXPECT_EQ(marked, 1);
}

TEST(OverviewModel, TheReferenceHasLossAndTimeOnly) {
  OverviewModel model;
  Overview overview = overviewOf(test::sampleReport(5, {"bf16"}));
  model.setContent(overview.columns, overview.rows);
  EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("–"));
  const int loss = model.columnCount() - 2;
  EXPECT_EQ(model.index(0, loss).data().toString(), QStringLiteral("2.500000"));
  EXPECT_EQ(model.index(0, loss + 1).data().toString(), QStringLiteral("1.25 s"));
}

TEST(OverviewModel, SaysSoWhereValuesAreNotFinite) {
  report::Report report = test::sampleReport(5, {"bf16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    if (row.site.name == "embeddings") {
      test::fillWithNan(row);
    }
  }
  OverviewModel model;
  Overview overview = overviewOf(std::move(report));
  model.setContent(overview.columns, overview.rows);
  const QModelIndex cell = model.index(1, columnOf("forward.embeddings"));
  EXPECT_EQ(cell.data().toString(), QStringLiteral("■ NaN"));
  EXPECT_TRUE(cell.data(NonFiniteRole).toBool());
  EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("32")));
}

TEST(OverviewModel, ALossThatIsNotANumberIsNotOneThatNobodyTook) {
  report::Report report = test::sampleReport(3, {"fp16", "dump"});
  report.runs[1].loss = std::numeric_limits<double>::quiet_NaN();
  report.runs[2].loss = std::numeric_limits<double>::quiet_NaN();
  report.runs[2].hasLoss = false;
  report.runs[2].seconds = 0;
  OverviewModel model;
  Overview overview = overviewOf(std::move(report));
  model.setContent(overview.columns, overview.rows);
  const int loss = model.columnCount() - 2;
  EXPECT_EQ(model.index(1, loss).data().toString(), QStringLiteral("■ NaN"));
  EXPECT_TRUE(model.index(1, loss).data(NonFiniteRole).toBool());
  EXPECT_FALSE(model.index(1, loss).data(DimRole).toBool());
  EXPECT_EQ(model.index(2, loss).data().toString(), QStringLiteral("–"));
  EXPECT_FALSE(model.index(2, loss).data(NonFiniteRole).toBool());
  EXPECT_EQ(model.index(2, loss + 1).data().toString(), QStringLiteral("–")) << "its time";
}

TEST(OverviewModel, ShowsTheStateOfUnfinishedRuns) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  report.runs[2].status = report::RunStatus::Failed;
  report.runs[2].error = "out of memory";
  report.runs[2].comparisons.clear();
  report.runs[2].loss = std::numeric_limits<double>::quiet_NaN();
  OverviewModel model;
  Overview overview = overviewOf(std::move(report));
  model.setContent(overview.columns, overview.rows);
  const int state = model.columnCount() - 1;
  EXPECT_EQ(model.index(2, state).data().toString(), QStringLiteral("■ failed"));
  EXPECT_EQ(model.index(2, state).data(Qt::ToolTipRole).toString(),
            QStringLiteral("out of memory"));
  EXPECT_EQ(model.index(2, 1).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(model.index(2, state - 2).data().toString(), QStringLiteral("–"));
}

TEST(OverviewModel, ClipDecisionsThatFlipStandBesideTheLoss) {
  report::Report report = test::sampleReport(2, {"bf16"});
  const report::ClipSummary clips{.unit = "document", .count = 4, .flips = 1};
  report.runs[1].step.terms = {{.type = "gspo", .clips = clips}, {.type = "grpo", .clips = clips}};
  OverviewModel model;
  const Overview overview = overviewOf(std::move(report));
  model.setContent(overview.columns, overview.rows);
  const int flips = model.columnCount() - 2;
  EXPECT_EQ(model.headerData(flips, Qt::Horizontal, Qt::DisplayRole).toString(),
            QStringLiteral("Flips"));
  EXPECT_EQ(model.index(1, flips).data().toString(), QStringLiteral("2"));
  EXPECT_EQ(model.index(0, flips).data().toString(), QStringLiteral("–"));
  const report::DataTable data = overviewData({}, *overview.rows);
  EXPECT_EQ(data.columns.size(), data.rows[0].size());
}

TEST(OverviewModel, ARunThatWaitsHasNoTime) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  report.runs[2].status = report::RunStatus::Pending;
  report.runs[2].comparisons.clear();
  report.runs[2].seconds = 0;
  OverviewModel model;
  Overview overview = overviewOf(std::move(report));
  model.setContent(overview.columns, overview.rows);
  const int time = model.columnCount() - 2;
  EXPECT_EQ(model.index(2, time).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(model.index(1, time).data().toString(), QStringLiteral("1.25 s"));
  EXPECT_EQ(model.index(2, 1).data().toString(), QStringLiteral("–")) << "and no curve";
}

TEST(OverviewModel, EveryRowHasACurveOnOneScale) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  report.runs[1].comparisons[2].variantNonFinite.nan = 1;
  const Overview overview = overviewOf(std::move(report));
  EXPECT_EQ((*overview.rows)[0].depth, nullptr);
  const SparklinePtr& low = (*overview.rows)[1].depth;
  const SparklinePtr& high = (*overview.rows)[2].depth;
  ASSERT_NE(low, nullptr);
  ASSERT_EQ(low->heights.size(), 11U) << "6 forward rows without the loss, 5 backward";
  EXPECT_EQ(low->fold, 6U);
  EXPECT_EQ(low->heights.front(), 0);
  EXPECT_EQ(high->heights.back(), 1);
  for (std::size_t i = 0; i < low->heights.size(); ++i) {
    EXPECT_GT(high->heights[i], low->heights[i]);
    EXPECT_EQ(low->nonFinite[i], i == 2);
  }
}

TEST(OverviewModel, LeavesAsDataWithWhatIsMissingEmpty) {
  const Overview overview = overviewOf(test::sampleReport(3, {"bf16"}));
  const report::DataTable data = overviewData(QStringLiteral("Summary"), *overview.rows);
  ASSERT_EQ(data.rows.size(), 2U);
  EXPECT_EQ(data.columns.size(), 11U + 4) << "no gradients of parameters";
  EXPECT_EQ(std::get<std::string>(data.rows[1][0]), "bf16");
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[1][1]), 0.001);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(data.rows[0][1]));
}

TEST(OverviewModel, ShowsGradientsOfParametersWhereAVariantHasThem) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  report.runs[2].comparisons.push_back(test::comparisonOf({"model.embed_tokens.weight",
                                                           "model.embed_tokens",
                                                           -1,
                                                           Level::Module,
                                                           Pass::ParameterGradient},
                                                          {1, 9, 1, 1, 1}));
  const Overview overview = overviewOf(std::move(report));
  ASSERT_EQ(overview.columns.size(), 16U);
  const Column<OverviewRow>& column = overview.columns[kFirstCell + 11];
  EXPECT_TRUE(column.group.startsWith(QStringLiteral("Parameter gradients · ")));
  EXPECT_EQ(column.title, QStringLiteral("embeddings"));
  EXPECT_EQ((*overview.rows)[2].cells.back().value, 9);
  EXPECT_EQ((*overview.rows)[2].worstCell, 11);
  const report::DataTable data = overviewData(QStringLiteral("Summary"), *overview.rows);
  EXPECT_EQ(data.columns[12].group, "Parameter gradients");
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[2][12]), 9);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(data.rows[1][12]));
}

TEST(OverviewModel, ForAHigherIsBetterMetricTheLowestIsWorst) {
  const Overview overview =
      overviewOf(test::sampleReport(5, {"bf16", "fp16"}), QStringLiteral("cosine"));
  EXPECT_EQ((*overview.rows)[1].worstCell, -1);
  EXPECT_GE((*overview.rows)[2].worstCell, 0);
}

TEST(OverviewModel, AnEmptyReportHasNoRows) {
  const Overview overview = overviewOf({});
  EXPECT_TRUE(overview.rows->empty());
  EXPECT_TRUE(overview.headline.isEmpty());
}

}  // namespace
}  // namespace ulp::views
