#include <map>

#include <gtest/gtest.h>

#include <QtGui/QScreen>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "app/gui/bars/dock_title.h"
#include "app/gui/bars/last_message.h"
#include "tests/app/gui/window_fixture.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

constexpr QSize kSmall{900, 600};
constexpr QSize kUsual{1280, 800};

class WindowSizeTest : public test::WindowFixture {
 protected:
  void openEverything() {
    open({study()});
    open({reportFolder(QStringLiteral("smollm2"))});
    m_session->selection().selectSite(QStringLiteral("decoder.1"), Pass::Forward);
    showEveryView();
  }
  void resizeTo(const QSize& size) {
    m_window->resize(size);
    // Layouts follow one another from the outside in, an event each.
    for (int i = 0; i < 4; ++i) {
      QCoreApplication::processEvents();
    }
    settle();
  }
  [[nodiscard]] std::map<QString, QRect> places() const {
    std::map<QString, QRect> found;
    for (const ViewDocks::Place& place : m_window->docks().places()) {
      if (!place.dock->visibleRegion().isEmpty()) {
        found[place.descriptor.id] = place.dock->geometry();
      }
    }
    return found;
  }
  [[nodiscard]] QTableView* metrics() const {
    return host("details")->findChild<QTableView*>(QStringLiteral("metrics"));
  }
};

TEST_F(WindowSizeTest, FitsTheScreenFromTheFirstMoment) {
  const MainWindow fresh(*m_session);
  const QSize room = fresh.screen()->availableSize();
  EXPECT_LT(fresh.width(), room.width());
  EXPECT_LT(fresh.height(), room.height());
  EXPECT_LE(fresh.width(), kUsual.width());
}

TEST_F(WindowSizeTest, TheStartPageScrollsWhereTheWindowIsLow) {
  QStringList recent;
  for (int i = 0; i < 40; ++i) {
    recent << m_folder.filePath(QString::number(i));
  }
  m_session->settings().set(views::kRecentFiles, recent);
  resizeTo({400, 300});
  EXPECT_EQ(m_window->size(), QSize(400, 300));
}

TEST_F(WindowSizeTest, CanBeMadeSmallWithEveryViewOpen) {
  openEverything();
  resizeTo(kSmall);
  EXPECT_EQ(m_window->size(), kSmall);
  EXPECT_LE(m_window->minimumSizeHint().width(), kSmall.width());
  EXPECT_LE(m_window->minimumSizeHint().height(), kSmall.height());
}

TEST_F(WindowSizeTest, TabsKeepTheirNamesInASmallWindow) {
  openEverything();
  resizeTo({700, kSmall.height()});
  int bars = 0;
  for (const auto* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (bar->isVisible()) {
      ++bars;
      for (int tab = 0; tab < bar->count(); ++tab) {
        EXPECT_GE(bar->tabRect(tab).width(),
                  bar->fontMetrics().horizontalAdvance(bar->tabText(tab)))
            << bar->tabText(tab).toStdString();
      }
    }
  }
  EXPECT_GE(bars, 2);
}

TEST_F(WindowSizeTest, KeepsItsSplittersWhateverIsShown) {
  resizeTo(kUsual);
  openEverything();
  show("overview");
  const auto before = places();
  m_session->selection().selectSite(QStringLiteral("embeddings"), Pass::Forward);
  settle();
  workspace().messages.raise(
      {.severity = views::Severity::Broken, .text = QStringLiteral("word ").repeated(200)});
  settle();
  EXPECT_EQ(places(), before);
  EXPECT_EQ(m_window->size(), kUsual);
}

TEST_F(WindowSizeTest, DetailsShowTheNamesOfMetricsInASmallWindow) {
  resizeTo(kSmall);
  openEverything();
  m_session->selection().selectRun(workspace().reports.document()->variantName(3));
  settle();
  const QTableView& table = *metrics();
  const auto* frozen = table.findChild<views::FrozenColumn*>();
  const bool isScrolled = table.horizontalScrollBar()->value() > 0;
  ASSERT_TRUE(frozen->isVisible() || !isScrolled);
  const int shown = frozen->isVisible() ? frozen->width() : table.columnWidth(0);
  QStyleOptionViewItem option;
  option.font = table.font();
  option.fontMetrics = table.fontMetrics();
  const QModelIndex name = table.model()->index(0, 0);
  EXPECT_GE(shown, table.itemDelegateForIndex(name)->sizeHint(option, name).width());
  // Beside it there is room for the numbers of the selected variant.
  const QRect value = table.visualRect(table.model()->index(0, 4));
  EXPECT_GE(value.left(), frozen->isVisible() ? frozen->width() : 0);
  EXPECT_LT(value.left(), table.viewport()->width());
}

