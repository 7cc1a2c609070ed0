#include "core/base/files/file_writer.h"

#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/in_pieces.h"
#include "core/base/files/unfinished.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::vector<std::string> namesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(FileWriter, ShowsTheFileOnlyWhenComplete) {
  const test::TempDir folder;
  auto writer = FileWriter::create(folder / "x").value();
  ASSERT_TRUE(writer.write(bytesOf("ab")));
  ASSERT_TRUE(writer.write(bytesOf("cd")));
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(readTextFile(folder / "x").value(), "abcd");
}

TEST(FileWriter, LeavesNothingWithoutCommit) {
  const test::TempDir folder;
  folder.write("x", "old");
  {
    auto writer = FileWriter::create(folder / "x").value();
    ASSERT_TRUE(writer.write(bytesOf("new")));
    auto moved = std::move(writer);
    writer = FileWriter::create(folder / "y").value();
  }
  EXPECT_EQ(readTextFile(folder / "x").value(), "old");
  EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"x"});
}

TEST(FileWriter, WritesUnderANameThatNobodyCouldHavePlanted) {
  const test::TempDir folder;
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const auto writer = FileWriter::create(folder / "x").value();
    const auto made = namesIn(folder.path());
    ASSERT_EQ(made.size(), 1U);
    EXPECT_TRUE(isUnfinishedName(made.front(), "x")) << made.front();
    names.insert(made.front());
  }
  EXPECT_EQ(names.size(), 20U);
}

TEST(FileWriter, AStopEndsWhatIsStreamedAndNothingIsLeft) {
  const test::TempDir folder;
  const std::vector<std::byte> bytes(3 * kPieceBytes);
  std::stop_source source;
  const StopScope scope(source.get_token());
  {
    auto writer = FileWriter::create(folder / "x").value();
    std::size_t seen = 0;
    const auto written = writer.stream(bytes, nullptr, [&](std::span<const std::byte> piece) {
      seen += piece.size();
      source.request_stop();
    });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), ErrorCode::Cancelled);
    EXPECT_EQ(seen, kPieceBytes);
  }
  EXPECT_TRUE(namesIn(folder.path()).empty());
}

/// What was finished before somebody asked for a stop is saved after it.
TEST(FileWriter, WritesAllInSpiteOfAStop) {
  const test::TempDir folder;
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  auto writer = FileWriter::create(folder / "x").value();
  ASSERT_TRUE(writer.write(std::vector<std::byte>(3 * kPieceBytes)));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(std::filesystem::file_size(folder / "x"), 3 * kPieceBytes);
}

TEST(FileWriter, WritesOverWhatItWrote) {
  const test::TempDir folder;
  auto writer = FileWriter::create(folder / "x").value();
  const auto bytesOf = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  ASSERT_TRUE(writer.write(bytesOf("header: ?, ")));
  ASSERT_TRUE(writer.stream(bytesOf("content")));
  ASSERT_TRUE(writer.overwrite(bytesOf("7"), 8));
  ASSERT_TRUE(writer.write(bytesOf(".")));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(readTextFile(folder / "x").value_or(""), "header: 7, content.");
}

/// A report folder that comes from others may hold links under every name that is known before.
TEST(FileWriter, FollowsNoLinkThatWasPlantedBesideTheFile) {
  const test::TempDir folder;
  folder.write("victim", "theirs");
  for (const char* name : {"x.part", "x.writing", "x"}) {
    std::filesystem::create_symlink("victim", folder / name);
  }
  auto writer = FileWriter::create(folder / "x").value();
  ASSERT_TRUE(writer.write(bytesOf("ours")));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(readTextFile(folder / "victim").value(), "theirs");
  EXPECT_EQ(readTextFile(folder / "x").value(), "ours");
}

mode_t modeOf(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0);
  return status.st_mode & 07777U;
}

