#include "views/plugins/heatmap/heatmap_positions.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtGui/QPainter>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QPushButton>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/token_texts.h"
#include "tests/support/data/position_report.h"
#include "tests/support/window/golden.h"
#include "tests/views/plugins/heatmap/heatmap_fixture.h"
#include "tests/views/realistic_report.h"
#include "views/plugins/heatmap/heatmap_content.h"

namespace ulp::views {
namespace {

HeatmapRequest positionRequest(const ReportDocument& document,
                               int variant,
                               const char* metric = "rms_rel") {
  return {.mode = HeatmapMode::Positions,
          .variant = variant,
          .metric = document.findMetric(QLatin1String(metric))};
}

TEST(HeatmapPositions, HaveARowAPositionAndAColumnATensor) {
  const DocumentPtr document = test::documentOf(test::positionReport());
  ASSERT_TRUE(hasPositions(*document));
  const auto heatmap = makeHeatmap(*document, positionRequest(*document, 1));
  ASSERT_TRUE(heatmap) << heatmap.error().message();
  EXPECT_EQ(heatmap->rowCount(), 5);
  ASSERT_EQ(heatmap->columns.size(), 5) << "embeddings, two layers, norm, logits; no loss";
  EXPECT_EQ(heatmap->columns.at(4).name, QStringLiteral("logits"));
  EXPECT_EQ(heatmap->generatedFrom, 3);
  EXPECT_EQ(heatmap->row(2).description, QStringLiteral("position 2, prompt"));
  EXPECT_EQ(heatmap->row(3).description, QStringLiteral("position 3, generated"));
  EXPECT_DOUBLE_EQ(heatmap->grid->value(3, 2), 2 * test::positionErrorAt(2, 3));
  EXPECT_EQ(heatmap->variantAt(3, 2), 1);
  EXPECT_EQ(document->sites()[static_cast<std::size_t>(heatmap->siteAt(3, 2))].name, "decoder.1");
  EXPECT_EQ(heatmap->grid->nonFinite[heatmap->grid->at(4, 3)], 1U);
  EXPECT_TRUE(heatmap->grid->isBroken(heatmap->grid->at(0, 1)));
  EXPECT_FALSE(heatmap->grid->isMissing(0, 1)) << "nothing but NaN is not nothing";
  EXPECT_DOUBLE_EQ(heatmap->largest, 2 * test::positionErrorAt(4, 4)) << "over all variants";
  EXPECT_DOUBLE_EQ(makeHeatmap(*document, positionRequest(*document, 0))->largest,
                   heatmap->largest);
}

TEST(HeatmapPositions, KnowWhatRestsOnRmsAlone) {
  const DocumentPtr document = test::documentOf(test::positionReport());
  const auto difference = makeHeatmap(*document, positionRequest(*document, 0, "rms_diff"));
  ASSERT_TRUE(difference);
  EXPECT_DOUBLE_EQ(difference->grid->value(1, 0), 2 * test::positionErrorAt(0, 1));
  std::vector<std::string> known;
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  for (const numerics::Metric& metric : registry.all()) {
    if (metric.value != nullptr && isKnownByPosition({.id = QString::fromStdString(metric.id)})) {
      known.push_back(metric.id);
    }
  }
  EXPECT_THAT(known,
              testing::UnorderedElementsAre(
                  "rms_rel", "rms_diff", "ref_scale", "rms_rel_regularized", "sqnr_db"));
  const auto cosine = makeHeatmap(*document, positionRequest(*document, 0, "cosine"));
  ASSERT_FALSE(cosine);
  EXPECT_EQ(cosine.error().message(),
            "cosine is not known by position; known are rms_diff, rms_rel");
}

TEST(HeatmapPositions, ReadOutsAndMarksTellOfTheMostLikelyToken) {
  const DocumentPtr document = test::documentOf(test::positionReport());
  const auto heatmap = std::make_shared<const Heatmap>(
      makeHeatmap(*document, positionRequest(*document, 0)).value());
  EXPECT_EQ(
      heatmapTitle(*heatmap, *document),
      QStringLiteral("RMS rel, % · positions × layers of bf16 · generated from position 3 on"));
  const charts::RasterContent content = heatmapContent(heatmap, document, 0);
  EXPECT_EQ(content.rowBoundary, 3);
  ASSERT_EQ(content.marks.size(), 25U);
  EXPECT_EQ(std::ranges::count(content.marks, 1), 1);
  EXPECT_EQ(content.marks[24], 1);
  const charts::RasterReadout readout = content.readout(4, 4);
  EXPECT_EQ(readout.title, QStringLiteral("bf16 · forward · logits"));
  ASSERT_EQ(readout.lines.size(), 4U);
  EXPECT_EQ(readout.lines[0], std::pair(QStringLiteral("Position"), QStringLiteral("4")));
  EXPECT_EQ(readout.lines[1], std::pair(QStringLiteral("Token"), QStringLiteral("generated")));
  EXPECT_EQ(
      readout.lines[3],
      std::pair(QStringLiteral("Most likely token"), QStringLiteral("another one in 1 of 2")));
  EXPECT_EQ(content.readout(4, 3).lines.size(), 4U) << "of the norm: what is not finite";
  EXPECT_EQ(content.readout(3, 2).lines.size(), 3U);
  const Heatmap turned = sorted(*heatmap, RowOrder::Maximum, -1);
  EXPECT_EQ(turned.generatedFrom, -1) << "prompt and generated rows stand among each other";
  EXPECT_EQ(heatmapContent(std::make_shared<const Heatmap>(turned), document, 0).rowBoundary, -1);
  EXPECT_EQ(turned.row(0).label, QStringLiteral("4")) << "what is no number stands first";
  EXPECT_EQ(turned.row(1).label, QStringLiteral("0"));
  const auto last = std::ranges::find(turned.rows, QStringLiteral("4"), &HeatmapRow::label);
  EXPECT_EQ(turned.tops[static_cast<std::size_t>(last - turned.rows.begin())].flipped, 1U);
}

TEST(HeatmapPositions, AreExportedWithoutAWindow) {
  const auto draw = [](const report::Report& report, const char* metric) {
    const DocumentPtr document = test::documentOf(report);
    return drawHeatmap({.what = QStringLiteral("heatmap-positions"),
                        .metric = QLatin1String(metric),
                        .document = document,
                        .chosen = document->loaded().report,
                        .variant = "fp8"});
  };
  const auto exhibit = draw(test::positionReport(), "rms_rel");
  ASSERT_TRUE(exhibit) << exhibit.error().message();
  EXPECT_EQ(exhibit->id, QStringLiteral("heatmap-positions"));
  const report::DataTable table = exhibit->table();
  ASSERT_EQ(table.rows.size(), 25U);
  EXPECT_EQ(table.columns[3].title, "Position");
  EXPECT_EQ(table.columns[4].title, "Part");
  EXPECT_EQ(table.columns[5].title, "Token");
  const std::vector<report::DataCell>& cells = table.rows[17];
  EXPECT_EQ(std::get<std::string>(cells[0]), "fp8");
  EXPECT_EQ(std::get<std::string>(cells[2]), "decoder.1");
  EXPECT_EQ(std::get<std::string>(cells[3]), "3");
  EXPECT_EQ(std::get<std::string>(cells[4]), "generated");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(cells[5])) << "nobody knows";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[6]), 200 * test::positionErrorAt(2, 3));
  EXPECT_EQ(draw(test::positionReport(), "cosine").error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(draw(test::sampleReport(2, {"fp8"}), "rms_rel").error().message(),
            "fp8: the report has no errors by position");
}

