#include <cmath>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "tests/views/sampled_report.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_host.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/depth/depth_view.h"
#include "views/plugins/details/details_spread.h"
#include "views/plugins/heatmap/heatmap_view.h"
#include "views/plugins/overview/overview_model.h"
#include "views/plugins/table/table_order.h"
#include "views/plugins/table/tensor_table_model.h"

namespace ulp::views {
namespace {

/// A report of eight samples and a noise floor, in the window.
class SampledViewsTest : public testing::Test {
 protected:
  void SetUp() override {
    m_report = test::sampledReport({.layers = 4, .variants = {"loud", "quiet"}, .modules = false});
  }
  void open(bool withFile = true) {
    m_fixture.openReport(m_report);
    if (withFile) {
      test::writeSamples(m_fixture.folder.path().toStdString(), m_report);
    }
    m_fixture.selection.selectRun(QStringLiteral("loud"));
  }
  [[nodiscard]] const ReportDocument& document() const {
    return *m_fixture.workspace.reports.document();
  }
  [[nodiscard]] int metric(const char* id) { return document().findMetric(QLatin1String(id)); }
  ViewHost& show(const char* id) {
    m_host =
        std::make_unique<ViewHost>(*builtinViews().find(QLatin1String(id)), m_fixture.context());
    m_host->resize(1100, 600);
    m_host->show();
    m_fixture.settle();
    return *m_host;
  }
  template <class Kind>
  Kind& view() {
    return *m_host->findChild<Kind*>();
  }
  QAction* action(const View& view, const QString& text) {
    for (QAction* each : view.viewActions()) {
      if (each->text() == text) {
        return each;
      }
    }
    return nullptr;
  }

  report::Report m_report;
  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(SampledViewsTest, TheOverviewShowsMeansWithIntervalsAndNoFloorRuns) {
  open();
  const Overview overview =
      makeOverview(document(), QStringLiteral("rms_rel"), noiseRuns(document(), {}));
  OverviewModel model;
  model.setContent(overview.columns, overview.rows);
  ASSERT_EQ(model.rowCount(), 3) << "the reference and two variants";
  const QModelIndex cell = model.index(1, kFirstCell);
  const OverviewRow& row = model.row(1);
  EXPECT_TRUE(cell.data().toString().contains(QStringLiteral(" ±")));
  EXPECT_DOUBLE_EQ(cell.data(IntervalRole).toString().toDouble(),
                   report::halfInterval(row.cells[0].spread, 8));
  const QString help = cell.data(Qt::ToolTipRole).toString();
  EXPECT_TRUE(help.contains(QStringLiteral("95 % interval of the mean: ±"))) << help.toStdString();
  EXPECT_TRUE(help.contains(QStringLiteral("mean of 8 samples"))) << help.toStdString();
  EXPECT_TRUE(overview.headline.contains(QStringLiteral("noise floor: repeat, float64")));
  // The floor is half of "loud": that is above it, and "quiet" where it is quieter than half.
  EXPECT_FALSE(row.withinNoise[0]);
  EXPECT_DOUBLE_EQ(row.floors[0], row.cells[0].value / 2);
  const OverviewRow& quiet = model.row(2);
  for (std::size_t i = 0; i < quiet.cells.size(); ++i) {
    EXPECT_EQ(quiet.withinNoise[i], quiet.cells[i].value <= quiet.floors[i]) << i;
  }
}

TEST_F(SampledViewsTest, TheTableOfSpreadsKeepsTheModelContract) {
  open();
  SpreadModel model;
  const test::ModelChecks checks(&model);
  const NoiseRuns noise = noiseRuns(document(), {});
  const int site = document().findSite("decoder.1", Pass::Forward);
  const SpreadRows rows = spreadRowsOf(document(), 0, site, noise);
  ASSERT_NE(rows, nullptr);
  model.setContent(spreadColumns(document(), noise), rows);
  EXPECT_EQ(model.rowCount(), static_cast<int>(document().metrics().size()) + 1)
      << "every metric and the gain error";
  model.setContent({}, nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(SampledViewsTest, TheOverviewLeavesTheProgramWithIntervalsAndNoiseAsNumbers) {
  open();
  const Overview overview =
      makeOverview(document(), QStringLiteral("rms_rel"), noiseRuns(document(), {}));
  const report::DataTable data = overviewData(QStringLiteral("t"), *overview.rows);
  EXPECT_EQ(data.columns[1].title, "embeddings");
  EXPECT_EQ(data.columns[2].title, "embeddings ±");
  EXPECT_EQ(data.columns[3].title, "embeddings noise");
  const OverviewRow& row = (*overview.rows)[1];
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[1][1]), row.cells[0].value);
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[1][2]), report::halfInterval(row.cells[0].spread, 8));
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[1][3]), row.floors[0]);
  for (const auto& line : data.rows) {
    EXPECT_EQ(line.size(), data.columns.size());
  }
}

TEST_F(SampledViewsTest, CopiedMeansHaveTheirIntervalsInAColumnOfTheirOwn) {
  open();
  show("overview");
  auto* table = m_host->findChild<QTableView*>(QStringLiteral("summary"));
  table->clearSelection();
  table->setCurrentIndex(table->model()->index(1, kFirstCell));
  const QStringList lines =
      copyOfSelection(*table)->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0], QStringLiteral("embeddings\tembeddings ±"));
  EXPECT_EQ(lines[1].split(QLatin1Char('\t')).size(), 2);
}

TEST_F(SampledViewsTest, TheTableHasIntervalFloorAndGainErrorOfEveryTensor) {
  open();
  TensorTableModel model;
  model.setDocument(m_fixture.workspace.reports.document());
  model.setMetric(metric("rms_rel"));
  model.setRows({{0, 0}, {0, document().findSite("decoder.1", Pass::Backward)}});
  const int first = firstSampleColumn(document());
  ASSERT_EQ(model.columnCount(), first + 5);
  const auto title = [&](int column) {
    return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  };
  EXPECT_EQ(title(first), QStringLiteral("RMS rel ±, %"));
  EXPECT_EQ(title(first + 1), QStringLiteral("RMS rel noise floor, %"));
  EXPECT_EQ(title(first + 2), QStringLiteral("Gain error, %"));
  const double half = report::halfInterval(document().spread(0, 0, metric("rms_rel")), 8);
  EXPECT_DOUBLE_EQ(model.index(0, first).data(RawRole).toString().toDouble(), half * 100);
  EXPECT_DOUBLE_EQ(model.index(0, first + 2).data(RawRole).toString().toDouble(), -2);
  EXPECT_EQ(model.index(0, first + 4).data().toString(), QStringLiteral("systematic"));
  EXPECT_EQ(model.index(1, first + 4).data().toString(), QString()) << "the interval holds 0";
  const report::DataTable data = tensorTable(
      document(), *model.rows(), {0, first, first + 4}, QStringLiteral("t"), metric("rms_rel"));
  EXPECT_EQ(data.columns[1].title, "RMS rel ±");
  EXPECT_EQ(data.columns[1].unit, "%");
  EXPECT_DOUBLE_EQ(std::get<double>(data.rows[0][1]), half * 100);
  EXPECT_EQ(std::get<double>(data.rows[1][2]), 0);
}

TEST_F(SampledViewsTest, NumbersStandUnderEachOtherWhateverTheirIntervals) {
  open();
  const Overview overview = makeOverview(document(), QStringLiteral("rms_rel"));
  const auto sizes = [&](std::size_t column) {
    std::set<qsizetype> all;
    for (const OverviewRow& row : *overview.rows) {
      const QString text = overview.columns[column].valueOf(row, Qt::DisplayRole).toString();
      if (text.contains(u'±')) {
        all.insert(text.size() - text.indexOf(u'.'));
      }
    }
    return all.size();
  };
  for (std::size_t column = 2; column < overview.columns.size(); ++column) {
    EXPECT_LE(sizes(column), 1U) << column;
  }
  TensorTableModel model;
  model.setDocument(m_fixture.workspace.reports.document());
  model.setMetric(metric("rms_rel"));
  model.setRows(queryTable(document(), {}).rows);
  std::set<qsizetype> places;
  for (int row = 0; row < model.rowCount(); ++row) {
    const QString text = model.index(row, firstSampleColumn(document())).data().toString();
    if (text.contains(u'.')) {
      places.insert(text.size() - text.indexOf(u'.'));
    }
  }
  EXPECT_EQ(places.size(), 1U);
}

TEST_F(SampledViewsTest, TheTableSortsByTheIntervalOfTheShownMetric) {
  open();
  const int first = firstSampleColumn(document());
  const TableRows sorted = queryTable(
      document(), {.sortColumn = first, .metric = metric("rms_rel"), .order = Qt::DescendingOrder});
  double before = INFINITY;
  for (const TensorRow& row : sorted.rows) {
    const double half =
        report::halfInterval(document().spread(row.variant, row.site, metric("rms_rel")), 8);
    EXPECT_LE(half, before);
    before = half;
  }
}

TEST_F(SampledViewsTest, InTheTableTheIntervalStandsBesideItsMetric) {
  open();
  show("table");
  const auto* table = m_host->findChild<QTableView*>(QStringLiteral("tensors"));
  const QHeaderView& header = *table->horizontalHeader();
  const auto isBeside = [&](const char* id) {
    const int place = header.visualIndex(kFirstMetric + metric(id));
    return header.logicalIndex(place + 1) == firstSampleColumn(document()) &&
           header.logicalIndex(place + 2) == firstSampleColumn(document()) + 1;
  };
  EXPECT_TRUE(isBeside("rms_rel"));
  for (const char* id : {"cosine", "rms_diff", "ref_scale", "rms_rel"}) {
    m_fixture.selection.selectMetric(QLatin1String(id));
    m_fixture.settle();
    EXPECT_TRUE(isBeside(id)) << id;
  }
}

TEST_F(SampledViewsTest, DetailsListWhatIsKnownOfEveryMetric) {
  open();
  const int site = document().findSite("decoder.1", Pass::Forward);
  const NoiseRuns noise = noiseRuns(document(), {});
  const SpreadRows rows = spreadRowsOf(document(), 0, site, noise);
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(rows->size(), document().metrics().size() + 1);
  const SpreadRow& row = (*rows)[static_cast<std::size_t>(metric("rms_rel"))];
  EXPECT_EQ(row.mean, document().value(0, site, metric("rms_rel")));
  EXPECT_DOUBLE_EQ(row.half, report::halfInterval(row.spread, 8));
  EXPECT_DOUBLE_EQ(row.floor, row.mean / 2);
  EXPECT_TRUE(rows->back().isSystematic);
  SpreadModel model;
  model.setContent(spreadColumns(document(), noise), rows);
  QStringList titles;
  for (int column = 0; column < model.columnCount(); ++column) {
    titles << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  }
  EXPECT_EQ(titles.join(QLatin1Char('|')),
            QStringLiteral("Metric|Mean|±|sd|Smallest|Largest|n|Undefined|Noise floor|Verdict"));
  const int cosine = metric("cosine");
  EXPECT_LE(model.index(cosine, 2).data().toString().size(), 8) << "an interval has two digits";
  const report::DataTable data = spreadTable(QStringLiteral("t"), document(), noise, *rows);
  ASSERT_EQ(data.rows[0].size(), data.columns.size());
  EXPECT_EQ(spreadRowsOf(document(), 0, site, {})->back().metric.label,
            QStringLiteral("Gain error"));
}

TEST_F(SampledViewsTest, DetailsOfOneSampleWithoutNoiseAreAsBefore) {
  m_report = test::realisticReport({.layers = 3, .variants = {"a"}, .modules = false});
  open(false);
  EXPECT_EQ(spreadRowsOf(document(), 0, 0, noiseRuns(document(), {})), nullptr);
  EXPECT_EQ(std::ssize(tensorColumns(document())), firstSampleColumn(document()));
}

TEST_F(SampledViewsTest, DepthDrawsEverySampleOfTheSelectedVariant) {
  open();
  show("depth");
  auto& depth = view<DepthView>();
  EXPECT_EQ(depth.chart().data().sampledCurve, -1);
  QAction* samples = action(depth, QStringLiteral("Every sample of the selected variant"));
  ASSERT_NE(samples, nullptr);
  ASSERT_TRUE(samples->isEnabled());
  depth.chart().setFocus();
  QTest::keyClick(&depth.chart(), Qt::Key_S);
  m_fixture.settle();
  ASSERT_TRUE(samples->isChecked());
  const charts::DepthData& data = depth.chart().data();
  EXPECT_EQ(data.sampledCurve, 0);
  ASSERT_EQ(data.samples.size(), 8U);
  EXPECT_DOUBLE_EQ(data.samples[7].values[1], test::sampleValue(data.curves[0].values[1], 7, 8));
  m_fixture.selection.selectRun(QStringLiteral("quiet"));
  m_fixture.settle();
  EXPECT_EQ(depth.chart().data().sampledCurve, 1);
  samples->trigger();
  EXPECT_EQ(depth.chart().data().sampledCurve, -1);
}

