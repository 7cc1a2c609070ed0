#include "views/plugins/heatmap/heatmap_view.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <QtGui/QPainter>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/golden.h"
#include "tests/views/plugins/heatmap/heatmap_fixture.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/view/view_host.h"
#include "views/framework/workspace/empty_state.h"

namespace ulp::views {
namespace {

constexpr int kTokens = 6;
constexpr int kHeads = 3;
constexpr int kHeadSize = 4;

class HeatmapViewTest : public test::HeatmapFixture {
 protected:
  void show(HeatmapMode mode) {
    m_view->setMode(mode);
    m_fixture.settle();
  }

  [[nodiscard]] int columnOf(const char* site, Pass pass) {
    const int index = m_fixture.workspace.reports.document()->findSite(site, pass);
    return m_view->heatmap()->columns.find(index);
  }
  [[nodiscard]] charts::RangeControl& range() {
    return *m_view->findChild<charts::RangeControl*>();
  }
  [[nodiscard]] QStringList emptyTexts() {
    QStringList texts;
    for (const QLabel* label : emptyState().findChildren<QLabel*>()) {
      texts << label->text();
    }
    return texts;
  }

  /// A report of one layer whose tensors are small enough to be kept beside it.
  static report::Report smallReport() {
    report::Report report = test::realisticReport({.layers = 1, .variants = {"bf16"}});
    report::Comparison rotary = report.runs[1].comparisons.front();
    rotary.site = {"model.rotary_emb.cos", "model.rotary_emb", -1, Level::Module, Pass::Forward};
    rotary.shape = {1, kTokens, kHeadSize};
    report.runs[1].comparisons.push_back(rotary);
    return report;
  }

  static constexpr std::size_t kChannels = std::size_t{kHeads} * kHeadSize;

  /// Token 2 of the variant is off by one part in ten, head 1 of the projections by half.
  static std::vector<float> valuesOf(const Site& site, bool isVariant) {
    std::vector<float> values(kTokens * kChannels, 2.F);
    if (isVariant) {
      for (std::size_t i = 2 * kChannels; i < 3 * kChannels; ++i) {
        values[i] *= 1.1F;
      }
      const bool hasHeads = site.name.find("q_proj") != std::string::npos;
      std::fill_n(values.begin() + kHeadSize, hasHeads ? kHeadSize : 0, 3.F);
    }
    return values;
  }

