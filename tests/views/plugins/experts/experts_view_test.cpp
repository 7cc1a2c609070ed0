#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtCore/QAbstractProxyModel>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/experts/flip_chart.h"
#include "views/plugins/experts/router_rows.h"

namespace ulp::views {
namespace {

report::RouterChoice routerAt(int layer, std::vector<std::uint8_t> flips) {
  const std::string block = "model.layers." + std::to_string(layer) + ".mlp";
  report::RouterChoice choice{.router = block + ".gate_proj",
                              .block = block,
                              .layer = layer,
                              .experts = 8,
                              .chosen = 2,
                              .tokens = flips.size()};
  for (const std::uint8_t flip : flips) {
    choice.flipped += flip;
    report::addMargin(choice.margins, flip != 0 ? 0.001 : 0.25, flip != 0);
  }
  choice.changed = choice.flipped;
  choice.same = {.tokens = choice.tokens - choice.flipped, .rmsDiff = 0.01, .refScale = 1};
  choice.other = {.tokens = choice.flipped, .rmsDiff = 0.5, .refScale = 1};
  choice.flips = std::move(flips);
  return choice;
}

/// Routers are called after modules that the realistic report has.
report::Report withRouters() {
  report::Report report = test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}});
  report.provenance.sequences = 2;
  report.provenance.sequenceLength = 4;
  for (int layer = 0; layer < 4; ++layer) {
    std::vector<std::uint8_t> flips(8, 0);
    flips[static_cast<std::size_t>(layer)] = layer == 0 ? 0 : 1;
    flips[7] = layer == 3 ? 1 : 0;
    report.runs[1].routers.push_back(routerAt(layer, flips));
    report.runs[2].routers.push_back(routerAt(layer, std::vector<std::uint8_t>(8, 0)));
  }
  return report;
}

class ExpertsViewTest : public testing::Test {
 protected:
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_host = std::make_unique<ViewHost>(*builtinViews().find(QStringLiteral("experts")),
                                        m_fixture.context());
    m_host->resize(1000, 700);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    m_fixture.settle();
    m_chart = m_host->findChild<FlipChart*>();
    m_raster = m_host->findChild<charts::RasterWidget*>();
    m_table = m_host->findChild<QTableView*>(QStringLiteral("expert-layers"));
  }
  [[nodiscard]] QString cell(int row, int column) const {
    return m_table->model()->index(row, column).data().toString();
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
  FlipChart* m_chart = nullptr;
  charts::RasterWidget* m_raster = nullptr;
  QTableView* m_table = nullptr;
};

TEST_F(ExpertsViewTest, ShowsTheSharesOfAllVariantsByLayerAndByMargin) {
  open(withRouters());
  const FlipData& data = m_chart->data();
  ASSERT_EQ(data.lines.size(), 2U);
  ASSERT_EQ(data.routers.size(), 4U);
  EXPECT_EQ(data.lines[0].run, QStringLiteral("bf16"));
  ASSERT_EQ(data.lines[0].byLayer.size(), 4U);
  EXPECT_EQ(data.lines[0].byLayer[0].share(), 0);
  EXPECT_EQ(data.lines[0].byLayer[3].share(), 0.25);
  ASSERT_EQ(data.lines[0].byMargin.size(), 2U);
  EXPECT_EQ(data.lines[0].byMargin[0].tokens, 4U);
  EXPECT_EQ(data.lines[0].byMargin[0].share(), 1);
  EXPECT_EQ(data.lines[0].byMargin[1].tokens, 28U);
  EXPECT_EQ(data.lines[0].byMargin[1].share(), 0);
  EXPECT_EQ(data.lines[1].byLayer[3].share(), 0);
}

