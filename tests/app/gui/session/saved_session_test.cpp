#include "app/gui/session/saved_session.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QLabel>

#include "app/gui/session/window_settings.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/machine/content_of.h"
#include "views/charts/plot/variant_legend.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

class SavedSessionTest : public test::WindowFixture {
 protected:
  void restart() {
    ASSERT_TRUE(m_window->close());
    makeWindow();
    m_window->lastSession().reopen();
    settle();
  }
};

SavedSession filledSession() {
  SavedSession session;
  session.geometry = QByteArray("\0\x01geometry", 10);
  session.layout = "layout";
  session.viewStates[QStringLiteral("depth")] = {{QStringLiteral("rows"), QStringLiteral("all")}};
  session.report = QStringLiteral("/runs/报告");
  session.study = QStringLiteral("/studies/a.yaml");
  session.tabs = {QStringLiteral("depth#2")};
  session.linked = {QStringLiteral("depth"), QStringLiteral("depth#2")};
  session.selection.site = QStringLiteral("decoder.3");
  session.clusters = {QStringLiteral("/shared/a"), QStringLiteral("/shared/b")};
  session.waiting = {{.studyFile = "/studies/b.yaml",
                      .outputDir = "/runs/b",
                      .sets = {QStringLiteral("input.seed=1")},
                      .variants = {QStringLiteral("bf16")},
                      .device = QStringLiteral("cpu"),
                      .threads = 2,
                      .existing = worker::ExistingResults::Resume,
                      .expectedRuns = {{.name = QStringLiteral("reference"), .error = {}}},
                      .skips = {QStringLiteral("fp16")},
                      .host = QStringLiteral("gpubox")}};
  return session;
}

TEST(SavedSession, ReadsWhatItWrites) {
  const SavedSession session = filledSession();
  const Result<SavedSession> read = savedSessionFromJson(toJson(session));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->geometry, session.geometry);
  EXPECT_EQ(read->layout, session.layout);
  EXPECT_EQ(read->viewStates, session.viewStates);
  EXPECT_EQ(read->report, session.report);
  EXPECT_EQ(read->study, session.study);
  EXPECT_EQ(read->tabs, session.tabs);
  EXPECT_EQ(read->linked, session.linked);
  EXPECT_EQ(read->selection, session.selection);
  EXPECT_EQ(read->clusters, session.clusters);
  ASSERT_EQ(read->waiting.size(), 1U);
  const queue::JobRequest& request = read->waiting.front();
  EXPECT_EQ(request.studyFile, "/studies/b.yaml");
  EXPECT_EQ(request.outputDir, "/runs/b");
  EXPECT_EQ(request.sets, session.waiting.front().sets);
  EXPECT_EQ(request.variants, session.waiting.front().variants);
  EXPECT_EQ(request.device, QStringLiteral("cpu"));
  EXPECT_EQ(request.threads, 2);
  EXPECT_EQ(request.existing, worker::ExistingResults::Resume);
  ASSERT_EQ(request.expectedRuns.size(), 1U);
  EXPECT_EQ(request.expectedRuns.front().name, QStringLiteral("reference"));
  EXPECT_EQ(request.skips, session.waiting.front().skips);
  EXPECT_EQ(request.host, session.waiting.front().host);
}

