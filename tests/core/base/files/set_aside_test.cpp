#include <fstream>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

using test::contentOf;

TEST(SetAside, KeepsEveryDamagedFileUnderANameOfItsOwn) {
  const test::TempDir folder;
  const std::filesystem::path file = folder.path() / "settings.ini";
  for (const char* content : {"first", "second", "third"}) {
    std::ofstream(file) << content;
    ASSERT_TRUE(setAside(file).has_value());
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  EXPECT_EQ(contentOf(folder.path() / "settings.ini.damaged"), "first");
  EXPECT_EQ(contentOf(folder.path() / "settings.ini.damaged-2"), "second");
  EXPECT_EQ(contentOf(folder.path() / "settings.ini.damaged-3"), "third");
}

TEST(SetAside, SaysWhenThereIsNothing) {
  const Result<std::filesystem::path> done = setAside("/nonexistent/settings.ini");
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp
