#include "core/base/processes/started_program.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/file_descriptor.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

/// What it wrote, and how it ended.
std::pair<std::string, int> outputOf(ProgramPlan plan) {
  const test::TempDir folder;
  const auto file = folder / "out";
  const FileDescriptor out(::open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  plan.output = out.get();
  const auto child = startProgram(plan);
  EXPECT_TRUE(child) << child.error().message();
  int status = 0;
  EXPECT_EQ(::waitpid(child.value_or(-1), &status, 0), child.value_or(-2));
  return {test::contentOf(file), status};
}

TEST(StartedProgram, IsFoundInPathAndHasItsWordsAndVariables) {
  ::setenv("ULP_STARTED", "of this process", 1);  // NOLINT(concurrency-mt-unsafe)
  const auto [text, status] =
      outputOf({.words = {"sh", "-c", "echo \"$1 $ULP_STARTED $HOME\"; exit 7", "sh", "a b"},
                .variables = {{"ULP_STARTED", "of the plan"}, {"HOME", "/nowhere"}}});
  ::unsetenv("ULP_STARTED");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(text, "a b of the plan /nowhere\n");
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(StartedProgram, HasAGroupOfItsOwnWhereItIsToldAsAWhole) {
  const std::string show = "ps -o pgid= -p $$ | tr -d ' '";
  const std::string own = std::to_string(::getpgrp()) + "\n";
  EXPECT_EQ(outputOf({.words = {"sh", "-c", show}}).first, own);
  EXPECT_NE(outputOf({.words = {"sh", "-c", show}, .hasOwnGroup = true}).first, own);
}

TEST(StartedProgram, HasNoSignalBlocked) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const int status = outputOf({.words = {"sh", "-c", "kill -TERM $$; sleep 10"}}).second;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(StartedProgram, TakesNoSignalOfTheTerminalWhereItIsDeafToIt) {
  const ProgramPlan plan{
      .words = {"sh", "-c", "kill -INT $$; kill -HUP $$; kill -QUIT $$; echo on; kill -TERM $$"},
      .isDeafToTerminal = true};
  const auto [text, status] = outputOf(plan);
  EXPECT_EQ(text, "on\n");
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(StartedProgram, OneThatIsNotThereIsSaid) {
  const auto child = startProgram({.words = {"no-such-program"}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code(), ErrorCode::NotFound);
  EXPECT_EQ(child.error().message(),
            "no-such-program: was not found; give its path, or a name that is in $PATH");
  const test::TempDir folder;
  const auto refused = startProgram({.words = {folder.path().string()}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Io);
}

TEST(StartedProgram, AScriptWithoutItsInterpreterIsToldFromOneThatIsNotThere) {
  const test::TempDir folder;
  const auto script = folder.write("script", "#!/no/interpreter\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto child = startProgram({.words = {script.string()}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message(),
            script.string() + ": cannot be started: No such file or directory");
}

}  // namespace
}  // namespace ulp
