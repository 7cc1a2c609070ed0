#include "core/base/files/folder_turn.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp {
namespace {

using std::chrono::milliseconds;

TEST(FolderTurn, IsOneProgramsAtATime) {
  const test::TempDir folder;
  {
    const auto mine = FolderTurn::take(folder.path());
    ASSERT_TRUE(mine) << mine.error().message();
    const auto another = FolderTurn::take(folder.path(), milliseconds(20));
    ASSERT_FALSE(another);
    EXPECT_EQ(another.error().code(), ErrorCode::Io);
    EXPECT_THAT(another.error().message(), testing::HasSubstr("another program is changing"));
  }
  EXPECT_TRUE(FolderTurn::take(folder.path(), milliseconds(0)));
}

TEST(FolderTurn, OfAProgramThatDiedIsFree) {
  const test::TempDir folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto turn = FolderTurn::take(folder.path());
    ::raise(turn ? SIGKILL : SIGABRT);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_TRUE(FolderTurn::take(folder.path(), milliseconds(0)));
}

TEST(FolderTurn, IsEverybodysWhereTheFolderMayNotBeListed) {
  const test::TempDir folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_exec);
  const test::WithoutRootsRights nobody;
  EXPECT_TRUE(FolderTurn::take(folder.path(), milliseconds(0)));
}

TEST(FolderTurn, LeavesNothingBehindAndNamesAFolderThatIsMissing) {
  const test::TempDir folder;
  {
    const auto turn = FolderTurn::take(folder.path());
    ASSERT_TRUE(turn);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
  const auto missing = FolderTurn::take(folder.path() / "gone");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), testing::HasSubstr("gone: cannot be opened"));
}

}  // namespace
}  // namespace ulp
