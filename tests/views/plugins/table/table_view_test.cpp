#include "views/plugins/table/table_view.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

class TableViewTest : public testing::Test {
 protected:
  void SetUp() override {
    m_fixture.openReport(test::realisticReport({.layers = 4}));
    const ViewRegistry registry = builtinViews();
    m_host =
        std::make_unique<ViewHost>(*registry.find(QStringLiteral("table")), m_fixture.context());
    m_host->resize(1000, 500);
    m_host->show();
    m_host->activateWindow();
    m_fixture.settle();
    expression().setChecked(true);
  }

  [[nodiscard]] QToolButton& expression() const {
    for (QToolButton* button : m_host->findChildren<QToolButton*>()) {
      if (button->toolTip() == QLatin1String("Regular expression")) {
        return *button;
      }
    }
    throw std::logic_error("no such button");
  }
  [[nodiscard]] QTableView& table() const {
    return *m_host->findChild<QTableView*>(QStringLiteral("tensors"));
  }
  /// What is said below the filter; empty: nothing.
  [[nodiscard]] QString hint() const {
    const auto* hint = m_host->findChild<QWidget*>(QStringLiteral("filterHint"));
    return hint->isVisible() ? hint->findChild<QLabel*>()->text() : QString();
  }
  /// Of the context menu of the table.
  [[nodiscard]] QAction& command(const QString& text) const {
    for (QAction* action : table().actions()) {
      if (action->text() == text) {
        return *action;
      }
    }
    throw std::logic_error("no such command");
  }