  /// Keeps every tensor of the report for both runs.
  void keepTensors(const report::Report& report, std::uint64_t sampleLimit) const {
    const auto writer = tensors::CaptureWriter::create(m_fixture.folder.path().toStdString());
    ASSERT_TRUE(writer.has_value()) << writer.error().message();
    for (const char* run : {"reference", "bf16"}) {
      ASSERT_TRUE((*writer)->beginRun(run).has_value());
      for (const report::Comparison& comparison : report.runs[1].comparisons) {
        const std::vector<float> values = valuesOf(comparison.site, run == std::string("bf16"));
        const numerics::TensorView view{
            .data = values.data(),
            .dtype = DType::Float32,
            .shape = {1, kTokens, static_cast<std::int64_t>(kChannels)}};
        ASSERT_TRUE((*writer)->put(comparison.site, view, sampleLimit).has_value());
      }
      ASSERT_TRUE((*writer)->finishRun().has_value());
    }
  }
};

TEST_F(HeatmapViewTest, ClickSelectsVariantAndTensor) {
  open(test::realisticReport({.layers = 6}));
  const int column = columnOf("decoder.4", Pass::Backward);
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middle(2, column));
  const Selection& selected = m_fixture.selection.selection();
  EXPECT_EQ(selected.run(), QStringLiteral("bf16_fp32_residual"));
  EXPECT_EQ(selected.site, QStringLiteral("decoder.4"));
  EXPECT_EQ(selected.pass, Pass::Backward);
  EXPECT_EQ(raster().current(), (charts::RasterCell{2, column}));
}

TEST_F(HeatmapViewTest, FollowsTheSelectionAndTheHoverOfOthers) {
  open(test::realisticReport({.layers = 6}));
  m_fixture.selection.selectSite(QStringLiteral("decoder.3"), Pass::Forward);
  m_fixture.selection.selectRun(QStringLiteral("bf16_max_precision"));
  const int column = columnOf("decoder.3", Pass::Forward);
  EXPECT_EQ(raster().current(), (charts::RasterCell{3, column}));
  m_fixture.selection.setHover({.site = QStringLiteral("decoder.3"), .pass = Pass::Forward});
  EXPECT_EQ(raster().hoveredCell(), (charts::RasterCell{-1, column}));
}

TEST_F(HeatmapViewTest, HoverGoesToTheOtherViews) {
  open(test::realisticReport({.layers = 6}));
  QTest::mouseMove(&raster(), middle(1, columnOf("decoder.2", Pass::Forward)));
  const Hover& hover = m_fixture.selection.hover();
  EXPECT_EQ(hover.run, QStringLiteral("bf16_fp32_lm_head"));
  EXPECT_EQ(hover.site, QStringLiteral("decoder.2"));
  EXPECT_EQ(hover.pass, Pass::Forward);
}

TEST_F(HeatmapViewTest, EnterGoesDeeper) {
  open(test::realisticReport({.layers = 6}));
  const QSignalSpy deeper(&m_fixture.workspace.requests, &WindowRequests::goDeeper);
  QTest::keyClick(&raster(), Qt::Key_Return);
  ASSERT_EQ(deeper.count(), 1);
  EXPECT_EQ(deeper[0][0].toInt(), 2);
}

TEST_F(HeatmapViewTest, ModulesAreThoseOfTheCurrentVariantInTheSameColours) {
  open(test::realisticReport({.layers = 6}));
  show(HeatmapMode::Modules);
  const charts::ColorScale before = raster().scale();
  EXPECT_EQ(
      m_view->heatmap()->variant,
      m_fixture.workspace.reports.document()->findVariant(m_fixture.selection.selection().run()));
  m_fixture.selection.selectRun(QStringLiteral("bf16_max_precision"));
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap()->variant, 3);
  EXPECT_EQ(raster().scale(), before);
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middle(9, 2));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("model.layers.2.mlp.down_proj"));
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("bf16_max_precision"));
}

TEST_F(HeatmapViewTest, ShowsThePassesOfTheSelection) {
  open(test::realisticReport({.layers = 6}));
  EXPECT_EQ(m_view->heatmap()->columns.size(), 9 + 8);
  m_fixture.selection.selectPasses(PassFilter::Backward);
  EXPECT_EQ(m_view->heatmap()->columns.size(), 8);
  EXPECT_EQ(m_view->heatmap()->columns.at(0).pass, Pass::Backward);
}

TEST_F(HeatmapViewTest, ChosenRangeStaysUntilAnotherMetric) {
  open(test::realisticReport({.layers = 6}));
  const charts::Range fitted = raster().scale().range;
  charts::RangeBar& bar = range().bar();
  bar.setFocus();
  QTest::keyClick(&bar, Qt::Key_Left, Qt::ShiftModifier);
  const charts::Range chosen = raster().scale().range;
  EXPECT_LT(chosen.high, fitted.high);
  EXPECT_GT(range().counts().above, 0U);
  m_fixture.selection.selectPasses(PassFilter::Forward);
  EXPECT_EQ(raster().scale().range, chosen);
  m_fixture.selection.selectMetric(QStringLiteral("equal_fraction"));
  EXPECT_EQ(raster().scale().kind, charts::ScaleKind::Linear);
  m_fixture.selection.selectMetric(QStringLiteral("cosine"));
  EXPECT_EQ(raster().scale().kind, charts::ScaleKind::Logarithmic) << "1 − cosine";
  EXPECT_EQ(range().counts().above, 0U);
}

