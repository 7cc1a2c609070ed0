#include "views/plugins/rule_check/rule_check_view.h"

#include <array>
#include <fstream>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "tests/support/data/report_builder.h"
#include "tests/support/window/model_checks.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/rule_check/judged_rows.h"

namespace ulp::views {
namespace {

const QString kStrictRules =
    QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.0125}");

class RuleCheckViewTest : public testing::Test {
 protected:
  void SetUp() override {
    m_fixture.openReport(test::sampleReport(3, {"bf16", "fp16"}));
    m_registry = builtinViews();
    m_host = makeHost("rule_check");
  }

  [[nodiscard]] std::unique_ptr<ViewHost> makeHost(const char* id) {
    auto host =
        std::make_unique<ViewHost>(*m_registry.find(QLatin1String(id)), m_fixture.context());
    host->resize(1100, 500);
    host->show();
    m_fixture.settle();
    return host;
  }
  template <class Widget>
  [[nodiscard]] Widget& widget(const char* name) const {
    return *m_host->findChild<Widget*>(QLatin1String(name));
  }
  [[nodiscard]] QPushButton& button(const QString& text) const {
    for (QPushButton* each : m_host->findChildren<QPushButton*>()) {
      if (each->text() == text) {
        return *each;
      }
    }
    throw std::logic_error("no such button");
  }
  [[nodiscard]] QPlainTextEdit& text() const { return widget<QPlainTextEdit>("rulesText"); }
  [[nodiscard]] QString state() const { return widget<QLabel>("rulesState").text(); }
  [[nodiscard]] QString cell(const char* table, int row, int column) const {
    return widget<QTableView>(table).model()->index(row, column).data().toString();
  }
  void type(const QString& typed) {
    text().selectAll();
    const QStringList lines = typed.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
      if (i > 0) {
        QTest::keyClick(&text(), Qt::Key_Return);
      }
      QTest::keyClicks(&text(), lines[i]);
    }
    m_fixture.settle();
  }
  void click(const QString& name) {
    QTest::mouseClick(&button(name), Qt::LeftButton);
    m_fixture.settle();
  }

