#include "views/framework/workspace/bookmarks.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

#include "core/base/files/atomic_file.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/window/wait_for.h"
#include "tests/views/context_fixture.h"

namespace ulp::views {
namespace {

class BookmarksTest : public testing::Test {
 protected:
  std::filesystem::path file() const {
    return std::filesystem::path(m_fixture.folder.path().toStdString()) / "bookmarks.json";
  }
  void open() { m_fixture.openReport(test::sampleReport(4, {"bf16", "fp16"})); }

  test::ContextFixture m_fixture;
};

TEST_F(BookmarksTest, BringBackTheSelectionAfterTheReportIsOpenedAgain) {
  open();
  m_fixture.selection.selectRun(QStringLiteral("fp16"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Backward);
  m_fixture.selection.selectElement({0, 5, 2});
  const Selection marked = m_fixture.selection.selection();
  m_fixture.bookmarks.addCurrent();
  m_fixture.bookmarks.setNote(0, QStringLiteral("look again"));
  m_fixture.settle();
  EXPECT_EQ(m_fixture.bookmarks.all()[0].title, "fp16 › backward › decoder.2 › [0, 5, 2]");
  m_fixture.workspace.closeAll();
  EXPECT_TRUE(m_fixture.bookmarks.all().empty());
  open();
  ASSERT_EQ(m_fixture.bookmarks.all().size(), 1U);
  EXPECT_EQ(m_fixture.bookmarks.all()[0].note, "look again");
  EXPECT_NE(m_fixture.selection.selection(), marked);
  m_fixture.bookmarks.goTo(0);
  EXPECT_EQ(m_fixture.selection.selection(), marked);
  m_fixture.bookmarks.goTo(7);
  EXPECT_EQ(m_fixture.selection.selection(), marked);
}

TEST_F(BookmarksTest, BringTheBaselineBack) {
  open();
  m_fixture.selection.selectBaseline(QStringLiteral("fp16"), Relation::Ratio);
  m_fixture.settle();
  m_fixture.bookmarks.addCurrent();
  m_fixture.selection.selectBaseline({}, Relation::Error);
  m_fixture.settle();
  m_fixture.bookmarks.goTo(0);
  m_fixture.settle();
  EXPECT_EQ(m_fixture.workspace.reports.document()->basis().baseline, QStringLiteral("fp16"));
}

TEST_F(BookmarksTest, NeverOverwriteAFileThatTheyCannotRead) {
  std::ofstream(file()) << "{ damaged";
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  open();
  ASSERT_EQ(messages.count(), 1);
  EXPECT_TRUE(
      messages.first().first().value<Message>().text.contains(QStringLiteral("bookmarks.json")));
  m_fixture.bookmarks.addCurrent();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.bookmarks.all().size(), 1U);
  std::ifstream stream(file());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "{ damaged");
}

TEST_F(BookmarksTest, AddedBeforeTheOthersAreKnownKeepThem) {
  open();
  m_fixture.bookmarks.addCurrent();
  m_fixture.settle();
  m_fixture.workspace.closeAll();
  m_fixture.workspace.open({m_fixture.folder.path()});
  ASSERT_TRUE(test::waitFor([this] { return m_fixture.workspace.reports.document() != nullptr; }));
  // The file is being read now.
  m_fixture.selection.selectSite(QStringLiteral("decoder.3"), Pass::Forward);
  m_fixture.bookmarks.addCurrent();
  m_fixture.settle();
  EXPECT_EQ(m_fixture.bookmarks.all().size(), 2U);
  const auto saved = report::loadBookmarks(file());
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(saved->size(), 2U);
}

TEST_F(BookmarksTest, OfAnotherWindowStayAndAreSeenWithTheNextChange) {
  open();
  m_fixture.bookmarks.addCurrent();
  m_fixture.settle();
  const report::BookmarkChange theirs{
      .after = report::Bookmark{.title = "theirs", .note = "", .selectionJson = "{}"}};
  ASSERT_TRUE(report::changeBookmarks(file(), std::span(&theirs, 1)).has_value());
  m_fixture.bookmarks.setNote(0, QStringLiteral("mine"));
  m_fixture.settle();
  const auto saved = report::loadBookmarks(file());
  ASSERT_TRUE(saved.has_value());
  ASSERT_EQ(saved->size(), 2U);
  EXPECT_EQ((*saved)[0].note, "mine");
  EXPECT_EQ((*saved)[1].title, "theirs");
  EXPECT_EQ(m_fixture.bookmarks.all(), *saved);
}

TEST_F(BookmarksTest, AreSavedOnceTheFileThatCouldNotBeReadIsMovedAway) {
  std::ofstream(file()) << "{ damaged";
  open();
  m_fixture.bookmarks.addCurrent();
  m_fixture.settle();
  ASSERT_TRUE(setAside(file()).has_value());
  m_fixture.bookmarks.setNote(0, QStringLiteral("later"));
  m_fixture.settle();
  const auto saved = report::loadBookmarks(file());
  ASSERT_TRUE(saved.has_value());
  ASSERT_EQ(saved->size(), 1U);
  EXPECT_EQ((*saved)[0].note, "later");
}

TEST_F(BookmarksTest, ManyChangesInARowAreEachMadeOnce) {
  open();
  for (int i = 0; i < 20; ++i) {
    m_fixture.bookmarks.addCurrent();
    m_fixture.bookmarks.setNote(static_cast<std::size_t>(i), QString::number(i));
  }
  m_fixture.bookmarks.remove(7);
  m_fixture.settle();
  const auto saved = report::loadBookmarks(file());
  ASSERT_TRUE(saved.has_value());
  ASSERT_EQ(saved->size(), 19U);
  EXPECT_EQ((*saved)[6].note, "6");
  EXPECT_EQ((*saved)[7].note, "8");
  EXPECT_EQ(m_fixture.bookmarks.all(), *saved);
}

/// A comparison of dumps that is no file, the `number`th of this window.
report::LoadedReport comparison(int number, const char* candidate) {
  report::Report made = test::sampleReport(4, {"bf16"});
  made.dumps =
      report::DumpOrigin{.baseline = {.path = "/golden"}, .candidate = {.path = candidate}};
  return {.report = std::make_shared<const report::Report>(std::move(made)),
          .file = std::string(kUnsavedPrefix) + std::to_string(number),
          .folder = {}};
}

TEST_F(BookmarksTest, OfAComparisonThatIsNoFileStayWithItsDumps) {
  const auto show = [this](const report::LoadedReport& loaded) {
    m_fixture.workspace.reports.openUnsaved(loaded);
    m_fixture.settle();
  };
  show(comparison(1, "/target"));
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Forward);
  m_fixture.bookmarks.addCurrent();
  show(comparison(2, "/other"));
  EXPECT_TRUE(m_fixture.bookmarks.all().empty()) << "they are of other dumps";
  show(comparison(3, "/target"));
  EXPECT_EQ(m_fixture.bookmarks.all().size(), 1U) << "the same dumps, compared again";
  m_fixture.workspace.closeAll();
  EXPECT_TRUE(m_fixture.bookmarks.all().empty());
  show(comparison(4, "/target"));
  EXPECT_EQ(m_fixture.bookmarks.all().size(), 1U);
}

