#include "views/plugins/table/table_view.h"

#include <gtest/gtest.h>

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
    m_host->show();
    m_fixture.settle();
    for (QToolButton* button : m_host->findChildren<QToolButton*>()) {
      if (button->toolTip() == QLatin1String("Regular expression")) {
        button->setChecked(true);
      }
    }
  }

  void type(const QString& filter) {
    auto* edit = m_host->findChild<QLineEdit*>();
    edit->clear();
    QTest::keyClicks(edit, filter);
    m_fixture.settle();
  }
  [[nodiscard]] int rows() const { return m_host->findChild<QTableView*>()->model()->rowCount(); }
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

}  // namespace
}  // namespace ulp::views
