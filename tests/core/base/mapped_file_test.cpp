#include "core/base/mapped_file.h"

#include <cstring>
#include <string_view>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

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

}  // namespace
}  // namespace ulp
