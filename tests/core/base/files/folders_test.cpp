#include "core/base/files/folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

TEST(MakeFolders, MakesThoseThatAreMissingAndTellsWhetherTheLastIsNew) {
  const test::TempDir folder;
  EXPECT_EQ(makeFolders(folder / "a/b/c").value(), true);
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
  EXPECT_EQ(makeFolders(folder / "a/b/c").value(), false);
  EXPECT_EQ(makeFolders(folder / "a/d/").value(), true);
  EXPECT_TRUE(fs::is_directory(folder / "a/d"));
}

TEST(MakeFolders, NamesTheFolderThatCannotBeMade) {
  const test::TempDir folder;
  folder.write("file", "x");
  for (const fs::path& path : {folder / "file", folder / "file/below"}) {
    const auto made = makeFolders(path);
    ASSERT_FALSE(made) << path;
    EXPECT_EQ(made.error().code(), ErrorCode::Io);
    EXPECT_THAT(made.error().message(),
                testing::StartsWith(path.string() + ": cannot make the folder: Not a directory; "));
  }
}

}  // namespace
}  // namespace ulp
