#include "views/commands/single_keys.h"

#include <memory>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableWidget>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"

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

/// Everything that may have the focus in a view.
class EveryWidget : public View {
 public:
  explicit EveryWidget(const ViewContext& context) : View(context) {
    auto* layout = new QVBoxLayout(this);
    for (QWidget* widget : QList<QWidget*>{chart, table, box, button, edit}) {
      layout->addWidget(widget);
    }
    box->addItems({QStringLiteral("alpha"), QStringLiteral("log")});
    button->setFocusPolicy(Qt::StrongFocus);
    table->setItem(0, 0, new QTableWidgetItem(QStringLiteral("cell")));
  }
  void setReport(const DocumentPtr& /*document*/) override {}
  void setSelection(const Selection& /*selection*/) override {}

  Chart* chart = new Chart(this);
  QTableWidget* table = new QTableWidget(2, 2, this);
  QComboBox* box = new QComboBox(this);
  QToolButton* button = new QToolButton(this);
  QLineEdit* edit = new QLineEdit(this);
};

/// A window with a tool bar above a view, and a command of a single letter.
struct SingleKeysTest : testing::Test {
  SingleKeysTest() {
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(bar);
    showView(ViewPurpose::Other);
    action.setShortcut(Qt::Key_L);
    window.addAction(&action);
    QObject::connect(&action, &QAction::triggered, &window, [this] { ++count; });
    window.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
  }
  void showView(ViewPurpose purpose) {
    host = std::make_unique<ViewHost>(
        ViewDescriptor{
            .id = QStringLiteral("every"),
            .purpose = purpose,
            .make = [](const ViewContext& lent) { return std::make_unique<EveryWidget>(lent); }},
        fixture.context());
    window.layout()->addWidget(host.get());
    view = static_cast<EveryWidget*>(&host->ensureView());
    host->show();
  }
  /// As the keyboard does it: whoever has the focus gets the key first.
  int pressIn(QWidget& widget, Qt::Key key = Qt::Key_L) const {
    widget.setFocus();
    const int before = count;
    QTest::keyClick(window.windowHandle(), key);
    return count - before;
  }

  SingleKeys keys;
  test::ContextFixture fixture;
  QWidget window;
  QTableWidget* bar = new QTableWidget(1, 1, &window);
  std::unique_ptr<ViewHost> host;
  EveryWidget* view = nullptr;
  QAction action;
  int count = 0;
};

TEST_F(SingleKeysTest, ActInChartsAndTablesOnly) {
  EXPECT_EQ(pressIn(*view->chart), 1);
  EXPECT_EQ(pressIn(*view->table), 1);
  EXPECT_EQ(pressIn(*view->box), 0);
  EXPECT_EQ(view->box->currentText(), QStringLiteral("log")) << "the box got the letter";
  EXPECT_EQ(pressIn(*view->button), 0);
  EXPECT_EQ(pressIn(*view->edit), 0);
  EXPECT_EQ(view->edit->text(), QStringLiteral("l"));
}

TEST_F(SingleKeysTest, DoNotActWhereACellIsEdited) {
  view->table->setFocus();
  view->table->editItem(view->table->item(0, 0));
  auto* editor = view->table->findChild<QLineEdit*>();
  ASSERT_NE(editor, nullptr);
  EXPECT_EQ(pressIn(*editor), 0);
  EXPECT_EQ(editor->text(), QStringLiteral("l"));
}

TEST_F(SingleKeysTest, ActInViewsOfReportsOnly) {
  EXPECT_EQ(pressIn(*bar), 0) << "in no view";
  for (const ViewPurpose purpose : {ViewPurpose::Study, ViewPurpose::Queue}) {
    showView(purpose);
    EXPECT_EQ(pressIn(*view->chart), 0);
    EXPECT_EQ(view->chart->typed, QStringLiteral("l")) << "the key is the view's";
    EXPECT_EQ(pressIn(*view->table), 0);
  }
  showView(ViewPurpose::Report);
  EXPECT_EQ(pressIn(*view->table), 1);
}

TEST_F(SingleKeysTest, CanBeSwitchedOff) {
  keys.setEnabled(false);
  EXPECT_EQ(pressIn(*view->chart), 0);
  EXPECT_EQ(pressIn(*view->chart, Qt::Key_F), 0);
  EXPECT_EQ(view->chart->typed, QString()) << "not even the chart's own letters";
  EXPECT_EQ(pressIn(*view->table), 0);
  pressIn(*view->edit);
  EXPECT_EQ(view->edit->text(), QStringLiteral("l"));
  keys.setEnabled(true);
  EXPECT_EQ(pressIn(*view->chart), 1);
}

TEST_F(SingleKeysTest, LeavesKeysWithModifiersAndOtherKeysAlone) {
  action.setShortcut(Qt::CTRL | Qt::Key_L);
  keys.setEnabled(false);
  view->chart->setFocus();
  QTest::keyClick(window.windowHandle(), Qt::Key_L, Qt::ControlModifier);
  EXPECT_EQ(count, 1);
  QTest::keyClick(window.windowHandle(), Qt::Key_Space);
  EXPECT_EQ(view->chart->typed, QStringLiteral(" "));
}

}  // namespace
}  // namespace ulp::views
