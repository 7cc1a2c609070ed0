#include <gtest/gtest.h>

#include "tests/views/context_fixture.h"
#include "views/charts/depth_chart/depth_link.h"

namespace ulp::views::charts {
namespace {

const QString kValues = QStringLiteral("rms_rel");

class DepthViewpointTest : public testing::Test {
 protected:
  static void load(DepthChart& chart,
                   const test::ReportShape& shape,
                   const QString& kind = layerRowsId(),
                   PassFilter shown = PassFilter::ForwardBackward) {
    const DocumentPtr document = test::documentOf(test::realisticReport(shape));
    chart.setData(
        makeDepthData(*document, makeDepthAxis(*document, kind, shown), QStringLiteral("rms_rel")));
    chart.resize(600, 400);
  }
  [[nodiscard]] static int slotOf(const DepthChart& chart, const QString& name, Pass pass) {
    for (int slot = 0; slot < chart.data().axis.size(); ++slot) {
      const DepthSlot& here = chart.data().axis.at(slot);
      if (here.name == name && here.pass == pass) {
        return slot;
      }
    }
    return -1;
  }
  void show() { showViewpoint(m_second, viewpointOf(m_first, kValues), kValues); }

  DepthChart m_first;
  DepthChart m_second;
};

TEST_F(DepthViewpointTest, AnotherModelShowsTheSameLayers) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 12});
  const int first = slotOf(m_first, QStringLiteral("decoder.2"), Pass::Forward);
  m_first.setViewRange({first - 0.5, first + 2.5}, m_first.viewRange().y());
  show();
  const int second = slotOf(m_second, QStringLiteral("decoder.2"), Pass::Forward);
  EXPECT_NEAR(m_second.viewRange().x().low, second - 0.5, 1e-9);
  EXPECT_NEAR(m_second.viewRange().x().high, second + 2.5, 1e-9);
}

TEST_F(DepthViewpointTest, AllOfOneModelIsAllOfAnother) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 12});
  m_second.setViewRange({2, 4}, m_second.viewRange().y());
  show();
  EXPECT_EQ(m_second.viewRange().x(), m_second.viewRange().fullX());
}

TEST_F(DepthViewpointTest, LayerRowsAndAllRowsShowTheSameLayer) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 6}, allRowsId());
  const int layer = slotOf(m_first, QStringLiteral("decoder.3"), Pass::Forward);
  m_first.setViewRange({layer - 1.0, layer + 1.0}, m_first.viewRange().y());
  show();
  const int row = slotOf(m_second, QStringLiteral("decoder.3"), Pass::Forward);
  EXPECT_TRUE(m_second.viewRange().x().contains(row));
  EXPECT_LT(m_second.viewRange().x().span(), m_second.data().axis.size() / 2.0);
}

TEST_F(DepthViewpointTest, TensorsThatTheOtherChartLacksLeaveItAlone) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 6}, layerRowsId(), PassFilter::Forward);
  const int back = slotOf(m_first, QStringLiteral("decoder.3"), Pass::Backward);
  m_first.setViewRange({back - 1.0, back + 1.0}, m_first.viewRange().y());
  m_second.setViewRange({2, 4}, m_second.viewRange().y());
  show();
  EXPECT_EQ(m_second.viewRange().x(), (Range{2, 4}));
}

TEST_F(DepthViewpointTest, ValuesFollowWhereTheyMeanTheSame) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 6});
  const Range all = m_first.viewRange().y();
  const Range half{all.low, all.low + (all.span() / 2)};
  m_first.setViewRange(m_first.viewRange().x(), half);
  showViewpoint(m_second, viewpointOf(m_first, kValues), QStringLiteral("cosine"));
  EXPECT_EQ(m_second.viewRange().y(), all);
  show();
  EXPECT_EQ(m_second.viewRange().y(), half);
}

TEST_F(DepthViewpointTest, ChartsThatShareAScaleReachOverAllTheirValues) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 6});
  const Range own = m_first.extent();
  const AxisExtent wide{.id = kValues, .low = own.low - 2, .high = own.high + 1};
  showExtent(m_first, {wide}, kValues);
  EXPECT_EQ(m_first.viewRange().y(), (Range{own.low - 2, own.high + 1}));
  EXPECT_EQ(m_first.extent(), own) << "what it needs itself stays known";
  showExtent(m_first, {}, kValues);
  EXPECT_EQ(m_first.viewRange().y(), own);
}

TEST_F(DepthViewpointTest, TheSecondCursorStandsAtTheSameTensor) {
  load(m_first, {.layers = 6});
  load(m_second, {.layers = 12});
  m_first.setPinnedSlot(slotOf(m_first, QStringLiteral("decoder.4"), Pass::Backward));
  show();
  EXPECT_EQ(m_second.options().pinnedSlot,
            slotOf(m_second, QStringLiteral("decoder.4"), Pass::Backward));
  m_first.setPinnedSlot(-1);
  show();
  EXPECT_EQ(m_second.options().pinnedSlot, -1);
}

TEST_F(DepthViewpointTest, AnEmptyChartHasNothingToFollow) {
  load(m_second, {.layers = 6});
  m_second.setViewRange({2, 4}, m_second.viewRange().y());
  EXPECT_TRUE(viewpointOf(m_first, kValues).isEmpty());
  show();
  EXPECT_EQ(m_second.viewRange().x(), (Range{2, 4}));
}

}  // namespace
}  // namespace ulp::views::charts
