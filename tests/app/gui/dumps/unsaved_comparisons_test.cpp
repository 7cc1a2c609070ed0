#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>
#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>

#include "app/gui/bars/status_line.h"
#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "views/comparing/dump_comparer.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

using UnsavedComparisonsTest = test::CompareDumpsFixture;

/// Which comparison it was stands above what it came to.
const QRegularExpression kOutcomeWithTitle(
    QStringLiteral("^target – golden\n(.*\n)?Compared 2 tensors"));

TEST_F(UnsavedComparisonsTest, IsSavedOnlyWhenTheUserSaysSo) {
  QAction* save = m_window->actions()[QStringLiteral("file.save-comparison")];
  EXPECT_FALSE(save->isEnabled());
  compare(origin());
  ASSERT_TRUE(save->isEnabled());
  ASSERT_TRUE(views::isUnsaved(workspace().reports.sources().front().loaded));
  const QString saved = m_folder.filePath(QStringLiteral("saved/deeper"));
  saveAs(saved);
  settle();
  EXPECT_FALSE(views::isUnsaved(workspace().reports.sources().front().loaded));
  EXPECT_EQ(workspace().reports.document()->loaded().folder.string(), saved.toStdString());
  EXPECT_FALSE(save->isEnabled());
  EXPECT_EQ(views::recentFiles(m_session->settings()).front(),
            saved + QStringLiteral("/precision_report.json"));
  const auto read = report::loadReport(saved.toStdString());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->report->dumps->candidate.path, path("target").toStdString());
  EXPECT_EQ(read->report->runs.size(), 2U);
}

TEST_F(UnsavedComparisonsTest, AFolderThatHoldsAReportIsNotOverwritten) {
  const QString taken = reportFolder(QStringLiteral("taken"));
  compare(origin());
  m_messages.clear();
  saveAs(taken);
  settle();
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().contains(QStringLiteral("holds a report already")));
  EXPECT_TRUE(views::isUnsaved(workspace().reports.sources().front().loaded));
  EXPECT_FALSE(report::loadReport(taken.toStdString())->report->dumps);
}

TEST_F(UnsavedComparisonsTest, TheSessionKeepsNoReportThatIsNoFile) {
  compare(origin());
  m_window->lastSession().save();
  m_messages.clear();
  makeWindow();
  QObject::connect(&workspace().messages,
                   &views::Messages::raise,
                   [this](const views::Message& message) { m_messages << message.text; });
  m_window->lastSession().reopen();
  settle();
  EXPECT_TRUE(m_messages.isEmpty()) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(workspace().reports.document(), nullptr);
}

TEST_F(UnsavedComparisonsTest, WhatWasFinishedStaysWhenItIsStopped) {
  const report::DumpOrigin origin = longOne();
  views::DumpComparer& comparer = m_session->comparer();
  QAction* stop = m_window->actions()[QStringLiteral("run.stop")];
  atFirstState([stop] { stop->trigger(); });
  workspace().requests.compareDumps(origin);
  EXPECT_TRUE(comparer.isRunning());
  EXPECT_TRUE(stop->isEnabled());
  settle();
  EXPECT_FALSE(comparer.isRunning());
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_TRUE(m_messages.filter(QStringLiteral("holds")).isEmpty())
      << "a report that is no file has no file to wait for";
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("what was finished is shown")))
      << m_messages.back().toStdString();
  const views::ReportDocument& document = *workspace().reports.document();
  ASSERT_GE(document.variantCount(), 1);
  EXPECT_TRUE(document.variantName(0).startsWith(QStringLiteral("step 0")))
      << document.variantName(0).toStdString();
  EXPECT_EQ(document.variant(0).status, report::RunStatus::Finished);
  for (int run = 1; run < document.variantCount(); ++run) {
    EXPECT_EQ(document.variant(run).status, report::RunStatus::Cancelled);
  }
}

TEST_F(UnsavedComparisonsTest, StoppedBeforeAnythingWasComparedNothingIsOpened) {
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  m_session->comparer().stop();
  EXPECT_TRUE(m_session->comparer().isStopping());
  gate->count_down();
  settle();
  ASSERT_EQ(m_messages.size(), 1) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(m_messages.front(),
            QStringLiteral("The comparison was stopped before anything was compared."));
  EXPECT_EQ(workspace().reports.document(), nullptr);
}