  void type(const QString& filter) {
    auto* edit = m_host->findChild<QLineEdit*>();
    edit->clear();
    QTest::keyClicks(edit, filter);
    m_fixture.settle();
  }
  [[nodiscard]] int rows() const { return table().model()->rowCount(); }
  [[nodiscard]] QLabel* labelWith(const QString& text) const {
    for (QLabel* label : m_host->findChildren<QLabel*>()) {
      if (label->text() == text) {
        return label;
      }
    }
    return nullptr;
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(TableViewTest, ATableThatIsEnteredSelectsNothing) {
  Selection chosen = m_fixture.selection.selection();
  chosen.site = QStringLiteral("decoder.2");
  chosen.pass = Pass::Backward;
  chosen.shown = PassFilter::Forward;
  m_fixture.selection.reset(chosen);
  m_fixture.settle();
  ASSERT_GT(rows(), 0);
  table().setFocus();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.selection.selection(), chosen);
  QTest::keyClick(&table(), Qt::Key_Down);
  EXPECT_EQ(m_fixture.selection.selection().site.toStdString(),
            table().model()->index(0, 0).data().toString().toStdString());
}

TEST_F(TableViewTest, AnExpressionFiltersByNameAndModule) {
  type(QStringLiteral("^DECODER\\.[01]$"));
  EXPECT_EQ(rows(), 4) << "forward and backward";
}

/// The window answers meanwhile, which the listener of stalls sees to.
TEST_F(TableViewTest, AnExpressionThatTakesTooLongIsSaidToDoSo) {
  type(QStringLiteral("^(([a-z0-9_.])*)*(([a-z0-9_.])*)*[A-Z]{9}$"));
  const QLabel* said = labelWith(QStringLiteral("the expression takes too long"));
  ASSERT_NE(said, nullptr);
  EXPECT_TRUE(said->toolTip().contains(QStringLiteral("too many steps")))
      << said->toolTip().toStdString();
  EXPECT_EQ(rows(), 0);
  type(QStringLiteral("decoder\\.1$"));
  EXPECT_EQ(labelWith(QStringLiteral("the expression takes too long")), nullptr);
  EXPECT_GT(rows(), 0);
}

TEST_F(TableViewTest, WhatIsNoExpressionIsSaidToBeNone) {
  type(QStringLiteral("(["));
  EXPECT_NE(labelWith(QStringLiteral("not a valid expression")), nullptr);
  EXPECT_EQ(rows(), 0);
}

TEST_F(TableViewTest, SaysWhyAnExpressionIsRefused) {
  type(QStringLiteral("decoder(["));
  EXPECT_TRUE(hint().startsWith(QStringLiteral("“decoder([” is no regular expression: ")))
      << hint().toStdString();
  EXPECT_GT(hint().size(), 45) << "with the reason";
  type(QStringLiteral("decoder"));
  EXPECT_EQ(hint(), QString());
}

TEST_F(TableViewTest, OffersTheExpressionWhereItsLettersFindNothing) {
  expression().setChecked(false);
  type(QStringLiteral("decoder\\.[01]$"));
  EXPECT_EQ(rows(), 0);
  EXPECT_TRUE(hint().contains(QStringLiteral("decoder\\.[01]$"))) << hint().toStdString();
  for (QToolButton* button : m_host->findChildren<QToolButton*>()) {
    if (button->text() == QLatin1String("Use as regular expression")) {
      ASSERT_TRUE(button->isVisible());
      QTest::mouseClick(button, Qt::LeftButton);
    }
  }
  m_fixture.settle();
  EXPECT_TRUE(expression().isChecked());
  EXPECT_EQ(rows(), 4);
  EXPECT_EQ(hint(), QString());
  expression().setChecked(false);
  type(QStringLiteral("nothing is called so"));
  EXPECT_EQ(rows(), 0);
  EXPECT_EQ(hint(), QString()) << "no expression either";
}

TEST_F(TableViewTest, ShowsWhichVariantsTheFilterNames) {
  expression().setChecked(false);
  const int variants = static_cast<int>(TensorColumn::Variant);
  EXPECT_TRUE(table().isColumnHidden(variants));
  type(QStringLiteral("variant:residual rms_rel>0"));
  EXPECT_FALSE(table().isColumnHidden(variants));
  ASSERT_GT(rows(), 0);
  EXPECT_EQ(table().model()->index(0, variants).data().toString(),
            QStringLiteral("bf16_fp32_residual"));
  type(QStringLiteral("rms_rel > much"));
  EXPECT_NE(labelWith(QStringLiteral("not understood")), nullptr);
  EXPECT_TRUE(hint().contains(QStringLiteral("“much” is no number"))) << hint().toStdString();
  type(QString());
  EXPECT_TRUE(table().isColumnHidden(variants));
}

TEST_F(TableViewTest, CopiesACellANameAndASelection) {
  const QAbstractItemModel& model = *table().model();
  const QModelIndex cell = model.index(2, kFirstMetric + 1);
  table().scrollTo(cell);
  QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(cell).center());
  const QClipboard& clipboard = *QGuiApplication::clipboard();
  QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(clipboard.text(), cell.data(RawRole).toString());
  EXPECT_FALSE(clipboard.text().isEmpty());
  command(QStringLiteral("Copy name")).trigger();
  EXPECT_EQ(clipboard.text(), model.index(2, 0).data().toString());
  QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(clipboard.text().startsWith(QStringLiteral("Tensor\t"))) << "with its headings";
  EXPECT_TRUE(clipboard.text().contains(cell.data(RawRole).toString()));
}

TEST_F(TableViewTest, ATensorOpensFromItsRow) {
  const QSignalSpy deeper(&m_fixture.workspace.requests, &WindowRequests::goDeeper);
  const QModelIndex cell = table().model()->index(3, 0);
  QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(cell).center());
  QTest::keyClick(&table(), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_EQ(deeper.count(), 1);
  const ViewRegistry registry = builtinViews();
  EXPECT_EQ(registry.deeperThan(deeper[0][0].toInt())->id, QStringLiteral("tensor"));
  EXPECT_EQ(m_fixture.selection.selection().site, cell.data().toString());
}

}  // namespace
}  // namespace ulp::views
