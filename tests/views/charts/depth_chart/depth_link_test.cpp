#include "views/charts/depth_chart/depth_link.h"

#include <gtest/gtest.h>

#include "tests/views/context_fixture.h"

namespace ulp::views::charts {
namespace {

TEST(DepthLink, JoinsChartsThroughTheSelection) {
  test::ContextFixture fixture;
  fixture.openReport(test::realisticReport({.layers = 5}));
  const DocumentPtr document = fixture.workspace.reports.document();
  DepthChart one;
  DepthChart other;
  DepthLink oneLink(one, fixture.context());
  DepthLink otherLink(other, fixture.context());
  for (DepthChart* chart : {&one, &other}) {
    chart->setData(
        makeDepthData(*document,
                      makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward),
                      QStringLiteral("rms_rel")));
  }
  oneLink.setDocument(document);
  otherLink.setDocument(document);
  Q_EMIT one.picked(3, 2);
  EXPECT_EQ(fixture.selection.selection().site, QStringLiteral("decoder.2"));
  EXPECT_EQ(fixture.selection.selection().run(), QStringLiteral("bf16_fp32_residual"));
  otherLink.showSelection(fixture.selection.selection());
  EXPECT_EQ(other.options().currentSlot, 3);
  EXPECT_EQ(other.options().currentCurve, 2);
  Q_EMIT one.hovered(4, 0);
  EXPECT_EQ(other.hoveredSlot(), 4);
  Q_EMIT one.hovered(-1, -1);
  EXPECT_EQ(other.hoveredSlot(), -1);
}

}  // namespace
}  // namespace ulp::views::charts
