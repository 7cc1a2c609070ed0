#include "views/framework/view/viewport_link.h"

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

/// Shows a part of an axis of numbers.
class SpanView : public View {
 public:
  using View::View;

  void setReport(const DocumentPtr& /*document*/) override {}
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] Viewpoint viewpoint() const override {
    return {.numbers = {{.id = axis, .low = low, .high = high, .isWhole = false}},
            .extents = {{.id = axis, .low = 0, .high = extent}}};
  }
  void follow(const Viewpoint& viewpoint) override {
    ++followed;
    if (const NumberSpan* span = viewpoint.findNumbers(axis)) {
      low = span->low;
      high = span->high;
      Q_EMIT viewpointChanged();  // as views do that do not tell who has moved them
    }
  }
  void shareExtents(const std::vector<AxisExtent>& extents) override { shared = extents; }

  void zoom(double from, double to) {
    low = from;
    high = to;
    Q_EMIT viewpointChanged();
  }

  QString axis = QStringLiteral("values");
  double low = 0;
  double high = 10;
  double extent = 10;
  int followed = 0;
  std::vector<AxisExtent> shared;
};

class ViewportLinkTest : public testing::Test {
 protected:
  /// A tab of the kind before "#".
  ViewHost& addTab(const QString& id, bool hasViewport = true) {
    m_hosts.push_back(std::make_unique<ViewHost>(
        ViewDescriptor{
            .id = id,
            .hasViewport = hasViewport,
            .make = [](const ViewContext& context) { return std::make_unique<SpanView>(context); }},
        m_fixture.context()));
    return *m_hosts.back();
  }
  static SpanView& viewOf(ViewHost& host) { return static_cast<SpanView&>(host.ensureView()); }

  test::ContextFixture m_fixture;
  ViewportLink m_link;
  std::vector<std::unique_ptr<ViewHost>> m_hosts;
};

TEST_F(ViewportLinkTest, LinkedViewsOfOneKindZoomTogether) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  ViewHost& third = addTab(QStringLiteral("depth#3"));
  ViewHost& other = addTab(QStringLiteral("heatmap"));
  for (ViewHost* host : {&first, &second, &other}) {
    host->ensureView();
    m_link.setLinked(*host, true);
  }
  viewOf(third);
  viewOf(first).zoom(2, 5);
  EXPECT_EQ(viewOf(second).low, 2);
  EXPECT_EQ(viewOf(second).high, 5);
  EXPECT_EQ(viewOf(third).high, 10) << "not linked";
  EXPECT_EQ(viewOf(other).high, 10) << "of another kind";
  viewOf(second).zoom(1, 3);
  EXPECT_EQ(viewOf(first).high, 3);
}

TEST_F(ViewportLinkTest, WhatAViewFollowsIsNotPassedOn) {
  std::vector<SpanView*> views;
  for (const char* id : {"depth", "depth#2", "depth#3"}) {
    ViewHost& host = addTab(QLatin1String(id));
    views.push_back(&viewOf(host));
    m_link.setLinked(host, true);
  }
  for (SpanView* view : views) {
    view->followed = 0;
  }
  views[0]->zoom(2, 5);
  EXPECT_EQ(views[0]->followed, 0);
  EXPECT_EQ(views[1]->followed, 1);
  EXPECT_EQ(views[2]->followed, 1);
}

TEST_F(ViewportLinkTest, AViewThatIsLinkedTakesOverWhatTheOthersShow) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  viewOf(first).zoom(2, 5);
  viewOf(second).zoom(7, 8);
  m_link.setLinked(first, true);
  m_link.setLinked(second, true);
  EXPECT_EQ(viewOf(first).high, 5);
  EXPECT_EQ(viewOf(second).high, 5);
}

TEST_F(ViewportLinkTest, AViewThatIsMadeLaterFollowsTheOthers) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  m_link.setLinked(second, true);
  m_link.setLinked(first, true);
  viewOf(first).zoom(2, 5);
  EXPECT_EQ(viewOf(second).high, 5);
}

TEST_F(ViewportLinkTest, AViewWithOtherDataStaysWhereTheOthersAre) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  for (ViewHost* host : {&first, &second}) {
    host->ensureView();
    m_link.setLinked(*host, true);
  }
  viewOf(first).zoom(2, 5);
  viewOf(second).low = 0;
  viewOf(second).high = 10;
  Q_EMIT viewOf(second).contentReplaced();
  EXPECT_EQ(viewOf(second).high, 5);
  EXPECT_EQ(viewOf(first).high, 5);
}

TEST_F(ViewportLinkTest, AxesReachOverTheDataOfAllLinkedViews) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  viewOf(second).extent = 30;
  m_link.setLinked(first, true);
  m_link.setLinked(second, true);
  const std::vector<AxisExtent> both{{.id = QStringLiteral("values"), .low = 0, .high = 30}};
  EXPECT_EQ(viewOf(first).shared, both);
  EXPECT_EQ(viewOf(second).shared, both);
  m_link.setLinked(second, false);
  EXPECT_TRUE(viewOf(second).shared.empty());
  ASSERT_EQ(viewOf(first).shared.size(), 1U);
  EXPECT_EQ(viewOf(first).shared.front().high, 10);
}

TEST_F(ViewportLinkTest, AViewThatLeavesZoomsAlone) {
  ViewHost& first = addTab(QStringLiteral("depth"));
  ViewHost& second = addTab(QStringLiteral("depth#2"));
  for (ViewHost* host : {&first, &second}) {
    host->ensureView();
    m_link.setLinked(*host, true);
  }
  const QSignalSpy changed(&m_link, &ViewportLink::linkedChanged);
  m_link.setLinked(second, false);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(m_link.linkedIds(), QStringList{QStringLiteral("depth")});
  viewOf(first).zoom(2, 5);
  EXPECT_EQ(viewOf(second).high, 10);
}

TEST_F(ViewportLinkTest, AViewWithoutAViewportCannotBeLinked) {
  ViewHost& host = addTab(QStringLiteral("table"), false);
  m_link.setLinked(host, true);
  EXPECT_FALSE(m_link.isLinked(host));
}

TEST_F(ViewportLinkTest, ATabThatIsClosedIsForgotten) {
  m_link.setLinked(addTab(QStringLiteral("depth")), true);
  m_link.setLinked(addTab(QStringLiteral("depth#2")), true);
  m_hosts.pop_back();
  EXPECT_EQ(m_link.linkedIds(), QStringList{QStringLiteral("depth")});
}

}  // namespace
}  // namespace ulp::views
