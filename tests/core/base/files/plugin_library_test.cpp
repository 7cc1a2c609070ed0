#include "core/base/files/plugin_library.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

using testing::HasSubstr;

class OpenPluginTest : public testing::Test {
 protected:
  void TearDown() override { unsetenv("ULP_TEST_LIBRARY"); }  // NOLINT(concurrency-mt-unsafe)

  std::string failureOf(const std::string& file) {
    setenv("ULP_TEST_LIBRARY", file.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    const auto opened = openPlugin(m_library);
    EXPECT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), ErrorCode::Unsupported);
    return opened.error().message();
  }

  PluginLibrary m_library{.what = "thing",
                          .file = "libulpscope_thing.so",
                          .variable = "ULP_TEST_LIBRARY",
                          .symbol = "cos",
                          .remedy = "do this"};
};

TEST_F(OpenPluginTest, GivesTheEntryPointOfTheNamedLibrary) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  setenv("ULP_TEST_LIBRARY", "/lib/x86_64-linux-gnu/libm.so.6", 1);
  const auto opened = openPlugin(m_library);
  ASSERT_TRUE(opened.has_value()) << opened.error().message();
  EXPECT_NE(opened->entry, nullptr);
  EXPECT_EQ(opened->file, "/lib/x86_64-linux-gnu/libm.so.6");
}

TEST_F(OpenPluginTest, SaysWhereItLookedAndTheRemedy) {
  EXPECT_EQ(failureOf("/nowhere/x.so"),
            "thing: library not found (looked for /nowhere/x.so); do this");
  EXPECT_THAT(failureOf(""), HasSubstr("/lib/libulpscope_thing.so"));
}

TEST_F(OpenPluginTest, RefusesWhatIsNoLibraryOrAnother) {
  const test::TempDir folder;
  EXPECT_THAT(failureOf(folder.write("text.so", "text").string()), HasSubstr("cannot be loaded"));
  m_library.symbol = "no_such_symbol";
  EXPECT_THAT(failureOf("/lib/x86_64-linux-gnu/libm.so.6"), HasSubstr("is not an Ulpscope thing"));
}

}  // namespace
}  // namespace ulp
