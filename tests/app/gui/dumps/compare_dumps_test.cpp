#include <filesystem>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>

#include "app/gui/bars/status_line.h"
#include "app/gui/dumps/sorted_paths.h"
#include "app/gui/start/start_page.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "tests/app/gui/dumps/compare_dumps_fixture.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/window_language.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/mapping/mapping_editor.h"

namespace ulp::app {
namespace {

using CompareDumpsTest = test::CompareDumpsFixture;

TEST_F(CompareDumpsTest, TheDialogRecognisesBothSidesAndTheComparisonIsShown) {
  CompareDumpsDialog* dialog = openDialog();
  ASSERT_NE(dialog, nullptr);
  QPushButton* compare = button(*dialog, QStringLiteral("&Compare"));
  ASSERT_NE(compare, nullptr);
  EXPECT_FALSE(compare->isEnabled());
  type(dialog->baseline(), path("golden"));
  ASSERT_TRUE(test::waitFor([&] { return dialog->baseline().isReady(); }));
  EXPECT_TRUE(dialog->baseline().stateText().contains(QStringLiteral("1 unit")))
      << dialog->baseline().stateText().toStdString();
  EXPECT_FALSE(compare->isEnabled()) << "there is no candidate yet";
  type(dialog->candidate(), path("target"));
  ASSERT_TRUE(test::waitFor([&] { return compare->isEnabled(); }));
  QTest::mouseClick(compare, Qt::LeftButton);
  settle();
  const views::DocumentPtr& document = workspace().reports.document();
  ASSERT_NE(document, nullptr);
  EXPECT_EQ(document->report().model.name, "target against golden");
  ASSERT_EQ(document->variantCount(), 1);
  EXPECT_EQ(document->variantName(0), QStringLiteral("target"));
  EXPECT_EQ(document->sites().size(), 2U);
  EXPECT_FALSE(m_window->docks().isStartPageShown());
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("Compared 2 tensors, 0 of them are equal")))
      << m_messages.back().toStdString();
}

TEST_F(CompareDumpsTest, TheMessageSaysWhereTheErrorStartsAndOneClickShowsIt) {
  workspace().requests.compareDumps(
      {.baseline = {.path = makeSteps(QStringLiteral("one"), 1, 1).toStdString()},
       .candidate = {.path = makeSteps(QStringLiteral("two"), 1, 3).toStdString()}});
  settle();
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("The error starts at ")) &&
              m_messages.back().contains(QStringLiteral("layers.1")) &&
              m_messages.back().contains(QStringLiteral("Sureness ")))
      << m_messages.back().toStdString();
  QPushButton* show = messageButton(QStringLiteral("Show me"));
  ASSERT_NE(show, nullptr);
  QTest::mouseClick(show, Qt::LeftButton);
  settle();
  EXPECT_EQ(m_session->selection().selection().site, QStringLiteral("decoder.1"));
}

TEST_F(CompareDumpsTest, TheMessageIsInTheLanguageOfTheWindow) {
  const test::WindowLanguage german(QStringLiteral("de"));
  workspace().requests.compareDumps(
      {.baseline = {.path = makeSteps(QStringLiteral("one"), 1, 1).toStdString()},
       .candidate = {.path = makeSteps(QStringLiteral("two"), 1, 3).toStdString()}});
  settle();
  ASSERT_FALSE(m_messages.isEmpty());
  const QString first = m_messages.back().section(QLatin1Char('\n'), 0, 0);
  EXPECT_TRUE(first.startsWith(QStringLiteral("Der Fehler beginnt bei ")) &&
              first.contains(QStringLiteral(" weicht um ")) &&
              first.contains(QStringLiteral(". Sicherheit ")) &&
              !first.contains(QStringLiteral(" its ")))
      << first.toStdString();
}

TEST_F(CompareDumpsTest, FromTensorsOfOneSideAloneOneClickLeadsToTheMapping) {
  test::writeNpy(std::filesystem::path(path("golden").toStdString()) / "c.npy", {2}, {1, 2});
  workspace().requests.compareDumps(origin());
  settle();
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("1 tensor in the baseline alone")))
      << m_messages.back().toStdString();
  QPushButton* match = messageButton(QStringLiteral("Match the names…"));
  ASSERT_NE(match, nullptr);
  QTest::mouseClick(match, Qt::LeftButton);
  settle();
  const auto* editor = m_window->findChild<views::MappingEditor*>();
  ASSERT_NE(editor, nullptr);
  EXPECT_TRUE(editor->isVisible());
}

TEST_F(CompareDumpsTest, WhatIsNoDumpIsSaidAtItsSide) {
  CompareDumpsDialog* dialog = openDialog();
  type(dialog->baseline(), path("nowhere"));
  ASSERT_TRUE(test::waitFor(
      [&] { return dialog->baseline().stateText().contains(QStringLiteral("no such file")); }));
  EXPECT_FALSE(dialog->baseline().isReady());
  const QString text = write(QStringLiteral("notes.txt"), QStringLiteral("hello"));
  type(dialog->baseline(), text);
  ASSERT_TRUE(test::waitFor([&] {
    return dialog->baseline().stateText().contains(QStringLiteral("nothing that Ulpscope"));
  }));
  EXPECT_FALSE(button(*dialog, QStringLiteral("&Compare"))->isEnabled());
}

TEST_F(CompareDumpsTest, StepsCanBeChosenAndSidesSwapped) {
  const QString one = makeSteps(QStringLiteral("one"), 3, 1);
  const QString two = makeSteps(QStringLiteral("two"), 2, 3);
  CompareDumpsDialog* dialog = openDialog();
  dialog->setOrigin({.baseline = {.path = one.toStdString()},
                     .candidate = {.path = two.toStdString(), .units = {.step = 1}}});
  settle();
  ASSERT_TRUE(dialog->candidate().isReady());
  EXPECT_TRUE(dialog->baseline().stateText().contains(QStringLiteral("3 units")));
  EXPECT_EQ(dialog->candidate().side().units.step, 1);
  EXPECT_FALSE(dialog->baseline().side().units.step) << "all";
  QTest::mouseClick(button(*dialog, QStringLiteral("S&wap")), Qt::LeftButton);
  settle();
  EXPECT_EQ(dialog->baseline().side().path, two.toStdString());
  EXPECT_EQ(dialog->baseline().side().units.step, 1);
  EXPECT_EQ(dialog->candidate().side().path, one.toStdString());
  EXPECT_FALSE(dialog->candidate().side().units.step);
}

TEST_F(CompareDumpsTest, ARunThatWasTypedIsSwappedBeforeAnybodyHasLookedForIt) {
  CompareDumpsDialog* dialog = openDialog();
  dialog->baseline().path().setEditText(QStringLiteral("/nowhere/study#bf16"));
  QTest::mouseClick(button(*dialog, QStringLiteral("S&wap")), Qt::LeftButton);
  EXPECT_EQ(dialog->candidate().side(),
            (report::DumpSide{.path = "/nowhere/study", .units = {.run = "bf16"}}));
  EXPECT_TRUE(dialog->baseline().side().path.empty());
}

TEST_F(CompareDumpsTest, AUnitThatTheDumpDoesNotHaveIsNotReplacedByAnother) {
  const QString one = makeSteps(QStringLiteral("one"), 2, 1);
  CompareDumpsDialog* dialog = openDialog();
  dialog->setOrigin({.baseline = {.path = one.toStdString(), .units = {.step = 7}},
                     .candidate = {.path = one.toStdString()}});
  settle();
  EXPECT_FALSE(dialog->baseline().isReady());
  EXPECT_TRUE(dialog->baseline().stateText().contains(QStringLiteral("there is no step 7")))
      << dialog->baseline().stateText().toStdString();
  EXPECT_FALSE(button(*dialog, QStringLiteral("&Compare"))->isEnabled());
  type(dialog->baseline(), one + QStringLiteral("#fp16"));
  ASSERT_TRUE(test::waitFor([&] {
    return dialog->baseline().stateText().contains(QStringLiteral("there is no run fp16"));
  }));
  EXPECT_FALSE(dialog->baseline().isReady());
  type(dialog->baseline(), one);
  ASSERT_TRUE(test::waitFor([&] { return dialog->baseline().isReady(); }));
  EXPECT_FALSE(dialog->baseline().side().units.step) << "all";
}

