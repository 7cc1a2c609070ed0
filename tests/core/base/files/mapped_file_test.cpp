#include "core/base/files/mapped_file.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/rewritten_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

using test::TempDir;
using ::testing::HasSubstr;

std::string_view textOf(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, ShowsTheBytesOfTheFile) {
  const TempDir folder;
  const auto path = folder.write("data", "some bytes");
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(textOf(**file), "some bytes");
  EXPECT_EQ((*file)->path(), path);
}

TEST(MappedFile, KeepsTheBytesOfAFileThatIsReplaced) {
  const TempDir folder;
  const auto path = folder.write("data", "old");
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::remove(path);
  folder.write("data", "new content");
  EXPECT_EQ(textOf(**file), "old");
  EXPECT_TRUE((*file)->checkIntact());
}

TEST(MappedFile, MapsAnEmptyFileToNoBytes) {
  const TempDir folder;
  const auto file = MappedFile::open(folder.write("empty", ""));
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->bytes().empty());
}

TEST(MappedFile, NamesAMissingFile) {
  const TempDir folder;
  const auto file = MappedFile::open(folder / "missing.gguf");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(file.error().message(), HasSubstr("missing.gguf"));
}

TEST(MappedFile, RefusesAFolder) {
  const TempDir folder;
  const auto file = MappedFile::open(folder.path());
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::Io);
  EXPECT_THAT(file.error().message(), HasSubstr("not a regular file"));
}

/// Gives up what root may do, where root runs the tests.
class OrdinaryUser {
 public:
  OrdinaryUser() { EXPECT_TRUE(m_user != 0 || ::seteuid(kNobody) == 0); }
  ~OrdinaryUser() { EXPECT_EQ(::seteuid(m_user), 0); }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t m_user = ::geteuid();
};

TEST(MappedFile, RefusesAFileThatMayNotBeRead) {
  const TempDir folder;
  const auto path = folder.write("secret", "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const auto file = [&] {
    const OrdinaryUser user;
    return MappedFile::open(path);
  }();
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::Io);
}

/// Three pages of 'a'.
std::filesystem::path writePages(const TempDir& folder, std::string_view name) {
  return folder.write(name,
                      std::string(3 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), 'a'));
}

TEST(MappedFile, LivesOnWhenTheFileBecomesShorter) {
  const TempDir folder;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto path = writePages(folder, "data");
  const auto file = MappedFile::open(path);
  const auto other = MappedFile::open(writePages(folder, "other"));
  ASSERT_TRUE(file && other);
  EXPECT_TRUE((*file)->checkIntact());
  std::filesystem::resize_file(path, page);
  EXPECT_EQ((*file)->bytes()[page - 1], std::byte{'a'}) << "is there still";
  EXPECT_EQ((*file)->bytes()[2 * page], std::byte{0xFF});
  EXPECT_EQ((*file)->bytes()[page + 7], std::byte{0xFF});
  const auto intact = (*file)->checkIntact();
  ASSERT_FALSE(intact);
  EXPECT_EQ(intact.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(intact.error().message(),
              testing::StartsWith(path.string() + ": the file became shorter while it was open; "));
  EXPECT_EQ((*other)->bytes()[2 * page], std::byte{'a'});
  EXPECT_TRUE((*other)->checkIntact());
}

/// What was read of it while it was short is none of its content.
TEST(MappedFile, IsNotBelievedWhenAFileIsAsLongAsBeforeAgain) {
  const TempDir folder;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto path = writePages(folder, "data");
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::resize_file(path, page);
  EXPECT_EQ((*file)->bytes()[2 * page], std::byte{0xFF});
  std::filesystem::resize_file(path, 3 * page);
  std::filesystem::last_write_time(path, time);
  EXPECT_THAT((*file)->checkIntact().error().message(), HasSubstr("became shorter"));
}

TEST(MappedFile, TellsOfAFileThatIsChangedInPlace) {
  const TempDir folder;
  for (const char* content : {"other bytes", ""}) {
    const auto path = folder.write("data", content);
    const auto file = MappedFile::open(path);
    const auto growing = MappedFile::open(path, Rewriting::Expected);
    ASSERT_TRUE(file && growing);
    EXPECT_TRUE((*file)->checkIntact());
    test::writeInPlace(path, "their");
    const auto intact = (*file)->checkIntact();
    ASSERT_FALSE(intact) << "'" << content << "'";
    EXPECT_EQ(intact.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(
        intact.error().message(),
        testing::StartsWith(path.string() + ": the file was changed while it was open, so that "));
    EXPECT_THAT(intact.error().message(), HasSubstr("; open it again"));
    EXPECT_TRUE((*growing)->checkIntact());
  }
}

/// Pages whose first byte has all bits set.
std::size_t pagesOfOnes(const MappedFile& file, std::size_t pages, std::size_t page) {
  std::size_t ones = 0;
  for (std::size_t i = 0; i < pages; ++i) {
    ones += file.bytes()[i * page] == std::byte{0xFF} ? 1 : 0;
  }
  return ones;
}

TEST(MappedFile, ReadsShortenedFilesFromManyThreads) {
  const TempDir folder;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  constexpr std::size_t kPages = 256;
  const auto path = folder.write("data", std::string(kPages * page, 'a'));
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 0);
  std::atomic<std::size_t> ones{0};
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] { ones += pagesOfOnes(**file, kPages, page); });
    }
  }
  EXPECT_EQ(ones, 4 * kPages);
  EXPECT_FALSE((*file)->checkIntact());
}

TEST(MappedFile, APlaceOfAGuardIsFreeAgain) {
  const TempDir folder;
  const auto path = writePages(folder, "data");
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(MappedFile::open(path)) << i;
  }
}

TEST(MappedFileDeathTest, WithoutAGuardTheProcessEnds) {
  const TempDir folder;
  std::vector<std::shared_ptr<const MappedFile>> guarded;
  for (int i = 0; i < 1024; ++i) {
    const auto file = MappedFile::open(writePages(folder, "guarded"));
    ASSERT_TRUE(file);
    guarded.push_back(*file);
  }
  const auto path = writePages(folder, "data");
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, 0);
  EXPECT_EXIT(
      {
        if ((*file)->bytes()[0] == std::byte{'a'}) {
          std::_Exit(0);
        }
        std::_Exit(1);
      },
      testing::KilledBySignal(SIGBUS),
      "");
}

}  // namespace
}  // namespace ulp
