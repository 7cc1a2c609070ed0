#include <functional>
#include <latch>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>

#include "app/gui/compare_dumps_dialog.h"
#include "app/gui/sorted_paths.h"
#include "app/gui/status_line.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/dump_files.h"
#include "views/framework/message_bar.h"
#include "views/framework/recent_comparisons.h"

namespace ulp::app {
namespace {

class CompareDumpsTest : public test::WindowFixture {
 protected:
  void SetUp() override {
    WindowFixture::SetUp();
    makeDump("golden", 4);
    makeDump("target", 5);
    QObject::connect(
        &workspace(), &views::Workspace::messageRaised, [this](const views::Message& message) {
          m_messages << message.text;
          m_severities << static_cast<int>(message.severity);
          m_actions = message.actions;
        });
  }

  /// Two tensors; `last` is the last element of both.
  void makeDump(const char* name, float last) {
    const std::filesystem::path folder = m_folder.filePath(QLatin1String(name)).toStdString();
    test::writeNpy(folder / "a.npy", {2, 2}, {1, 2, 3, last});
    test::writeNpy(folder / "b.npy", {2}, {7, last});
  }
  /// Statistics of `steps` steps; the second layer of the candidate is off.
  QString makeSteps(const QString& name, int steps, double second) {
    const QString path = m_folder.filePath(name);
    for (int step = 0; step < steps; ++step) {
      test::writeStatisticsDump(
          std::filesystem::path(path.toStdString()) / ("step" + std::to_string(step)) / "rank0",
          {{"model.layers.0", 1}, {"model.layers.1", second}});
    }
    return path;
  }
  [[nodiscard]] QString path(const char* name) { return m_folder.filePath(QLatin1String(name)); }
  CompareDumpsDialog* openDialog() {
    m_window->actions()[QStringLiteral("file.compare-dumps")]->trigger();
    return m_window->findChild<CompareDumpsDialog*>();
  }
  static void type(DumpSidePane& side, const QString& text) {
    side.path().lineEdit()->setFocus();
    side.path().lineEdit()->selectAll();
    QTest::keyClicks(side.path().lineEdit(), text);
  }
  static QPushButton* button(const QWidget& parent, const QString& text) {
    for (auto* found : parent.findChildren<QPushButton*>()) {
      if (found->text() == text) {
        return found;
      }
    }
    return nullptr;
  }
  [[nodiscard]] report::DumpOrigin origin() {
    return {.baseline = {.path = path("golden").toStdString()},
            .candidate = {.path = path("target").toStdString()}};
  }

  /// Two steps, of which the second takes long enough that something can be done meanwhile.
  [[nodiscard]] report::DumpOrigin longOne() {
    constexpr int kModules = 30000;
    const QString one = makeSteps(QStringLiteral("one"), 1, 1);
    const QString two = makeSteps(QStringLiteral("two"), 1, 3);
    std::vector<test::RecordedModule> modules;
    for (int module = 0; module < kModules; ++module) {
      modules.push_back({"model.layers." + std::to_string(module), 1});
    }
    for (const QString& dump : {one, two}) {
      test::writeStatisticsDump(std::filesystem::path(dump.toStdString()) / "step1" / "rank0",
                                modules);
    }
    return {.baseline = {.path = one.toStdString()}, .candidate = {.path = two.toStdString()}};
  }
  /// As soon as a state of the comparison is there to be shown.
  void atFirstState(const std::function<void()>& act) {
    views::DumpComparer& comparer = m_session->comparer();
    const auto isDone = std::make_shared<bool>(false);
    QObject::connect(&comparer, &views::DumpComparer::progressed, &comparer, [this, act, isDone] {
      const auto reports = workspace().reports();
      const bool isThere = std::ranges::any_of(
          reports, [](const auto& source) { return views::isUnsaved(source.loaded); });
      if (isThere && !std::exchange(*isDone, true)) {
        act();
      }
    });
  }
  /// Nothing begins in the background before the latch is counted down.
  [[nodiscard]] std::shared_ptr<std::latch> occupyBackground() {
    auto gate = std::make_shared<std::latch>(1);
    constexpr int kThreads = 3;
    for (int i = 0; i < kThreads; ++i) {
      m_session->background().run<bool>(
          QStringLiteral("occupied/%1").arg(i),
          m_window.get(),
          [gate](const std::stop_token& /*stop*/) {
            gate->wait();
            return true;
          },
          [](bool) {});
    }
    return gate;
  }
  /// What the last message offers, by its text; null: it does not.
  [[nodiscard]] std::function<void()> offered(const QString& text) const {
    for (const views::MessageAction& action : m_actions) {
      if (action.text == text) {
        return action.run;
      }
    }
    return nullptr;
  }
  /// `other` is shown meanwhile; the message's action shows the comparison again.
  void expectAMessageLeadsBackFrom(const QString& other) {
    ASSERT_NE(workspace().document(), nullptr);
    EXPECT_EQ(workspace().document()->loaded().folder.string(), other.toStdString());
    const auto show = offered(QStringLiteral("Show the comparison"));
    ASSERT_TRUE(show) << m_messages.join(QLatin1Char('|')).toStdString();
    show();
    settle();
    EXPECT_TRUE(isComparisonShown());
  }
  /// The open comparison.
  void saveAs(const QString& folder) {
    views::DumpComparer& comparer = m_session->comparer();
    comparer.saveAs(comparer.savable(), folder);
  }
  /// A third dump, and its comparison with the golden one.
  [[nodiscard]] report::DumpOrigin otherOrigin() {
    makeDump("other", 6);
    return {.baseline = {.path = path("golden").toStdString()},
            .candidate = {.path = path("other").toStdString()}};
  }
  /// On the screen; those of messages that are gone live on for a moment.
  [[nodiscard]] QPushButton* messageButton(const QString& text) {
    QCoreApplication::processEvents();
    for (auto* found : m_window->messages().findChildren<QPushButton*>()) {
      if (found->text() == text && found->isVisible()) {
        return found;
      }
    }
    return nullptr;
  }
  [[nodiscard]] std::string shownModel() {
    const views::DocumentPtr& document = workspace().document();
    return document ? document->report().model.name : std::string();
  }
  /// What File > Open recent offers; triggers the one of this text.
  QStringList recentTexts(const QString& triggered = {}) {
    auto* menu = m_window->findChild<QMenu*>(QStringLiteral("recent"));
    Q_EMIT menu->aboutToShow();
    QStringList texts;
    QAction* wanted = nullptr;
    for (QAction* action : menu->actions()) {
      texts << action->text();
      wanted = action->text() == triggered ? action : wanted;
    }
    if (wanted != nullptr) {
      wanted->trigger();
    }
    return texts;
  }
  [[nodiscard]] bool isComparisonShown() {
    const auto reports = workspace().reports();
    return workspace().document() != nullptr && reports.size() == 1 &&
           views::isUnsaved(reports.front().loaded);
  }

  QStringList m_messages;
  QList<int> m_severities;
  std::vector<views::MessageAction> m_actions;  ///< of the last one
};

TEST_F(CompareDumpsTest, TheDialogRecognisesBothSidesAndTheComparisonIsShown) {
  CompareDumpsDialog* dialog = openDialog();
  ASSERT_NE(dialog, nullptr);
  QPushButton* compare = button(*dialog, QStringLiteral("&Compare"));
  ASSERT_NE(compare, nullptr);
  EXPECT_FALSE(compare->isEnabled());
  type(dialog->baseline(), path("golden"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return dialog->baseline().isReady(); }, kPatienceMs));
  EXPECT_TRUE(dialog->baseline().stateText().contains(QStringLiteral("1 unit")))
      << dialog->baseline().stateText().toStdString();
  EXPECT_FALSE(compare->isEnabled()) << "there is no candidate yet";
  type(dialog->candidate(), path("target"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return compare->isEnabled(); }, kPatienceMs));
  QTest::mouseClick(compare, Qt::LeftButton);
  settle();
  const views::DocumentPtr& document = workspace().document();
  ASSERT_NE(document, nullptr);
  EXPECT_EQ(document->report().model.name, "target against golden");
  ASSERT_EQ(document->variantCount(), 1);
  EXPECT_EQ(document->variantName(0), QStringLiteral("target"));
  EXPECT_EQ(document->sites().size(), 2U);
  EXPECT_FALSE(m_window->isStartPageShown());
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("Compared 2 tensors, 0 of them are equal")))
      << m_messages.back().toStdString();
}

TEST_F(CompareDumpsTest, WhatIsNoDumpIsSaidAtItsSide) {
  CompareDumpsDialog* dialog = openDialog();
  type(dialog->baseline(), path("nowhere"));
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return dialog->baseline().stateText().contains(QStringLiteral("no such file")); },
      kPatienceMs));
  EXPECT_FALSE(dialog->baseline().isReady());
  const QString text = write(QStringLiteral("notes.txt"), QStringLiteral("hello"));
  type(dialog->baseline(), text);
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return dialog->baseline().stateText().contains(QStringLiteral("nothing that Ulpscope"));
      },
      kPatienceMs));
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
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return dialog->baseline().stateText().contains(QStringLiteral("there is no run fp16"));
      },
      kPatienceMs));
  EXPECT_FALSE(dialog->baseline().isReady());
  type(dialog->baseline(), one);
  ASSERT_TRUE(QTest::qWaitFor([&] { return dialog->baseline().isReady(); }, kPatienceMs));
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
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return std::ranges::any_of(dialog->findChildren<QLabel*>(), [](const QLabel* label) {
          return label->isVisible() && label->text().contains(QStringLiteral("bad.yaml:1"));
        });
      },
      kPatienceMs));
  EXPECT_FALSE(compare->isEnabled());
  mapping->setText(write(QStringLiteral("good.yaml"), QStringLiteral("pairs: {c: a}\n")));
  ASSERT_TRUE(QTest::qWaitFor([&] { return compare->isEnabled(); }, kPatienceMs));
  QTest::mouseClick(compare, Qt::LeftButton);
  settle();
  ASSERT_NE(workspace().document(), nullptr);
  EXPECT_EQ(workspace().document()->sites().size(), 2U);
  EXPECT_EQ(workspace().document()->report().dumps->mapping, "pairs: {c: a}\n");
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
  ASSERT_TRUE(QTest::qWaitFor([&] { return compare->isEnabled(); }, kPatienceMs));
  EXPECT_FALSE(isSaid()) << "it was chosen for the sides as they are";
  QTest::mouseClick(swap, Qt::LeftButton);
  EXPECT_TRUE(isSaid());
  settle();
  EXPECT_TRUE(compare->isEnabled()) << "who knows that it fits may go on";
  QTest::mouseClick(swap, Qt::LeftButton);
  EXPECT_FALSE(isSaid()) << "as before";
}

TEST_F(CompareDumpsTest, TwoPathsOfTheCommandLineAreComparedUnlessBothAreRuns) {
  m_window->open({path("golden"), path("target")});
  settle();
  ASSERT_NE(workspace().document(), nullptr);
  EXPECT_EQ(workspace().document()->report().reference, "golden");
  m_window->open({reportFolder(QStringLiteral("a")), reportFolder(QStringLiteral("b"))});
  settle();
  EXPECT_EQ(workspace().reports().size(), 2U) << "runs are joined";
  EXPECT_FALSE(workspace().document()->report().dumps);
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr);
}

TEST_F(CompareDumpsTest, OneDumpAsksForTheOther) {
  m_window->open({path("golden")});
  settle();
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_TRUE(dialog->baseline().isReady());
  EXPECT_EQ(dialog->baseline().side().path, path("golden").toStdString());
  EXPECT_FALSE(dialog->candidate().isReady());
  EXPECT_EQ(workspace().document(), nullptr);
}

TEST_F(CompareDumpsTest, AThirdDumpIsSaidToBeLeftOut) {
  makeDump("other", 6);
  m_window->open({path("golden"), path("target"), path("other")});
  settle();
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->candidate().side().path, path("target").toStdString());
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().endsWith(QStringLiteral("Left out: ") + path("other")))
      << m_messages.front().toStdString();
}

TEST_F(CompareDumpsTest, AStudyBesideADumpIsOpened) {
  m_window->open({study(), path("golden")});
  settle();
  EXPECT_TRUE(workspace().hasStudy());
  auto* dialog = m_window->findChild<CompareDumpsDialog*>();
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->baseline().side().path, path("golden").toStdString());
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

TEST_F(CompareDumpsTest, IsSavedOnlyWhenTheUserSaysSo) {
  QAction* save = m_window->actions()[QStringLiteral("file.save-comparison")];
  EXPECT_FALSE(save->isEnabled());
  workspace().compareDumps(origin());
  settle();
  ASSERT_TRUE(save->isEnabled());
  ASSERT_TRUE(views::isUnsaved(workspace().reports().front().loaded));
  const QString saved = m_folder.filePath(QStringLiteral("saved/deeper"));
  saveAs(saved);
  settle();
  EXPECT_FALSE(views::isUnsaved(workspace().reports().front().loaded));
  EXPECT_EQ(workspace().document()->loaded().folder.string(), saved.toStdString());
  EXPECT_FALSE(save->isEnabled());
  EXPECT_EQ(workspace().recentFiles().front(), saved + QStringLiteral("/precision_report.json"));
  const auto read = report::loadReport(saved.toStdString());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->report->dumps->candidate.path, path("target").toStdString());
  EXPECT_EQ(read->report->runs.size(), 2U);
}

TEST_F(CompareDumpsTest, AFolderThatHoldsAReportIsNotOverwritten) {
  const QString taken = reportFolder(QStringLiteral("taken"));
  workspace().compareDumps(origin());
  settle();
  m_messages.clear();
  saveAs(taken);
  settle();
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().contains(QStringLiteral("holds a report already")));
  EXPECT_TRUE(views::isUnsaved(workspace().reports().front().loaded));
  EXPECT_FALSE(report::loadReport(taken.toStdString())->report->dumps);
}

TEST_F(CompareDumpsTest, ThePairIsRememberedAndComparedAgain) {
  workspace().compareDumps(origin());
  settle();
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
  ASSERT_NE(workspace().document(), nullptr);
  EXPECT_EQ(workspace().document()->report().model.name, "target against golden");
}

TEST_F(CompareDumpsTest, ReloadComparesAgain) {
  workspace().compareDumps(origin());
  settle();
  makeDump("target", 4);
  workspace().reload();
  settle();
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("identical")))
      << m_messages.back().toStdString();
  EXPECT_EQ(workspace().reports().size(), 1U);
}

TEST_F(CompareDumpsTest, TheSessionKeepsNoReportThatIsNoFile) {
  workspace().compareDumps(origin());
  settle();
  m_window->saveSession();
  m_messages.clear();
  makeWindow();
  QObject::connect(&workspace(),
                   &views::Workspace::messageRaised,
                   [this](const views::Message& message) { m_messages << message.text; });
  m_window->reopenLastSession();
  settle();
  EXPECT_TRUE(m_messages.isEmpty()) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(workspace().document(), nullptr);
}

TEST_F(CompareDumpsTest, WhatWasFinishedStaysWhenItIsStopped) {
  const report::DumpOrigin origin = longOne();
  views::DumpComparer& comparer = m_session->comparer();
  QAction* stop = m_window->actions()[QStringLiteral("run.stop")];
  atFirstState([stop] { stop->trigger(); });
  workspace().compareDumps(origin);
  EXPECT_TRUE(comparer.isRunning());
  EXPECT_TRUE(stop->isEnabled());
  settle();
  EXPECT_FALSE(comparer.isRunning());
  ASSERT_NE(workspace().document(), nullptr);
  EXPECT_TRUE(m_messages.filter(QStringLiteral("holds")).isEmpty())
      << "a report that is no file has no file to wait for";
  ASSERT_FALSE(m_messages.isEmpty());
  EXPECT_TRUE(m_messages.back().contains(QStringLiteral("what was finished is shown")))
      << m_messages.back().toStdString();
  const views::ReportDocument& document = *workspace().document();
  ASSERT_GE(document.variantCount(), 1);
  EXPECT_TRUE(document.variantName(0).startsWith(QStringLiteral("step 0")))
      << document.variantName(0).toStdString();
  EXPECT_EQ(document.variant(0).status, report::RunStatus::Finished);
  for (int run = 1; run < document.variantCount(); ++run) {
    EXPECT_EQ(document.variant(run).status, report::RunStatus::Cancelled);
  }
}

TEST_F(CompareDumpsTest, StoppedBeforeAnythingWasComparedNothingIsOpened) {
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  m_session->comparer().stop();
  EXPECT_TRUE(m_session->comparer().isStopping());
  gate->count_down();
  settle();
  ASSERT_EQ(m_messages.size(), 1) << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_EQ(m_messages.front(),
            QStringLiteral("The comparison was stopped before anything was compared."));
  EXPECT_EQ(workspace().document(), nullptr);
}

TEST_F(CompareDumpsTest, ClosingTheWindowAsksWhileDumpsAreCompared) {
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
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

TEST_F(CompareDumpsTest, GoesOnWhenSomethingElseIsOpenedAndAMessageLeadsBack) {
  const report::DumpOrigin origin = longOne();
  const QString other = reportFolder(QStringLiteral("other"));
  atFirstState([this, other] { workspace().open(other); });
  workspace().compareDumps(origin);
  settle();
  expectAMessageLeadsBackFrom(other);
  ASSERT_TRUE(isComparisonShown());
  EXPECT_EQ(workspace().document()->variantCount(), 2) << "both steps were compared";
  EXPECT_FALSE(m_session->comparer().savable().empty());
}

TEST_F(CompareDumpsTest, DoesNotReplaceWhatIsOpenedBeforeThereIsAnythingToShow) {
  const QString other = reportFolder(QStringLiteral("other"));
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  workspace().open(other);
  gate->count_down();
  settle();
  expectAMessageLeadsBackFrom(other);
}

TEST_F(CompareDumpsTest, AFinishedOneThatIsClosedUnsavedCanBeBroughtBack) {
  workspace().compareDumps(origin());
  settle();
  // As the first state of a study does that is being run.
  const QString run = reportFolder(QStringLiteral("run"));
  workspace().follow(run);
  settle();
  EXPECT_EQ(workspace().document()->loaded().folder.string(), run.toStdString());
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

TEST_F(CompareDumpsTest, AnotherPairWaitsAndTakesNothingOffTheScreen) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  workspace().compareDumps(other);
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
  EXPECT_EQ(m_messages.filter(QStringLiteral("target – golden\nCompared 2 tensors")).size(), 1)
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

TEST_F(CompareDumpsTest, ComparingAnotherPairNowKeepsWhatWasFinished) {
  const report::DumpOrigin longer = longOne();
  atFirstState([this] {
    workspace().compareDumps(origin());
    const auto now = offered(QStringLiteral("Compare it now"));
    ASSERT_TRUE(now);
    now();
    EXPECT_TRUE(m_session->comparer().isStopping());
  });
  workspace().compareDumps(longer);
  settle();
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
  const views::ReportDocument& document = *workspace().document();
  ASSERT_GE(document.variantCount(), 1);
  EXPECT_EQ(document.variant(0).status, report::RunStatus::Finished);
  for (int run = 1; run < document.variantCount(); ++run) {
    EXPECT_EQ(document.variant(run).status, report::RunStatus::Cancelled);
  }
}

TEST_F(CompareDumpsTest, WhatWaitsCanBeCalledOff) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  workspace().compareDumps(other);
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

TEST_F(CompareDumpsTest, StopEndsAlsoWhatWaits) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  workspace().compareDumps(other);
  m_window->actions()[QStringLiteral("run.stop")]->trigger();
  EXPECT_EQ(m_session->comparer().waitingCount(), 0);
  EXPECT_EQ(messageButton(QStringLiteral("Compare it now")), nullptr);
  gate->count_down();
  settle();
  EXPECT_EQ(m_messages.back(),
            QStringLiteral("The comparison was stopped before anything was compared."));
  EXPECT_EQ(workspace().document(), nullptr);
}

TEST_F(CompareDumpsTest, TheSamePairOnceMoreBeginsAnew) {
  const report::DumpOrigin longer = longOne();
  atFirstState([this, longer] { workspace().compareDumps(longer); });
  workspace().compareDumps(longer);
  settle();
  ASSERT_TRUE(isComparisonShown());
  ASSERT_EQ(workspace().document()->variantCount(), 2);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(workspace().document()->variant(run).status, report::RunStatus::Finished);
  }
  EXPECT_TRUE(m_messages.filter(QStringLiteral("stopped")).isEmpty())
      << m_messages.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(m_messages.filter(QStringLiteral("not saved")).isEmpty());
  EXPECT_TRUE(m_session->comparer().closed().empty()) << "the older one is out of date";
}

TEST_F(CompareDumpsTest, ComparisonsThatAreNotSavedStayAmongTheRecentOnes) {
  workspace().compareDumps(origin());
  settle();
  EXPECT_FALSE(recentTexts().contains(QStringLiteral("target – golden (not saved)")))
      << "it is open";
  workspace().compareDumps(otherOrigin());
  settle();
  EXPECT_EQ(shownModel(), "other against golden") << "nothing ran that it had to wait for";
  m_window->messages().clear();
  EXPECT_TRUE(recentTexts(QStringLiteral("target – golden (not saved)"))
                  .contains(QStringLiteral("target – golden (not saved)")));
  settle();
  EXPECT_EQ(shownModel(), "target against golden");
  EXPECT_TRUE(recentTexts().contains(QStringLiteral("other – golden (not saved)")));
}

TEST_F(CompareDumpsTest, IsSavedAsItWasChosenThoughAnotherIsShownMeanwhile) {
  workspace().compareDumps(origin());
  settle();
  const std::filesystem::path chosen = m_session->comparer().savable();
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().compareDumps(other);
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

TEST_F(CompareDumpsTest, ClosingTheWindowCountsWhatWaits) {
  const report::DumpOrigin other = otherOrigin();
  const auto gate = occupyBackground();
  workspace().compareDumps(origin());
  workspace().compareDumps(other);
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

TEST_F(CompareDumpsTest, AnErrorIsSaidAndNothingIsOpened) {
  workspace().compareDumps({.baseline = {.path = path("nowhere").toStdString()},
                            .candidate = {.path = path("target").toStdString()}});
  settle();
  ASSERT_EQ(m_messages.size(), 1);
  EXPECT_TRUE(m_messages.front().contains(QStringLiteral("nowhere: no such file")));
  EXPECT_EQ(m_severities.front(), static_cast<int>(views::Severity::Broken));
  EXPECT_EQ(workspace().document(), nullptr);
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
  workspace().compareDumps(origin());
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