TEST_F(CompareDumpsTest, AMappingFileIsReadAndAWrongOneSaid) {
  std::filesystem::rename(path("target").toStdString() + "/a.npy",
                          path("target").toStdString() + "/c.npy");
  CompareDumpsDialog* dialog = openDialog();
  dialog->setOrigin(origin());
  settle();
  auto* mapping = dialog->findChild<QLineEdit*>(QStringLiteral("mapping"));
  ASSERT_NE(mapping, nullptr);
  QPushButton* compare = button(*dialog, QStringLiteral("&Compare"));
  mapping->setText(write(QStringLiteral("bad.yaml"), QStringLiteral("rules: 7\n")));
  ASSERT_TRUE(test::waitFor([&] {
    return std::ranges::any_of(dialog->findChildren<QLabel*>(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("bad.yaml:1"));
    });
  }));
  EXPECT_FALSE(compare->isEnabled());
  mapping->setText(write(QStringLiteral("good.yaml"), QStringLiteral("pairs: {c: a}\n")));
  ASSERT_TRUE(test::waitFor([&] { return compare->isEnabled(); }));
  QTest::mouseClick(compare, Qt::LeftButton);
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->sites().size(), 2U);
  EXPECT_EQ(workspace().reports.document()->report().dumps->mapping, "pairs: {c: a}\n");
}

TEST_F(CompareDumpsTest, AMappingOfTheSidesAsTheyWereBeforeIsSaid) {
  CompareDumpsDialog* dialog = openDialog();
  dialog->setOrigin(origin());
  settle();
  QPushButton* swap = button(*dialog, QStringLiteral("S&wap"));
  const auto isSaid = [dialog] {
    return std::ranges::any_of(dialog->findChildren<QLabel*>(), [](const QLabel* label) {
      return label->isVisible() &&
             label->text().contains(QStringLiteral("before the sides were swapped"));
    });
  };
  QTest::mouseClick(swap, Qt::LeftButton);
  EXPECT_FALSE(isSaid()) << "there is no mapping";
  auto* mapping = dialog->findChild<QLineEdit*>(QStringLiteral("mapping"));
  mapping->setText(write(QStringLiteral("names.yaml"), QStringLiteral("pairs: {c: a}\n")));
  QPushButton* compare = button(*dialog, QStringLiteral("&Compare"));
  ASSERT_TRUE(test::waitFor([&] { return compare->isEnabled(); }));
  EXPECT_FALSE(isSaid()) << "it was chosen for the sides as they are";
  QTest::mouseClick(swap, Qt::LeftButton);
  EXPECT_TRUE(isSaid());
  settle();
  EXPECT_TRUE(compare->isEnabled()) << "who knows that it fits may go on";
  QTest::mouseClick(swap, Qt::LeftButton);
  EXPECT_FALSE(isSaid()) << "as before";
}

TEST_F(CompareDumpsTest, TwoPathsOfTheCommandLineAreComparedUnlessBothAreRuns) {
  open({path("golden"), path("target")});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->report().reference, "golden");
  open({reportFolder(QStringLiteral("a")), reportFolder(QStringLiteral("b"))});
  EXPECT_EQ(workspace().reports.sources().size(), 2U) << "runs are joined";
  EXPECT_FALSE(workspace().reports.document()->report().dumps);
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr);
}

TEST_F(CompareDumpsTest, TheCompareJsonOfMsprobeStandsForBothSides) {
  const QString file = write(QStringLiteral("compare.json"),
                             QStringLiteral(R"({"npu_path": "./target", "bench_path": "%1",
                                                "stack_path": "", "is_print_compare_log": true})")
                                 .arg(path("golden")));
  open({file});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->report().model.name, "target against golden");
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr) << "both sides are known";
}

TEST_F(CompareDumpsTest, ACompareJsonThatLeadsNowhereIsSaid) {
  const QString file =
      write(QStringLiteral("compare.json"),
            QStringLiteral(R"({"npu_path": "./nowhere", "bench_path": "./golden"})"));
  open({file});
  EXPECT_EQ(workspace().reports.document(), nullptr);
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr);
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().startsWith(file + QStringLiteral(": npu_path: ./nowhere")))
      << m_messages.front().toStdString();
  EXPECT_EQ(m_severities.front(), static_cast<int>(views::Severity::Broken));
}