TEST_F(WindowSizeTest, OverviewShowsTheForwardColumnsFirstInASmallWindow) {
  resizeTo(kSmall);
  open({reportFolder(QStringLiteral("smollm2"))});
  const QTableView& table = *host("overview")->findChild<QTableView*>(QStringLiteral("summary"));
  // Whatever is selected: here a gradient, far to the right.
  const auto expectForwardFirst = [&table] {
    EXPECT_EQ(table.horizontalScrollBar()->value(), 0);
    for (const int column : {2, 3}) {
      EXPECT_LE(table.visualRect(table.model()->index(1, column)).right(),
                table.viewport()->width())
          << column;
    }
  };
  expectForwardFirst();
  open({reportFolder(QStringLiteral("another"))});
  expectForwardFirst();
}

TEST_F(WindowSizeTest, AViewKeepsTheSplitterThatTheUserMoved) {
  // Tall enough for the chart below the tables.
  resizeTo({kUsual.width(), 1200});
  open({reportFolder(QStringLiteral("smollm2"))});
  auto* split = host("overview")->findChild<QSplitter*>();
  QSplitterHandle* handle = split->handle(1);
  ASSERT_TRUE(handle->isVisible());
  const QPoint from = handle->rect().center();
  QTest::mousePress(handle, Qt::LeftButton, {}, from);
  QTest::mouseMove(handle, from + QPoint(0, -40));
  QTest::mouseRelease(handle, Qt::LeftButton, {}, from + QPoint(0, -40));
  const QList<int> wanted = split->sizes();
  m_session->selection().selectMetric(workspace().reports.document()->metrics()[2].id);
  settle();
  EXPECT_EQ(split->sizes(), wanted);
}

TEST_F(WindowSizeTest, ControlsThatHaveNoRoomAreInAMenu) {
  resizeTo(kUsual);
  openEverything();
  show("depth");
  auto* dock = qobject_cast<QDockWidget*>(host("depth")->parentWidget());
  dock->setFloating(true);
  dock->resize(1000, 400);
  settle();
  auto* title = dock->findChild<DockTitle*>();
  ASSERT_NE(title, nullptr);
  auto* more = title->findChild<QToolButton*>(QStringLiteral("more"));
  auto* lock = title->findChild<QToolButton*>(QStringLiteral("lock"));
  EXPECT_FALSE(more->isVisible());
  EXPECT_TRUE(lock->isVisible());
  dock->resize(200, 400);
  settle();
  EXPECT_TRUE(more->isVisible());
  EXPECT_FALSE(lock->isVisible());
  Q_EMIT more->menu()->aboutToShow();
  QAction* entry = nullptr;
  for (QAction* each : more->menu()->actions()) {
    entry = each->text() == lock->accessibleName() ? each : entry;
  }
  ASSERT_NE(entry, nullptr);
  entry->trigger();
  EXPECT_TRUE(host("depth")->isLocked());
  dock->resize(1000, 400);
  settle();
  EXPECT_FALSE(more->isVisible());
  EXPECT_TRUE(lock->isVisible());
}

TEST_F(WindowSizeTest, TheStatusBarKeepsTheLastMessage) {
  auto* last = m_window->findChild<LastMessage*>();
  EXPECT_FALSE(last->isVisible());
  workspace().messages.raise({.severity = views::Severity::Broken,
                              .text = QStringLiteral("first of many words ").repeated(40)});
  settle();
  EXPECT_TRUE(last->isVisible());
  EXPECT_TRUE(last->text().startsWith(QStringLiteral("■ first of many")));
  EXPECT_LT(last->width(), m_window->width() / 2);
  m_window->messages().clear();
  QTest::mouseClick(last, Qt::LeftButton);
  EXPECT_EQ(m_window->messages().count(), 1);
}

}  // namespace
}  // namespace ulp::app
