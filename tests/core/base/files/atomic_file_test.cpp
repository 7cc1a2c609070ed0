#include "core/base/files/atomic_file.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

std::size_t filesIn(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                std::filesystem::directory_iterator()));
}

TEST(WriteFileAtomically, MakesAndReplacesAFile) {
  const TempDir folder;
  const auto path = folder / "report.json";
  ASSERT_TRUE(writeFileAtomically(path, "first, longer than the second"));
  ASSERT_TRUE(writeFileAtomically(path, "second"));
  EXPECT_EQ(readTextFile(path).value(), "second");
  EXPECT_EQ(filesIn(folder.path()), 1) << "nothing is left beside it";
}

TEST(WriteFileAtomically, KeepsZeroBytesAndEmptyContent) {
  const TempDir folder;
  const std::string zeros("a\0b", 3);
  ASSERT_TRUE(writeFileAtomically(folder / "zeros", zeros));
  EXPECT_EQ(readTextFile(folder / "zeros").value(), zeros);
  ASSERT_TRUE(writeFileAtomically(folder / "empty", ""));
  EXPECT_EQ(readTextFile(folder / "empty").value(), "");
}

TEST(WriteFileAtomically, NamesThePathWhenTheFolderIsMissing) {
  const TempDir folder;
  const auto written = writeFileAtomically(folder / "missing/report.json", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::Io);
  EXPECT_THAT(written.error().message(), HasSubstr("missing/report.json"));
  EXPECT_THAT(written.error().message(), HasSubstr("No such file"));
}

TEST(WriteFileAtomically, LeavesWhatIsThereWhenItCannotReplaceIt) {
  const TempDir folder;
  folder.write("target/inside", "kept");
  const auto written = writeFileAtomically(folder / "target", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::Io);
  EXPECT_EQ(readTextFile(folder / "target/inside").value(), "kept");
  EXPECT_EQ(filesIn(folder.path()), 1) << "the unfinished file is removed";
}

TEST(WriteFileAtomically, ReportsAFullDiskAndWhatToDo) {
  const TempDir folder;
  folder.write("file", "old");
  const test::FullDisk disk(2);
  const auto written = writeFileAtomically(folder / "file", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message(),
            (folder / "file").string() +
                ": cannot write: File too large; make room there, or choose another place");
  EXPECT_EQ(readTextFile(folder / "file").value(), "old");
  EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(WriteFileAtomically, ALinkGivesWayOrLeadsToTheFile) {
  const TempDir folder;
  folder.write("dotfiles/study.yaml", "old");
  std::filesystem::create_symlink("dotfiles/study.yaml", folder / "study.yaml");
  ASSERT_TRUE(writeFileAtomically(folder / "study.yaml", "new", LinkPolicy::Follow));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "study.yaml"));
  EXPECT_EQ(readTextFile(folder / "dotfiles/study.yaml").value(), "new");
  EXPECT_EQ(filesIn(folder / "dotfiles"), 1);
  ASSERT_TRUE(writeFileAtomically(folder / "study.yaml", "ours"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "study.yaml"));
  EXPECT_EQ(readTextFile(folder / "dotfiles/study.yaml").value(), "new");
}

TEST(WriteFileAtomically, ALinkToNothingGetsTheFileThatItNames) {
  const TempDir folder;
  std::filesystem::create_symlink("later.yaml", folder / "first.yaml");
  std::filesystem::create_symlink("first.yaml", folder / "second.yaml");
  ASSERT_TRUE(writeFileAtomically(folder / "second.yaml", "new", LinkPolicy::Follow));
  EXPECT_EQ(readTextFile(folder / "later.yaml").value(), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first.yaml"));
  std::filesystem::create_symlink("circle", folder / "circle");
  EXPECT_EQ(writeFileAtomically(folder / "circle", "x", LinkPolicy::Follow).error().code(),
            ErrorCode::Io);
}

TEST(ReadTextFile, RefusesMissingAndOversizedFiles) {
  const TempDir folder;
  EXPECT_EQ(readTextFile(folder / "missing").error().code(), ErrorCode::NotFound);
  const auto path = folder.write("large", "12345");
  EXPECT_EQ(readTextFile(path, 5).value(), "12345");
  const auto read = readTextFile(path, 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(read.error().message(), HasSubstr("large"));
}

}  // namespace
}  // namespace ulp