TEST_F(CompareDumpsTest, EveryFurtherDumpIsComparedWithTheFirst) {
  makeDump("other", 6);
  open({path("golden"), path("target"), path("other")});
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  settle();
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr) << "nothing is asked";
  const views::DocumentPtr& document = workspace().reports.document();
  ASSERT_NE(document, nullptr);
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
  EXPECT_EQ(document->report().reference, "golden");
  EXPECT_EQ(document->report().runs.size(), 3U) << "the baseline is there once";
  ASSERT_EQ(document->variantCount(), 2);
  EXPECT_EQ(document->variantName(0), QStringLiteral("target"));
  EXPECT_EQ(document->variantName(1), QStringLiteral("other"));
  const auto place = document->captureOrigin(QStringLiteral("other"), {});
  ASSERT_TRUE(place && place->dumps);
  EXPECT_EQ(place->dumps->origin().candidate.path, path("other").toStdString());
  EXPECT_NE(document->value(0, 0, 0), document->value(1, 0, 0)) << "another last element";
}

TEST_F(CompareDumpsTest, UnitsOfSeveralCandidatesAreCalledAfterTheirDump) {
  const QString one = makeSteps(QStringLiteral("one"), 2, 1);
  const QString two = makeSteps(QStringLiteral("two"), 2, 2);
  const QString three = makeSteps(QStringLiteral("three"), 2, 3);
  open({one, two, three});
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  settle();
  const views::DocumentPtr& document = workspace().reports.document();
  ASSERT_NE(document, nullptr);
  ASSERT_EQ(document->variantCount(), 4);
  EXPECT_EQ(document->variantName(0), QStringLiteral("two: step 0, rank 0"));
  EXPECT_EQ(document->variantName(3), QStringLiteral("three: step 1, rank 0"));
  m_session->selection().selectBaseline(document->variantName(0), views::Relation::Ratio);
  settle();
  EXPECT_EQ(workspace().reports.document()->baselineName(), QStringLiteral("two: step 0, rank 0"))
      << "any of them is a baseline";
}

TEST_F(CompareDumpsTest, SeveralComparisonsAreMadeAgainAndSavedTogether) {
  makeDump("other", 6);
  open({path("golden"), path("target"), path("other")});
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  settle();
  makeDump("other", 4);
  workspace().reports.reload();
  ASSERT_TRUE(test::waitFor([this] {
    return !m_session->comparer().isRunning() && workspace().reports.sources().size() == 2;
  }));
  settle();
  EXPECT_EQ(workspace().reports.document()->value(1, 0, 0), 0) << "as the baseline now";
  views::DumpComparer& comparer = m_session->comparer();
  const auto ids = comparer.savable();
  ASSERT_EQ(ids.size(), 2U);
  for (const std::filesystem::path& id : ids) {
    comparer.saveAs(id,
                    m_folder.filePath(QStringLiteral("saved/")) +
                        QString::fromStdString(id.filename().string()));
  }
  settle();
  EXPECT_TRUE(comparer.savable().empty());
  EXPECT_EQ(workspace().reports.sources().size(), 2U);
}

TEST_F(CompareDumpsTest, ACandidateThatCannotBeReadLeavesTheOthers) {
  makeDump("other", 6);
  open({path("golden"), path("target"), path("other")});
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  const report::DumpOrigin missing{.baseline = {.path = path("golden").toStdString()},
                                   .candidate = {.path = path("nowhere").toStdString()}};
  report::DumpOrigin other = missing;
  other.candidate.path = path("other").toStdString();
  workspace().requests.compareAll({origin(), missing, other});
  ASSERT_TRUE(test::waitFor([this] { return !m_session->comparer().isRunning(); }));
  settle();
  EXPECT_EQ(workspace().reports.document()->variantCount(), 2);
  EXPECT_TRUE(m_messages.filter(QStringLiteral("nowhere: no such file")).size() == 1)
      << m_messages.join(QLatin1Char('|')).toStdString();
}

TEST_F(CompareDumpsTest, AStudyBesideADumpIsOpened) {
  open({study(), path("golden")});
  EXPECT_TRUE(workspace().study.isOpen());
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr);
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->report().model.name, "golden");
}

