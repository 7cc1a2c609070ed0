#include "views/plugins/heatmap/heatmap_units.h"

#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "tests/support/data/special_numbers.h"
#include "tests/views/plugins/heatmap/heatmap_fixture.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/heatmap/heatmap_content.h"
#include "views/plugins/heatmap/heatmap_view.h"

namespace ulp::views {
namespace {

using test::kNan;

std::string unitName(std::int64_t step, std::int64_t rank) {
  return "step " + std::to_string(step) + ", rank " + std::to_string(rank);
}

/// Steps 10, 2 and 0 of two ranks, in an order that is not that of numbers, without step 2 of rank
/// 1. The error of a tensor is its place, times ten on rank 1, plus its step.
report::Report unitReport() {
  report::Report report = test::sampleReport(2, {});
  const auto add = [&report](std::int64_t step, std::int64_t rank) {
    report::Run run = test::runOf(unitName(step, rank), {});
    run.axes = UnitAxes{.step = step, .rank = rank};
    const std::vector<Site> sites = test::layerSites(2);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const double error =
          static_cast<double>(i + 1) * (rank == 1 ? 10 : 1) + static_cast<double>(step);
      run.comparisons.push_back(
          test::comparisonOf(sites[i], {error, error, 1 / error, error, error}));
    }
    report.runs.push_back(std::move(run));
  };
  add(10, 0);
  add(10, 1);
  add(2, 0);
  add(0, 1);
  add(0, 0);
  return report;
}

Heatmap heatmapOf(const DocumentPtr& document,
                  HeatmapMode mode,
                  const char* filter = "",
                  const char* metric = "rms_rel") {
  return unitsByLayer(*document,
                      {.mode = mode,
                       .units = QLatin1String(filter),
                       .shown = PassFilter::Forward,
                       .metric = document->findMetric(QLatin1String(metric))});
}

using Texts = std::vector<std::string>;

Texts unitTexts(const Heatmap& heatmap) {
  Texts result;
  for (const HeatmapRow& row : heatmap.rows) {
    result.push_back(row.label.toStdString());
  }
  return result;
}

QString runAt(const DocumentPtr& document, const Heatmap& heatmap, int row, int column) {
  const int variant = heatmap.variantAt(row, column);
  return variant < 0 ? QString() : document->variantName(variant);
}

TEST(HeatmapUnits, RowsAreStepsInNumericOrderEachCellTheWorstRank) {
  const DocumentPtr document = test::documentOf(unitReport());
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps);
  EXPECT_EQ(unitTexts(heatmap), (Texts{"0", "2", "10"}));
  ASSERT_EQ(heatmap.columns.size(), 5);  // embeddings, two layers, norm, logits
  EXPECT_EQ(heatmap.grid->value(0, 1), 20);
  EXPECT_EQ(heatmap.grid->value(1, 1), 2 + 2) << "rank 0 is all there is of step 2";
  EXPECT_EQ(heatmap.grid->value(2, 1), 20 + 10);
  EXPECT_EQ(runAt(document, heatmap, 0, 1), QStringLiteral("step 0, rank 1"));
  EXPECT_EQ(runAt(document, heatmap, 1, 1), QStringLiteral("step 2, rank 0"));
  EXPECT_EQ(heatmap.counted[heatmap.grid->at(0, 1)], 2);
  EXPECT_EQ(heatmap.counted[heatmap.grid->at(1, 1)], 1);
  EXPECT_EQ(unitTexts(sorted(heatmap, RowOrder::Name, -1)), (Texts{"0", "2", "10"}));
  const Heatmap worstFirst = sorted(heatmap, RowOrder::Maximum, -1);
  EXPECT_EQ(unitTexts(worstFirst), (Texts{"10", "0", "2"}));
  EXPECT_EQ(runAt(document, worstFirst, 2, 0), QStringLiteral("step 2, rank 0"));
}

TEST(HeatmapUnits, OneRankOfEveryStepLeavesItsMissingUnitsMissing) {
  const DocumentPtr document = test::documentOf(unitReport());
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps, "rank=1");
  EXPECT_EQ(unitTexts(heatmap), (Texts{"0", "2", "10"}));
  EXPECT_EQ(heatmap.grid->value(0, 0), 10);
  EXPECT_EQ(heatmap.grid->value(2, 0), 20);
  for (int column = 0; column < heatmap.columns.size(); ++column) {
    EXPECT_TRUE(heatmap.grid->isMissing(1, column)) << column;
    EXPECT_FALSE(heatmap.grid->isMissing(0, column)) << column;
  }
  EXPECT_EQ(heatmap.variantAt(1, 0), -1);
  const Heatmap other = heatmapOf(document, HeatmapMode::Steps, "rank=7");
  EXPECT_EQ(other.rowCount(), 3);
  EXPECT_TRUE(other.grid->isMissing(0, 0));
}

TEST(HeatmapUnits, RowsAreRanksEachCellTheWorstStep) {
  const DocumentPtr document = test::documentOf(unitReport());
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Ranks);
  EXPECT_EQ(unitTexts(heatmap), (Texts{"0", "1"}));
  EXPECT_EQ(runAt(document, heatmap, 0, 0), QStringLiteral("step 10, rank 0"));
  EXPECT_EQ(heatmap.grid->value(1, 0), 10 + 10);
  const Heatmap atTwo = heatmapOf(document, HeatmapMode::Ranks, "step=2");
  EXPECT_EQ(atTwo.grid->value(0, 0), 1 + 2);
  EXPECT_TRUE(atTwo.grid->isMissing(1, 0));
}

TEST(HeatmapUnits, TheWorstIsTheSmallestWhereHigherIsBetter) {
  report::Report report = unitReport();
  ASSERT_EQ(report.metrics[2].id, "cosine");
  report.metrics[2].id = "sqnr_db";
  const Heatmap heatmap = heatmapOf(test::documentOf(report), HeatmapMode::Steps, "", "sqnr_db");
  EXPECT_EQ(heatmap.grid->value(0, 0), 1.0 / 10);
}

TEST(HeatmapUnits, ACosineIsDrawnAsItsDistanceFromOne) {
  const DocumentPtr document = test::documentOf(unitReport());
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps, "", "cosine");
  EXPECT_EQ(heatmap.metric.label, QStringLiteral("1 − Cosine"));
  EXPECT_DOUBLE_EQ(heatmap.grid->value(0, 0), 1 - 1.0 / 10) << "the worst";
}

TEST(HeatmapUnits, EqualTensorsDoNotHideADifferenceByTheirInfiniteRatio) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  report::Report report = unitReport();
  const auto cosine =
      static_cast<std::size_t>(test::documentOf(report)->findMetric(QStringLiteral("cosine")));
  ASSERT_EQ(report.runs[5].name, "step 0, rank 0");
  ASSERT_EQ(report.runs[4].name, "step 0, rank 1");
  // Higher is better, infinite for equal tensors.
  report.metrics[cosine].id = "sqnr_db";
  report.runs[5].comparisons[1].metrics[cosine] = kInfinite;
  report.runs[4].comparisons[1].metrics[cosine] = 10;
  const DocumentPtr document = test::documentOf(report);
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps, "", "sqnr_db");
  EXPECT_EQ(heatmap.grid->value(0, 1), 10);
  EXPECT_EQ(runAt(document, heatmap, 0, 1), QStringLiteral("step 0, rank 1"));
}

TEST(HeatmapUnits, AnInfiniteErrorIsTheWorstOne) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  report::Report report = unitReport();
  const auto error =
      static_cast<std::size_t>(test::documentOf(report)->findMetric(QStringLiteral("rms_rel")));
  report.runs[5].comparisons[1].metrics[error] = kInfinite;
  const DocumentPtr document = test::documentOf(report);
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps);
  EXPECT_EQ(heatmap.grid->value(0, 1), kInfinite);
  EXPECT_EQ(runAt(document, heatmap, 0, 1), QStringLiteral("step 0, rank 0"));
}

TEST(HeatmapUnits, WhatIsNotANumberIsWorseThanAnyNumber) {
  report::Report report = unitReport();
  report::Run& small = report.runs[5];
  ASSERT_EQ(small.name, "step 0, rank 0");
  test::fillWithNan(small.comparisons[1]);
  // Undefined without such elements: nothing is known of it, and the other rank is the worst.
  small.comparisons[2].metrics.assign(5, kNan);
  const DocumentPtr document = test::documentOf(report);
  const Heatmap heatmap = heatmapOf(document, HeatmapMode::Steps);
  EXPECT_TRUE(std::isnan(heatmap.grid->value(0, 1)));
  EXPECT_FALSE(heatmap.grid->isMissing(0, 1));
  EXPECT_EQ(heatmap.grid->nonFinite[heatmap.grid->at(0, 1)], 32U);
  EXPECT_EQ(runAt(document, heatmap, 0, 1), QStringLiteral("step 0, rank 0"));
  EXPECT_EQ(heatmap.grid->value(0, 2), 30);
  EXPECT_EQ(heatmap.counted[heatmap.grid->at(0, 2)], 1);
  const Heatmap alone = heatmapOf(document, HeatmapMode::Steps, "rank=0");
  EXPECT_TRUE(alone.grid->isMissing(0, 2));
}

