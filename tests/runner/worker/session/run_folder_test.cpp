#include "runner/worker/session/run_folder.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/base/files/unfinished.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, IsMadeWithItsParents) {
  const test::TempDir folder;
  const auto claimed = RunFolder::claim(folder / "a/b/c", ExistingResults::Refuse);
  ASSERT_TRUE(claimed) << claimed.error().message();
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
}

TEST(RunFolder, GoesAwayWhenNothingWasWritten) {
  const test::TempDir folder;
  { const auto claimed = RunFolder::claim(folder / "new", ExistingResults::Refuse); }
  EXPECT_FALSE(fs::exists(folder / "new"));
  fs::create_directory(folder / "old");
  { const auto claimed = RunFolder::claim(folder / "old", ExistingResults::Refuse); }
  EXPECT_TRUE(fs::exists(folder / "old"));
  EXPECT_TRUE(fs::is_empty(folder / "old"));
}

TEST(RunFolder, RefusesResultsAndNamesTheWaysOut) {
  for (const char* file : {"precision_report.json", "events.jsonl"}) {
    const test::TempDir folder;
    folder.write(file, "{}");
    const auto claimed = RunFolder::claim(folder.path(), ExistingResults::Refuse);
    ASSERT_FALSE(claimed) << file;
    EXPECT_EQ(claimed.error().code(), ErrorCode::InvalidArgument);
    for (const char* word : {folder.path().c_str(), "--resume", "--overwrite", "--output"}) {
      EXPECT_NE(claimed.error().message().find(word), std::string::npos)
          << claimed.error().message();
    }
    EXPECT_TRUE(fs::exists(folder / file));
  }
}

TEST(RunFolder, TakesAFolderThatHoldsOtherThings) {
  const test::TempDir folder;
  folder.write("notes.txt", "mine");
  EXPECT_TRUE(RunFolder::claim(folder.path(), ExistingResults::Refuse));
}

TEST(RunFolder, ClaimingToOverwriteRemovesNothingYet) {
  const test::TempDir folder;
  folder.write("precision_report.json", "{}");
  const auto claimed = RunFolder::claim(folder.path(), ExistingResults::Overwrite);
  ASSERT_TRUE(claimed);
  EXPECT_TRUE((*claimed)->hasReport());
}

TEST(RunFolder, RemovesOnlyWhatUlpscopeMade) {
  const test::TempDir folder;
  const std::vector<std::string> made{"precision_report.json",
                                      unfinishedName("precision_report.json"),
                                      "tensors.h5",
                                      "tensors/bf16.h5",
                                      "tensors/" + unfinishedName("fp16.h5"),
                                      unfinishedName("tensors.h5"),
                                      "study.yaml",
                                      "events.jsonl",
                                      "run.log"};
  for (const std::string& ours : made) {
    folder.write(ours, "x");
  }
  for (const char* theirs : {"notes.txt", "precision_report.json.bak", "tensors/mine.npy"}) {
    folder.write(theirs, "x");
  }
  const auto claimed = *RunFolder::claim(folder.path(), ExistingResults::Overwrite);
  ASSERT_TRUE(claimed->removeResults());
  for (const std::string& gone : made) {
    EXPECT_FALSE(fs::exists(folder / gone)) << gone;
  }
  for (const char* kept : {"notes.txt", "precision_report.json.bak", "tensors/mine.npy"}) {
    EXPECT_TRUE(fs::exists(folder / kept)) << kept;
  }
}

/// In a folder that comes from others, each of these would lead what is written elsewhere.
TEST(RunFolder, LinksThatLeadElsewhereAreRefusedAndNothingIsRemoved) {
  const test::TempDir folder;
  folder.write("elsewhere/mine.h5", "mine");
  for (const char* name : {"tensors", ".ulpscope.lock"}) {
    fs::create_directories(folder / "run");
    fs::create_symlink("../elsewhere", folder / ("run/" + std::string(name)));
    const auto claimed = RunFolder::claim(folder / "run", ExistingResults::Overwrite);
    ASSERT_FALSE(claimed) << name;
    EXPECT_EQ(claimed.error().code(), ErrorCode::InvalidArgument);
    EXPECT_NE(claimed.error().message().find(name + std::string(": is a link")), std::string::npos)
        << claimed.error().message();
    EXPECT_TRUE(fs::exists(folder / "elsewhere/mine.h5"));
    fs::remove_all(folder / "run");
  }
}

TEST(RunFolder, BelongsToOneWorkerAtATime) {
  const test::TempDir folder;
  auto first = RunFolder::claim(folder.path(), ExistingResults::Resume);
  ASSERT_TRUE(first);
  const auto second = RunFolder::claim(folder.path(), ExistingResults::Resume);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(second.error().message().find("another worker"), std::string::npos);
  first->reset();
  EXPECT_TRUE(RunFolder::claim(folder.path(), ExistingResults::Resume));
}

TEST(RunFolder, AKilledWorkerLeavesNoLock) {
  const test::TempDir folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto claimed = RunFolder::claim(folder.path(), ExistingResults::Resume);
    ::kill(::getpid(), claimed ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(RunFolder::claim(folder.path(), ExistingResults::Resume));
}

TEST(RunFolder, ALockThatIsALinkLeadsNowhere) {
  const test::TempDir folder;
  const test::TempDir elsewhere;
  fs::create_symlink(elsewhere / "made", folder / ".ulpscope.lock");
  const auto claimed = RunFolder::claim(folder.path(), ExistingResults::Resume);
  ASSERT_FALSE(claimed);
  EXPECT_NE(claimed.error().message().find(".ulpscope.lock"), std::string::npos);
  EXPECT_FALSE(fs::exists(elsewhere / "made"));
}

TEST(RunFolder, NamesAPathThatCannotBeAFolder) {
  const test::TempDir folder;
  folder.write("file", "x");
  for (const auto& path : {folder / "file", folder / "file/below"}) {
    const auto claimed = RunFolder::claim(path, ExistingResults::Refuse);
    ASSERT_FALSE(claimed) << path;
    EXPECT_EQ(claimed.error().code(), ErrorCode::Io);
    EXPECT_NE(claimed.error().message().find(path.string()), std::string::npos);
  }
}

}  // namespace
}  // namespace ulp::worker
