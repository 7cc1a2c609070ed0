#include "views/framework/workspace/finding_navigator.h"

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

using test::rowOf;
using test::setError;

class FindingNavigatorTest : public testing::Test {
 protected:
  static report::Report report() {
    report::Report report = test::quietReport({"a", "b"});
    setError(rowOf(report, "a", "decoder.1"), 0.05);
    setError(rowOf(report, "b", "decoder.3", Pass::Backward), 0.05);
    rowOf(report, "b", "decoder.2").variantNonFinite = {3, 0, 0};
    return report;
  }
  void open(const report::Report& report) {
    m_fixture.openReport(report);
    m_fixture.selection.selectMetric(QStringLiteral("rms_rel"));
  }
  [[nodiscard]] FindingNavigator& navigator() { return m_fixture.findings; }
  [[nodiscard]] const Selection& selection() const { return m_fixture.selection.selection(); }

  test::ContextFixture m_fixture;
};

TEST_F(FindingNavigatorTest, ComputesNothingUntilAsked) {
  open(report());
  EXPECT_EQ(navigator().findings(), nullptr);
  QSignalSpy changed(&navigator(), &FindingNavigator::findingsChanged);
  navigator().request();
  m_fixture.settle();
  EXPECT_EQ(changed.count(), 1);
  ASSERT_NE(navigator().findings(), nullptr);
  EXPECT_EQ(navigator().findings()->size(), 4U);
  m_fixture.workspace.closeAll();
  EXPECT_EQ(navigator().findings(), nullptr);
}

TEST_F(FindingNavigatorTest, TheFirstStepWaitsForTheFindings) {
  open(report());
  navigator().stepFinding(1);
  m_fixture.settle();
  EXPECT_EQ(navigator().current(), 0);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
  EXPECT_EQ(selection().run(), QStringLiteral("a"));
}

TEST_F(FindingNavigatorTest, StepsGoRoundInBothDirections) {
  open(report());
  navigator().request();
  m_fixture.settle();
  const auto count = static_cast<int>(navigator().findings()->size());
  navigator().stepFinding(-1);
  EXPECT_EQ(navigator().current(), count - 1);
  navigator().stepFinding(1);
  EXPECT_EQ(navigator().current(), 0);
  navigator().setShown({1, 3});
  navigator().stepFinding(1);
  EXPECT_EQ(navigator().current(), 1);
  navigator().stepFinding(1);
  EXPECT_EQ(navigator().current(), 3);
}

TEST_F(FindingNavigatorTest, ShowingOneBringsItsPassIntoView) {
  open(report());
  m_fixture.selection.selectPasses(PassFilter::Forward);
  navigator().request();
  m_fixture.settle();
  for (std::size_t i = 0; i < navigator().findings()->size(); ++i) {
    const report::Finding& finding = (*navigator().findings())[i];
    navigator().show(static_cast<int>(i));
    EXPECT_EQ(selection().site.toStdString(), finding.sites.front().name);
    EXPECT_TRUE(accepts(selection().shown, finding.sites.front().pass));
  }
}