TEST_F(HeatmapViewTest, LinkedTabsColourTheSameValueAlike) {
  open(test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}}));
  const charts::ColorScale own = range().scale();
  Viewpoint other = m_view->viewpoint();
  ASSERT_EQ(other.extents.size(), 1U);
  const QString id = other.extents.front().id;
  EXPECT_EQ(other.extents.front().low, own.range.low);
  EXPECT_EQ(other.extents.front().high, own.range.high);

  m_view->shareExtents({{.id = id, .low = own.range.low / 10, .high = own.range.high * 10}});
  EXPECT_EQ(raster().scale().range, (charts::Range{own.range.low / 10, own.range.high * 10}))
      << "over the values of both";
  m_view->shareExtents({});
  EXPECT_EQ(raster().scale().range, own.range) << "alone again";

  NumberSpan& colors = other.numbers.front();
  ASSERT_EQ(colors.id, id);
  colors.low = 1e-4;
  colors.high = 1e-2;
  colors.isWhole = false;
  m_view->follow(other);
  EXPECT_EQ(raster().scale().range, (charts::Range{1e-4, 1e-2})) << "as chosen there";
  colors.id = QStringLiteral("colors/of another metric");
  colors.high = 1;
  m_view->follow(other);
  EXPECT_EQ(raster().scale().range.high, 1e-2);
}

TEST_F(HeatmapViewTest, SaysWhenTheUserChoosesColours) {
  open(test::realisticReport({.layers = 4, .variants = {"bf16"}}));
  EXPECT_TRUE(m_view->viewpoint().numbers.front().isWhole);
  QSignalSpy moved(m_view.get(), &View::viewpointChanged);
  charts::RangeBar& bar = range().bar();
  bar.setFocus();
  QTest::keyClick(&bar, Qt::Key_Left);
  EXPECT_GT(moved.count(), 0);
  const NumberSpan colors = m_view->viewpoint().numbers.front();
  EXPECT_FALSE(colors.isWhole);
  EXPECT_EQ(colors.high, raster().scale().range.high);
}

TEST_F(HeatmapViewTest, OrderFollowsTheSelectedColumn) {
  open(test::realisticReport({.layers = 6}));
  m_view->setRowOrder(RowOrder::Column);
  for (const char* site : {"decoder.0", "decoder.5"}) {
    m_fixture.selection.selectSite(QLatin1String(site), Pass::Forward);
    const charts::RasterGrid& grid = *m_view->heatmap()->grid;
    const int column = columnOf(site, Pass::Forward);
    for (int row = 1; row < grid.rows; ++row) {
      EXPECT_GE(grid.value(row - 1, column), grid.value(row, column)) << site << row;
    }
    EXPECT_EQ(raster().current().column, column);
  }
}

TEST_F(HeatmapViewTest, TokensComeFromTheKeptTensors) {
  const report::Report report = smallReport();
  keepTensors(report, 0);
  open(report);
  show(HeatmapMode::Tokens);
  ASSERT_NE(m_view->heatmap(), nullptr) << emptyTexts().join(QLatin1Char('\n')).toStdString();
  ASSERT_EQ(m_view->heatmap()->rowCount(), kTokens);
  const int column = columnOf("decoder.0", Pass::Forward);
  const charts::RasterGrid& grid = *m_view->heatmap()->grid;
  EXPECT_NEAR(grid.value(2, column), 0.1, 1e-6);
  EXPECT_EQ(grid.value(1, column), 0);
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middle(4, column));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.0"));
  EXPECT_EQ(raster().current(), (charts::RasterCell{4, column}));
  QTest::keyClick(&raster(), Qt::Key_Down);
  EXPECT_EQ(raster().current(), (charts::RasterCell{5, column}));
}

TEST_F(HeatmapViewTest, TokensOfAnotherReportAreComparedWithItsOwnReference) {
  const report::Report report = smallReport();
  const test::TempDir folder;
  report::Report other = report;
  other.provenance.tokenDigest = "sha256:cc";
  ASSERT_TRUE(report::saveReport(other, folder.path()).has_value());
  const auto writer = tensors::CaptureWriter::create(folder.path());
  const std::vector<float> values(kTokens * kChannels, 3.F);
  for (const char* run : {"reference", "bf16"}) {
    ASSERT_TRUE((*writer)->beginRun(run).has_value());
    for (const report::Comparison& comparison : report.runs[1].comparisons) {
      const auto channels = static_cast<std::int64_t>(kChannels);
      const numerics::TensorView view{values.data(), DType::Float32, {1, kTokens, channels}};
      ASSERT_TRUE((*writer)->put(comparison.site, view, 0).has_value());
    }
    ASSERT_TRUE((*writer)->finishRun().has_value());
  }
  keepTensors(report, 0);
  open(report);
  m_fixture.workspace.reports.openBeside({QString::fromStdString(folder.path().string())});
  m_fixture.settle();
  m_view->setReport(m_fixture.workspace.reports.document());
  m_fixture.selection.selectRun(
      QStringLiteral("bf16 (%1)").arg(QString::fromStdString(folder.path().filename().string())));
  show(HeatmapMode::Tokens);
  ASSERT_NE(m_view->heatmap(), nullptr) << emptyTexts().join(QLatin1Char('\n')).toStdString();
  EXPECT_EQ(m_view->heatmap()->grid->value(2, columnOf("decoder.0", Pass::Forward)), 0);
}

