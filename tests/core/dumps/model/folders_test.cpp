#include "core/dumps/model/folders.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/machine/temp_dir.h"
#include "tests/support/machine/without_rights.h"

namespace ulp::dumps {
namespace {

TEST(NaturalOrderTest, NumbersAreInTheOrderOfTheirValues) {
  std::vector<std::string> names{"layers.10.b",
                                 "layers.2",
                                 "a",
                                 "layers.2.a",
                                 "layers.02",
                                 "",
                                 "b10",
                                 "b9",
                                 "b99999999999999999999999",
                                 "b100000000000000000000000"};
  std::sort(names.begin(), names.end(), naturallyBefore);
  EXPECT_THAT(names,
              testing::ElementsAre("",
                                   "a",
                                   "b9",
                                   "b10",
                                   "b99999999999999999999999",
                                   "b100000000000000000000000",
                                   "layers.02",
                                   "layers.2",
                                   "layers.2.a",
                                   "layers.10.b"));
}

TEST(NaturalOrderTest, NoNameIsBeforeItself) {
  for (const char* name : {"", "a", "a1", "01", "1a"}) {
    EXPECT_FALSE(naturallyBefore(name, name)) << name;
  }
}

/// What is found below a folder, and which of it are files and folders.
std::vector<std::string> foundBelow(const std::filesystem::path& folder, int deepest) {
  std::vector<std::string> found;
  eachEntry(
      folder,
      [&](const std::filesystem::directory_entry& entry) {
        found.push_back(entry.path().string() + (isFile(entry.path()) ? " file" : "") +
                        (isFolder(entry.path()) ? " folder" : ""));
        return true;
      },
      deepest);
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> filesBelow(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  eachFile(folder, [&](const std::filesystem::path& file) {
    names.push_back(file.filename().string());
    return true;
  });
  return names;
}

TEST(OneLook, FindsTheSameAsManyLooks) {
  const test::TempDir dir;
  dir.write("a/b/c/x.txt", "");
  dir.write("a/y.txt", "");
  dir.write("z.txt", "");
  std::filesystem::create_directory_symlink(dir / "a", dir / "link");
  std::filesystem::create_symlink(dir / "z.txt", dir / "a" / "z.txt");
  std::filesystem::create_symlink(dir / "nowhere", dir / "a" / "lost");
  std::vector<std::vector<std::string>> without;
  for (const int deepest : {0, 1, 9}) {
    without.push_back(foundBelow(dir.path(), deepest));
  }
  EXPECT_THAT(without,
              testing::ElementsAre(testing::SizeIs(3), testing::SizeIs(7), testing::SizeIs(9)));
  const auto folders = foldersIn(dir.path());
  const OneLook look;
  EXPECT_EQ(foldersIn(dir.path()), folders);
  EXPECT_EQ(foldersIn(dir.path(), "l"), std::vector{dir / "link"});
  for (const int deepest : {0, 1, 9}) {
    EXPECT_EQ(foundBelow(dir.path(), deepest), without.front()) << deepest;
    without.erase(without.begin());
  }
  EXPECT_THAT(folderNames(dir / "a"), testing::ElementsAre("b", "lost", "y.txt", "z.txt"));
  EXPECT_THAT(folderNames(dir / "nowhere"), testing::IsEmpty());
}

TEST(OneLook, KeepsWhatItSawToItsEnd) {
  const test::TempDir dir;
  dir.write("x.txt", "");
  {
    const OneLook look;
    EXPECT_THAT(folderNames(dir.path()), testing::ElementsAre("x.txt"));
    {
      const OneLook within;
      dir.write("y.txt", "");
      EXPECT_THAT(folderNames(dir.path()), testing::ElementsAre("x.txt"));
    }
    EXPECT_THAT(filesBelow(dir.path()), testing::ElementsAre("x.txt"));
    EXPECT_FALSE(isFile(dir / "y.txt")) << "the folder was read, so that it is not asked for";
    EXPECT_FALSE(isFolder(dir / "a"));
    EXPECT_TRUE(isFolder(dir.path() / "")) << "not a name in the folder";
    EXPECT_TRUE(isFolder(dir / "..")) << "not a name in the folder";
    dir.write("a/x.txt", "");
    EXPECT_FALSE(isFolder(dir / "a")) << "looked at before";
    EXPECT_TRUE(isFile(dir / "a" / "x.txt")) << "its folder was not read";
    std::filesystem::remove(dir / "a" / "x.txt");
    EXPECT_TRUE(isFile(dir / "a" / "x.txt")) << "looked at before";
  }
  EXPECT_THAT(folderNames(dir.path()), testing::ElementsAre("a", "x.txt", "y.txt"));
}

TEST(OneLook, LooksForWhatAFolderDoesNotList) {
  const test::TempDir dir;
  const std::filesystem::path hidden = dir / "hidden";
  dir.write("hidden/x.txt", "");
  std::filesystem::create_symlink("x.txt", hidden / "link");
  std::filesystem::permissions(dir.path(), std::filesystem::perms{0755});
  std::filesystem::permissions(hidden, std::filesystem::perms{0111});
  {
    const test::WithoutRootsRights rights;
    const OneLook look;
    EXPECT_THAT(folderNames(hidden), testing::IsEmpty());
    EXPECT_TRUE(isFile(hidden / "x.txt"));
    EXPECT_TRUE(isFile(hidden / "link"));
    EXPECT_FALSE(isFile(hidden / "y.txt"));
  }
  std::filesystem::permissions(hidden, std::filesystem::perms{0755});
}

TEST(OneLook, EndsWhereItIsToldTo) {
  const test::TempDir dir;
  dir.write("a/x.txt", "");
  dir.write("b/y.txt", "");
  const OneLook look;
  int seen = 0;
  eachFile(dir.path(), [&](const std::filesystem::path&) {
    ++seen;
    return false;
  });
  EXPECT_EQ(seen, 1);
}

TEST(OneLook, ReadsAgainWhatIsTooMuchToKeep) {
  const test::TempDir dir;
  constexpr std::size_t kMany = 50'001;
  for (std::size_t i = 0; i < kMany; ++i) {
    std::ofstream(dir / std::to_string(i));
  }
  const OneLook look;
  EXPECT_EQ(folderNames(dir.path()).size(), kMany);
  dir.write("new", "");
  EXPECT_EQ(folderNames(dir.path()).size(), kMany + 1);
  EXPECT_EQ(filesBelow(dir.path()).size(), kMany + 1);
}

}  // namespace
}  // namespace ulp::dumps
