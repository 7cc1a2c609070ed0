#include "core/report/summary.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/report_builder.h"

namespace ulp::report {
namespace {

const SummaryCell& cell(const SummaryRow& row, std::string_view id) {
  const auto& columns = summaryColumns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].id == id) {
      return row.cells.at(i);
    }
  }
  ADD_FAILURE() << "no column " << id;
  return row.cells.front();
}

/// rms_rel of the sample by {row, pass}, in thousandths.
double thousandths(int layers, std::string_view name, Pass pass) {
  const auto sites = test::layerSites(layers);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].name == name && sites[i].pass == pass) {
      return static_cast<double>(i + 1) / 1000;
    }
  }
  return std::nan("");
}

TEST(Summary, HasTheColumnsOfThePass) {
  std::vector<std::string> titles;
  for (const SummaryColumn& column : summaryColumns()) {
    titles.push_back(column.title);
  }
  EXPECT_THAT(titles,
              testing::ElementsAre("embeddings",
                                   "mid median",
                                   "mid max",
                                   "norm",
                                   "logits",
                                   "loss",
                                   "head",
                                   "logits",
                                   "mid median",
                                   "mid max",
                                   "decoder.0"));
}

TEST(Summary, TakesEachCellFromItsRow) {
  const auto rows = summarise(test::sampleReport(6, {"bf16", "fp16"}), "rms_rel");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].run, "fp16");
  const SummaryRow& row = rows[0];
  EXPECT_EQ(cell(row, "forward.embeddings").value, thousandths(6, "embeddings", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.norm").value, thousandths(6, "norm", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.logits").value, thousandths(6, "logits", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.loss").value, thousandths(6, "loss", Pass::Forward));
  EXPECT_EQ(cell(row, "backward.head").value, thousandths(6, "norm", Pass::Backward));
  EXPECT_EQ(cell(row, "backward.head").site.name, "norm");
  EXPECT_EQ(cell(row, "backward.logits").value, thousandths(6, "logits", Pass::Backward));
  EXPECT_EQ(cell(row, "backward.decoder.0").value, thousandths(6, "decoder.0", Pass::Backward));
}

TEST(Summary, MidLeavesOutTheFirstAndTheLastLayer) {
  const auto rows = summarise(test::sampleReport(6, {"bf16"}), "rms_rel");
  // Layers 1 to 4: an even number, so the median is the mean of the two middle ones.
  EXPECT_DOUBLE_EQ(
      cell(rows[0], "forward.mid_median").value,
      (thousandths(6, "decoder.2", Pass::Forward) + thousandths(6, "decoder.3", Pass::Forward)) /
          2);
  EXPECT_EQ(cell(rows[0], "forward.mid_median").site.name, "decoder.2");
  EXPECT_EQ(cell(rows[0], "forward.mid_max").site.name, "decoder.4");
  EXPECT_EQ(cell(rows[0], "backward.mid_max").site.name, "decoder.1");
}

TEST(Summary, MidTakesAllLayersOfASmallModel) {
  const auto two = summarise(test::sampleReport(2, {"bf16"}), "rms_rel");
  EXPECT_EQ(cell(two[0], "forward.mid_max").site.name, "decoder.1");
  const auto three = summarise(test::sampleReport(3, {"bf16"}), "rms_rel");
  EXPECT_EQ(cell(three[0], "forward.mid_max").site.name, "decoder.1");
}

TEST(Summary, IgnoresRowsOfModules) {
  Report report = test::sampleReport(3, {"bf16"});
  Comparison module = report.runs[1].comparisons[2];
  module.site = {"model.layers.1.mlp", "model.layers.1.mlp", 1, Level::Module, Pass::Forward};
  module.metrics.assign(5, 100);
  report.runs[1].comparisons.push_back(module);
  EXPECT_LT(cell(summarise(report, "rms_rel")[0], "forward.mid_max").value, 1);
}

TEST(Summary, CountsNonFiniteElementsOfTheRowsItStandsFor) {
  Report report = test::sampleReport(4, {"bf16"});
  test::fillWithNan(report.runs[1].comparisons[2]);  // decoder.1
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_EQ(cell(row, "forward.mid_max").nonFinite, 32U);
  EXPECT_EQ(cell(row, "forward.mid_max").site.name, "decoder.2");
  EXPECT_EQ(cell(row, "forward.mid_median").value, thousandths(4, "decoder.2", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.logits").nonFinite, 0U);
}

TEST(Summary, ShowsNanWithItsSiteWhenNothingIsLeft) {
  Report report = test::sampleReport(1, {"bf16"});
  for (Comparison& row : report.runs[1].comparisons) {
    test::fillWithNan(row);
  }
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_TRUE(std::isnan(cell(row, "forward.mid_median").value));
  EXPECT_EQ(cell(row, "forward.mid_median").site.name, "decoder.0");
}

TEST(Summary, LeavesOutWhatTheReportDoesNotHold) {
  Report report = test::sampleReport(4, {"bf16"});
  report.runs[1].comparisons.resize(3);
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_TRUE(std::isnan(cell(row, "backward.head").value));
  EXPECT_TRUE(cell(row, "backward.head").site.name.empty());
  EXPECT_TRUE(summarise(report, "none").empty());
}

TEST(Summary, HasNoRowForARunWithoutComparisons) {
  Report report = test::sampleReport(2, {"bf16", "failed"});
  report.runs[2].comparisons.clear();
  EXPECT_EQ(summarise(report, "rms_rel").size(), 1U);
}

}  // namespace
}  // namespace ulp::report
