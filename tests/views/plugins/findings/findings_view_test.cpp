#include "views/plugins/findings/findings_view.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDoubleSpinBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/support/window/model_checks.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"
#include "views/framework/view/view_host.h"
#include "views/plugins/findings/finding_pane.h"
#include "views/plugins/findings/threshold_pane.h"

namespace ulp::views {
namespace {

using test::rowOf;
using test::setError;

class FindingsViewTest : public testing::Test {
 protected:
  static report::Report report() {
    report::Report report = test::quietReport({"a", "b"});
    report.studyYaml =
        "model: {path: m}\nvariants:\n  a: {precision.compute_dtype: bfloat16}  # ours\n";
    report.effectiveJson =
        R"({"a":{"precision.residual_dtype":{"value":"bfloat16","origin":"default"}}})";
    setError(rowOf(report, "a", "decoder.1"), 0.05);
    rowOf(report, "b", "decoder.2").variantNonFinite = {3, 0, 0};
    return report;
  }

  void open(const report::Report& report) {
    m_fixture.openReport(report);
    const ViewRegistry registry = builtinViews();
    m_host =
        std::make_unique<ViewHost>(*registry.find(QStringLiteral("findings")), m_fixture.context());
    m_host->resize(1200, 300);
    m_host->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(m_host.get()));
    m_fixture.settle();
  }
  [[nodiscard]] QTableView& table() const {
    return *m_host->findChild<QTableView*>(QString(), Qt::FindChildrenRecursively);
  }
  [[nodiscard]] QAbstractItemModel& model() const { return *table().model(); }
  [[nodiscard]] QString text(int row, int column) const {
    return model().index(row, column).data().toString();
  }
  [[nodiscard]] QAction* action(const QString& text) const {
    for (QAction* action : m_host->view()->actions()) {
      if (action->text() == text) {
        return action;
      }
    }
    return nullptr;
  }
  [[nodiscard]] QToolButton* severity(const QString& word) const {
    for (auto* button : m_host->findChildren<QToolButton*>()) {
      if (button->text().contains(word)) {
        return button;
      }
    }
    return nullptr;
  }
  [[nodiscard]] QStringList shownTexts() const {
    QStringList texts;
    for (const auto* label : m_host->findChildren<QLabel*>()) {
      if (label->isVisible()) {
        texts << label->text();
      }
    }
    return texts;
  }
  void click(int row) {
    const QRect cell = table().visualRect(model().index(row, 1));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, cell.center());
  }

  test::ContextFixture m_fixture;
  std::unique_ptr<ViewHost> m_host;
};

TEST_F(FindingsViewTest, PromisesNothingWhileNoVariantHasFinished) {
  report::Report waiting = report();
  for (report::Run& run : waiting.runs) {
    run.comparisons.clear();
  }
  open(waiting);
  const auto labels = m_host->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->isVisible() && label->text() == QStringLiteral("Nothing to look at yet");
  }));
}

TEST_F(FindingsViewTest, ListsFindingsWithTheBrokenFirst) {
  open(report());
  const test::ModelChecks checks(&model());
  ASSERT_EQ(model().rowCount(), 3);
  EXPECT_EQ(text(0, 0), QStringLiteral("▲ look"));
  EXPECT_EQ(text(0, 4), QStringLiteral("First divergence"));
  EXPECT_EQ(text(1, 0), QStringLiteral("■ broken"));
  EXPECT_EQ(text(1, 1), QStringLiteral("decoder.2 · forward"));
  EXPECT_EQ(text(1, 2), QStringLiteral("b"));
  EXPECT_EQ(text(2, 4), QStringLiteral("Jump of the error"));
}