TEST_F(UnsavedComparisonsTest, ClosingTheWindowAsksWhileDumpsAreCompared) {
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  EXPECT_FALSE(m_window->close());
  auto* question = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  EXPECT_NE(question, nullptr);
  gate->count_down();
  ASSERT_NE(question, nullptr);
  EXPECT_EQ(question->text(),
            QStringLiteral("Dumps are being compared. What is finished of that is lost."));
  EXPECT_NE(button(*question, QStringLiteral("Stop it and quit")), nullptr);
  settle();
  question->reject();
  EXPECT_TRUE(m_window->close()) << "it has come to its end";
}

TEST_F(UnsavedComparisonsTest, GoesOnWhenSomethingElseIsOpenedAndAMessageLeadsBack) {
  const report::DumpOrigin origin = longOne();
  const QString other = reportFolder(QStringLiteral("other"));
  atFirstState([this, other] { workspace().open({other}); });
  compare(origin);
  expectAMessageLeadsBackFrom(other);
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().reports.document()->variantCount(), 2) << "both steps were compared";
  EXPECT_FALSE(m_session->comparer().savable().empty());
}

TEST_F(UnsavedComparisonsTest, DoesNotReplaceWhatIsOpenedBeforeThereIsAnythingToShow) {
  const QString other = reportFolder(QStringLiteral("other"));
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().open({other});
  gate->count_down();
  settle();
  expectAMessageLeadsBackFrom(other);
}

TEST_F(UnsavedComparisonsTest, AHiddenResultIsStillOfferedWhenAnotherComparisonBegins) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().open({reportFolder(QStringLiteral("report"))});
  gate->count_down();
  settle();
  ASSERT_FALSE(isComparisonShown());
  EXPECT_EQ(m_messages.filter(kOutcomeWithTitle).size(), 1)
      << m_messages.join(QLatin1Char('|')).toStdString();
  compare(other);
  EXPECT_EQ(shownModel(), "other against golden");
  QPushButton* show = messageButton(QStringLiteral("Show the comparison"));
  ASSERT_NE(show, nullptr) << m_messages.join(QLatin1Char('|')).toStdString();
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_EQ(shownModel(), "target against golden");
}

TEST_F(UnsavedComparisonsTest, AFinishedOneThatIsClosedUnsavedCanBeBroughtBack) {
  compare(origin());
  // As the first state of a study does that is being run.
  const QString run = reportFolder(QStringLiteral("run"));
  workspace().reports.follow(run);
  settle();
  EXPECT_EQ(workspace().reports.document()->loaded().folder.string(), run.toStdString());
  EXPECT_EQ(m_messages.back(),
            QStringLiteral("The comparison target – golden was closed and is not saved."));
  const auto show = offered(QStringLiteral("Show the comparison"));
  ASSERT_TRUE(show);
  show();
  settle();
  ASSERT_TRUE(isComparisonShown());
  saveAs(m_folder.filePath(QStringLiteral("saved")));
  settle();
  m_messages.clear();
  workspace().closeAll();
  settle();
  EXPECT_TRUE(m_messages.isEmpty()) << "it is saved";
}

TEST_F(UnsavedComparisonsTest, AnotherPairWaitsAndTakesNothingOffTheScreen) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().requests.compareDumps(other);
  EXPECT_EQ(m_session->comparer().title(), QStringLiteral("target – golden"));
  EXPECT_EQ(m_session->comparer().waitingCount(), 1);
  EXPECT_EQ(
      m_messages,
      QStringList(QStringLiteral("other – golden will be compared once target – golden is done.")));
  const auto labels = m_window->findChild<StatusLine*>()->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->text() == QStringLiteral("Comparing target – golden, 1 waiting");
  }));
  gate->count_down();
  settle();
  EXPECT_EQ(m_session->comparer().waitingCount(), 0);
  EXPECT_EQ(messageButton(QStringLiteral("Compare it now")), nullptr) << "it has been compared";
  EXPECT_EQ(m_messages.filter(kOutcomeWithTitle).size(), 1)
      << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(shownModel(), "target against golden");
  QPushButton* show = messageButton(QStringLiteral("Show the comparison"));
  ASSERT_NE(show, nullptr) << m_messages.join(QLatin1Char('|')).toStdString();
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_EQ(shownModel(), "other against golden");
  EXPECT_EQ(m_messages.back(),
            QStringLiteral("The comparison target – golden was closed and is not saved."));
  offered(QStringLiteral("Show the comparison"))();
  settle();
  EXPECT_EQ(shownModel(), "target against golden");
}

