#include "app/gui/start/runtime_folder.h"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::app {
namespace {

namespace fs = std::filesystem;

class RuntimeFolder : public testing::Test {
 protected:
  RuntimeFolder() {
    fs::create_directory(session());
    fs::permissions(session(), fs::perms::owner_all);
  }

  [[nodiscard]] fs::path session() const { return m_folder / "session"; }
  [[nodiscard]] fs::path own() const {
    return m_folder / ("ulpscope-" + std::to_string(::geteuid()));
  }

  test::TempDir m_folder;
  test::EnvironmentVariable m_session{"XDG_RUNTIME_DIR", session().string()};
  test::EnvironmentVariable m_temporary{"TMPDIR", m_folder.path().string()};
};

TEST_F(RuntimeFolder, IsThatOfTheSession) {
  EXPECT_EQ(runtimeFolder(), session());
  EXPECT_FALSE(fs::exists(own()));
}

TEST_F(RuntimeFolder, IsOneOfOurOwnWhereThatOfTheSessionIsOpenOrMissing) {
  fs::permissions(session(), fs::perms::others_read, fs::perm_options::add);
  EXPECT_EQ(runtimeFolder(), own());
  struct stat made {};
  ASSERT_EQ(::stat(own().c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777U, 0700U);
  m_session.set(std::nullopt);
  EXPECT_EQ(runtimeFolder(), own()) << "the one that was made";
}

TEST_F(RuntimeFolder, IsNeitherALinkNorAnotherUsers) {
  fs::permissions(session(), fs::perms::others_read, fs::perm_options::add);
  fs::create_directory(m_folder / "theirs");
  fs::permissions(m_folder / "theirs", fs::perms::owner_all);
  fs::create_directory_symlink(m_folder / "theirs", own());
  const auto linked = runtimeFolder();
  ASSERT_FALSE(linked);
  EXPECT_THAT(linked.error().message(),
              testing::AllOf(testing::HasSubstr(own().string()),
                             testing::HasSubstr("no folder of yours alone")));
  if (::geteuid() == 0) {
    fs::remove(own());
    fs::create_directory(own());
    fs::permissions(own(), fs::perms::owner_all);
    ASSERT_EQ(::chown(own().c_str(), 65534, 65534), 0);
    EXPECT_FALSE(runtimeFolder());
  }
}

}  // namespace
}  // namespace ulp::app
