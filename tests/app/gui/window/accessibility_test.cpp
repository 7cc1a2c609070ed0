#include <map>

#include <gtest/gtest.h>

#include <QtGui/QAccessible>
#include <QtGui/QAction>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QAbstractSlider>
#include <QtWidgets/QAbstractSpinBox>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTextEdit>
#include <QtWidgets/QToolButton>

#include "app/gui/bars/status_line.h"
#include "app/gui/window/window_tools.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/window/wait_for.h"
#include "views/charts/depth_chart/depth_chart.h"

namespace ulp::app {
namespace {

bool isInteractive(const QWidget& widget) {
  if (qobject_cast<const QScrollBar*>(&widget) != nullptr ||
      qobject_cast<const QHeaderView*>(&widget) != nullptr ||
      widget.objectName().startsWith(QStringLiteral("qt_")) ||
      widget.inherits("QToolBarExtension")) {
    return false;
  }
  const bool isControl = qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
                         qobject_cast<const QComboBox*>(&widget) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
                         qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
                         qobject_cast<const QAbstractItemView*>(&widget) != nullptr ||
                         qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                         qobject_cast<const QTextEdit*>(&widget) != nullptr ||
                         qobject_cast<const QPlainTextEdit*>(&widget) != nullptr;
  return isControl || (widget.focusPolicy() & Qt::TabFocus) != 0;
}

/// Parts of a control are spoken of as the control: the field of a spin box, the list of a combo.
bool isPartOfAControl(const QWidget& widget) {
  for (const QWidget* parent = widget.parentWidget(); parent != nullptr;
       parent = parent->parentWidget()) {
    if (qobject_cast<const QComboBox*>(parent) != nullptr ||
        qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
        qobject_cast<const QLineEdit*>(parent) != nullptr || parent->inherits("QKeySequenceEdit") ||
        parent->inherits("QTabBar") || parent->inherits("QDialogButtonBox")) {
      return true;
    }
  }
  return false;
}

QString pathOf(const QWidget& widget) {
  QString path = QString::fromLatin1(widget.metaObject()->className());
  for (const QWidget* parent = widget.parentWidget(); parent != nullptr;
       parent = parent->parentWidget()) {
    path.prepend(QString::fromLatin1(parent->metaObject()->className()) + u'/');
  }
  return path;
}

class AccessibilityTest : public test::WindowFixture {
 protected:
  void showEverything() {
    open({study()});
    open({reportFolder(QStringLiteral("smollm2"))});
    showEveryView();
  }
  /// Interactive widgets of the window that a screen reader has no name for.
  int countNameless() {
    int nameless = 0;
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
      // A tab bar is called what its current tab is called; without tabs there is nothing to use.
      const auto* tabs = qobject_cast<const QTabBar*>(widget);
      const bool isIdle = tabs != nullptr && tabs->count() == 0;
      if (!isInteractive(*widget) || isPartOfAControl(*widget) || widget->isHidden() || isIdle) {
        continue;
      }
      QAccessibleInterface* face =
          QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
      const QString name = face == nullptr ? QString() : face->text(QAccessible::Name);
      if (name.trimmed().isEmpty()) {
        ++nameless;
        ADD_FAILURE() << "no accessible name: " << pathOf(*widget).toStdString();
      }
    }
    return nameless;
  }
};

TEST_F(AccessibilityTest, TheStartPageHasANameForEverythingThatCanBeUsed) {
  EXPECT_EQ(countNameless(), 0);
}

TEST_F(AccessibilityTest, EveryViewHasANameForEverythingThatCanBeUsed) {
  showEverything();
  EXPECT_EQ(countNameless(), 0);
}

TEST_F(AccessibilityTest, DialogsHaveANameForEverythingThatCanBeUsed) {
  showEverything();
  for (const char* id :
       {"file.settings", "help.shortcuts", "help.guide", "help.commands", "go.tensor"}) {
    m_window->actions()[QLatin1String(id)]->trigger();
    settle();
  }
  EXPECT_EQ(countNameless(), 0);
}

/// Without a word on it.
bool showsAnIconAlone(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  const bool isIconOnly = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly &&
                          !tool->icon().isNull();
  return button.text().isEmpty() || isIconOnly;
}

QKeySequence keyOf(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  return tool != nullptr && tool->defaultAction() != nullptr ? tool->defaultAction()->shortcut()
                                                             : button.shortcut();
}

TEST_F(AccessibilityTest, ButtonsThatShowAnIconAloneSayWhatTheyDoAndTheirKeys) {
  showEverything();
  int seen = 0;
  int withKeys = 0;
  for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
    if (!isInteractive(*button) || isPartOfAControl(*button) || !showsAnIconAlone(*button) ||
        button->inherits("QDockWidgetTitleButton") || button->inherits("QCheckBox") ||
        button->inherits("QTableCornerButton") ||
        (button->isHidden() && button->text().isEmpty() && button->icon().isNull())) {
      continue;
    }
    SCOPED_TRACE(pathOf(*button).toStdString() + " " + button->objectName().toStdString() + " " +
                 button->accessibleName().toStdString());
    ++seen;
    QAccessibleInterface* face =
        QAccessible::queryAccessibleInterface(const_cast<QAbstractButton*>(button));
    EXPECT_FALSE(face->text(QAccessible::Name).trimmed().isEmpty());
    EXPECT_FALSE(button->toolTip().isEmpty());
    const QString key = keyOf(*button).toString(QKeySequence::NativeText);
    if (!key.isEmpty()) {
      ++withKeys;
      EXPECT_TRUE(button->toolTip().contains(u'(' + key + u')'))
          << button->toolTip().toStdString() << " does not name " << key.toStdString();
      EXPECT_GT(button->toolTip().size(), key.size() + 3) << "and what it does";
    }
  }
  EXPECT_GT(seen, 50);
  EXPECT_GT(withKeys, 10);
}

