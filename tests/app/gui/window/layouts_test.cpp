#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>

#include "app/gui/session/saved_session.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"

namespace ulp::app {
namespace {

class LayoutsTest : public test::WindowFixture {
 protected:
  void openReport() {
    m_window->resize(1280, 800);
    open({reportFolder(QStringLiteral("smollm2"))});
  }
  [[nodiscard]] QDockWidget& dock(const char* id) {
    return *m_window->findChild<QDockWidget*>(QLatin1String(id));
  }
  [[nodiscard]] bool isShown(const char* id) { return !dock(id).isHidden(); }
  void saveLayoutAs(const QString& name) {
    trigger("layout.save");
    auto* dialog = m_window->findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    QTest::keyClicks(dialog->findChild<QLineEdit*>(), name);
    QTest::keyClick(dialog, Qt::Key_Return);
    QTest::qWait(0);
  }
  [[nodiscard]] QAction* menuEntry(const QString& text) {
    auto* menu = m_window->findChild<QMenu*>(QStringLiteral("layouts"));
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions()) {
      if (action->text() == text) {
        return action;
      }
    }
    return nullptr;
  }
};

TEST_F(LayoutsTest, EachShowsWhatItIsFor) {
  openReport();
  QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_TRUE(isShown("study"));
  EXPECT_TRUE(isShown("runs"));
  EXPECT_FALSE(isShown("overview"));
  EXPECT_FALSE(isShown("details"));
  QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_TRUE(isShown("tensor"));
  EXPECT_TRUE(isShown("details"));
  EXPECT_FALSE(isShown("study"));
  EXPECT_TRUE(test::waitFor([&] { return dock("tensor").isVisible(); }));
  QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_TRUE(isShown("overview"));
  EXPECT_TRUE(isShown("depth"));
  EXPECT_FALSE(isShown("compare")) << "comes when it is asked for";
}

TEST_F(LayoutsTest, ANamedOneComesBackWithItsTabsAfterARestart) {
  openReport();
  m_window->docks().raiseView(QStringLiteral("depth"));
  host("depth")->setFocus();
  trigger("view.another");
  ASSERT_NE(host("depth#2"), nullptr);
  dock("details").close();
  saveLayoutAs(QStringLiteral("two curves"));
  trigger("layout.inspect");
  EXPECT_FALSE(isShown("depth#2"));
  ASSERT_TRUE(m_window->close());
  makeWindow();
  open({m_folder.filePath(QStringLiteral("smollm2"))});
  QAction* named = menuEntry(QStringLiteral("two curves"));
  ASSERT_NE(named, nullptr);
  named->trigger();
  EXPECT_TRUE(isShown("depth#2"));
  EXPECT_TRUE(isShown("overview"));
  EXPECT_FALSE(isShown("details"));
}

TEST_F(LayoutsTest, CanBeRemoved) {
  openReport();
  saveLayoutAs(QStringLiteral("mine"));
  ASSERT_NE(menuEntry(QStringLiteral("mine")), nullptr);
  QMenu* remove = m_window->findChild<QMenu*>(QStringLiteral("layouts"))->actions().back()->menu();
  ASSERT_NE(remove, nullptr);
  ASSERT_EQ(remove->actions().size(), 1);
  remove->actions()[0]->trigger();
  EXPECT_EQ(menuEntry(QStringLiteral("mine")), nullptr);
}

TEST_F(LayoutsTest, WithoutANameAreNotKept) {
  openReport();
  saveLayoutAs(QStringLiteral("  "));
  auto* menu = m_window->findChild<QMenu*>(QStringLiteral("layouts"));
  Q_EMIT menu->aboutToShow();
  EXPECT_FALSE(menu->actions().back()->menu()->isEnabled());
}

TEST(SavedLayouts, GoThroughJson) {
  SavedSession session;
  session.layouts[QStringLiteral("mine")] = {.state = QByteArray("\x00\x01z", 3),
                                             .tabs = {QStringLiteral("depth#2")}};
  const auto read = savedSessionFromJson(toJson(session));
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->layouts.size(), 1U);
  EXPECT_EQ(read->layouts.begin()->second.state, session.layouts.begin()->second.state);
  EXPECT_EQ(read->layouts.begin()->second.tabs, session.layouts.begin()->second.tabs);
}

}  // namespace
}  // namespace ulp::app