TEST(HeatmapUnits, ColoursMeanTheSameWhicheverUnitsAreShown) {
  const DocumentPtr document = test::documentOf(unitReport());
  const auto scale = [&](const char* filter) {
    return fittedScale(heatmapOf(document, HeatmapMode::Steps, filter), charts::ColorMap::Cividis);
  };
  EXPECT_EQ(scale("rank=0"), scale("rank=1"));
  EXPECT_EQ(scale("rank=0"), scale(""));
}

TEST(HeatmapUnits, OffersTheOtherAxesOfTheUnits) {
  const DocumentPtr document = test::documentOf(unitReport());
  const std::vector<UnitFilter> ranks = unitFilters(*document, HeatmapMode::Steps);
  ASSERT_EQ(ranks.size(), 3U);
  EXPECT_EQ(ranks[0].id, QString());
  EXPECT_EQ(ranks[0].title, QStringLiteral("worst of all ranks"));
  EXPECT_EQ(ranks[1].id, QStringLiteral("rank=0"));
  EXPECT_EQ(ranks[2].title, QStringLiteral("rank 1"));
  EXPECT_EQ(unitFilters(*document, HeatmapMode::Ranks)[3].title, QStringLiteral("step 10"));

  report::Report single = unitReport();
  single.runs.resize(2);
  single.runs[1].axes = UnitAxes{.step = 4};
  const DocumentPtr steps = test::documentOf(single);
  EXPECT_EQ(unitFilters(*steps, HeatmapMode::Steps).size(), 1U) << "there is nothing to choose";
  EXPECT_TRUE(hasUnits(*steps, HeatmapMode::Steps));
  EXPECT_FALSE(hasUnits(*steps, HeatmapMode::Ranks));
  EXPECT_FALSE(hasUnits(*test::documentOf(test::sampleReport(2, {"a"})), HeatmapMode::Steps));

  report::Report tokens = unitReport();
  tokens.runs[1].axes->token = 5;
  EXPECT_EQ(unitFilters(*test::documentOf(tokens), HeatmapMode::Steps)[0].title,
            QStringLiteral("worst of all units"));
  EXPECT_EQ(unitFilters(*test::documentOf(tokens), HeatmapMode::Steps)[2].title,
            QStringLiteral("rank 0, token 5"));
}

TEST(HeatmapUnits, ReadOutAndTableNameTheUnit) {
  const DocumentPtr document = test::documentOf(unitReport());
  const auto heatmap = std::make_shared<const Heatmap>(heatmapOf(document, HeatmapMode::Steps));
  EXPECT_EQ(heatmapTitle(*heatmap, *document),
            QStringLiteral("RMS rel, % · steps × layers · worst of all ranks"));
  const charts::RasterReadout readout = heatmapContent(heatmap, document, 0).readout(0, 1);
  EXPECT_EQ(readout.title, QStringLiteral("step 0, rank 1 · forward · decoder.0"));
  ASSERT_EQ(readout.lines.size(), 3U);
  EXPECT_EQ(readout.lines[0], std::pair(QStringLiteral("Step"), QStringLiteral("0")));
  EXPECT_EQ(readout.lines[1],
            std::pair(QStringLiteral("Worst of"), QStringLiteral("2 of 2 units")));
  const report::DataTable table = heatmapTable(*heatmap, *document);
  ASSERT_EQ(table.rows.size(), 15U);
  EXPECT_EQ(table.columns[3].title, "Step");
  EXPECT_EQ(std::get<std::string>(table.rows[5][0]), "step 2, rank 0");
  EXPECT_EQ(std::get<std::string>(table.rows[5][3]), "2");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[5][4]), 100 * 3);
}

TEST(HeatmapUnits, AreDrawnWithoutAWindow) {
  const auto draw = [](const report::Report& report, const char* what) {
    const DocumentPtr document = test::documentOf(report);
    return drawHeatmap({.what = QLatin1String(what),
                        .metric = QStringLiteral("rms_rel"),
                        .document = document,
                        .chosen = document->loaded().report});
  };
  const auto exhibit = draw(unitReport(), "heatmap-ranks");
  ASSERT_TRUE(exhibit.has_value()) << exhibit.error().message();
  EXPECT_EQ(exhibit->id, QStringLiteral("heatmap-ranks"));
  EXPECT_EQ(exhibit->title, QStringLiteral("RMS rel, % · ranks × layers · worst of all steps"));
  EXPECT_EQ(exhibit->table().rows.size(), 2U * 9U);
  const auto none = draw(test::sampleReport(2, {"a"}), "heatmap-steps");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  EXPECT_EQ(none.error().message(), "the runs of the report are no steps of a dump");
}