TEST(FileWriter, KeepsTheModeOfWhatItReplacesAndGivesANewFileTheUsualOne) {
  const test::TempDir folder;
  const mode_t mask = ::umask(027);
  for (const mode_t mode : {0600U, 0640U, 0755U}) {
    folder.write("x", "old");
    ASSERT_EQ(::chmod((folder / "x").c_str(), mode), 0);
    ASSERT_TRUE(writeFileAtomically(folder / "x", "new"));
    EXPECT_EQ(modeOf(folder / "x"), mode);
  }
  ASSERT_TRUE(writeFileAtomically(folder / "y", "new"));
  ::umask(mask);
  EXPECT_EQ(modeOf(folder / "y"), 0640U);
}

TEST(FileWriter, KeepsTheOwnerOfWhatItReplacesWhereTheSystemAllowsIt) {
  const test::TempDir folder;
  folder.write("x", "old");
  const bool mayGive = ::chown((folder / "x").c_str(), 65534, 65534) == 0;
  ASSERT_TRUE(writeFileAtomically(folder / "x", "new"));
  struct stat status {};
  ASSERT_EQ(::stat((folder / "x").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, mayGive ? 65534 : ::geteuid());
  EXPECT_EQ(status.st_gid, mayGive ? 65534 : ::getegid());
}

TEST(FileWriter, AnotherNameOfTheReplacedFileKeepsItsContent) {
  const test::TempDir folder;
  folder.write("x", "old");
  std::filesystem::create_hard_link(folder / "x", folder / "backup");
  ASSERT_TRUE(writeFileAtomically(folder / "x", "new"));
  EXPECT_EQ(readTextFile(folder / "backup").value(), "old");
}

TEST(FileWriter, AFileThatMayNotBeWrittenIsNotReplaced) {
  const test::TempDir folder;
  folder.write("x", "old");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  ASSERT_EQ(::chmod((folder / "x").c_str(), 0444), 0);
  const test::WithoutRootsRights nobody;
  const auto written = writeFileAtomically(folder / "x", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message(),
            (folder / "x").string() +
                ": cannot write: Permission denied; change its rights, or choose another place");
  EXPECT_EQ(readTextFile(folder / "x").value(), "old");
}

TEST(FileWriter, AFolderThatTakesNoFilesIsNamedAndNothingIsWrittenInPlace) {
  const test::TempDir folder;
  folder.write("x", "old");
  ASSERT_EQ(::chmod((folder / "x").c_str(), 0666), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  {
    const test::WithoutRootsRights nobody;
    const auto written = writeFileAtomically(folder / "x", "new");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), ErrorCode::Io);
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(readTextFile(folder / "x").value(), "old");
}

TEST(FileWriter, WhatIsNoFileIsNotReplaced) {
  const test::TempDir folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto writer = FileWriter::create(folder / "pipe");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().message(),
            (folder / "pipe").string() +
                ": is there and no file, and is not replaced; choose another name");
}

TEST(FileWriter, WhatAKilledProcessLeftGoesWithTheNextSaveOfTheSameFile) {
  const test::TempDir folder;
  const std::string left = unfinishedName("x");
  const std::string other = unfinishedName("y");
  folder.write(left, "half");
  folder.write(other, "half");
  folder.write(".x.ulp-part", "theirs");
  const auto living = FileWriter::create(folder / "x").value();
  ASSERT_TRUE(writeFileAtomically(folder / "x", "new"));
  EXPECT_FALSE(std::filesystem::exists(folder / left));
  EXPECT_TRUE(std::filesystem::exists(folder / other)) << "of another file";
  EXPECT_TRUE(std::filesystem::exists(folder / ".x.ulp-part")) << "no name of ours";
  EXPECT_EQ(namesIn(folder.path()).size(), 4U) << "the one that is being written stays";
}

TEST(FileWriter, NamesThePathThatCannotBeWritten) {
  const auto writer = FileWriter::create("/nowhere/x");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code(), ErrorCode::Io);
  EXPECT_EQ(writer.error().message(), "/nowhere/x: cannot write: No such file or directory");
}

}  // namespace
}  // namespace ulp