class HeatmapPositionsView : public test::HeatmapFixture {
 protected:
  [[nodiscard]] bool isOffered(const QString& mode) {
    const auto boxes = m_view->findChildren<QComboBox*>();
    return std::ranges::any_of(boxes,
                               [&](const QComboBox* box) { return box->findText(mode) >= 0; });
  }
  QString m_name = QStringLiteral("Positions × layers");
};

TEST_F(HeatmapPositionsView, FollowsTheVariantAndSelectsTensors) {
  open(test::positionReport());
  ASSERT_TRUE(isOffered(m_name));
  m_view->setMode(HeatmapMode::Positions);
  m_fixture.settle();
  ASSERT_NE(m_view->heatmap(), nullptr);
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap()->variant, 0);
  m_fixture.selection.selectRun(QStringLiteral("fp8"));
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap()->variant, 1);
  QTest::mouseClick(&raster(), Qt::LeftButton, {}, middle(3, 2));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(raster().current(), (charts::RasterCell{3, 2}));
  QTest::keyClick(&raster(), Qt::Key_Right);
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("norm"));
  QTest::keyClick(&raster(), Qt::Key_Down);
  EXPECT_EQ(raster().current(), (charts::RasterCell{4, 3}));
}

TEST_F(HeatmapPositionsView, NamesTheTokensOfOneSequence) {
  const std::filesystem::path folder = m_fixture.folder.path().toStdString();
  ASSERT_TRUE(report::writeTokenTexts(
      {.sequences = 1, .length = 4, .ids = {5, 7, 5, 8, 9}, .texts = {{5, " a"}, {8, "\n"}}},
      folder));
  open(test::positionReport());
  m_view->setMode(HeatmapMode::Positions);
  m_fixture.settle();
  ASSERT_NE(m_view->heatmap(), nullptr);
  const auto content = heatmapContent(m_view->heatmap(), m_fixture.workspace.reports.document(), 0);
  const auto tokenAt = [&](int row) { return content.readout(row, 2).lines.at(1).second; };
  EXPECT_EQ(tokenAt(0), QStringLiteral("␣a (prompt)"));
  EXPECT_EQ(tokenAt(1), QStringLiteral("#7 (prompt)"));
  EXPECT_EQ(tokenAt(3), QStringLiteral("↵ (generated)"));
}

