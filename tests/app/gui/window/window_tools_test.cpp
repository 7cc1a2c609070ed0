#include "app/gui/window/window_tools.h"

#include <set>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>
#include <QtWidgets/QTreeWidget>

#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/commands/palette_popup.h"
#include "views/commands/shortcut_sheet.h"

namespace ulp::app {
namespace {

class WindowToolsTest : public test::WindowFixture {
 protected:
  void openReport() { open({reportFolder(QStringLiteral("smollm2"))}); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus == nullptr ? m_window.get() : focus, key, modifiers);
  }
  void choose(const char* letters) {
    QTest::keyClicks(QApplication::focusWidget(), QLatin1String(letters));
    auto* palette = m_window->findChild<views::PalettePopup*>();
    ASSERT_TRUE(test::waitFor([&] { return palette->isSettled(); }));
    press(Qt::Key_Return);
    settle();
  }
  [[nodiscard]] QString site() const { return m_session->selection().selection().site; }
};

TEST_F(WindowToolsTest, ThePaletteRunsACommandOfTheWindow) {
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(m_window->findChild<views::PalettePopup*>()->isVisible());
  choose("newstudy");
  EXPECT_TRUE(workspace().study.isOpen());
}

TEST_F(WindowToolsTest, ThePaletteRunsACommandOfAViewAndShowsIt) {
  openReport();
  show("depth");
  show("overview");
  QAction* logarithmic = nullptr;
  for (QAction* action : host("depth")->view()->viewActions()) {
    logarithmic = action->shortcut() == QKeySequence(Qt::Key_L) ? action : logarithmic;
  }
  ASSERT_NE(logarithmic, nullptr);
  const bool before = logarithmic->isChecked();
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  choose("depth logarithmic");
  EXPECT_NE(logarithmic->isChecked(), before);
  const auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("depth"));
  EXPECT_FALSE(dock->visibleRegion().isEmpty());
}

TEST_F(WindowToolsTest, WhatWasRunLatelyLeadsThePalette) {
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  choose("newstudy");
  press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* list = m_window->findChild<views::PalettePopup*>()->findChild<QListView*>();
  EXPECT_TRUE(list->model()->index(0, 0).data().toString().contains(QStringLiteral("New study")));
}

TEST_F(WindowToolsTest, EveryCommandIsInThePaletteOnce) {
  openReport();
  showEveryView();
  m_window->tools().adoptActions();
  std::set<QString> ids;
  std::set<QString> texts;
  for (const views::ShortcutScheme::Row& row : m_window->tools().shortcuts().rows()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id.toStdString();
    EXPECT_FALSE(row.group.isEmpty()) << row.id.toStdString();
    EXPECT_TRUE(texts.insert(row.group + row.text).second) << row.id.toStdString();
  }
  for (const auto& [id, action] : m_window->actions().all()) {
    EXPECT_TRUE(ids.contains(id)) << id.toStdString();
  }
  EXPECT_TRUE(ids.contains(QStringLiteral("depth.L")));
}

TEST_F(WindowToolsTest, NoTwoCommandsShareTheirKeys) {
  openReport();
  showEveryView();
  const views::ShortcutScheme& scheme = m_window->tools().shortcuts();
  for (const views::ShortcutScheme::Row& row : scheme.rows()) {
    for (const views::ShortcutScheme::Row* other : scheme.conflicts(row.id, row.keys)) {
      ADD_FAILURE() << row.id.toStdString() << " and " << other->id.toStdString();
    }
  }
}

TEST_F(WindowToolsTest, GoesToATensorAndToAVariantByAFewLetters) {
  openReport();
  press(Qt::Key_P, Qt::ControlModifier);
  choose("decoder.2");
  EXPECT_EQ(site(), QStringLiteral("decoder.2"));
  press(Qt::Key_P, Qt::ControlModifier);
  const QString name = workspace().reports.document()->variantName(1);
  choose(name.toLatin1().constData());
  EXPECT_EQ(m_session->selection().selection().run(), name);
  EXPECT_EQ(site(), QStringLiteral("decoder.2"));
}

TEST_F(WindowToolsTest, WithoutAReportThereIsNothingToGoTo) {
  EXPECT_FALSE(m_window->actions()[QStringLiteral("go.tensor")]->isEnabled());
  openReport();
  EXPECT_TRUE(m_window->actions()[QStringLiteral("go.tensor")]->isEnabled());
}

TEST_F(WindowToolsTest, PointAndCommaWalkTheBlocks) {
  openReport();
  m_session->selection().selectSite(QStringLiteral("decoder.1"), Pass::Forward);
  press(Qt::Key_Period);
  EXPECT_EQ(site(), QStringLiteral("decoder.2"));
  press(Qt::Key_Comma);
  EXPECT_EQ(site(), QStringLiteral("decoder.1"));
}

TEST_F(WindowToolsTest, F6GoesAroundTheVisiblePanels) {
  openReport();
  std::set<const QDockWidget*> visited;
  const auto own = [this]() -> const QDockWidget* {
    for (const QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
      if (dock->isAncestorOf(QApplication::focusWidget())) {
        return dock;
      }
    }
    return nullptr;
  };
  press(Qt::Key_F6);
  const QDockWidget* first = own();
  ASSERT_NE(first, nullptr);
  do {
    ASSERT_TRUE(visited.insert(own()).second);
    press(Qt::Key_F6);
    ASSERT_NE(own(), nullptr);
  } while (own() != first);
  EXPECT_GE(visited.size(), 2U);
  press(Qt::Key_F6, Qt::ShiftModifier);
  EXPECT_NE(own(), first);
}

TEST_F(WindowToolsTest, TheSheetListsEveryKeyAndFindsThem) {
  openReport();
  m_window->docks().raiseView(QStringLiteral("overview"));
  press(Qt::Key_Question);
  auto* sheet = m_window->findChild<views::ShortcutSheet*>();
  ASSERT_NE(sheet, nullptr);
  EXPECT_TRUE(sheet->isVisible());
  const auto lines = views::shortcutLines(m_window->tools().shortcuts());
  const auto* tree = sheet->findChild<QTreeWidget*>();
  const auto rows = [tree] {
    std::size_t count = 0;
    for (int i = 0; i < tree->topLevelItemCount(); ++i) {
      count += static_cast<std::size_t>(tree->topLevelItem(i)->childCount());
    }
    return count;
  };
  EXPECT_EQ(rows(), lines.size());
  QTest::keyClicks(sheet->findChild<QLineEdit*>(), QStringLiteral("ctrl+o"));
  EXPECT_EQ(rows(), views::filterLines(lines, QStringLiteral("ctrl+o")).size());
  EXPECT_LT(rows(), lines.size());
  EXPECT_GE(rows(), 1U);
  EXPECT_TRUE(views::sheetHtml(lines).contains(QStringLiteral("Ctrl+O")));
}

}  // namespace
}  // namespace ulp::app