TEST(SortPaths, TellsDumpsFromRunsReportsAndStudies) {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::writeNpy(root / "dump" / "a.npy", {1}, {1});
  test::writeNpy(root / "run" / "a.npy", {1}, {1});
  std::ofstream(root / "run" / "precision_report.json") << "{}";
  const auto at = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
  const SortedPaths sorted = sortPaths(
      {at("dump"), at("run"), at("dump/a.npy"), at("none"), at("dump#bf16"), at("study.yaml")}, {});
  EXPECT_EQ(sorted.dumps, (QStringList{at("dump"), at("dump/a.npy"), at("dump#bf16")}));
  EXPECT_EQ(sorted.others, (QStringList{at("run"), at("none"), at("study.yaml")}));
  EXPECT_TRUE(sorted.pair().isEmpty());
  EXPECT_EQ(sortPaths({at("run"), at("dump")}, {}).pair(), (QStringList{at("run"), at("dump")}));
  EXPECT_TRUE(sortPaths({at("run"), at("run")}, {}).pair().isEmpty());
  EXPECT_TRUE(sortPaths({at("study.yaml"), at("dump")}, {}).pair().isEmpty());
}

TEST_F(CompareDumpsTest, ThePairIsRememberedAndComparedAgain) {
  compare(origin());
  workspace().closeAll();
  const auto recent = views::recentComparisons(m_session->settings());
  ASSERT_EQ(recent.size(), 1U);
  EXPECT_EQ(recent[0], origin());
  auto* menu = m_window->findChild<QMenu*>(QStringLiteral("recent"));
  ASSERT_NE(menu, nullptr);
  Q_EMIT menu->aboutToShow();
  QAction* again = nullptr;
  for (QAction* action : menu->actions()) {
    again = action->text() == QStringLiteral("target – golden") ? action : again;
  }
  ASSERT_NE(again, nullptr);
  again->trigger();
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->report().model.name, "target against golden");
}

TEST_F(CompareDumpsTest, TheStartPageKnowsAPairAsSoonAsItIsCompared) {
  auto* page = m_window->findChild<StartPage*>();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(button(*page, QStringLiteral("nowhere – golden")), nullptr);
  compare({.baseline = {.path = path("golden").toStdString()},
           .candidate = {.path = path("nowhere").toStdString()}});
  ASSERT_TRUE(m_window->docks().isStartPageShown()) << "there was nothing to compare";
  const QString failed = QStringLiteral("nowhere – golden");
  const auto isOffered = [&] {
    const QPushButton* found = button(*page, failed);
    return found != nullptr && found->isVisible();
  };
  ASSERT_TRUE(test::waitFor(isOffered));
  makeDump("nowhere", 6);
  QTest::mouseClick(button(*page, failed), Qt::LeftButton);
  settle();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(workspace().reports.document()->report().model.name, "nowhere against golden");
}

TEST_F(CompareDumpsTest, ReloadComparesAgain) {
  compare(origin());
  makeDump("target", 4);
  workspace().reports.reload();
  settle();
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("identical")))
      << m_messages.back().toStdString();
  EXPECT_EQ(workspace().reports.sources().size(), 1U);
}

TEST_F(CompareDumpsTest, AnErrorIsSaidAndNothingIsOpened) {
  compare({.baseline = {.path = path("nowhere").toStdString()},
           .candidate = {.path = path("target").toStdString()}});
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().contains(QStringLiteral("nowhere: no such file")));
  EXPECT_EQ(m_severities.front(), static_cast<int>(views::Severity::Broken));
  EXPECT_EQ(workspace().reports.document(), nullptr);
  EXPECT_FALSE(m_session->comparer().isRunning());
}

TEST_F(CompareDumpsTest, TheStatusBarShowsHowFarItIs) {
  auto* status = m_window->findChild<StatusLine*>();
  const auto bars = status->findChildren<QProgressBar*>();
  const auto bar = std::ranges::find_if(bars, [](const QProgressBar* one) {
    return one->accessibleName() == QStringLiteral("Progress of the comparison");
  });
  ASSERT_NE(bar, bars.end());
  EXPECT_TRUE((*bar)->isHidden());
  workspace().requests.compareDumps(origin());
  EXPECT_FALSE((*bar)->isHidden());
  const auto labels = status->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->text().startsWith(QStringLiteral("Comparing target – golden"));
  }));
  settle();
  EXPECT_TRUE((*bar)->isHidden());
}

}  // namespace
}  // namespace ulp::app
