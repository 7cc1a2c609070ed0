#include "views/plugins/runs/runs_view.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <QtCore/QMimeData>
#include <QtCore/QUrl>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QDragEnterEvent>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "runner/worker/events/events.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

/// A view over a queue whose worker follows scripts (tests/runner/queue/fake_worker.cpp).
class RunsViewTest : public testing::Test {
 protected:
  RunsViewTest() {
    ViewContext context{m_base.workspace,
                        m_base.selection,
                        m_base.themes,
                        m_base.settings,
                        m_base.background,
                        m_queue,
                        m_runs,
                        m_base.findings,
                        m_base.exports,
                        m_base.bookmarks};
    m_view = std::make_unique<RunsView>(context);
    m_view->resize(1200, 300);
    m_view->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(m_view.get()));
    m_jobs = m_view->findChild<QTableView*>(QStringLiteral("queue"));
    m_variants = m_view->findChild<QTableView*>(QStringLiteral("variants"));
  }

  queue::JobId enqueue(const std::string& script,
                       const std::vector<const char*>& runs = {},
                       const QString& name = QStringLiteral("study.txt")) {
    const QString file = m_base.folder.filePath(name);
    std::ofstream(file.toStdString()) << script;
    queue::JobRequest request{.studyFile = file.toStdString()};
    for (const char* run : runs) {
      request.expectedRuns.push_back({.name = QString::fromLatin1(run), .error = {}});
    }
    return m_queue.enqueue(request);
  }

  [[nodiscard]] QAction* action(const char* name) const {
    return m_view->findChild<QAction*>(QStringLiteral("runs.") + QLatin1String(name));
  }
  [[nodiscard]] QString jobCell(int row, int column) const {
    return m_jobs->model()->index(row, column).data().toString();
  }
  [[nodiscard]] QString variantCell(int row, int column) const {
    return m_variants->model()->index(row, column).data().toString();
  }
  bool waitUntilOver(queue::JobId id) {
    return test::waitFor([&] { return m_queue.state(id)->isOver(); });
  }
  void clickRow(QTableView& table, int row) {
    const QRect rect = table.visualRect(table.model()->index(row, 0));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, rect.center());
  }
  [[nodiscard]] QString text(const char* label) const {
    return m_view->findChild<QLabel*>(QLatin1String(label))->text();
  }
  [[nodiscard]] bool isShown(const char* label) const {
    return m_view->findChild<QLabel*>(QLatin1String(label))->isVisible();
  }

  test::ContextFixture m_base;
  queue::JobQueue m_queue{QStringLiteral(ULP_BINARY_DIR "/tests/queue_fake_worker")};
  RunLauncher m_runs{m_base.workspace, m_base.background, m_queue};
  std::unique_ptr<RunsView> m_view;
  QTableView* m_jobs = nullptr;
  QTableView* m_variants = nullptr;
};

constexpr const char* kThreeRuns =
    "started reference bf16 fp16\nrun reference 0 3\nfinish reference\nrun bf16 1 3\n";

TEST_F(RunsViewTest, ShowsTheVariantsOfTheJobThatRuns) {
  const auto id = enqueue(std::string(kThreeRuns) + "sleep 60000\n");
  ASSERT_TRUE(test::waitFor([&] {
    return m_variants->model()->rowCount() == 3 && variantCell(1, 1) == QStringLiteral("◐ running");
  }));
  EXPECT_EQ(variantCell(0, 1), QStringLiteral("● finished"));
  EXPECT_EQ(variantCell(0, 5), QStringLiteral("2.500000"));
  EXPECT_EQ(variantCell(2, 1), QStringLiteral("○ waiting"));
  EXPECT_EQ(jobCell(0, 1), QStringLiteral("◐ running"));
  ASSERT_TRUE(test::waitFor([&] { return m_queue.state(id)->memory.has_value(); }));
  ASSERT_TRUE(test::waitFor([&] { return text("jobUsage").contains(QStringLiteral("MiB")); }));
  EXPECT_TRUE(text("jobUsage").contains(QStringLiteral("GPU –"))) << text("jobUsage").toStdString();
  m_queue.cancel(id);
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("▲ stopped"); }));
}

TEST_F(RunsViewTest, SkipsTheVariantThatWasChosenElseTheOneThatRuns) {
  const auto id = enqueue(std::string(kThreeRuns) +
                          "say ready\nhear\nskipped fp16\nhear\nskipped bf16\nsay told\ndone\n");
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("◐ running"); }));
  EXPECT_EQ(action("skip")->text(), QStringLiteral("Skip bf16")) << "the one that runs";
  clickRow(*m_variants, 0);
  EXPECT_FALSE(action("skip")->isEnabled()) << "the reference is what all are compared with";
  clickRow(*m_variants, 2);
  EXPECT_EQ(action("skip")->text(), QStringLiteral("Skip fp16"));
  action("skip")->trigger();
  ASSERT_TRUE(test::waitFor([&] { return variantCell(2, 1) == QStringLiteral("◌ skipped"); }));
  EXPECT_FALSE(action("skip")->isEnabled());
  clickRow(*m_variants, 1);
  action("skip")->trigger();
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("◌ skipped"); }));
  EXPECT_EQ(m_queue.state(id)->status, queue::JobStatus::Finished);
}

TEST_F(RunsViewTest, ThePausedQueueSaysSoAndIsReorderedFromTheKeyboard) {
  action("pause")->trigger();
  EXPECT_TRUE(m_queue.isPaused());
  const auto first = enqueue("started a\ndone\n", {"reference", "x"}, QStringLiteral("a.txt"));
  const auto second = enqueue("started a\ndone\n", {}, QStringLiteral("b.txt"));
  const auto third = enqueue("started a\ndone\n", {}, QStringLiteral("c.txt"));
  ASSERT_EQ(m_jobs->model()->rowCount(), 3);
  EXPECT_EQ(m_variants->model()->rowCount(), 2) << "what the first one will run";
  clickRow(*m_jobs, 2);
  EXPECT_TRUE(action("up")->isEnabled());
  EXPECT_FALSE(action("down")->isEnabled());
  QTest::keyClick(m_jobs, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
  EXPECT_EQ(m_queue.waitingPlace(third), 1);
  EXPECT_EQ(jobCell(1, 0), QStringLiteral("c.txt"));
  EXPECT_EQ(m_jobs->currentIndex().row(), 1) << "the selection goes with its job";
  QTest::keyClick(m_jobs, Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
  EXPECT_EQ(m_queue.waitingPlace(third), 2);
  QTest::keyClick(m_jobs, Qt::Key_Delete);
  EXPECT_EQ(m_queue.state(third), nullptr);
  EXPECT_EQ(m_jobs->model()->rowCount(), 2);
  action("pause")->trigger();
  EXPECT_TRUE(waitUntilOver(first));
  EXPECT_TRUE(waitUntilOver(second));
}

TEST_F(RunsViewTest, ADeadWorkerIsShownWithItsLastWordsAndWhatCanBeDone) {
  const auto id = enqueue(std::string(kThreeRuns) + "say cannot allocate 4 GiB\nraise 9\n");
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return isShown("jobReason"); }));
  EXPECT_TRUE(text("jobReason").contains(QStringLiteral("SIGKILL")));
  EXPECT_EQ(text("jobMessages"), QStringLiteral("cannot allocate 4 GiB"));
  EXPECT_EQ(jobCell(0, 1), QStringLiteral("■ died"));
  EXPECT_EQ(variantCell(1, 1), QStringLiteral("■ failed"));
  QPushButton* resume = nullptr;
  for (QPushButton* button : m_view->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Copy log")) {
      QTest::mouseClick(button, Qt::LeftButton);
    } else if (button->text() == QStringLiteral("Resume")) {
      resume = button;
    }
  }
  EXPECT_TRUE(
      QGuiApplication::clipboard()->text().contains(QStringLiteral("cannot allocate 4 GiB")));
  ASSERT_NE(resume, nullptr);
  QTest::mouseClick(resume, Qt::LeftButton);
  ASSERT_EQ(m_queue.states().size(), 2U);
  const queue::JobStatePtr again = m_queue.states().back();
  EXPECT_EQ(again->request.existing, worker::ExistingResults::Resume);
  EXPECT_EQ(again->runs.at(0).status, report::RunStatus::Finished) << "known from before";
  EXPECT_EQ(again->runs.at(1).status, report::RunStatus::Pending);
  EXPECT_TRUE(waitUntilOver(again->id));
}

/// A variant that fails while the study goes on, and one that is not run any more.
std::string oneFails() {
  const worker::RunFinished failed{.run = "bf16", .status = "failed", .error = "no memory"};
  return "started reference bf16 fp16\nrun reference 0 3\nfinish reference\nrun bf16 1 3\nline " +
         worker::toJsonLine(failed) + "\nrun fp16 2 3\n";
}

TEST_F(RunsViewTest, ResumesWithoutTheVariantsThatFailed) {
  const auto id = enqueue(oneFails() + "sleep 60000\n");
  ASSERT_TRUE(test::waitFor([&] { return variantCell(2, 1) == QStringLiteral("◐ running"); }));
  EXPECT_EQ(variantCell(1, 1), QStringLiteral("■ failed"));
  EXPECT_FALSE(action("resume-rest")->isEnabled()) << "it goes on";
  m_queue.cancel(id);
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return action("resume-rest")->isEnabled(); }));
  m_queue.setPaused(true);
  action("resume-rest")->trigger();
  const queue::JobStatePtr rest = m_queue.states().back();
  EXPECT_EQ(rest->request.existing, worker::ExistingResults::Resume);
  EXPECT_TRUE(rest->request.keepsFailed);
  EXPECT_EQ(rest->runs.at(1).status, report::RunStatus::Failed);
  EXPECT_EQ(rest->runs.at(1).error, QStringLiteral("no memory"));
  EXPECT_EQ(rest->runs.at(2).status, report::RunStatus::Pending);
  clickRow(*m_jobs, 1);
  action("resume")->trigger();
  const queue::JobStatePtr all = m_queue.states().back();
  EXPECT_FALSE(all->request.keepsFailed);
  EXPECT_EQ(all->runs.at(1).status, report::RunStatus::Pending);
}

TEST_F(RunsViewTest, OffersNothingWithoutWhatFailedWhereNothingElseIsLeft) {
  const auto id = enqueue(oneFails() + "finish fp16\nexit 3\n");
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return action("resume")->isEnabled(); }));
  EXPECT_FALSE(action("resume-rest")->isEnabled());
}

TEST_F(RunsViewTest, AVariantOnWhichTheWorkerDiedIsNoneThatFailed) {
  const auto id = enqueue(std::string(kThreeRuns) + "raise 9\n");
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("■ failed"); }));
  EXPECT_TRUE(action("resume")->isEnabled());
  EXPECT_FALSE(action("resume-rest")->isEnabled()) << "the run folder does not know that it failed";
}

TEST_F(RunsViewTest, AVariantOfAnEndedJobRunsAlone) {
  const auto id = enqueue(std::string(kThreeRuns) + "hear\nskipped bf16\nfinish fp16\ndone\n");
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("◐ running"); }));
  m_queue.skip(id, QStringLiteral("bf16"));
  ASSERT_TRUE(waitUntilOver(id));
  ASSERT_TRUE(test::waitFor([&] { return variantCell(1, 1) == QStringLiteral("◌ skipped"); }));
  clickRow(*m_variants, 2);
  EXPECT_FALSE(action("run")->isEnabled()) << "it is finished";
  clickRow(*m_variants, 1);
  ASSERT_TRUE(action("run")->isEnabled());
  action("run")->trigger();
  const queue::JobStatePtr again = m_queue.states().back();
  EXPECT_EQ(again->request.variants, QStringList{QStringLiteral("bf16")});
  EXPECT_EQ(again->request.existing, worker::ExistingResults::Resume);
  m_queue.cancel(again->id);
  EXPECT_TRUE(waitUntilOver(again->id));
}

TEST_F(RunsViewTest, EditingAgainOpensACopyWithAFolderOfItsOwn) {
  const QString output = m_base.folder.filePath(QStringLiteral("out"));
  QDir().mkdir(output);
  const QString file = m_base.folder.filePath(QStringLiteral("mine.yaml"));
  const std::string text =
      "# mine\nmodel: {path: org/model}\noutput_dir: " + output.toStdString() + "\n";
  std::ofstream(file.toStdString()) << text;
  m_queue.setPaused(true);
  m_runs.enqueueFiles({file});
  m_base.settle();
  ASSERT_EQ(m_queue.states().size(), 1U);
  ASSERT_TRUE(action("edit")->isEnabled());
  action("edit")->trigger();
  m_base.settle();
  ASSERT_TRUE(m_base.workspace.study.isOpen());
  EXPECT_TRUE(m_base.workspace.study.content().path.isEmpty())
      << "nothing of the old one is overwritten";
  EXPECT_TRUE(m_base.workspace.study.content().text.contains(output + QStringLiteral("-2")));
  EXPECT_TRUE(m_base.workspace.study.content().text.startsWith(QStringLiteral("# mine")));
}

TEST_F(RunsViewTest, DroppedStudiesAreEnqueuedAndWhatIsWrongIsSaid) {
  m_queue.setPaused(true);
  QSignalSpy raised(&m_base.workspace.messages, &Messages::raise);
  QList<QUrl> urls;
  for (const char* name : {"a.yaml", "b.yml", "broken.yaml", "picture.png"}) {
    const QString file = m_base.folder.filePath(QLatin1String(name));
    const bool isBroken = QLatin1String(name) == QLatin1String("broken.yaml");
    std::ofstream(file.toStdString())
        << (isBroken ? "colour: red\n" : "model: {path: org/model}\nvariants: {bf16: {}}\n")
        << "output_dir: " << m_base.folder.filePath(QStringLiteral("none")).toStdString() << "\n";
    urls << QUrl::fromLocalFile(file);
  }
  QMimeData data;
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(m_view.get(), &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(m_view.get(), &drop);
  m_base.settle();
  ASSERT_EQ(m_queue.states().size(), 2U);
  EXPECT_EQ(jobCell(0, 0), QStringLiteral("a.yaml"));
  EXPECT_EQ(jobCell(1, 0), QStringLiteral("b.yml"));
  ASSERT_EQ(m_queue.states()[0]->runs.size(), 2U);
  EXPECT_EQ(m_queue.states()[0]->runs[1].name, QStringLiteral("bf16"));
  ASSERT_EQ(raised.count(), 1);
  EXPECT_TRUE(raised[0][0].value<Message>().text.contains(QStringLiteral("broken.yaml")));
}

TEST_F(RunsViewTest, LiesDownInALowPanelAndStandsInATallOne) {
  m_queue.setPaused(true);
  enqueue("done\n");
  auto* split = m_view->findChild<QSplitter*>();
  EXPECT_EQ(split->orientation(), Qt::Horizontal);
  split->setSizes({300, 500, 400});
  Q_EMIT split->splitterMoved(300, 1);
  const QList<int> lying = split->sizes();
  m_view->resize(400, 900);
  EXPECT_EQ(split->orientation(), Qt::Vertical);
  m_view->resize(1200, 300);
  EXPECT_EQ(split->orientation(), Qt::Horizontal);
  EXPECT_EQ(split->sizes(), lying);
  const QJsonObject state = m_view->saveState();
  split->setSizes({100, 100, 1000});
  m_view->restoreState(state);
  EXPECT_EQ(split->sizes(), lying);
  m_view->restoreState({{QStringLiteral("columns"), QStringLiteral("nonsense")}});
  EXPECT_EQ(split->sizes(), lying);
}

TEST_F(RunsViewTest, BothTablesLeaveTheProgram) {
  EXPECT_TRUE(m_view->exhibits().empty());
  m_queue.setPaused(true);
  enqueue("done\n", {"reference", "bf16"});
  const auto exhibits = m_view->exhibits();
  ASSERT_EQ(exhibits.size(), 2U);
  EXPECT_EQ(exhibits[0].id, QStringLiteral("queue"));
  EXPECT_EQ(exhibits[0].table().rows.size(), 1U);
  EXPECT_EQ(exhibits[1].id, QStringLiteral("variants"));
  EXPECT_EQ(exhibits[1].table().rows.size(), 2U);
}

TEST_F(RunsViewTest, EveryCommandHasAnIconAndATip) {
  for (QAction* each : m_view->findChildren<QAction*>()) {
    if (each->objectName().startsWith(QStringLiteral("runs."))) {
      EXPECT_FALSE(each->icon().isNull()) << each->objectName().toStdString();
      EXPECT_FALSE(each->toolTip().isEmpty()) << each->objectName().toStdString();
    }
  }
}

}  // namespace
}  // namespace ulp::views
