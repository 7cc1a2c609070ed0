#include "core/base/processes/helper_process.h"

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/file_descriptor.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

using testing::HasSubstr;

constexpr HelperProgram kHelper{
    .name = "ulpscope-none", .variable = "ULP_TEST_HELPER", .purpose = "stones are turned"};

/// What waitpid() says of a shell that ran `script`.
int statusOf(const std::string& script, std::span<const HandedOn> given = {}) {
  const auto child = startHelper("/bin/sh", {"-c", script}, given);
  EXPECT_TRUE(child) << child.error().message();
  int status = 0;
  EXPECT_EQ(::waitpid(child.value_or(-1), &status, 0), child.value_or(-1));
  return status;
}

TEST(FindHelper, SaysWhereItLookedAndWhatToDo) {
  ::setenv(kHelper.variable, "/nowhere/helper", 1);
  const auto missing = findHelper(kHelper);
  ::setenv(kHelper.variable, "/bin/sh", 1);
  const auto found = findHelper(kHelper);
  ::unsetenv(kHelper.variable);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(missing.error().message(),
            "stones are turned by the program ulpscope-none, which is not there (looked for "
            "/nowhere/helper); install Ulpscope anew");
  EXPECT_EQ(found.value_or(""), "/bin/sh");
}

TEST(StartHelper, HandsOnFilesUnderNumbersThatAreTakenHere) {
  const test::TempDir folder;
  const FileDescriptor first(::open(folder.write("first", "1").c_str(), O_RDONLY | O_CLOEXEC));
  const FileDescriptor second(::open(folder.write("second", "2").c_str(), O_RDONLY | O_CLOEXEC));
  const FileDescriptor out(::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  // Each under the number of the other.
  const std::array crossed{HandedOn{first.get(), second.get()},
                           HandedOn{second.get(), first.get()},
                           HandedOn{out.get(), STDOUT_FILENO}};
  const std::string script =
      "cat <&" + std::to_string(first.get()) + "; cat <&" + std::to_string(second.get()) + "; cat";
  EXPECT_EQ(statusOf(script, crossed), 0);
  EXPECT_EQ(test::contentOf(folder / "out"), "21");
}

TEST(EndOfHelper, TellsWhatItWasGivenFromWhatElseHappened) {
  const auto endOf = [](const std::string& script) {
    return endOfHelper(kHelper, statusOf(script));
  };
  EXPECT_THAT(endOf("exit 127")->message(), HasSubstr("cannot be started (exit status 127)"));
  EXPECT_EQ(endOf("exit 126")->code(), ErrorCode::Unsupported);
  EXPECT_EQ(endOf("kill -KILL $$")->code(), ErrorCode::OutOfMemory);
  EXPECT_FALSE(endOf("kill -SEGV $$"));
  EXPECT_FALSE(endOf("exit 1"));
  EXPECT_FALSE(endOfHelper(kHelper, std::nullopt));
}

}  // namespace
}  // namespace ulp