TEST_F(HeatmapPositionsView, SaysWhatAReportLacks) {
  open(test::sampleReport(2, {"a", "b"}));
  EXPECT_FALSE(isOffered(m_name));
  m_view->setMode(HeatmapMode::Positions);  // as the settings of the last session may say
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap(), nullptr);
  EXPECT_TRUE(emptyState().isVisibleTo(m_view.get()));
  EXPECT_TRUE(isOffered(m_name));
}

TEST_F(HeatmapPositionsView, OffersAMetricThatIsKnown) {
  open(test::positionReport());
  m_view->setMode(HeatmapMode::Positions);
  m_fixture.selection.selectMetric(QStringLiteral("cosine"));
  m_fixture.settle();
  EXPECT_EQ(m_view->heatmap(), nullptr);
  auto* const button = emptyState().findChild<QPushButton*>();
  ASSERT_TRUE(button->isVisibleTo(m_view.get()));
  QTest::mouseClick(button, Qt::LeftButton);
  m_fixture.settle();
  EXPECT_EQ(m_fixture.selection.selection().metric, QStringLiteral("rms_diff"));
  EXPECT_NE(m_view->heatmap(), nullptr);
}

TEST_F(HeatmapPositionsView, LooksAsItDid) {
  report::Report report = test::sampleReport(12, {"bf16"});
  report.runs[1].positions = test::positionErrors(12, 10, 16);
  open(report);
  m_view->setMode(HeatmapMode::Positions);
  m_fixture.settle();
  const std::vector<Exhibit> exhibits = m_view->exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
    QImage image(720, 420, QImage::Format_RGB32);
    image.fill(theme->chartBackground);
    QPainter painter(&image);
    painter.setFont(m_view->font());
    exhibits[0].paint(painter, QRectF(image.rect()), *theme);
    painter.end();
    test::expectGolden(
        image,
        QStringLiteral(ULP_SOURCE_DIR "/tests/views/plugins/golden/heatmap_positions_%1.png")
            .arg(theme->dark ? QStringLiteral("dark") : QStringLiteral("light")),
        0.06);
  }
}

}  // namespace
}  // namespace ulp::views