TEST_F(AccessibilityTest, AToolTipFollowsTheKeyThatTheUserGivesAnAction) {
  showEverything();
  QAction* action = nullptr;
  for (QAction* each : host("depth")->view()->viewActions()) {
    action = each->shortcut() == QKeySequence(Qt::Key_L) ? each : action;
  }
  ASSERT_NE(action, nullptr);
  action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F9));
  for (const auto* button : m_window->findChildren<QToolButton*>()) {
    if (button->defaultAction() == action) {
      EXPECT_TRUE(button->toolTip().endsWith(QStringLiteral("(Ctrl+F9)")))
          << button->toolTip().toStdString();
    }
  }
}

TEST_F(AccessibilityTest, TabReachesEveryControlOfTheWindowAndComesBack) {
  showEverything();
  show("depth");
  std::map<const QWidget*, int> visits;
  QWidget* const start = QApplication::focusWidget();
  ASSERT_NE(start, nullptr);
  QWidget* focus = start;
  for (int i = 0; i < 500; ++i) {
    ++visits[focus];
    // A text field keeps the Tab key to itself; the other way out is F6, which also leads on where
    // that way out has closed a circle.
    const bool isText = qobject_cast<QPlainTextEdit*>(focus) != nullptr;
    QTest::keyClick(focus, isText || visits[focus] > 1 ? Qt::Key_F6 : Qt::Key_Tab);
    focus = QApplication::focusWidget();
    ASSERT_NE(focus, nullptr);
    if (focus == start) {
      break;
    }
  }
  EXPECT_EQ(focus, start) << "Tab is caught in " << pathOf(*focus).toStdString();
  EXPECT_GT(visits.size(), 5U);
}

bool isControlOfTheStyle(const QWidget& widget) {
  return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
         qobject_cast<const QComboBox*>(&widget) != nullptr ||
         qobject_cast<const QLineEdit*>(&widget) != nullptr ||
         qobject_cast<const QTabBar*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

TEST_F(AccessibilityTest, WhereTheKeyboardIsCanBeSeenInEveryView) {
  showEverything();
  int outlined = 0;
  for (const auto theme : {views::ThemeChoice::Light, views::ThemeChoice::Dark}) {
    m_session->themes().setChoice(theme);
    settle();
    for (const views::ViewDescriptor& view : m_session->registry().all()) {
      m_window->docks().raiseView(view.id);
      settle();
      const views::ViewHost& host = *m_window->docks().host(view.id);
      QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab);
      for (int step = 0; step < 40; ++step) {
        QWidget& focus = *QApplication::focusWidget();
        const auto* frame =
            focus.findChild<QWidget*>(QStringLiteral("focusOutline"), Qt::FindDirectChildrenOnly);
        SCOPED_TRACE(view.id.toStdString() + ": " + pathOf(focus).toStdString());
        ASSERT_EQ(frame == nullptr, isControlOfTheStyle(focus));
        if (frame != nullptr) {
          ++outlined;
          EXPECT_TRUE(frame->isVisible());
          EXPECT_EQ(frame->geometry(), focus.rect());
          const QImage picture = focus.grab().toImage();
          EXPECT_EQ(picture.pixelColor(picture.width() / 2, 0),
                    focus.palette().color(QPalette::Highlight));
        }
        QTest::keyClick(&focus, qobject_cast<QPlainTextEdit*>(&focus) ? Qt::Key_F6 : Qt::Key_Tab);
        const bool hasLeft = !host.isAncestorOf(QApplication::focusWidget());
        if (step > 0 && hasLeft) {
          break;
        }
        ASSERT_LT(step, 38) << "the keyboard is caught";
      }
    }
  }
  EXPECT_GT(outlined, 10) << "charts, tables and texts of both themes";
}