TEST_F(UnsavedComparisonsTest, ComparingAnotherPairNowKeepsWhatWasFinished) {
  const report::DumpOrigin longer = longOne();
  atFirstState([this] {
    workspace().requests.compareDumps(origin());
    const auto now = offered(QStringLiteral("Compare it now"));
    ASSERT_TRUE(now);
    now();
    EXPECT_TRUE(m_session->comparer().isStopping());
  });
  compare(longer);
  EXPECT_EQ(shownModel(), "target against golden");
  EXPECT_EQ(m_messages
                .filter(QStringLiteral("two – one\nThe comparison was stopped; what was "
                                       "finished is kept."))
                .size(),
            1)
      << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(m_messages.filter(QStringLiteral("is not saved")).isEmpty())
      << "one message is enough";
  QPushButton* show = messageButton(QStringLiteral("Show the comparison"));
  ASSERT_NE(show, nullptr);
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_EQ(shownModel(), "two against one");
  const views::ReportDocument& document = *workspace().reports.document();
  ASSERT_GE(document.variantCount(), 1);
  EXPECT_EQ(document.variant(0).status, report::RunStatus::Finished);
  for (int run = 1; run < document.variantCount(); ++run) {
    EXPECT_EQ(document.variant(run).status, report::RunStatus::Cancelled);
  }
}

TEST_F(UnsavedComparisonsTest, WhatWaitsCanBeCalledOff) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().requests.compareDumps(other);
  QPushButton* drop = messageButton(QStringLiteral("Do not compare it"));
  EXPECT_NE(drop, nullptr);
  if (drop != nullptr) {
    QTest::mouseClick(drop, Qt::LeftButton);
  }
  EXPECT_EQ(m_session->comparer().waitingCount(), 0);
  gate->count_down();
  settle();
  EXPECT_EQ(shownModel(), "target against golden");
  EXPECT_EQ(m_messages.size(), 2) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(recentTexts().contains(QStringLiteral("other – golden"))) << "to compare it later";
}

TEST_F(UnsavedComparisonsTest, StopEndsAlsoWhatWaits) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().requests.compareDumps(other);
  trigger("run.stop");
  EXPECT_EQ(m_session->comparer().waitingCount(), 0);
  EXPECT_EQ(messageButton(QStringLiteral("Compare it now")), nullptr);
  gate->count_down();
  settle();
  EXPECT_EQ(m_messages.back(),
            QStringLiteral("The comparison was stopped before anything was compared."));
  EXPECT_EQ(workspace().reports.document(), nullptr);
}

TEST_F(UnsavedComparisonsTest, TheSamePairOnceMoreBeginsAnew) {
  const report::DumpOrigin longer = longOne();
  atFirstState([this, longer] { workspace().requests.compareDumps(longer); });
  compare(longer);
  ASSERT_TRUE(isComparisonShown());
  ASSERT_EQ(workspace().reports.document()->variantCount(), 2);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(workspace().reports.document()->variant(run).status, report::RunStatus::Finished);
  }
  EXPECT_TRUE(m_messages.filter(QStringLiteral("stopped")).isEmpty())
      << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(m_messages.filter(QStringLiteral("not saved")).isEmpty());
  EXPECT_TRUE(m_session->comparer().closed().empty()) << "the older one is out of date";
}

TEST_F(UnsavedComparisonsTest, ComparisonsThatAreNotSavedStayAmongTheRecentOnes) {
  compare(origin());
  EXPECT_FALSE(recentTexts().contains(QStringLiteral("target – golden (not saved)")))
      << "it is open";
  compare(otherOrigin());
  EXPECT_EQ(shownModel(), "other against golden") << "nothing ran that it had to wait for";
  m_window->messages().clear();
  EXPECT_TRUE(recentTexts(QStringLiteral("target – golden (not saved)"))
                  .contains(QStringLiteral("target – golden (not saved)")));
  settle();
  EXPECT_EQ(shownModel(), "target against golden");
  EXPECT_TRUE(recentTexts().contains(QStringLiteral("other – golden (not saved)")));
  const auto closed = m_session->comparer().closed();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].origin.candidate.path, path("other").toStdString());
}

