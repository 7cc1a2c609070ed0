#include <gtest/gtest.h>

#include <QtCore/QTimer>
#include <QtWidgets/QComboBox>

#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/stall_listener.h"

/// The window on a report of 126 layers, used with keys: every test of this program fails where one
/// event keeps the GUI thread above 50 ms (tests/support/window/stall_listener.h).
namespace ulp::app {
namespace {

class ResponsivenessTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    m_folderOfReport = reportFolder(
        QStringLiteral("large"), {.layers = 126, .nonFiniteShare = 0.002, .missingShare = 0.0005});
  }

  /// As an event, like everything that a user does.
  template <class Act>
  void act(Act action) {
    QTimer::singleShot(0, m_window.get(), action);
    QCoreApplication::processEvents();
    settle();
  }

  void press(const QKeySequence& keys) {
    QTest::keyClick(m_window.get(), keys[0].key(), keys[0].keyboardModifiers());
    settle();
  }

  QString m_folderOfReport;
};

TEST_F(ResponsivenessTest, OpeningAReport) {
  act([this] { m_window->open({m_folderOfReport}); });
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_GT(workspace().reports.document()->sites().size(), 3000U);
}

TEST_F(ResponsivenessTest, GoingThroughEveryView) {
  act([this] { m_window->open({m_folderOfReport}); });
  int seen = 0;
  for (const views::ViewDescriptor& view : m_session->registry().all()) {
    press(view.shortcut);
    const views::ViewHost* host = m_window->docks().host(view.id);
    EXPECT_TRUE(host->isVisible()) << view.id.toStdString();
    seen += host->view() != nullptr ? 1 : 0;
  }
  EXPECT_EQ(seen, static_cast<int>(m_session->registry().all().size()));
}

TEST_F(ResponsivenessTest, WhatIsSelectedChangesWithAllViewsOpen) {
  act([this] { m_window->open({m_folderOfReport}); });
  for (const views::ViewDescriptor& view : m_session->registry().all()) {
    press(view.shortcut);
  }
  for (const char* view : {"overview", "depth", "heatmap", "table", "findings"}) {
    press(m_session->registry().find(QLatin1String(view))->shortcut);
    for (const Qt::Key key : {Qt::Key_N, Qt::Key_N, Qt::Key_F8, Qt::Key_F8}) {
      press(QKeySequence(key));
    }
    for (const views::MetricInfo& metric : workspace().reports.document()->metrics()) {
      act([&] { m_session->selection().selectMetric(metric.id); });
    }
    act([&] { m_session->selection().selectPasses(views::PassFilter::Forward); });
    act([&] { m_session->selection().selectPasses(views::PassFilter::ForwardBackward); });
  }
  const QString first = workspace().reports.document()->variantName(0);
  act([&] { m_session->selection().selectBaseline(first, views::Relation::Ratio); });
  EXPECT_EQ(workspace().reports.document()->findVariant(first), -1);
  act([&] { m_session->selection().selectBaseline({}, views::Relation::Error); });
  EXPECT_EQ(workspace().reports.document()->findVariant(first), 0);
}

TEST_F(ResponsivenessTest, AnotherTheme) {
  act([this] { m_window->open({m_folderOfReport}); });
  for (const views::ThemeChoice theme : {views::ThemeChoice::Dark, views::ThemeChoice::Light}) {
    test::allowStalls(150, "Qt gives every widget of the window its new colours at once");
    act([&] { m_session->themes().setChoice(theme); });
  }
}

}  // namespace
}  // namespace ulp::app
