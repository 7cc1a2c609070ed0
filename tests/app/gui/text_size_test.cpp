#include <utility>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolBar>
#include <QtWidgets/QToolButton>

#include "app/gui/dock_title.h"
#include "app/gui/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/stall_listener.h"

namespace ulp::app {
namespace {

class TextSizeTest : public test::WindowFixture, public testing::WithParamInterface<int> {
 protected:
  void showEverything() {
    m_window->resize(2400, 1600);
    m_window->open({study()});
    settle();
    m_window->open({reportFolder(QStringLiteral("smollm2"))});
    settle();
    for (const views::ViewDescriptor& view : m_session->registry().all()) {
      m_window->raiseView(view.id);
      settle();
    }
    for (const char* id : {"file.settings", "help.shortcuts"}) {
      m_window->actions()[QLatin1String(id)]->trigger();
      settle();
    }
  }

  static bool showsText(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return (label != nullptr && !label->wordWrap()) ||
           (button != nullptr && !button->text().isEmpty() && tool == nullptr) ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr;
  }

  static std::string textOf(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return label == nullptr ? std::string() : label->text().toStdString();
  }

  static QList<QRect> geometries() {
    QList<QRect> found;
    for (const QWidget* widget : QApplication::allWidgets()) {
      if (widget->isVisible()) {
        found << widget->geometry();
      }
    }
    return found;
  }

  /// Nothing is lower than its text, nor held to a size that its text does not fit into.
  void expectNothingIsCut() {
    // Layouts follow one another from the inside out, slowly where other programs run.
    for (QList<QRect> before, now; before.isEmpty() || before != now;) {
      QTest::qWait(100);
      before = std::exchange(now, geometries());
    }
    for (const QWidget* widget : QApplication::allWidgets()) {
      if (widget->isVisible() && showsText(*widget)) {
        const int needed = widget->fontMetrics().height();
        EXPECT_GE(widget->height(), needed)
            << widget->metaObject()->className() << ' ' << widget->accessibleName().toStdString()
            << " '" << textOf(*widget) << "' in "
            << widget->parentWidget()->metaObject()->className();
        EXPECT_GE(widget->maximumHeight(), widget->minimumSizeHint().height())
            << widget->metaObject()->className();
        EXPECT_GE(widget->maximumWidth(), widget->minimumSizeHint().width())
            << widget->metaObject()->className();
      }
      const auto* tool = qobject_cast<const QToolButton*>(widget);
      const bool isInTitle = qobject_cast<const DockTitle*>(widget->parentWidget()) != nullptr ||
                             qobject_cast<const QToolBar*>(widget->parentWidget()) != nullptr;
      if (tool != nullptr && tool->isVisible() && isInTitle && !tool->icon().isNull()) {
        EXPECT_GE(tool->iconSize().height(), tool->fontMetrics().height())
            << tool->accessibleName().toStdString();
      }
      if (const auto* table = qobject_cast<const QTableView*>(widget)) {
        EXPECT_GE(table->verticalHeader()->defaultSectionSize(), table->fontMetrics().height())
            << table->accessibleName().toStdString();
      }
    }
  }
};

TEST_P(TextSizeTest, NothingIsCutWhenTheWindowStartsWithIt) {
  m_session->settings().set(kTextSize, GetParam());
  ASSERT_TRUE(m_window->close());
  makeWindow();
  showEverything();
  expectNothingIsCut();
}

TEST_P(TextSizeTest, NothingIsCutWhenItIsChangedInAnOpenWindow) {
  showEverything();
  test::allowStalls(150, "Qt lays out and paints the whole window at once when its font changes");
  m_session->settings().set(kTextSize, GetParam());
  settle();
  expectNothingIsCut();
}

INSTANTIATE_TEST_SUITE_P(Percent, TextSizeTest, testing::Values(100, 125, 150, 200, 300));

}  // namespace
}  // namespace ulp::app