TEST(SavedSession, RefusesWhatItDidNotWrite) {
  for (const char* text : {"", "{", "[]", R"({"format":"ulpscope.session/0"})"}) {
    const Result<SavedSession> read = savedSessionFromJson(text);
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
  }
  const Result<SavedSession> newer = savedSessionFromJson(R"({"format":"ulpscope.session/19"})");
  ASSERT_FALSE(newer.has_value());
  EXPECT_EQ(newer.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(newer.error().message().find("'ulpscope.session/19'; this version reads"),
            std::string::npos);
}

/// Else the fuzzer would look at nothing.
TEST(SavedSession, TheSeedOfTheFuzzerIsOneAsAWhole) {
  const auto read = savedSessionFromJson(QByteArray::fromStdString(
      test::contentOf(ULP_SOURCE_DIR "/tests/fuzz/corpus/session/whole.json")));
  ASSERT_TRUE(read.has_value());
  EXPECT_FALSE(read->layout.isEmpty());
  EXPECT_EQ(read->viewStates.size(), 1U);
  EXPECT_EQ(read->layouts.size(), 1U);
  EXPECT_EQ(read->waiting.size(), 1U);
  EXPECT_EQ(read->selection.element, (std::vector<std::int64_t>{0, 3}));
}

/// What is read of one is written and read the same again.
void checkDamaged(const QByteArray& json) {
  const Result<SavedSession> session = savedSessionFromJson(json);
  if (!session) {
    EXPECT_TRUE(session.error().code() == ErrorCode::CorruptData ||
                session.error().code() == ErrorCode::Unsupported)
        << json.toStdString();
    return;
  }
  const QByteArray written = toJson(*session);
  const Result<SavedSession> again = savedSessionFromJson(written);
  ASSERT_TRUE(again.has_value()) << json.toStdString();
  EXPECT_EQ(toJson(*again), written) << json.toStdString();
}

TEST(SavedSession, DamagedFilesAreReadOrRefused) {
  const QByteArray whole = toJson(filledSession());
  for (qsizetype at = 0; at < whole.size(); at += 3) {
    checkDamaged(whole.first(at));
    checkDamaged(whole.first(at) + whole.sliced(at + 1));
    for (const char byte : {'\0', '"', '[', '}', '9', '\xff'}) {
      QByteArray damaged = whole;
      damaged[at] = byte;
      checkDamaged(damaged);
    }
  }
}

TEST(SavedSession, LeavesOutALayoutOfAnotherVersion) {
  SavedSession session;
  session.layout = "layout";
  QByteArray json = toJson(session);
  json.replace("\"layout_version\": " + QByteArray::number(kLayoutVersion),
               "\"layout_version\": 99");
  EXPECT_TRUE(savedSessionFromJson(json)->layout.isEmpty());
}

queue::JobRequest waitingFor(const char* study) {
  return {.studyFile = study};
}

QStringList studiesOf(const SavedSession& session) {
  QStringList studies;
  for (const queue::JobRequest& request : session.waiting) {
    studies << QString::fromStdString(request.studyFile.string());
  }
  return studies;
}

TEST(SavedSession, OfTwoWindowsKeepsTheWorkOfBoth) {
  SavedSession before;
  before.layouts = {{QStringLiteral("kept"), {.state = "1"}},
                    {QStringLiteral("mineChanged"), {.state = "1"}},
                    {QStringLiteral("theirsChanged"), {.state = "1"}},
                    {QStringLiteral("mineGone"), {.state = "1"}},
                    {QStringLiteral("theirsGone"), {.state = "1"}}};
  before.waiting = {waitingFor("/kept"), waitingFor("/run here"), waitingFor("/run there")};
  SavedSession mine = before;
  mine.report = QStringLiteral("/mine");
  mine.layouts[QStringLiteral("mineChanged")] = {.state = "2"};
  mine.layouts[QStringLiteral("mineNew")] = {.state = "3"};
  mine.layouts.erase(QStringLiteral("mineGone"));
  mine.waiting = {waitingFor("/kept"), waitingFor("/run there"), waitingFor("/new here")};
  SavedSession theirs = before;
  theirs.report = QStringLiteral("/theirs");
  theirs.layouts[QStringLiteral("theirsChanged")] = {.state = "4"};
  theirs.layouts[QStringLiteral("theirsNew")] = {.state = "5"};
  theirs.layouts.erase(QStringLiteral("theirsGone"));
  theirs.waiting = {waitingFor("/kept"), waitingFor("/run here"), waitingFor("/new there")};
  const SavedSession both = merged(before, mine, theirs);
  const std::map<QString, SavedLayout> layouts{{QStringLiteral("kept"), {.state = "1"}},
                                               {QStringLiteral("mineChanged"), {.state = "2"}},
                                               {QStringLiteral("mineNew"), {.state = "3"}},
                                               {QStringLiteral("theirsChanged"), {.state = "4"}},
                                               {QStringLiteral("theirsNew"), {.state = "5"}}};
  EXPECT_EQ(both.layouts, layouts);
  EXPECT_EQ(
      studiesOf(both),
      (QStringList{
          QStringLiteral("/kept"), QStringLiteral("/new there"), QStringLiteral("/new here")}));
  EXPECT_EQ(both.report, QStringLiteral("/mine"));
}

TEST_F(SavedSessionTest, AWindowThatClosesLaterKeepsWhatAnotherLeft) {
  const QString file = m_folder.filePath(QStringLiteral("session.json"));
  SavedSession theirs;
  theirs.waiting = {waitingFor("/there")};
  theirs.layouts[QStringLiteral("theirs")] = {.state = "1"};
  write(QStringLiteral("session.json"), QString::fromUtf8(toJson(theirs)));
  // Twice: what was written last is not what this window began with.
  for (int i = 0; i < 2; ++i) {
    m_window->lastSession().save();
    QFile saved(file);
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    const auto read = savedSessionFromJson(saved.readAll());
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(studiesOf(*read), QStringList{QStringLiteral("/there")});
    EXPECT_TRUE(read->layouts.contains(QStringLiteral("theirs")));
    EXPECT_FALSE(read->geometry.isEmpty());
  }
}

TEST_F(SavedSessionTest, TheFirstOneIsKeptAlsoWhereNobodyHasMadeTheFolder) {
  const QString settings = m_folder.filePath(QStringLiteral("config/ulpscope/settings.ini"));
  m_window.reset();
  m_session = std::make_unique<Session>(SessionOptions{.settingsFile = settings});
  m_window = std::make_unique<MainWindow>(*m_session);
  m_window->lastSession().restore();
  m_window->lastSession().save();
  EXPECT_TRUE(QFile::exists(sessionFile(settings))) << sessionFile(settings).toStdString();
}

TEST_F(SavedSessionTest, ReportStudyAndSelectionComeBack) {
  open({study()});
  open({reportFolder(QStringLiteral("smollm2"))});
  show("depth");
  m_session->selection().selectRun(workspace().reports.document()->variantName(2));
  m_session->selection().selectSite(QStringLiteral("decoder.2"), Pass::Backward);
  const views::Selection before = m_session->selection().selection();
  restart();
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_EQ(m_session->selection().selection(), before);
  EXPECT_FALSE(m_session->selection().canGoBack()) << "a new history";
  EXPECT_TRUE(workspace().study.content().path.endsWith(QStringLiteral("study.yaml")));
  EXPECT_FALSE(
      m_window->findChild<QDockWidget*>(QStringLiteral("depth"))->visibleRegion().isEmpty())
      << "what was in front is in front";
  EXPECT_EQ(m_window->messages().count(), 0);
}

TEST_F(SavedSessionTest, HiddenCurvesComeBackHidden) {
  open({reportFolder(QStringLiteral("smollm2"))});
  show("depth");
  const auto legend = [this] { return host("depth")->findChild<views::charts::VariantLegend*>(); };
  ASSERT_GT(legend()->visibleEntries().size(), 1U);
  legend()->setShown(1, false);
  const std::vector<bool> before = legend()->visibleEntries();
  restart();
  EXPECT_EQ(legend()->visibleEntries(), before);
}

TEST_F(SavedSessionTest, NothingComesBackWhereTheUserDoesNotWantIt) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_session->settings().set(kRestoreSession, false);
  restart();
  EXPECT_EQ(workspace().reports.document(), nullptr);
  EXPECT_TRUE(m_window->docks().isStartPageShown());
}

TEST_F(SavedSessionTest, AReportThatIsGoneIsSaidToBeGone) {
  const QString folder = reportFolder(QStringLiteral("smollm2"));
  open({folder});
  ASSERT_TRUE(QDir(folder).removeRecursively());
  restart();
  EXPECT_EQ(m_window->messages().count(), 1);
  EXPECT_TRUE(m_window->docks().isStartPageShown());
}

TEST_F(SavedSessionTest, ADamagedSessionIsSetAsideAndReported) {
  m_window.reset();
  m_session.reset();
  write(QStringLiteral("session.json"), QStringLiteral("{ not json"));
  makeWindow();
  EXPECT_EQ(m_window->messages().count(), 1);
  EXPECT_FALSE(QFile::exists(m_folder.filePath(QStringLiteral("session.json"))));
  EXPECT_TRUE(QFile::exists(m_folder.filePath(QStringLiteral("session.json.damaged"))));
  open({reportFolder(QStringLiteral("smollm2"))});
  EXPECT_TRUE(host("overview")->isVisible());
}

TEST_F(SavedSessionTest, ANewerSessionIsNamedAndLeftAsItIs) {
  m_window.reset();
  m_session.reset();
  const QString newer = QStringLiteral(R"({"format": "ulpscope.session/2", "docks": [7]})");
  write(QStringLiteral("session.json"), newer);
  makeWindow();
  EXPECT_EQ(m_window->messages().count(), 1);
  EXPECT_TRUE(m_window->messages().isVisible());
  const QList<QLabel*> labels = m_window->messages().findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->text().contains(QStringLiteral("session.json")) &&
           label->text().contains(QStringLiteral("ulpscope.session/2")) &&
           label->text().contains(QStringLiteral("newer version"));
  }));
  ASSERT_TRUE(m_window->close());
  QFile file(m_folder.filePath(QStringLiteral("session.json")));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(QString::fromUtf8(file.readAll()), newer);
  EXPECT_FALSE(QFile::exists(m_folder.filePath(QStringLiteral("session.json.damaged"))));
}

TEST_F(SavedSessionTest, DamagedSettingsAreSetAsideAndReported) {
  m_window.reset();
  m_session.reset();
  write(QStringLiteral("settings.ini"), QStringLiteral("[window\ntheme"));
  makeWindow();
  EXPECT_EQ(m_window->messages().count(), 1);
  EXPECT_TRUE(QFile::exists(m_folder.filePath(QStringLiteral("settings.ini.damaged"))));
  EXPECT_EQ(m_session->settings().get(kTheme), QStringLiteral("system"));
}

TEST_F(SavedSessionTest, EverythingCanBeForgotten) {
  open({reportFolder(QStringLiteral("smollm2"))});
  m_session->settings().set(kTextSize, 150);
  ASSERT_TRUE(m_window->close());
  ASSERT_TRUE(QFile::exists(m_folder.filePath(QStringLiteral("session.json"))));
  forgetEverything(m_session->settings());
  EXPECT_FALSE(QFile::exists(m_folder.filePath(QStringLiteral("session.json"))));
  makeWindow();
  EXPECT_EQ(m_session->settings().get(kTextSize), 100);
  EXPECT_TRUE(views::recentFiles(m_session->settings()).isEmpty());
}

}  // namespace
}  // namespace ulp::app