TEST_F(BookmarksTest, OfAComparisonThatBecomesAFileAreSavedWithIt) {
  const report::LoadedReport loaded = comparison(1, "/target");
  m_fixture.workspace.reports.openUnsaved(loaded);
  m_fixture.settle();
  m_fixture.selection.selectSite(QStringLiteral("decoder.2"), Pass::Forward);
  m_fixture.bookmarks.addCurrent();
  EXPECT_FALSE(std::filesystem::exists(file()));
  m_fixture.workspace.reports.adoptFile(loaded.file, file().parent_path());
  m_fixture.settle();
  EXPECT_EQ(m_fixture.bookmarks.all().size(), 1U);
  const auto saved = report::loadBookmarks(file());
  ASSERT_TRUE(saved.has_value()) << saved.error().message();
  ASSERT_EQ(saved->size(), 1U);
  EXPECT_EQ((*saved)[0].title, m_fixture.bookmarks.all()[0].title);
}

int waitToBeStopped(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::yield();
  }
  return 0;
}

TEST(BookmarksOfAWindow, AreSavedEvenWhenItIsClosedAtOnce) {
  test::TempDir folder;
  const auto file = folder.path() / "bookmarks.json";
  ASSERT_TRUE(report::saveReport(test::sampleReport(4, {"bf16"}), folder.path()).has_value());
  {
    test::ContextFixture fixture;
    fixture.workspace.open({QString::fromStdString(folder.path().string())});
    fixture.settle();
    // Whatever else there is to do, it does not push the bookmark out.
    for (int i = 0; i < 8; ++i) {
      fixture.background.run<int>(
          QStringLiteral("long %1").arg(i), &fixture.workspace.reports, &waitToBeStopped, [](int) {
          });
    }
    fixture.bookmarks.addCurrent();
  }
  const auto saved = report::loadBookmarks(file);
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(saved->size(), 1U);
}

}  // namespace
}  // namespace ulp::views