TEST_F(FindingsViewTest, ShowsTheCulpritsOfAComparisonOfDumpsOnTop) {
  report::Report compared = test::quietReport({"rank 0", "rank 1"});
  compared.dumps.emplace();
  report::setFindings(compared,
                      {{.rule = "culprit",
                        .severity = report::FindingSeverity::Look,
                        .title = {"Module.model.layers.1.mlp: adds 5 %", {}},
                        .explanation = {"Sureness high: what went in agrees", {}},
                        .numbers = {{"error", 0.05, true}, {"carried in", 0, true}},
                        .sites = {test::layerSite("decoder.1", 1, Pass::Forward)},
                        .runs = {"rank 1"}}});
  open(compared);
  const test::ModelChecks checks(&model());
  ASSERT_EQ(model().rowCount(), 1);
  EXPECT_EQ(text(0, 0), QStringLiteral("▲ look"));
  EXPECT_EQ(text(0, 1), QStringLiteral("decoder.1 · forward"));
  EXPECT_EQ(text(0, 2), QStringLiteral("rank 1"));
  EXPECT_EQ(text(0, 3), QStringLiteral("Module.model.layers.1.mlp: adds 5 %"));
  EXPECT_EQ(text(0, 4), QStringLiteral("Culprit"));
  click(0);
  EXPECT_EQ(m_fixture.selection.selection().run(), QStringLiteral("rank 1"));
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.1"));
  QStringList said;
  for (const auto* label : m_host->findChild<FindingPane*>()->findChildren<QLabel*>()) {
    said << label->text();
  }
  EXPECT_TRUE(said.contains(QStringLiteral("Sureness high: what went in agrees")));
  EXPECT_TRUE(said.contains(QStringLiteral("5.00 %"))) << said.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(builtinViews().findProof(QStringLiteral("culprit"))->id, QStringLiteral("details"));
}

TEST_F(FindingsViewTest, OfDumpsThatAgreeSaysWhatThatMeans) {
  report::Report compared = test::quietReport({"rank 0"});
  compared.dumps.emplace();
  open(compared);
  EXPECT_TRUE(std::ranges::any_of(m_host->findChildren<QLabel*>(), [](const QLabel* label) {
    return label->isVisible() && label->text().contains(QStringLiteral("No operation makes"));
  }));
}

TEST_F(FindingsViewTest, AClickSelectsAndExplains) {
  open(report());
  click(1);
  const Selection& selection = m_fixture.selection.selection();
  EXPECT_EQ(selection.site, QStringLiteral("decoder.2"));
  EXPECT_EQ(selection.run(), QStringLiteral("b"));
  bool explained = false;
  for (const auto* label : m_host->findChild<FindingPane*>()->findChildren<QLabel*>()) {
    explained = explained || label->text().contains(QStringLiteral("3 NaN"));
  }
  EXPECT_TRUE(explained);
  QTest::keyClick(&table(), Qt::Key_Down);
  EXPECT_EQ(selection.site, QStringLiteral("decoder.1"));
}

TEST_F(FindingsViewTest, ShowMeAsksForTheProof) {
  open(report());
  EXPECT_FALSE(action(QStringLiteral("Show me"))->isEnabled());
  QSignalSpy proof(&m_fixture.selection, &SelectionContext::placeWanted);
  click(0);
  action(QStringLiteral("Show me"))->trigger();
  ASSERT_EQ(proof.count(), 1);
  const ViewRegistry views = builtinViews();
  EXPECT_EQ(views.findProof(proof[0][0].value<std::optional<QString>>().value())->id,
            QStringLiteral("depth"));
  EXPECT_EQ(views.findProof(QStringLiteral("clip_flips"))->id, QStringLiteral("log_probabilities"));
  QTest::keyClick(&table(), Qt::Key_Return);
  EXPECT_EQ(proof.count(), 2);
}

TEST_F(FindingsViewTest, FollowsStepsFromElsewhere) {
  open(report());
  m_fixture.findings.stepFinding(1);
  EXPECT_EQ(table().currentIndex().row(), 0);
  m_fixture.findings.stepFinding(1);
  EXPECT_EQ(table().currentIndex().row(), 1);
}

TEST_F(FindingsViewTest, FiltersBySeverityAndVariantWithCounts) {
  open(report());
  EXPECT_TRUE(severity(QStringLiteral("look"))->text().endsWith(QLatin1Char('2')));
  QTest::mouseClick(severity(QStringLiteral("look")), Qt::LeftButton);
  ASSERT_EQ(model().rowCount(), 1);
  EXPECT_EQ(text(0, 0), QStringLiteral("■ broken"));
  m_fixture.findings.stepFinding(1);
  m_fixture.findings.stepFinding(1);
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.2"))
      << "steps go through what is shown";
  QTest::mouseClick(severity(QStringLiteral("look")), Qt::LeftButton);
  auto* variants = m_host->findChild<QComboBox*>();
  variants->setCurrentIndex(variants->findText(QStringLiteral("a")));
  EXPECT_EQ(model().rowCount(), 2);
  EXPECT_TRUE(severity(QStringLiteral("broken"))->text().endsWith(QLatin1Char('0')));
}