  test::ContextFixture m_fixture;
  ViewRegistry m_registry;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(RuleCheckViewTest, TypedRulesAreAskedWhenTheyAreApplied) {
  const test::ModelChecks runs(
      dynamic_cast<JudgedRunModel*>(widget<QTableView>("judgedRuns").model()));
  const test::ModelChecks rules(
      dynamic_cast<JudgedRuleModel*>(widget<QTableView>("judgedRules").model()));
  type(kStrictRules);
  EXPECT_EQ(state(), QStringLiteral("Changed, not applied"));
  EXPECT_FALSE(widget<QTableView>("judgedRuns").isVisible());
  click(QStringLiteral("Apply"));
  EXPECT_EQ(state(), QStringLiteral("These rules are asked"));
  EXPECT_EQ(widget<QLabel>("ruleHeadline").text(),
            QStringLiteral("fail: 1 of 2 variants · pass: 1"));
  EXPECT_EQ(cell("judgedRuns", 0, 1), QStringLiteral("● pass"));
  EXPECT_EQ(cell("judgedRuns", 1, 1), QStringLiteral("■ fail"));
  EXPECT_EQ(cell("judgedRuns", 1, 3), QStringLiteral("6"));
  EXPECT_EQ(cell("judgedRules", 0, 0), QStringLiteral("rms_rel <= 0.0125"));
  EXPECT_EQ(cell("judgedRules", 0, 1), QStringLiteral("■ fails at 6 of 24"));
}

TEST_F(RuleCheckViewTest, ARunThatDidNotFinishFailsUnlessItIsAwaited) {
  const std::array cases{std::pair(report::RunStatus::Failed, QStringLiteral("■ fail")),
                         std::pair(report::RunStatus::Skipped, QStringLiteral("■ fail")),
                         std::pair(report::RunStatus::Running, QStringLiteral("– not judged"))};
  for (const auto& [status, word] : cases) {
    report::Report report = test::sampleReport(3, {"bf16", "fp16"});
    report.runs[1].status = status;
    m_host.reset();
    m_fixture.openReport(report);
    m_host = makeHost("rule_check");
    type(QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 1}"));
    click(QStringLiteral("Apply"));
    EXPECT_EQ(cell("judgedRuns", 0, 1), word) << static_cast<int>(status);
    EXPECT_EQ(cell("judgedRuns", 0, kFirstFailingColumn),
              status == report::RunStatus::Running ? QStringLiteral("–")
                                                   : QStringLiteral("did not finish"));
    EXPECT_EQ(cell("judgedRuns", 1, 1), QStringLiteral("● pass"));
  }
}

TEST_F(RuleCheckViewTest, AClickOnTheFirstFailingRowLeadsThere) {
  type(kStrictRules);
  click(QStringLiteral("Apply"));
  QSignalSpy deeper(&m_fixture.workspace.requests, &WindowRequests::goDeeper);
  auto& runs = widget<QTableView>("judgedRuns");
  const QRect first = runs.visualRect(runs.model()->index(1, kFirstFailingColumn));
  QTest::mouseClick(runs.viewport(), Qt::LeftButton, {}, first.topLeft() + QPoint(4, 4));
  EXPECT_EQ(deeper.count(), 1);
  const Selection& selection = m_fixture.selection.selection();
  EXPECT_EQ(selection.run(), QStringLiteral("fp16"));
  EXPECT_EQ(selection.site, QStringLiteral("loss"));
  EXPECT_EQ(selection.pass, Pass::Forward);
}

TEST_F(RuleCheckViewTest, AMistakeIsNamedWithItsPlaceAndCannotBeApplied) {
  type(QStringLiteral("rules:\n  - {metric: cosin, comparison: '<', value: 1}"));
  EXPECT_EQ(state(),
            QStringLiteral("■ Line 2, column 14: unknown metric 'cosin'; did you mean 'cosine'?"));
  EXPECT_FALSE(button(QStringLiteral("Apply")).isEnabled());
  ASSERT_EQ(text().extraSelections().size(), 1);
  click(QStringLiteral("Show"));
  EXPECT_EQ(text().textCursor().blockNumber(), 1);
  EXPECT_EQ(text().textCursor().positionInBlock(), 13);
  click(QStringLiteral("Revert"));
  EXPECT_TRUE(text().toPlainText().isEmpty());
  EXPECT_EQ(state(), QStringLiteral("No rules are asked"));
}

TEST_F(RuleCheckViewTest, TolerancesBecomeARuleThatNeedsTheElements) {
  auto& rtol = widget<QLineEdit>("rtol");
  rtol.selectAll();
  QTest::keyClicks(&rtol, QStringLiteral("0.2"));
  auto& atol = widget<QLineEdit>("atol");
  atol.selectAll();
  QTest::keyClicks(&atol, QStringLiteral("0.01"));
  click(QStringLiteral("Put into the rules"));
  EXPECT_EQ(text().toPlainText(),
            QStringLiteral("rules:\n  - {metric: allclose, rtol: 0.2, atol: 0.01}\n"));
  click(QStringLiteral("Apply"));
  EXPECT_EQ(cell("judgedRuns", 0, 1), QStringLiteral("– not judged"));
  EXPECT_EQ(cell("judgedRules", 0, 1),
            QStringLiteral("– not judged at 24 of 24: needs the elements of both sides"));
}

TEST_F(RuleCheckViewTest, TensorsThatCannotBeReadAreTold) {
  m_fixture.workspace.closeAll();
  std::ofstream(m_fixture.folder.filePath(QStringLiteral("tensors.h5")).toStdString()) << "no HDF5";
  m_fixture.workspace.open({m_fixture.folder.path()});
  m_fixture.settle();
  type(QStringLiteral("rules:\n  - {metric: allclose, rtol: 0.2, atol: 0.01}"));
  click(QStringLiteral("Apply"));
  EXPECT_EQ(cell("judgedRuns", 0, 1), QStringLiteral("– not judged"));
  const QString headline = widget<QLabel>("ruleHeadline").text();
  EXPECT_TRUE(headline.contains(QStringLiteral("\nTensors could not be read: ")) &&
              headline.contains(QStringLiteral("tensors.h5")))
      << headline.toStdString();
}

TEST_F(RuleCheckViewTest, RulesThatShipAreAskedAtOnceAndRememberedWithTheReport) {
  auto& origins = widget<QComboBox>("origin");
  for (int i = 0; i < 2; ++i) {
    QTest::keyClick(&origins, Qt::Key_Down);
    m_fixture.settle();
  }
  EXPECT_EQ(origins.currentText(), QStringLiteral("msit"));
  EXPECT_EQ(cell("judgedRuns", 1, 1), QStringLiteral("■ fail"));
  m_fixture.workspace.closeAll();
  m_fixture.settle();
  EXPECT_TRUE(text().toPlainText().isEmpty());
  m_fixture.workspace.open({m_fixture.folder.path()});
  m_fixture.settle();
  EXPECT_EQ(origins.currentText(), QStringLiteral("msit"));
  EXPECT_EQ(cell("judgedRuns", 1, 1), QStringLiteral("■ fail"));
}

TEST_F(RuleCheckViewTest, TheTableSaysOfEveryRowWhatTheRulesSay) {
  type(kStrictRules);
  click(QStringLiteral("Apply"));
  Selection next = m_fixture.selection.selection();
  next.runs = QStringList{QStringLiteral("fp16")};
  m_fixture.selection.select(next);
  const auto table = makeHost("table");
  auto& rows = *table->findChild<QTableView*>(QStringLiteral("tensors"));
  constexpr int kRules = 7;
  ASSERT_FALSE(rows.isColumnHidden(kRules));
  EXPECT_EQ(rows.model()->index(0, kRules).data().toString(), QStringLiteral("● pass"));
  auto* filter = table->findChild<QLineEdit*>();
  QTest::keyClicks(filter, QStringLiteral("rules:fail"));
  m_fixture.settle();
  ASSERT_EQ(rows.model()->rowCount(), 6);
  const QModelIndex first = rows.model()->index(0, kRules);
  EXPECT_EQ(first.data().toString(), QStringLiteral("■ fail"));
  EXPECT_EQ(first.data(Qt::ToolTipRole).toString(),
            QStringLiteral("rms_rel <= 0.0125 does not hold: 0.0140"));
  type(QStringLiteral("rules:\n  - {metric: rms_rel, comparison: '<=', value: 1}"));
  click(QStringLiteral("Apply"));
  EXPECT_EQ(rows.model()->rowCount(), 0);
}

}  // namespace
}  // namespace ulp::views