class HeatmapUnitsView : public test::HeatmapFixture {
 protected:
  [[nodiscard]] QComboBox& box(const char* name) {
    for (QComboBox* box : m_view->findChildren<QComboBox*>()) {
      if (box->accessibleName() == QLatin1String(name)) {
        return *box;
      }
    }
    ADD_FAILURE() << name;
    return *m_view->findChild<QComboBox*>();
  }
  [[nodiscard]] QStringList modes() {
    QStringList texts;
    const QComboBox& modes = box("What the rows are");
    for (int i = 0; i < modes.count(); ++i) {
      texts << modes.itemText(i);
    }
    return texts;
  }
  void click(int row, int column) {
    QTest::mouseClick(&raster(), Qt::LeftButton, {}, middle(row, column));
  }
};

TEST_F(HeatmapUnitsView, ChoosesStepsAndSelectsTheUnitOfACell) {
  open(unitReport());
  EXPECT_TRUE(modes().contains(QStringLiteral("Steps × layers")));
  EXPECT_FALSE(box("Units").isVisibleTo(m_view.get()));
  QTest::keyClicks(&box("What the rows are"), QStringLiteral("Steps"));
  m_fixture.settle();
  ASSERT_EQ(m_view->mode(), HeatmapMode::Steps);
  EXPECT_TRUE(box("Units").isVisibleTo(m_view.get()));
  click(0, 2);
  const Selection& selected = m_fixture.selection.selection();
  EXPECT_EQ(selected.run(), QStringLiteral("step 0, rank 1"));
  EXPECT_EQ(selected.site, QStringLiteral("decoder.1"));
  EXPECT_EQ(raster().current(), (charts::RasterCell{0, 2}));
  m_fixture.selection.selectRun(QStringLiteral("step 10, rank 0"));
  EXPECT_EQ(raster().current(), (charts::RasterCell{2, 2})) << "the row of its step";
}

TEST_F(HeatmapUnitsView, ShowsOneRankAloneAndWhatItLacks) {
  open(unitReport());
  m_view->setMode(HeatmapMode::Steps);
  QTest::keyClick(&box("Units"), Qt::Key_Down);
  QTest::keyClick(&box("Units"), Qt::Key_Down);
  m_fixture.settle();
  ASSERT_NE(m_view->heatmap(), nullptr);
  EXPECT_TRUE(m_view->heatmap()->grid->isMissing(1, 0));
  m_fixture.selection.selectRun(QStringLiteral("step 10, rank 1"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.0"), Pass::Forward);
  EXPECT_EQ(raster().current(), (charts::RasterCell{2, 1}));
  m_fixture.selection.selectRun(QStringLiteral("step 10, rank 0"));
  EXPECT_EQ(raster().current().row, -1) << "no row shows this rank";
  click(1, 1);
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("step 10, rank 0"))
      << "there is no unit to select";
  EXPECT_EQ(raster().current(), (charts::RasterCell{1, 1}));
  const QJsonObject state = m_view->saveState();
  EXPECT_EQ(state[QStringLiteral("units")].toString(), QStringLiteral("rank=1"));
  HeatmapView second(m_fixture.context());
  second.restoreState(state);
  EXPECT_EQ(second.saveState(), state);
  ASSERT_EQ(m_view->exhibits().size(), 1U);
  EXPECT_EQ(m_view->exhibits()[0].title, QStringLiteral("RMS rel, % · steps × layers · rank 1"));
}

TEST_F(HeatmapUnitsView, SaysWhereAReportHasNoUnits) {
  open(test::sampleReport(2, {"a", "b"}));
  EXPECT_FALSE(modes().contains(QStringLiteral("Steps × layers")));
  EXPECT_FALSE(modes().contains(QStringLiteral("Ranks × layers")));
  m_view->setMode(HeatmapMode::Ranks);  // as the settings of the last session may say
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap(), nullptr);
  EXPECT_TRUE(modes().contains(QStringLiteral("Ranks × layers")));
  auto* const button = emptyState().findChild<QPushButton*>();
  ASSERT_TRUE(button->isVisibleTo(m_view.get()));
  QTest::mouseClick(button, Qt::LeftButton);
  m_fixture.settle();
  EXPECT_EQ(m_view->mode(), HeatmapMode::Variants);
  EXPECT_FALSE(modes().contains(QStringLiteral("Ranks × layers")));
  ASSERT_NE(m_view->heatmap(), nullptr);
  EXPECT_EQ(m_view->heatmap()->rowCount(), 2);
}

}  // namespace
}  // namespace ulp::views