TEST_F(FindingsViewTest, ShowsTheFindingsOfTheSelectedTensorAloneWhereverItStandsInThem) {
  open(report());
  ASSERT_EQ(model().rowCount(), 3);
  m_fixture.selection.selectSite(QStringLiteral("decoder.0"), Pass::Forward);
  action(QStringLiteral("This tensor"))->trigger();
  ASSERT_EQ(model().rowCount(), 1) << "the jump from it to the layer behind it";
  EXPECT_EQ(text(0, 4), QStringLiteral("Jump of the error"));
  EXPECT_TRUE(severity(QStringLiteral("broken"))->text().endsWith(QLatin1Char('0')));
  click(0);
  EXPECT_EQ(m_fixture.selection.selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(model().rowCount(), 1) << "a click into the list changes nothing in it";
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Forward);
  ASSERT_EQ(model().rowCount(), 1);
  EXPECT_EQ(text(0, 0), QStringLiteral("■ broken"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Backward);
  EXPECT_EQ(model().rowCount(), 0);
  action(QStringLiteral("This tensor"))->trigger();
  EXPECT_EQ(model().rowCount(), 3);
}

TEST_F(FindingsViewTest, NoTwoFindingsOfTheExampleReadAlikeInTheWidthOfTheirColumns) {
  const auto example = report::loadReport(ULP_SOURCE_DIR "/resources/example");
  ASSERT_TRUE(example.has_value()) << example.error().message();
  open(*example->report);
  ASSERT_GT(model().rowCount(), 5);
  QStringList seen;
  for (int row = 0; row < model().rowCount(); ++row) {
    QString line;
    for (int column = 0; column < model().columnCount(); ++column) {
      const int left = table().columnViewportPosition(column);
      const int width = std::min(table().columnWidth(column), table().viewport()->width() - left);
      if (width > 0) {
        line += table().fontMetrics().elidedText(text(row, column), Qt::ElideRight, width - 14);
      }
    }
    EXPECT_FALSE(seen.contains(line)) << line.toStdString();
    seen << line;
  }
}

TEST_F(FindingsViewTest, TheSentenceHasTheRoomThatIsLeft) {
  open(report());
  for (const int width : {900, 1900}) {
    m_host->resize(width, 400);
    m_fixture.settle();
    EXPECT_GE(table().horizontalHeader()->length(), table().viewport()->width()) << width;
  }
}

TEST_F(FindingsViewTest, ButtonsKeepTheirIconsAloneWhereTheirWordsHaveNoRoom) {
  open(report());
  const auto areWordsShown = [this] {
    for (const auto* button : m_host->findChildren<QToolButton*>()) {
      if (button->defaultAction() != nullptr && button->text() == QStringLiteral("Thresholds")) {
        return button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
      }
    }
    return false;
  };
  EXPECT_TRUE(areWordsShown());
  m_host->resize(620, 300);
  QCoreApplication::processEvents();
  EXPECT_FALSE(areWordsShown());
  m_host->resize(1200, 300);
  QCoreApplication::processEvents();
  EXPECT_TRUE(areWordsShown());
}

TEST_F(FindingsViewTest, ExplainsTheNumbersOfEachVariant) {
  report::Report two = test::quietReport({"a", "b"});
  setError(rowOf(two, "a", "decoder.1"), 0.05);
  setError(rowOf(two, "b", "decoder.1"), 0.02);
  open(two);
  ASSERT_EQ(text(0, 2), QStringLiteral("a, b"));
  click(0);
  QStringList said;
  for (const auto* label : m_host->findChild<FindingPane*>()->findChildren<QLabel*>()) {
    said << label->text();
  }
  const auto valueOf = [&](const char* name) {
    return said.value(said.indexOf(QLatin1String(name)) + 1);
  };
  EXPECT_EQ(valueOf("error (a)"), QStringLiteral("5.00 %"));
  EXPECT_EQ(valueOf("error (b)"), QStringLiteral("2.00 %"));
}

TEST(FindingRows, CountsHaveNoDecimals) {
  EXPECT_EQ(findingNumberText({"NaN", 7}), QStringLiteral("7"));
  EXPECT_EQ(findingNumberText({"elements", 1234567}), QStringLiteral("1234567"));
  EXPECT_EQ(findingNumberText({"factor", 2.5}), QStringLiteral("2.50"));
  EXPECT_EQ(findingNumberText({"error", 0.05, true}), QStringLiteral("5.00 %"));
}

TEST_F(FindingsViewTest, MakesAVariantOfTheOpenStudyOrOfTheReports) {
  open(report());
  click(1);
  EXPECT_FALSE(action(QStringLiteral("Make variant"))->isEnabled());
  click(0);
  ASSERT_TRUE(action(QStringLiteral("Make variant"))->isEnabled());
  action(QStringLiteral("Make variant"))->trigger();
  ASSERT_TRUE(m_fixture.workspace.study.isOpen());
  const QString text = m_fixture.workspace.study.content().text;
  EXPECT_TRUE(text.contains(QStringLiteral("# ours")));
  EXPECT_TRUE(
      text.contains(QStringLiteral("  a_residual_float32: {precision.compute_dtype: "
                                   "bfloat16, precision.residual_dtype: float32}")))
      << text.toStdString();
}

TEST_F(FindingsViewTest, ThresholdsAreEditedInPlace) {
  open(report());
  action(QStringLiteral("Thresholds"))->trigger();
  auto* pane = m_host->findChild<ThresholdPane*>();
  ASSERT_TRUE(pane->isVisible());
  QDoubleSpinBox* factor = pane->box("error_jump.factor");
  ASSERT_NE(factor, nullptr);
  factor->setFocus();
  factor->selectAll();
  QTest::keyClicks(factor, QStringLiteral("900"));
  QTest::keyClick(factor, Qt::Key_Return);
  m_fixture.settle();
  EXPECT_EQ(model().rowCount(), 2) << "the jump is none any more";
  QTest::mouseClick(&pane->defaults(), Qt::LeftButton);
  m_fixture.settle();
  EXPECT_EQ(model().rowCount(), 3);
  EXPECT_EQ(factor->value(), 2);
}

TEST_F(FindingsViewTest, NothingOfAReportThatIsClosedStaysInItsBar) {
  open(report());
  click(0);
  ASSERT_TRUE(action(QStringLiteral("Show me"))->isEnabled());
  EXPECT_FALSE(severity(QStringLiteral("broken"))->text().endsWith(QLatin1Char('0')));
  m_fixture.workspace.closeAll();
  ASSERT_TRUE(test::waitFor([this] { return !severity(QStringLiteral("broken"))->isEnabled(); }));
  EXPECT_FALSE(action(QStringLiteral("Show me"))->isEnabled());
  EXPECT_FALSE(action(QStringLiteral("Make variant"))->isEnabled());
  EXPECT_TRUE(severity(QStringLiteral("broken"))->text().endsWith(QLatin1Char('0')));
  EXPECT_TRUE(shownTexts().filter(QStringLiteral("findings")).isEmpty());
  open(report());
  EXPECT_TRUE(severity(QStringLiteral("broken"))->isEnabled());
}

TEST_F(FindingsViewTest, SaysWhenThereIsNothing) {
  open(test::quietReport({"a"}));
  bool said = false;
  for (const auto* label : m_host->findChildren<QLabel*>()) {
    said = said ||
           (label->isVisible() && label->text().contains(QStringLiteral("No rule found anything")));
  }
  EXPECT_TRUE(said);
}

TEST_F(FindingsViewTest, OfAStepThatIsNotComparedToItsEndNothingIsCleared) {
  report::Report report = test::quietReport({"a"});
  report.dumps.emplace();
  report.runs[1].status = report::RunStatus::Cancelled;
  open(report);
  const QStringList shown = shownTexts();
  const std::string texts = shown.join(QLatin1Char('|')).toStdString();
  EXPECT_FALSE(shown.filter(QStringLiteral("when all of it is compared")).isEmpty()) << texts;
  EXPECT_TRUE(shown.filter(QStringLiteral("No rule found anything")).isEmpty()) << texts;
  EXPECT_TRUE(shown.filter(QStringLiteral("everything is finite")).isEmpty()) << texts;
}

TEST_F(FindingsViewTest, OfDumpsWithNothingInCommonThereIsNoVerdict) {
  report::Report report = test::quietReport({"a"});
  report.dumps.emplace();
  report.runs[1].comparisons.clear();
  open(report);
  const QStringList shown = shownTexts();
  const std::string texts = shown.join(QLatin1Char('|')).toStdString();
  EXPECT_FALSE(shown.filter(QStringLiteral("Nothing that both dumps hold")).isEmpty()) << texts;
  EXPECT_TRUE(shown.filter(QStringLiteral("everything is finite")).isEmpty()) << texts;
}

TEST_F(FindingsViewTest, OfOneDumpNothingIsSaidOfErrors) {
  report::Report report = test::quietReport({"a"});
  report.dumps = report::DumpOrigin{.baseline = {.path = "/one.npy"}};
  const auto texts = [this] { return shownTexts().join(QLatin1Char('|')).toStdString(); };
  open(report);
  EXPECT_THAT(texts(),
              testing::HasSubstr("Nothing of it is NaN or infinite. It is compared with "
                                 "nothing, so that nothing is known of errors."));
  EXPECT_THAT(texts(), testing::Not(testing::HasSubstr("No operation makes")));
  report.runs[1].comparisons[0].compared = 0;
  open(report);
  EXPECT_THAT(texts(), testing::HasSubstr("infinite, as far as was recorded. It is compared"));
  report.runs[1].comparisons[0].variantNonFinite.nan = 2;
  open(report);
  EXPECT_THAT(texts(),
              testing::HasSubstr("1 tensor(s) hold NaN or infinity, and no call makes it"));
}

TEST_F(FindingsViewTest, LeavesAsATable) {
  open(report());
  const std::vector<Exhibit> exhibits = m_host->view()->exhibits();
  ASSERT_EQ(exhibits.size(), 1U);
  const report::DataTable table = exhibits[0].table();
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(std::get<std::string>(table.rows[1][0]), "broken");
  EXPECT_NE(std::get<std::string>(table.rows[1][5]).find("NaN = 3"), std::string::npos);
}

TEST(FindingRows, AThousandFindingsAreFilteredAtOnce) {
  std::vector<report::Finding> findings(5000);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].runs = {i % 2 == 0 ? "a" : "b"};
    findings[i].severity = static_cast<report::FindingSeverity>(i % 3);
  }
  EXPECT_EQ(filterFindings(findings, {.variant = QStringLiteral("b")}).size(), 2500U);
  EXPECT_EQ(filterFindings(findings, {.severities = {false, true, false}}).size(), 1667U);
  EXPECT_EQ(countBySeverity(findings, {}), (std::array<int, 3>{1667, 1667, 1666}));
}

