#include "core/dumps/exporters/staged_target.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/unfinished.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder that holds one file of ours.
Result<StagedTarget> stagedFolder(const fs::path& target, bool mayReplace) {
  auto staged = StagedTarget::create(target, false, mayReplace);
  if (staged) {
    EXPECT_TRUE(writeFileAtomically(staged->folder() / "new.txt", "new"));
  }
  return staged;
}

TEST(StagedTarget, WhatAppearedMeanwhileIsKept) {
  const test::TempDir dir;
  auto staged = stagedFolder(dir / "out", false);
  ASSERT_TRUE(staged);
  dir.write("out/" + std::string(kExportMark), "{}");
  dir.write("out/theirs.txt", "theirs");
  const auto refused = staged->commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("exists already"));
  EXPECT_EQ(readTextFile(dir / "out/theirs.txt").value_or(""), "theirs");
  EXPECT_FALSE(fs::exists(dir / "out/new.txt"));
}

TEST(StagedTarget, AnEmptyFolderThatWasFilledMeanwhileIsKept) {
  const test::TempDir dir;
  fs::create_directory(dir / "out");
  auto staged = stagedFolder(dir / "out", true);
  ASSERT_TRUE(staged);
  dir.write("out/theirs.txt", "theirs");
  const auto refused = staged->commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(readTextFile(dir / "out/theirs.txt").value_or(""), "theirs");
}

TEST(StagedTarget, AFileThatAppearedMeanwhileIsKept) {
  const test::TempDir dir;
  auto staged = StagedTarget::create(dir / "x.npy", true, false);
  ASSERT_TRUE(staged);
  ASSERT_TRUE(writeFileAtomically(staged->file(), "new"));
  dir.write("x.npy", "theirs");
  ASSERT_FALSE(staged->commit());
  EXPECT_EQ(readTextFile(dir / "x.npy").value_or(""), "theirs");
}

TEST(StagedTarget, AnEarlierExportAndAnEmptyFolderAreReplaced) {
  const test::TempDir dir;
  dir.write("out/" + std::string(kExportMark), "{}");
  fs::create_directory(dir / "empty");
  for (const char* name : {"out", "empty"}) {
    auto staged = stagedFolder(dir / name, true);
    ASSERT_TRUE(staged) << name;
    const auto bytes = staged->commit();
    ASSERT_TRUE(bytes) << bytes.error().message();
    EXPECT_EQ(*bytes, 3U);
    EXPECT_EQ(readTextFile(dir / name / "new.txt").value_or(""), "new");
  }
  EXPECT_FALSE(fs::exists(dir / ("out/" + std::string(kExportMark))));
}

TEST(StagedTarget, ALinkToAFileStaysAndTheFileKeepsItsMode) {
  const test::TempDir dir;
  dir.write("elsewhere/x.npy", "old");
  fs::permissions(dir / "elsewhere/x.npy", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("elsewhere/x.npy", dir / "x.npy");
  auto staged = StagedTarget::create(dir / "x.npy", true, true);
  ASSERT_TRUE(staged) << staged.error().message();
  ASSERT_TRUE(writeFileAtomically(staged->file(), "new"));
  const auto done = staged->commit();
  ASSERT_TRUE(done) << done.error().message();
  EXPECT_TRUE(fs::is_symlink(dir / "x.npy"));
  EXPECT_EQ(readTextFile(dir / "elsewhere/x.npy").value_or(""), "new");
  EXPECT_EQ(fs::status(dir / "elsewhere/x.npy").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(StagedTarget, WhatAKilledExportLeftGoesWithTheNextOne) {
  const test::TempDir dir;
  dir.write(unfinishedName("out") + "/new/half.npy", "half");
  dir.write(unfinishedName("other") + "/new/half.npy", "of another");
  auto living = stagedFolder(dir / "out", false);
  ASSERT_TRUE(living);
  auto staged = stagedFolder(dir / "out", false);
  ASSERT_TRUE(staged);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 3) << "two that live";
  EXPECT_TRUE(staged->commit());
  EXPECT_EQ(readTextFile(dir / "out/new.txt").value_or(""), "new");
}

TEST(StagedTarget, ALinkToAFolderIsRefusedBeforeAnythingIsWritten) {
  const test::TempDir dir;
  dir.write("earlier/" + std::string(kExportMark), "{}");
  fs::create_directory_symlink(dir / "earlier", dir / "out");
  const auto refused = StagedTarget::create(dir / "out", false, true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("is a link"));
}

}  // namespace
}  // namespace ulp::dumps