TEST_F(AccessibilityTest, AClickOutlinesNothing) {
  showEverything();
  show("table");
  auto* table = host("table")->findChild<QAbstractItemView*>();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, QPoint(20, 20));
  ASSERT_TRUE(table->hasFocus());
  EXPECT_EQ(m_window->findChild<QWidget*>(QStringLiteral("focusOutline")), nullptr);
}

TEST_F(AccessibilityTest, AChartHasItsPointsAsChildrenWithTheirValuesInWords) {
  showEverything();
  show("depth");
  auto* chart = host("depth")->findChild<views::charts::DepthChart*>();
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(chart);
  ASSERT_NE(face, nullptr);
  EXPECT_EQ(face->role(), QAccessible::Chart);
  EXPECT_FALSE(face->text(QAccessible::Name).isEmpty());
  EXPECT_TRUE(face->text(QAccessible::Description).contains(QStringLiteral("RMS rel")));
  ASSERT_EQ(face->childCount(), chart->data().axis.size());
  m_session->selection().selectRun(workspace().reports.document()->variantName(0));
  m_session->selection().selectSite(QStringLiteral("decoder.1"), Pass::Forward);
  const int point = chart->options().currentSlot;
  ASSERT_GE(point, 0);
  QAccessibleInterface* child = face->child(point);
  ASSERT_NE(child, nullptr);
  EXPECT_EQ(face->indexOfChild(child), point);
  EXPECT_EQ(child, face->child(point)) << "made once";
  EXPECT_TRUE(child->isValid());
  EXPECT_EQ(child->parent(), face);
  EXPECT_TRUE(child->text(QAccessible::Name).startsWith(QStringLiteral("decoder.1, forward")));
  EXPECT_TRUE(child->text(QAccessible::Value).contains(QStringLiteral("RMS rel")));
  EXPECT_TRUE(child->state().selected);
  EXPECT_FALSE(child->rect().isEmpty());
  EXPECT_EQ(face->child(-1), nullptr);
  EXPECT_EQ(face->child(face->childCount()), nullptr);
  workspace().closeAll();
  settle();
  EXPECT_FALSE(child->isValid()) << "the report was closed";
}

TEST_F(AccessibilityTest, TheFocusOfAChartFollowsTheArrows) {
  showEverything();
  show("depth");
  auto* chart = host("depth")->findChild<views::charts::DepthChart*>();
  m_session->selection().selectSite(QStringLiteral("decoder.0"), Pass::Forward);
  chart->setFocus();
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(chart);
  QTest::keyClick(chart, Qt::Key_Right);
  QAccessibleInterface* point = face->focusChild();
  ASSERT_NE(point, nullptr);
  EXPECT_TRUE(point->text(QAccessible::Name).startsWith(QStringLiteral("decoder.1, forward")));
  EXPECT_TRUE(point->state().focused);
}

TEST_F(AccessibilityTest, TheEndOfARunIsSaid) {
  open({study()});
  const auto* line = m_window->findChild<StatusLine*>();
  EXPECT_EQ(line->accessibleName(), QString());
  trigger("run.start");
  EXPECT_TRUE(test::waitFor(
      [this] { return !queue().states().empty() && queue().states().front()->isOver(); }));
  settle();
  EXPECT_EQ(line->accessibleName(), StatusLine::endText(*queue().states().front()));
  EXPECT_TRUE(line->accessibleName().startsWith(QStringLiteral("study.yaml")));
}

}  // namespace
}  // namespace ulp::app
