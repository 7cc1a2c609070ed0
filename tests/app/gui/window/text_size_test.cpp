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

#include "app/gui/bars/dock_title.h"
#include "app/gui/session/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"

namespace ulp::app {
namespace {

class TextSizeTest : public test::WindowFixture, public testing::WithParamInterface<int> {
 protected:
  void showEverything() {
    m_window->resize(2400, 1600);
    open({study()});
    open({reportFolder(QStringLiteral("smollm2"))});
    showEveryView();
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

  static QString nameOf(const QWidget& widget) {
    const QString parent = QLatin1String(
        widget.parentWidget() == nullptr ? "" : widget.parentWidget()->metaObject()->className());
    return QStringLiteral("%1 '%2%3' in %4")
        .arg(QLatin1String(widget.metaObject()->className()),
             widget.accessibleName(),
             widget.property("text").toString(),
             parent);
  }

  /// What is lower than its text, or held to a size that its text does not fit into.
  static QStringList cutWidgets() {
    QStringList cut;
    for (const QWidget* widget : QApplication::allWidgets()) {
      if (!widget->isVisible()) {
        continue;
      }
      const int needed = widget->fontMetrics().height();
      const QSize least = widget->minimumSizeHint();
      const bool isText = showsText(*widget);
      const bool isHeld =
          widget->maximumHeight() < least.height() || widget->maximumWidth() < least.width();
      const auto* tool = qobject_cast<const QToolButton*>(widget);
      const bool isInTitle = qobject_cast<const DockTitle*>(widget->parentWidget()) != nullptr ||
                             qobject_cast<const QToolBar*>(widget->parentWidget()) != nullptr;
      const bool hasSmallIcon = tool != nullptr && isInTitle && !tool->icon().isNull() &&
                                tool->iconSize().height() < needed;
      const auto* table = qobject_cast<const QTableView*>(widget);
      const bool hasLowRows =
          table != nullptr && table->verticalHeader()->defaultSectionSize() < needed;
      if ((isText && (widget->height() < needed || isHeld)) || hasSmallIcon || hasLowRows) {
        cut << nameOf(*widget);
      }
    }
    return cut;
  }

  static void expectNothingIsCut() {
    // Layouts follow one another from the inside out, an event each.
    QStringList cut;
    const bool isWell = test::waitFor([&cut] {
      cut = cutWidgets();
      return cut.isEmpty();
    });
    EXPECT_TRUE(isWell) << cut.join(QLatin1Char('\n')).toStdString();
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
  m_session->settings().set(kTextSize, GetParam());
  settle();
  expectNothingIsCut();
}

INSTANTIATE_TEST_SUITE_P(Percent,
                         TextSizeTest,
                         testing::Values(100, 125, 150, 200, 300),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace ulp::app