TEST_F(SampledViewsTest, DepthReadsSamplesOnceForASelection) {
  open();
  show("depth");
  action(view<DepthView>(), QStringLiteral("Every sample of the selected variant"))->trigger();
  m_fixture.settle();
  int reads = 0;
  const QObject listening;
  Background& background = m_fixture.background;
  QObject::connect(
      &background, &Background::busyChanged, &listening, [&](const QString& tag, bool isBusy) {
        if (isBusy && tag.startsWith(QStringLiteral("depth-samples"))) {
          ++reads;
          background.cancel(tag);  // otherwise a second one would take its place unseen
        }
      });
  m_fixture.selection.selectMetric(QStringLiteral("max_diff"));
  m_fixture.settle();
  EXPECT_EQ(reads, 1) << "the chart is made anew";
  m_fixture.selection.selectRun(QStringLiteral("quiet"));
  m_fixture.settle();
  EXPECT_EQ(reads, 2) << "the chart stays";
}

TEST_F(SampledViewsTest, DepthLaysSamplesOutOnceForAChart) {
  open();
  show("depth");
  auto& depth = view<DepthView>();
  action(depth, QStringLiteral("Every sample of the selected variant"))->trigger();
  m_fixture.settle();
  const charts::DepthData& data = depth.chart().data();
  ASSERT_EQ(data.samples.size(), 8U);
  // Curves that are laid out again exist before these are given away.
  const charts::SampleCurve* const laidOut = data.samples.data();
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Forward);
  m_fixture.settle();
  EXPECT_GE(depth.chart().options().currentSlot, 0);
  EXPECT_EQ(data.samples.data(), laidOut);
  m_fixture.selection.selectPasses(PassFilter::Forward);
  m_fixture.settle();
  ASSERT_EQ(data.samples.size(), 8U) << "on the new axis";
  EXPECT_EQ(data.samples[0].values.size(), static_cast<std::size_t>(data.axis.size()));
}

TEST_F(SampledViewsTest, DepthSaysWhyThereAreNoSamples) {
  open(false);
  QString raised;
  QObject::connect(&m_fixture.workspace.messages, &Messages::raise, [&](const Message& message) {
    raised = message.text;
  });
  show("depth");
  QAction* samples =
      action(view<DepthView>(), QStringLiteral("Every sample of the selected variant"));
  samples->trigger();
  m_fixture.settle();
  EXPECT_FALSE(samples->isChecked());
  EXPECT_TRUE(raised.contains(QStringLiteral("samples.h5"))) << raised.toStdString();
}

TEST_F(SampledViewsTest, TheHeatmapHasARowForEachSample) {
  open();
  show("heatmap");
  auto& heatmap = view<HeatmapView>();
  for (QComboBox* box : m_host->findChildren<QComboBox*>()) {
    if (const int samples = box->findData(QStringLiteral("samples")); samples >= 0) {
      box->setCurrentIndex(samples);
    }
  }
  m_fixture.settle();
  ASSERT_NE(heatmap.heatmap(), nullptr);
  EXPECT_EQ(heatmap.mode(), HeatmapMode::Samples);
  ASSERT_EQ(heatmap.heatmap()->rowCount(), 8);
  const int site = heatmap.heatmap()->siteAt(3, 2);
  EXPECT_DOUBLE_EQ(heatmap.heatmap()->grid->value(3, 2),
                   test::sampleValue(document().value(0, site, metric("rms_rel")), 3, 8));
  const report::DataTable data = heatmapTable(*heatmap.heatmap(), document());
  EXPECT_EQ(data.columns[3].title, "Sample");
}

TEST_F(SampledViewsTest, TheHeatmapSaysWhyThereAreNoSamples) {
  open(false);
  show("heatmap");
  auto& heatmap = view<HeatmapView>();
  heatmap.setMode(HeatmapMode::Samples);
  m_fixture.settle();
  EXPECT_EQ(heatmap.heatmap(), nullptr);
  QString said;
  for (const QLabel* label : heatmap.findChild<EmptyState*>()->findChildren<QLabel*>()) {
    said += label->text();
  }
  EXPECT_TRUE(said.contains(QStringLiteral("samples.h5"))) << said.toStdString();
}

}  // namespace
}  // namespace ulp::views