TEST_F(HeatmapViewTest, HeadsSplitTheChannels) {
  const report::Report report = smallReport();
  keepTensors(report, 0);
  open(report);
  m_fixture.selection.selectPasses(PassFilter::Forward);
  show(HeatmapMode::Heads);
  ASSERT_NE(m_view->heatmap(), nullptr) << emptyTexts().join(QLatin1Char('\n')).toStdString();
  ASSERT_EQ(m_view->heatmap()->rowCount(), kHeads);
  ASSERT_EQ(m_view->heatmap()->columns.size(), 1);
  const charts::RasterGrid& grid = *m_view->heatmap()->grid;
  EXPECT_GT(grid.value(1, 0), 2 * grid.value(0, 0));
  EXPECT_DOUBLE_EQ(grid.value(0, 0), grid.value(2, 0));
}

TEST_F(HeatmapViewTest, SaysWhatToDoWithoutKeptTensors) {
  open(smallReport());
  for (const HeatmapMode mode : {HeatmapMode::Tokens, HeatmapMode::Heads}) {
    show(mode);
    EXPECT_EQ(m_view->heatmap(), nullptr);
    EXPECT_TRUE(m_view->exhibits().empty());
    EXPECT_TRUE(emptyTexts().join(QLatin1Char(' ')).contains(QStringLiteral("capture.tensors")));
    const auto* const button = emptyState().findChild<QPushButton*>();
    EXPECT_TRUE(button->isVisibleTo(m_view.get()));
  }
  m_fixture.selection.selectPasses(PassFilter::ParameterGradient);
  EXPECT_TRUE(emptyTexts().front().contains(QStringLiteral("no heads")));
}

TEST_F(HeatmapViewTest, SaysThatOnlySamplesWereKept) {
  const report::Report report = smallReport();
  keepTensors(report, 10);
  open(report);
  show(HeatmapMode::Tokens);
  EXPECT_EQ(m_view->heatmap(), nullptr);
  EXPECT_TRUE(emptyTexts().front().contains(QStringLiteral("samples")))
      << emptyTexts().front().toStdString();
}

TEST_F(HeatmapViewTest, RestoresModeOrderAndColours) {
  open(test::realisticReport({.layers = 4}));
  m_view->setMode(HeatmapMode::Modules);
  m_view->setRowOrder(RowOrder::Maximum);
  const QJsonObject state = m_view->saveState();
  HeatmapView second(m_fixture.context());
  second.restoreState(state);
  EXPECT_EQ(second.saveState(), state);
  EXPECT_EQ(second.mode(), HeatmapMode::Modules);
}

TEST_F(HeatmapViewTest, IsExportedAsPictureAndTable) {
  open(test::realisticReport({.layers = 12, .nonFiniteShare = 0.1, .missingShare = 0.1}));
  const std::vector<Exhibit> exhibits = m_view->exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  EXPECT_EQ(exhibits[0].table().rows.size(), 4U * m_view->heatmap()->columns.size());
  for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
    QImage image(720, 260, QImage::Format_RGB32);
    image.fill(theme->chartBackground);
    QPainter painter(&image);
    painter.setFont(m_view->font());
    exhibits[0].paint(painter, QRectF(image.rect()), *theme);
    painter.end();
    test::expectGolden(image,
                       QStringLiteral(ULP_SOURCE_DIR "/tests/views/plugins/golden/heatmap_%1.png")
                           .arg(theme->dark ? QStringLiteral("dark") : QStringLiteral("light")),
                       0.06);
  }
}

}  // namespace
}  // namespace ulp::views
