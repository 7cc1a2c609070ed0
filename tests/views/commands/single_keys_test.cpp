#include "views/commands/single_keys.h"

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableWidget>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

namespace ulp::views {
namespace {

/// Stands for a chart: takes keys of its own accord.
class Chart : public QWidget {
 public:
  explicit Chart(QWidget* parent) : QWidget(parent) { setFocusPolicy(Qt::StrongFocus); }
  QString typed;

 protected:
  void keyPressEvent(QKeyEvent* event) override { typed += event->text(); }
};

struct SingleKeysTest : testing::Test {
  SingleKeysTest() {
    auto* layout = new QVBoxLayout(&view);
    for (QWidget* widget : QList<QWidget*>{chart, &table, &box, &button, &edit}) {
      layout->addWidget(widget);
    }
    box.addItems({QStringLiteral("alpha"), QStringLiteral("log")});
    button.setFocusPolicy(Qt::StrongFocus);
    action.setShortcut(Qt::Key_L);
    action.setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view.addAction(&action);
    QObject::connect(&action, &QAction::triggered, &view, [this] { ++count; });
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
  }
  int pressIn(QWidget& widget, Qt::Key key = Qt::Key_L) const {
    widget.setFocus();
    const int before = count;
    QTest::keyClick(&widget, key);
    return count - before;
  }

  SingleKeys keys;
  QWidget view;
  Chart* chart = new Chart(&view);
  QTableWidget table{2, 2};
  QComboBox box;
  QToolButton button;
  QLineEdit edit;
  QAction action;
  int count = 0;
};

TEST_F(SingleKeysTest, ActInChartsAndTablesOnly) {
  EXPECT_EQ(pressIn(*chart), 1);
  EXPECT_EQ(pressIn(table), 1);
  EXPECT_EQ(pressIn(box), 0);
  EXPECT_EQ(box.currentText(), QStringLiteral("log")) << "the box got the letter";
  EXPECT_EQ(pressIn(button), 0);
  EXPECT_EQ(pressIn(edit), 0);
  EXPECT_EQ(edit.text(), QStringLiteral("l"));
}

TEST_F(SingleKeysTest, CanBeSwitchedOff) {
  keys.setEnabled(false);
  EXPECT_EQ(pressIn(*chart), 0);
  EXPECT_EQ(pressIn(*chart, Qt::Key_F), 0);
  EXPECT_EQ(chart->typed, QString()) << "not even the chart's own letters";
  EXPECT_EQ(pressIn(table), 0);
  pressIn(edit);
  EXPECT_EQ(edit.text(), QStringLiteral("l"));
  keys.setEnabled(true);
  EXPECT_EQ(pressIn(*chart), 1);
}

TEST_F(SingleKeysTest, LeavesKeysWithModifiersAndOtherKeysAlone) {
  action.setShortcut(Qt::CTRL | Qt::Key_L);
  keys.setEnabled(false);
  chart->setFocus();
  QTest::keyClick(chart, Qt::Key_L, Qt::ControlModifier);
  EXPECT_EQ(count, 1);
  QTest::keyClick(chart, Qt::Key_Space);
  EXPECT_EQ(chart->typed, QStringLiteral(" "));
}

}  // namespace
}  // namespace ulp::views