TEST_F(UnsavedComparisonsTest, IsSavedAsItWasChosenThoughAnotherIsShownMeanwhile) {
  compare(origin());
  const std::filesystem::path chosen = m_session->comparer().savable().front();
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(other);
  EXPECT_TRUE(m_window->actions()[QStringLiteral("file.save-comparison")]->isEnabled())
      << "what is shown is finished";
  gate->count_down();
  settle();
  EXPECT_EQ(shownModel(), "other against golden");
  const QString folder = m_folder.filePath(QStringLiteral("saved"));
  m_session->comparer().saveAs(chosen, folder);
  settle();
  const auto read = report::loadReport(folder.toStdString());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->report->dumps->candidate.path, path("target").toStdString());
  EXPECT_TRUE(m_session->comparer().closed().empty());
  EXPECT_EQ(shownModel(), "other against golden");
}

TEST_F(UnsavedComparisonsTest, TheSameDumpsComparedOtherwiseTakeNothingAway) {
  compare(origin());
  report::DumpOrigin mapped = origin();
  mapped.mapping = "pairs: {c: a}\n";
  compare(mapped);
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().reports.document()->report().dumps, mapped);
  EXPECT_TRUE(m_messages.contains(
      QStringLiteral("The comparison target – golden was closed and is not saved.")))
      << m_messages.join(QLatin1Char('|')).toStdString();
  const auto closed = m_session->comparer().closed();
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].origin, origin());
  EXPECT_TRUE(recentTexts(QStringLiteral("target – golden (not saved)"))
                  .contains(QStringLiteral("target – golden (not saved)")));
  settle();
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().reports.document()->report().dumps, origin());
}

TEST_F(UnsavedComparisonsTest, WhatWasFinishedWithAnotherMappingIsOffered) {
  const report::DumpOrigin longer = longOne();
  report::DumpOrigin mapped = longer;
  mapped.mapping = "pairs: {c: a}\n";
  atFirstState([this, mapped] { workspace().requests.compareDumps(mapped); });
  compare(longer);
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().reports.document()->report().dumps, mapped);
  EXPECT_EQ(m_messages
                .filter(QStringLiteral("two – one\nThe comparison was stopped; what was "
                                       "finished is kept."))
                .size(),
            1)
      << m_messages.join(QLatin1Char('|')).toStdString();
  QPushButton* show = messageButton(QStringLiteral("Show the comparison"));
  ASSERT_NE(show, nullptr);
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().reports.document()->report().dumps, longer);
}

TEST_F(UnsavedComparisonsTest, TheOpenOneStaysAndCanBeSavedWhenTheSameHasBeenComparedAgain) {
  compare(origin());
  const std::filesystem::path first = m_session->comparer().savable().front();
  workspace().open({reportFolder(QStringLiteral("other"))});
  settle();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  recentTexts(QStringLiteral("target – golden (not saved)"));
  gate->count_down();
  settle();
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(m_session->comparer().savable().front(), first) << "the user looks at it";
  EXPECT_EQ(m_session->comparer().closed().size(), 1U) << "the newer one";
  EXPECT_TRUE(offered(QStringLiteral("Show the comparison")));
  const QString folder = m_folder.filePath(QStringLiteral("saved"));
  saveAs(folder);
  settle();
  EXPECT_TRUE(report::loadReport(folder.toStdString()).has_value());
  EXPECT_EQ(workspace().reports.document()->loaded().folder.string(), folder.toStdString());
}

TEST_F(UnsavedComparisonsTest, SaysThatAComparisonIsNotKeptAnyMoreWhenItIsToBeSaved) {
  compare(origin());
  const std::filesystem::path chosen = m_session->comparer().savable().front();
  workspace().reports.reload();
  settle();
  EXPECT_NE(m_session->comparer().savable().front(), chosen);
  m_messages.clear();
  const QString folder = m_folder.filePath(QStringLiteral("saved"));
  m_session->comparer().saveAs(chosen, folder);
  settle();
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().startsWith(QStringLiteral("Nothing was saved")))
      << m_messages.front().toStdString();
  EXPECT_FALSE(std::filesystem::exists(folder.toStdString()));
}

TEST_F(UnsavedComparisonsTest, ClosingTheWindowCountsWhatWaits) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().requests.compareDumps(origin());
  workspace().requests.compareDumps(other);
  EXPECT_FALSE(m_window->close());
  auto* question = m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
  gate->count_down();
  ASSERT_NE(question, nullptr);
  EXPECT_EQ(question->text(),
            QStringLiteral("Dumps are being compared. What is finished of that is lost. 1 "
                           "comparison of dumps will not be made."));
  settle();
  question->reject();
}

}  // namespace
}  // namespace ulp::app