TEST_F(FindingNavigatorTest, WalksTensorsThatAreNotFinite) {
  open(report());
  m_fixture.selection.selectRun(QStringLiteral("b"));
  navigator().stepNonFinite(1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.2"));
  EXPECT_EQ(selection().pass, Pass::Forward);
  navigator().stepNonFinite(-1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.2")) << "there is one only";
  QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  m_fixture.selection.selectRun(QStringLiteral("a"));
  navigator().stepNonFinite(1);
  EXPECT_EQ(messages.count(), 1);
}

TEST_F(FindingNavigatorTest, WalksJumpsOfTheSelectedVariantAndMetric) {
  report::Report jumping = report();
  setError(rowOf(jumping, "a", "decoder.3"), 0.5);
  open(jumping);
  m_fixture.selection.selectRun(QStringLiteral("a"));
  m_fixture.selection.selectSite(QStringLiteral("embeddings"), Pass::Forward);
  navigator().stepJump(1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
  navigator().stepJump(1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
  navigator().stepJump(1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
  navigator().stepJump(-1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
  QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  navigator().setThreshold("error_jump.factor", 900);
  navigator().stepJump(1);
  EXPECT_EQ(messages.count(), 1) << "nothing grows that much";
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
}

TEST_F(FindingNavigatorTest, WalksJumpsOfACosineAsItIsDrawn) {
  report::Report jumping = report();
  jumping.metrics[0].id = "cosine";
  for (report::Run& run : jumping.runs) {
    for (report::Comparison& row : run.comparisons) {
      row.metrics[0] = 1 - row.metrics[0];
    }
  }
  m_fixture.openReport(jumping);
  m_fixture.selection.selectMetric(QStringLiteral("cosine"));
  m_fixture.selection.selectRun(QStringLiteral("a"));
  m_fixture.selection.selectSite(QStringLiteral("embeddings"), Pass::Forward);
  navigator().stepJump(1);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.1"));
}

TEST_F(FindingNavigatorTest, RatiosAreJudgedByTheErrorsThatTheyAreMadeOf) {
  open(report());
  navigator().request();
  m_fixture.settle();
  std::vector<report::Finding> ofOthers = *navigator().findings();
  std::erase_if(ofOthers, [](const report::Finding& finding) {
    return finding.runs == std::vector<std::string>{"b"};
  });
  ASSERT_FALSE(ofOthers.empty());
  ASSERT_LT(ofOthers.size(), navigator().findings()->size());
  m_fixture.selection.selectBaseline(QStringLiteral("b"), Relation::Ratio);
  m_fixture.settle();
  ASSERT_EQ(m_fixture.workspace.reports.document()->basis().relation, Relation::Ratio);
  ASSERT_NE(navigator().findings(), nullptr);
  // What is said of the baseline alone cannot be shown in what is open now.
  ASSERT_EQ(navigator().findings()->size(), ofOthers.size());
  for (std::size_t i = 0; i < ofOthers.size(); ++i) {
    EXPECT_EQ((*navigator().findings())[i].rule, ofOthers[i].rule);
    EXPECT_EQ((*navigator().findings())[i].sites, ofOthers[i].sites);
  }
}

TEST_F(FindingNavigatorTest, ThresholdsTakeEffectAndAreKept) {
  open(report());
  navigator().request();
  m_fixture.settle();
  const std::size_t before = navigator().findings()->size();
  navigator().setThreshold("error_jump.factor", 500);
  m_fixture.settle();
  EXPECT_LT(navigator().findings()->size(), before);
  FindingNavigator second(m_fixture.workspace.reports,
                          m_fixture.workspace.messages,
                          m_fixture.selection,
                          m_fixture.settings,
                          m_fixture.background);
  EXPECT_EQ(second.threshold("error_jump.factor"), 500);
  EXPECT_TRUE(second.hasChangedThresholds());
  second.resetThresholds();
  EXPECT_EQ(second.threshold("error_jump.factor"), 2);
  EXPECT_TRUE(std::isnan(second.threshold("no.such")));
}

TEST_F(FindingNavigatorTest, ADamagedSettingIsADefault) {
  m_fixture.settings.set(Setting<QByteArray>{QStringLiteral("findings/thresholds"), {}},
                         QByteArray(R"({"error_jump.factor": -3, "headroom.share": "x"})"));
  const FindingNavigator navigator(m_fixture.workspace.reports,
                                   m_fixture.workspace.messages,
                                   m_fixture.selection,
                                   m_fixture.settings,
                                   m_fixture.background);
  EXPECT_FALSE(navigator.hasChangedThresholds());
}

/// As `ulpscope-cli compare --report` writes it.
report::Report withCulprit(report::Report report) {
  report.dumps.emplace();
  report::setFindings(report,
                      {{.rule = "culprit",
                        .severity = report::FindingSeverity::Broken,
                        .title = {"model.layers.3.mlp: makes it", {}},
                        .explanation = {"Sureness high: everything agrees before", {}},
                        .numbers = {{"error", 0.5, true}},
                        .sites = {test::layerSite("decoder.3", 3, Pass::Forward)},
                        .runs = {"a"}}});
  return report;
}

TEST_F(FindingNavigatorTest, ThatStoredOnesCannotBeReadIsSaidOfTheirReportAlone) {
  report::Report damaged = withCulprit(report());
  damaged.extraJson = R"({"findings":[{"rule":7}]})";
  QStringList said;
  QObject::connect(&m_fixture.workspace.messages, &Messages::raise, [&](const Message& message) {
    said << message.topic;
  });
  QObject::connect(&m_fixture.workspace.messages, &Messages::dismiss, [&](const QString& topic) {
    said.removeAll(topic);
  });
  open(damaged);
  navigator().request();
  m_fixture.settle();
  ASSERT_EQ(said.size(), 1) << said.join(QLatin1Char('|')).toStdString();
  m_fixture.workspace.closeAll();
  EXPECT_TRUE(said.isEmpty());
  open(report());
  m_fixture.settle();
  EXPECT_TRUE(said.isEmpty());
  EXPECT_NE(navigator().findings(), nullptr);
}

TEST_F(FindingNavigatorTest, WhatAReportHoldsOfOtherRulesComesFirst) {
  open(withCulprit(report()));
  navigator().stepFinding(1);
  m_fixture.settle();
  ASSERT_NE(navigator().findings(), nullptr);
  const report::Finding& first = navigator().findings()->front();
  EXPECT_EQ(first.rule, "culprit");
  EXPECT_EQ(first.severity, report::FindingSeverity::Broken);
  EXPECT_EQ(first.explanation.text(), "Sureness high: everything agrees before");
  EXPECT_TRUE(first.numbers.front().isRatio);
  EXPECT_EQ(selection().site, QStringLiteral("decoder.3"));
  EXPECT_EQ(selection().run(), QStringLiteral("a"));
  EXPECT_GT(navigator().findings()->size(), 1U) << "the rules that fit still run";
  navigator().setThreshold("error_jump.factor", 900);
  m_fixture.settle();
  EXPECT_EQ(navigator().findings()->front().rule, "culprit") << "no threshold changes it";
}

TEST_F(FindingNavigatorTest, RatiosKeepWhatTheReportHolds) {
  open(withCulprit(report()));
  navigator().request();
  m_fixture.settle();
  m_fixture.selection.selectBaseline(QStringLiteral("b"), Relation::Ratio);
  m_fixture.settle();
  EXPECT_EQ(navigator().findings()->front().rule, "culprit") << "ratios are made of errors";
}

TEST_F(FindingNavigatorTest, StoredFindingsThatCannotBeReadAreSaid) {
  report::Report damaged = report();
  damaged.extraJson = R"({"findings":[{"rule":7}]})";
  QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  open(damaged);
  navigator().request();
  m_fixture.settle();
  ASSERT_EQ(messages.count(), 1);
  EXPECT_EQ(messages[0][0].value<Message>().severity, Severity::Broken);
  EXPECT_TRUE(messages[0][0].value<Message>().text.contains(QStringLiteral("findings")));
  ASSERT_NE(navigator().findings(), nullptr);
  EXPECT_EQ(navigator().findings()->size(), 4U) << "what the rules find is there all the same";
}

TEST_F(FindingNavigatorTest, TheCurrentFindingStaysWhenTheReportGrows) {
  report::Report whole = report();
  open(whole);
  navigator().request();
  m_fixture.settle();
  navigator().show(1);
  const report::Finding shown = (*navigator().findings())[1];
  ASSERT_TRUE(report::saveReport(whole, m_fixture.folder.path().toStdString()).has_value());
  m_fixture.workspace.reports.reload();
  m_fixture.settle();
  ASSERT_EQ(navigator().current(), 1);
  EXPECT_EQ((*navigator().findings())[1], shown);
}

}  // namespace
}  // namespace ulp::views