TEST_F(FindingsViewTest, WhereNothingDiffersNoCauseIsAskedFor) {
  report::Report batches = test::quietReport({"apart", "equal"});
  batches.studyYaml = "model: {path: m}\nvariants: {apart: {batch.among: 8}, equal: {}}\n";
  batches.effectiveJson = R"({"reference":{"batch.among":{"value":"0"}},)"
                          R"("apart":{"batch.among":{"value":"8"}},)"
                          R"("equal":{"batch.among":{"value":"2"}}})";
  for (report::Run& run : batches.runs) {
    for (report::Comparison& row : run.comparisons) {
      setError(row, 0);
    }
  }
  setError(rowOf(batches, "apart", "decoder.1"), 0.001);
  open(batches);
  std::map<QString, bool> canAsk;
  for (int row = 0; row < model().rowCount(); ++row) {
    table().selectRow(row);
    canAsk[text(row, 3).left(7)] = action(QStringLiteral("Cause"))->isEnabled();
  }
  EXPECT_EQ(canAsk,
            (std::map<QString, bool>{{QStringLiteral("Depends"), true},
                                     {QStringLiteral("Does no"), false}}));
}

TEST_F(FindingsViewTest, LeadsToTheCauseAlsoWhereTheExplanationIsHidden) {
  open(report());
  auto& prove = *m_host->findChild<QPushButton*>(QStringLiteral("proveCause"));
  QAction& cause = *action(QStringLiteral("Cause"));
  EXPECT_FALSE(cause.isEnabled()) << "no finding is chosen";
  for (const char* other : {"Explain", "Thresholds"}) {
    action(QLatin1String(other))->trigger();
    EXPECT_FALSE(prove.isVisible());
    table().selectRow(0);
    ASSERT_TRUE(cause.isEnabled());
    cause.trigger();
    EXPECT_TRUE(prove.isVisible());
    EXPECT_TRUE(action(QStringLiteral("Explain"))->isChecked());
    EXPECT_EQ(m_host->focusWidget(), &prove);
  }
}

}  // namespace
}  // namespace ulp::views