TEST_F(ExpertsViewTest, ListsTheRoutersOfTheSelectedVariant) {
  open(withRouters());
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  ASSERT_EQ(m_table->model()->rowCount(), 4);
  EXPECT_EQ(cell(3, 0), QStringLiteral("3"));
  EXPECT_EQ(cell(3, 1), QStringLiteral("model.layers.3.mlp.gate_proj"));
  EXPECT_EQ(cell(3, 2), QStringLiteral("2 of 8"));
  EXPECT_EQ(cell(3, 4), QStringLiteral("25.0"));
  EXPECT_EQ(cell(3, 5), QStringLiteral("12.5"));
  EXPECT_EQ(cell(3, 6), QStringLiteral("1.00"));
  EXPECT_EQ(cell(3, 7), QStringLiteral("50.0"));
  EXPECT_EQ(cell(3, 8), QStringLiteral("50.0"));
  const auto* proxy = qobject_cast<QAbstractProxyModel*>(m_table->model());
  auto* model = dynamic_cast<RouterModel*>(proxy->sourceModel());
  ASSERT_NE(model, nullptr);
  const test::ModelChecks checks(model);
  const auto texts = m_host->findChildren<QLabel*>();
  const bool isSaid = std::ranges::any_of(texts, [](const QLabel* label) {
    return label->text() ==
           QStringLiteral(
               "bf16 chooses other experts for 12.5 % of the tokens, at layer 3 for 25.0 %.");
  });
  EXPECT_TRUE(isSaid);
  m_fixture.selection.selectRun(QStringLiteral("fp16"));
  EXPECT_EQ(cell(3, 4), QStringLiteral("0"));
}

TEST_F(ExpertsViewTest, DrawsWhichTokensAreFlipped) {
  open(withRouters());
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  const charts::RasterContent& content = m_raster->content();
  ASSERT_EQ(content.rowCount(), 4);
  ASSERT_EQ(content.columnCount(), 8);
  EXPECT_EQ(content.grid->value(2, 2), 1);
  EXPECT_EQ(content.grid->value(2, 3), 0);
  EXPECT_EQ(content.grid->value(3, 7), 1);
  const charts::RasterReadout readout = content.readout(3, 7);
  ASSERT_EQ(readout.lines.size(), 2U);
  EXPECT_EQ(readout.lines[0].second, QStringLiteral("7 (sequence 1, 3)"));
  EXPECT_EQ(readout.lines[1].second, QStringLiteral("flipped"));
  EXPECT_EQ(content.columns.label(7), QStringLiteral("3")) << "of its sequence";
}

TEST_F(ExpertsViewTest, AClickOnAPointSelectsTheRouterOfTheVariant) {
  open(withRouters());
  const QRect point = m_chart->pointRect(3);
  QTest::mouseClick(m_chart, Qt::LeftButton, Qt::NoModifier, point.center());
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("bf16"));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("model.layers.3.mlp.gate_proj"));
  EXPECT_EQ(m_chart->current(), (FlipSpot{.line = 0, .point = 3}));
  EXPECT_EQ(m_table->currentIndex().row(), 3);
  QTest::keyClick(m_chart, Qt::Key_Left);
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("model.layers.2.mlp.gate_proj"));
  QTest::keyClick(m_chart, Qt::Key_Down);
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("fp16"));
  ASSERT_TRUE(m_host->view()->placeMark());
  EXPECT_EQ(m_host->view()->placeMark()->run, QStringLiteral("fp16"));
}

TEST_F(ExpertsViewTest, ARowOfTheTableSelectsItsRouter) {
  open(withRouters());
  m_table->setCurrentIndex(m_table->model()->index(1, 0));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("model.layers.1.mlp.gate_proj"));
  EXPECT_EQ(m_chart->current().point, 1);
}

TEST_F(ExpertsViewTest, SaysWhyThereIsNothing) {
  open(test::realisticReport({.layers = 2}));
  EXPECT_TRUE(m_host->view()->exhibits().empty());
  const auto texts = m_host->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(texts, [](const QLabel* label) {
    return label->isVisible() && label->text() == QStringLiteral("No routers");
  }));
  const auto buttons = m_host->findChildren<QPushButton*>();
  EXPECT_TRUE(std::ranges::any_of(buttons, &QPushButton::isVisible));
}

TEST_F(ExpertsViewTest, WhatIsShownLeavesTheProgramAsTables) {
  open(withRouters());
  m_fixture.selection.selectRun(QStringLiteral("bf16"));
  const auto shown = m_host->view()->exhibits();
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0].id, QStringLiteral("expert-flips"));
  EXPECT_EQ(shown[0].table().rows.size(), 2U * 4 + 2 + 1);
  EXPECT_EQ(shown[1].table().rows.size(), 4U) << "a row for each flipped token";
  EXPECT_EQ(shown[2].table().rows.size(), 4U);
}

}  // namespace
}  // namespace ulp::views
