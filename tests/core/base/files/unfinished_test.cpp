#include "core/base/files/unfinished.h"

#include <fcntl.h>
#include <string>

#include <gtest/gtest.h>

#include "core/base/files/file_descriptor.h"
#include "core/base/text/utf8.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

TEST(UnfinishedName, IsKnownAsOursAndAsTheNameOfItsFile) {
  const std::string name = unfinishedName("report.json");
  EXPECT_TRUE(name.starts_with(".report.json."));
  EXPECT_TRUE(name.ends_with(".ulp-part"));
  EXPECT_TRUE(isUnfinishedName(name));
  EXPECT_TRUE(isUnfinishedName(name, "report.json"));
  EXPECT_FALSE(isUnfinishedName(name, "report"));
  EXPECT_FALSE(isUnfinishedName(name, "json"));
  for (const char* theirs : {"",
                             ".ulp-part",
                             "report.json",
                             "report.json.part",
                             ".x.ABCDEFGHIJKL.ulp-part",
                             ".x.abc.ulp-part",
                             "x.abcdefghijkl.ulp-part"}) {
    EXPECT_FALSE(isUnfinishedName(theirs)) << theirs;
  }
}

TEST(UnfinishedName, OfTheLongestNameIsNoLongerThanAFileSystemTakes) {
  std::string longest;
  while (longest.size() < 254) {
    longest += "ä";
  }
  const std::string name = unfinishedName(longest);
  EXPECT_LE(name.size(), 255U);
  EXPECT_FALSE(invalidUtf8At(name)) << "cut between characters";
  EXPECT_TRUE(isUnfinishedName(name, longest));
}

TEST(RemoveUnfinished, TakesFilesAndFoldersThatNobodyWritesAndNothingElse) {
  const test::TempDir folder;
  folder.write("victim/kept", "theirs");
  const std::string file = unfinishedName("a");
  const std::string staging = unfinishedName("b");
  const std::string replaced = unfinishedName("b");
  const std::string link = unfinishedName("c");
  const std::string open = unfinishedName("d");
  folder.write(file, "half");
  folder.write(staging + "/new/x", "half");
  folder.write(replaced + "/old/x", "the only copy");
  fs::create_directory_symlink("victim", folder / link);
  fs::create_directory_symlink(folder / "victim", folder / (staging + "/new/link"));
  folder.write(open, "half");
  const FileDescriptor written(::open((folder / open).c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(markUnfinished(written.get(), AT_FDCWD, (folder / open).string()));

  removeUnfinished(folder.path());

  EXPECT_FALSE(fs::exists(folder / file));
  EXPECT_FALSE(fs::exists(folder / staging));
  EXPECT_TRUE(fs::exists(folder / (replaced + "/old/x")));
  EXPECT_TRUE(fs::is_symlink(folder / link));
  EXPECT_TRUE(fs::exists(folder / open));
  EXPECT_TRUE(fs::exists(folder / "victim/kept"));
}

}  // namespace
}  // namespace ulp
