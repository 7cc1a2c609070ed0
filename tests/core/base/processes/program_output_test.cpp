#include "core/base/processes/program_output.h"

#include <chrono>

#include <gtest/gtest.h>

namespace ulp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ProgramOutput, IsWhatTheProgramWroteToEachStream) {
  const auto output =
      outputOf({.words = {"sh", "-c", "echo said; echo complained >&2"}}, seconds(20));
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_EQ(output->text, "said\n");
  EXPECT_EQ(output->errors, "complained\n");
  EXPECT_EQ(output->exitCode, 0);
}

TEST(ProgramOutput, IsCutWhereItHasNoEnd) {
  const auto output = outputOf({.words = {"head", "-c", "20000000", "/dev/zero"}}, seconds(20));
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_GE(output->text.size(), std::size_t{1} << 24);
  EXPECT_LT(output->text.size(), (std::size_t{1} << 24) + 4096);
}

TEST(ProgramOutput, CountsSignalsAsShellsDo) {
  EXPECT_EQ(outputOf({.words = {"sh", "-c", "echo half; exit 7"}}, seconds(20))->exitCode, 7);
  EXPECT_EQ(outputOf({.words = {"sh", "-c", "kill -TERM $$"}}, seconds(20))->exitCode, 143);
}

TEST(ProgramOutput, EndsAProgramThatTakesTooLongAndWhatItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const auto slow = outputOf({.words = {"sh", "-c", "sleep 60 & sleep 60"}}, milliseconds(200));
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().message(), "sh: did not end within 200 ms");
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
}

TEST(ProgramOutput, OneThatIsNotThereIsSaid) {
  const auto none = outputOf({.words = {"/nowhere/program"}}, seconds(20));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp
