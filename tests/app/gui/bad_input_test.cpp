#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtCore/QDir>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QApplication>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include "app/gui/dumps/compare_dumps_dialog.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/files/atomic_file.h"
#include "tests/app/gui/window_fixture.h"
#include "tests/support/machine/without_rights.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/captured_report.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/widgets/message_bar.h"

/// What the window does with input that is not as it should be: it says in the message bar what is
/// wrong and what to do, everything else goes on, and nothing that the user made is lost.
namespace ulp::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BadInputTest : public test::WindowFixture {
 protected:
  [[nodiscard]] std::string path(const char* name) const {
    return m_folder.filePath(QLatin1String(name)).toStdString();
  }
  [[nodiscard]] std::string content(const char* name) const {
    return readTextFile(path(name)).value_or("");
  }

  /// Every text that the message bar shows.
  [[nodiscard]] std::string said() const {
    std::string all;
    for (const QLabel* label : m_window->messages().findChildren<QLabel*>()) {
      all += label->isVisible() ? label->text().toStdString() + "\n" : "";
    }
    return all;
  }

  void click(const char* button) {
    for (QPushButton* found : m_window->messages().findChildren<QPushButton*>()) {
      if (found->isVisible() && found->text() == QLatin1String(button)) {
        QTest::mouseClick(found, Qt::LeftButton);
        return;
      }
    }
    ADD_FAILURE() << "no button " << button;
  }

  bool waitUntilSaid(const char* text) {
    return test::waitFor([&] { return said().find(text) != std::string::npos; });
  }

  /// The window shows the good report still, and opens another one.
  void expectTheRestWorks() {
    open({reportFolder(QStringLiteral("the_rest"))});
    ASSERT_NE(workspace().reports.document(), nullptr);
    EXPECT_EQ(workspace().reports.document()->variantCount(), 4);
    EXPECT_TRUE(host("overview")->isVisible());
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  }

  /// Opens a good report first, then this file.
  void openBadFile(const std::string& text) {
    open({reportFolder(QStringLiteral("good"))});
    const views::DocumentPtr before = workspace().reports.document();
    m_window->open({write(QStringLiteral("bad.json"),
                          QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())))});
    settle();
    EXPECT_EQ(m_window->messages().count(), 1);
    EXPECT_EQ(workspace().reports.document(), before) << "what was open stays open";
    EXPECT_THAT(said(), HasSubstr("bad.json"));
  }

  /// A report whose tensors were kept, in a folder that others may look into.
  QString openCaptured() {
    const QString folder = m_folder.filePath(QStringLiteral("captured"));
    std::filesystem::create_directories(folder.toStdString());
    test::saveCapturedReport(folder.toStdString(),
                             {{"decoder.0", {64, 2048}, test::wave(std::size_t{64} * 2048)},
                              {"norm", {1, 8, 4}, test::wave(32)}});
    open({folder});
    m_window->docks().raiseView(QStringLiteral("tensor"));
    m_session->selection().selectSite(QStringLiteral("decoder.0"), Pass::Forward);
    settle();
    return folder;
  }

  /// What the tensor view says in place of a tensor.
  [[nodiscard]] std::string tensorViewSays() const {
    std::string all;
    for (const QLabel* label : host("tensor")->findChildren<QLabel*>()) {
      all += label->isVisible() ? label->text().toStdString() + "\n" : "";
    }
    return all;
  }

  /// Selects one tensor after the other: the disk is not looked at for each of them.
  void selectUntilTheDiskIsLookedAt(const char* text, bool isSaid) {
    ASSERT_TRUE(test::waitFor([&] {
      for (const char* site : {"decoder.0", "norm"}) {
        m_session->selection().selectSite(QLatin1String(site), Pass::Forward);
        settle();
      }
      return (tensorViewSays().find(text) != std::string::npos) == isSaid;
    })) << tensorViewSays();
  }

  void openForOthers() const {
    QFile::setPermissions(m_folder.path(),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                              QFile::ReadOther | QFile::ExeOther);
  }
};

TEST_F(BadInputTest, ATruncatedReport) {
  const report::Report report = test::realisticReport({.layers = 4});
  const std::string json = report::toJson(report);
  openBadFile(json.substr(0, json.size() / 2));
  EXPECT_THAT(said(), AllOf(HasSubstr("the file ends here"), HasSubstr("open it again")));
  expectTheRestWorks();
}

TEST_F(BadInputTest, AReportOfANewerSchema) {
  openBadFile(R"({"schema": "ulpscope.report/9", "runs": {}})");
  EXPECT_THAT(said(),
              AllOf(HasSubstr("ulpscope.report/9"), HasSubstr("open it with a newer Ulpscope")));
  expectTheRestWorks();
}

TEST_F(BadInputTest, ADumpThatEndsInTheMiddleIsNamed) {
  const QString dump =
      write(QStringLiteral("dump.json"),
            QStringLiteral(R"({"task": "statistics", "level": "mix", "data": {"Fun)"));
  // Alone, whatever can be read of it is shown, and the rest is said.
  open({dump});
  EXPECT_THAT(said(), HasSubstr("dump.json"));
  EXPECT_EQ(m_window->findChild<CompareDumpsDialog*>(), nullptr);
  // Compared with itself, it is the same.
  open({dump, dump});
  EXPECT_THAT(said(), HasSubstr("dump.json"));
  expectTheRestWorks();
}

TEST_F(BadInputTest, ABrokenReportOfFastLlm) {
  openBadFile(
      R"({"bf16": [{"step": 0, "tensor_name": "decoder.0", "kind": "fw", "rms_rel": "much"}]})");
  EXPECT_THAT(said(), HasSubstr("bf16[0].rms_rel: expected a number"));
  expectTheRestWorks();
}

TEST_F(BadInputTest, AFolderWithoutAReport) {
  QDir().mkpath(m_folder.filePath(QStringLiteral("empty")));
  open({m_folder.filePath(QStringLiteral("empty"))});
  EXPECT_THAT(said(), HasSubstr("holds no precision_report.json"));
  expectTheRestWorks();
}

TEST_F(BadInputTest, AReportThatIsStillBeingWrittenIsShownAndFollowed) {
  report::Report report = test::realisticReport({.layers = 4});
  const report::Report whole = report;
  for (std::size_t i = 2; i < report.runs.size(); ++i) {
    report.runs[i].status = report::RunStatus::Pending;
    report.runs[i].comparisons.clear();
  }
  const QString folder = reportFolder(QStringLiteral("running"));
  ASSERT_TRUE(report::saveReport(report, folder.toStdString()));
  open({folder});
  ASSERT_NE(workspace().reports.document(), nullptr);
  EXPECT_THAT(said(), HasSubstr("holds 2 of 5 runs"));
  m_session->selection().selectSite(QStringLiteral("decoder.2"), Pass::Backward);
  const views::Selection before = m_session->selection().selection();
  ASSERT_TRUE(report::saveReport(whole, folder.toStdString()));
  ASSERT_TRUE(test::waitFor([&] {
    const report::Report& shown = workspace().reports.document()->report();
    return shown.runs.back().status == report::RunStatus::Finished;
  }));
  settle();
  EXPECT_EQ(m_session->selection().selection(), before);
  EXPECT_EQ(said(), "") << "complete: there is nothing to say";
}

TEST_F(BadInputTest, AFinishedReportThatIsWrittenAnewIsOffered) {
  const QString folder = reportFolder(QStringLiteral("run"));
  open({folder});
  report::Report other = test::realisticReport({.layers = 4});
  other.runs.resize(3);
  ASSERT_TRUE(report::saveReport(other, folder.toStdString()));
  ASSERT_TRUE(waitUntilSaid("written anew"));
  EXPECT_EQ(workspace().reports.document()->variantCount(), 4) << "not unasked";
  click("Show what it holds now");
  settle();
  EXPECT_EQ(workspace().reports.document()->variantCount(), 2);
}

TEST_F(BadInputTest, TensorsThatAreGoneWhileTheReportIsOpen) {
  const QString folder = openCaptured();
  EXPECT_THAT(tensorViewSays(), Not(HasSubstr("gone")));
  QDir(folder + QStringLiteral("/tensors")).removeRecursively();
  QFile::remove(folder + QStringLiteral("/tensors.h5"));
  selectUntilTheDiskIsLookedAt("cannot be read", true);
  EXPECT_THAT(tensorViewSays(),
              AllOf(HasSubstr("cannot be read"),
                    HasSubstr("moved away or deleted"),
                    HasSubstr("put them back")));
  expectTheRestWorks();
}

TEST_F(BadInputTest, TensorsThatAreTruncatedWhileTheyAreShown) {
  const QString folder = openCaptured();
  // In place, as a disk that is full or another program leaves it.
  for (const char* run : {"/tensors/reference.h5", "/tensors/bf16.h5"}) {
    std::filesystem::resize_file(folder.toStdString() + run, 4096);
  }
  m_window->activateWindow();
  m_session->selection().selectSlice(QStringLiteral("0:32, :"));
  m_session->selection().selectElement({40, 1900});
  ASSERT_TRUE(test::waitFor([&] {
    return tensorViewSays().find("became shorter") != std::string::npos;
  })) << tensorViewSays();
  EXPECT_THAT(tensorViewSays(), AllOf(HasSubstr(".h5"), HasSubstr("put the whole file back")));
  expectTheRestWorks();
}

TEST_F(BadInputTest, TensorsThatAreReplacedAreReadAnew) {
  const QString folder = openCaptured();
  const std::string path = folder.toStdString() + "/tensors.h5";
  std::filesystem::remove(path);
  std::ofstream(path) << "something else altogether";
  selectUntilTheDiskIsLookedAt("cannot be read", true);
  EXPECT_THAT(tensorViewSays(), AllOf(HasSubstr("cannot be read"), HasSubstr("tensors.h5")));
  // And when the right ones are back, they are shown without opening the report again.
  test::saveCapturedReport(folder.toStdString(),
                           {{"decoder.0", {64, 2048}, test::wave(std::size_t{64} * 2048)},
                            {"norm", {1, 8, 4}, test::wave(32)}});
  selectUntilTheDiskIsLookedAt("cannot be read", false);
}

TEST_F(BadInputTest, ARunFolderWithoutRights) {
  const QString folder = reportFolder(QStringLiteral("secret"));
  openForOthers();
  QFile::setPermissions(folder, QFile::Permissions());
  {
    const test::WithoutRootsRights nobody;
    open({folder + QStringLiteral("/precision_report.json")});
  }
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  EXPECT_THAT(said(), AllOf(HasSubstr("secret"), HasSubstr("ermission denied")));
  expectTheRestWorks();
}

TEST_F(BadInputTest, ABookmarkInAFolderThatCannotBeWrittenIsKeptAndSavedLater) {
  const QString folder = reportFolder(QStringLiteral("readonly"));
  open({folder});
  openForOthers();
  QFile::setPermissions(folder,
                        QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther);
  {
    const test::WithoutRootsRights nobody;
    m_session->bookmarks().addCurrent();
    settle();
  }
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  EXPECT_THAT(said(), AllOf(HasSubstr("bookmarks.json"), HasSubstr("ermission denied")));
  EXPECT_EQ(m_session->bookmarks().all().size(), 1U);
  click("Try again");
  settle();
  EXPECT_THAT(content("readonly/bookmarks.json"), HasSubstr("ulpscope.bookmarks/1"));
  EXPECT_EQ(said(), "");
}

TEST_F(BadInputTest, DamagedBookmarksAreLeftAloneAndNamed) {
  const QString folder = reportFolder(QStringLiteral("run"));
  write(QStringLiteral("run/bookmarks.json"), QStringLiteral("{ damaged"));
  open({folder});
  EXPECT_THAT(said(), AllOf(HasSubstr("bookmarks.json"), HasSubstr("repaired or moved away")));
  m_session->bookmarks().addCurrent();
  settle();
  EXPECT_EQ(content("run/bookmarks.json"), "{ damaged");
  EXPECT_EQ(m_session->bookmarks().all().size(), 1U);
  expectTheRestWorks();
}

TEST_F(BadInputTest, AStudyOnAFullDiskKeepsTheEditAndTheOldFile) {
  open({study()});
  const std::string before = content("study.yaml");
  workspace().study.setText(QStringLiteral("# mine\n") + QString(1 << 16, QLatin1Char('#')));
  const QString edited = workspace().study.content().text;
  {
    const test::FullDisk full(4096);
    trigger("file.save");
    settle();
  }
  EXPECT_THAT(said(), AllOf(HasSubstr("study.yaml"), HasSubstr("File too large")));
  EXPECT_EQ(content("study.yaml"), before) << "never half a file";
  EXPECT_EQ(workspace().study.content().text, edited);
  EXPECT_TRUE(m_window->isWindowModified());
  trigger("file.save");
  settle();
  EXPECT_EQ(content("study.yaml"), edited.toStdString());
  EXPECT_EQ(said(), "");
  const QStringList left =
      QDir(m_folder.path()).entryList({QStringLiteral("study.yaml?*")}, QDir::Files | QDir::Hidden);
  EXPECT_TRUE(left.isEmpty()) << left.join(QLatin1Char(' ')).toStdString();
}

TEST_F(BadInputTest, AnExportOnAFullDiskIsSaidAndLeavesTheOldFile) {
  open({reportFolder(QStringLiteral("run"))});
  write(QStringLiteral("out.csv"), QStringLiteral("old"));
  {
    const test::FullDisk full(1024);
    m_session->exports().writeFile(m_folder.filePath(QStringLiteral("out.csv")),
                                   [] { return Result<std::string>(std::string(100000, 'x')); });
    ASSERT_TRUE(test::waitFor([this] { return m_session->exports().isIdle(); }));
    QCoreApplication::processEvents();
  }
  EXPECT_THAT(said(), AllOf(HasSubstr("out.csv"), HasSubstr("File too large")));
  EXPECT_EQ(content("out.csv"), "old");
  expectTheRestWorks();
}

TEST_F(BadInputTest, AStudyThatIsEditedOutsideLosesNeitherVersion) {
  open({study()});
  const QString mine = workspace().study.content().text + QStringLiteral("# mine\n");
  workspace().study.setText(mine);
  const QString theirs = QStringLiteral("# theirs\nmodel:\n  path: other/model\n");
  write(QStringLiteral("study.yaml"), theirs);
  ASSERT_TRUE(waitUntilSaid("changed by another program"));
  EXPECT_EQ(workspace().study.content().text, mine);
  EXPECT_EQ(content("study.yaml"), theirs.toStdString());
  trigger("file.save");
  settle();
  EXPECT_EQ(content("study.yaml"), theirs.toStdString()) << "not without an answer";
  click("Load the file");
  settle();
  EXPECT_EQ(workspace().study.content().text, theirs);
  show("study");
  trigger("edit.undo");
  EXPECT_EQ(workspace().study.content().text, mine) << "one step back";
}

TEST_F(BadInputTest, AStudyThatIsDeletedOutsideKeepsItsText) {
  const QString file = study();
  open({file});
  const QString text = workspace().study.content().text;
  QSignalSpy looks(m_session->studyGuard().findChild<QTimer*>(QStringLiteral("disk")),
                   &QTimer::timeout);
  QFile::remove(file);
  ASSERT_TRUE(looks.wait());
  settle();
  EXPECT_EQ(workspace().study.content().text, text);
  trigger("file.save");
  settle();
  EXPECT_EQ(content("study.yaml"), text.toStdString());
}

TEST_F(BadInputTest, ABinaryFileAsAStudy) {
  const QString file = m_folder.filePath(QStringLiteral("noise.yaml"));
  std::string noise(4096, '\0');
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = static_cast<char>(i * 37);
  }
  std::ofstream(file.toStdString(), std::ios::binary) << noise;
  open({file});
  EXPECT_EQ(content("noise.yaml"), noise) << "opening changes nothing";
  trigger("run.start");
  settle();
  EXPECT_TRUE(queue().states().empty());
  EXPECT_EQ(content("noise.yaml"), noise);
  EXPECT_THAT(said(), HasSubstr("noise.yaml"));
  expectTheRestWorks();
}

class BadMappingTest : public BadInputTest {
 protected:
  void openTwo() {
    open({reportFolder(QStringLiteral("a")), reportFolder(QStringLiteral("b"))});
    show("compare");
    auto mapping = analysis::SiteMapping::make({}, {{"theirs", "ours"}});
    ASSERT_TRUE(mapping.has_value());
    workspace().reports.setMapping(1, *mapping);
    settle();
  }

  /// Chooses the command of the compare view, and the file in its dialog.
  void choose(const char* command, const QString& file) {
    views::ViewHost* pane = host("compare");
    for (QAction* action : pane->view()->viewActions()) {
      if (action->text() == QString::fromUtf8(command)) {
        action->trigger();
      }
    }
    auto* dialog = pane->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr) << command;
    Q_EMIT dialog->fileSelected(file);
    dialog->reject();
    settle();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }

  [[nodiscard]] bool isMapped() const {
    return workspace().reports.sources()[1].mapping.map("theirs").value() == "ours";
  }
};

TEST_F(BadMappingTest, ADamagedMappingIsNamedAndTheOldOneStays) {
  openTwo();
  choose("Load a mapping…",
         write(QStringLiteral("mapping.yaml"), QStringLiteral("rules: [\n  {match: ")));
  EXPECT_THAT(said(), HasSubstr("mapping.yaml"));
  EXPECT_TRUE(isMapped());
  expectTheRestWorks();
}

TEST_F(BadMappingTest, AMappingThatCannotBeSavedStaysInTheWindow) {
  openTwo();
  const QString folder = m_folder.filePath(QStringLiteral("locked"));
  QDir().mkpath(folder);
  openForOthers();
  QFile::setPermissions(folder,
                        QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther);
  {
    const test::WithoutRootsRights nobody;
    choose("Save the mapping…", folder + QStringLiteral("/mapping.yaml"));
  }
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  EXPECT_THAT(said(), AllOf(HasSubstr("mapping.yaml"), HasSubstr("ermission denied")));
  EXPECT_TRUE(isMapped());
  choose("Save the mapping…", folder + QStringLiteral("/mapping.yaml"));
  EXPECT_THAT(content("locked/mapping.yaml"), HasSubstr("theirs"));
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace ulp::app
