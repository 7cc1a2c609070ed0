#include "app/gui/bars/breadcrumbs.h"

#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <QtWidgets/QLayout>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "tests/views/context_fixture.h"

namespace ulp::app {
namespace {

class BreadcrumbsTest : public testing::Test {
 protected:
  void SetUp() override {
    test::ReportShape shape;
    shape.layers = 3;
    m_fixture.openReport(test::realisticReport(shape));
    m_crumbs.show();
  }

  QToolButton* part(const QString& text) {
    for (int i = 0; i < m_crumbs.layout()->count(); ++i) {
      auto* button = qobject_cast<QToolButton*>(m_crumbs.layout()->itemAt(i)->widget());
      if (button != nullptr && button->text() == text) {
        return button;
      }
    }
    return nullptr;
  }

  test::ContextFixture m_fixture;
  Breadcrumbs m_crumbs{m_fixture.context()};
};

TEST_F(BreadcrumbsTest, SayWhereTheSelectionIsAndLeadUp) {
  views::SelectionContext& selection = m_fixture.selection;
  const QString variant = m_fixture.workspace.reports.document()->variantName(0);
  selection.selectRun(variant);
  selection.selectSite(QStringLiteral("model.layers.1.mlp.down_proj"), Pass::Forward);
  selection.selectElement({0, 3, 511});
  EXPECT_EQ(m_crumbs.parts(),
            (QStringList{variant,
                         QStringLiteral("forward"),
                         QStringLiteral("decoder.1"),
                         QStringLiteral("mlp.down_proj"),
                         QStringLiteral("[0, 3, 511]")}));
  QTest::mouseClick(part(QStringLiteral("[0, 3, 511]")), Qt::LeftButton);
  EXPECT_TRUE(selection.selection().element.empty());
  QTest::mouseClick(part(QStringLiteral("decoder.1")), Qt::LeftButton);
  EXPECT_EQ(selection.selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(m_crumbs.parts().size(), 3);
}

TEST_F(BreadcrumbsTest, ANameWithoutTheNumberOfItsLayerStandsWhole) {
  report::Report report = test::realisticReport({.layers = 3});
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      if (row.site.name == "model.layers.1.mlp.down_proj") {
        row.site.name = "Functional.linear.12[input.1]";
      }
    }
  }
  m_fixture.openReport(report);
  m_fixture.selection.selectSite(QStringLiteral("Functional.linear.12[input.1]"), Pass::Forward);
  EXPECT_EQ(m_crumbs.parts().back(), QStringLiteral("Functional.linear.12[input.1]"));
}

TEST_F(BreadcrumbsTest, OfferTheSiblingsOfVariantPassAndModule) {
  views::SelectionContext& selection = m_fixture.selection;
  selection.selectSite(QStringLiteral("model.layers.1.mlp.down_proj"), Pass::Forward);
  const auto choose = [&](const QString& of, const QString& text) {
    QMenu* menu = part(of)->menu();
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions()) {
      if (action->text() == text) {
        action->trigger();
        return;
      }
    }
    FAIL() << text.toStdString();
  };
  choose(QStringLiteral("mlp.down_proj"), QStringLiteral("mlp.up_proj"));
  EXPECT_EQ(selection.selection().site, QStringLiteral("model.layers.1.mlp.up_proj"));
  choose(QStringLiteral("forward"), QStringLiteral("backward"));
  EXPECT_EQ(selection.selection().pass, Pass::Backward);
  const QString last = m_fixture.workspace.reports.document()->variantName(1);
  choose(selection.selection().run(), last);
  EXPECT_EQ(selection.selection().run(), last);
}

TEST_F(BreadcrumbsTest, ShowAnotherBaselineAndLeadBackToTheReference) {
  const QString variant = m_fixture.workspace.reports.document()->variantName(0);
  m_fixture.selection.selectBaseline(variant, views::Relation::Ratio);
  m_fixture.settle();
  EXPECT_EQ(m_crumbs.parts().front(), QStringLiteral("÷ ") + variant);
  QTest::mouseClick(part(QStringLiteral("÷ ") + variant), Qt::LeftButton);
  m_fixture.settle();
  EXPECT_TRUE(m_fixture.selection.selection().baseline.isEmpty());
}

}  // namespace
}  // namespace ulp::app
