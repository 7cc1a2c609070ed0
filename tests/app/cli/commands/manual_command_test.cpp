#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

using ::testing::HasSubstr;

TEST(ManualCommand, WritesAPageWithEveryCommand) {
  const auto outcome = test::runCli({"manual"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.out, ::testing::StartsWith(".TH ULPSCOPE\\-CLI 1 \"\" \"Ulpscope "));
  EXPECT_THAT(outcome.out,
              HasSubstr(".SS run\n\\fBulpscope\\-cli run\\fR [\\fIoptions\\fR] \\fISTUDY\\fR"));
  EXPECT_THAT(outcome.out, HasSubstr(".TP\n\\fB\\-\\-format\\fR \\fItext|md|fast\\-llm\\fR\n"));
  EXPECT_THAT(outcome.out, HasSubstr(".TP\n.B 130\ncancelled\n"));
}

TEST(ManualCommand, NoTextOfItIsAnInstruction) {
  std::istringstream lines(test::runCli({"manual"}).out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('.')) {
      EXPECT_THAT(line.substr(0, line.find(' ')),
                  ::testing::AnyOf(".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".nf", ".fi"));
    }
    EXPECT_FALSE(line.starts_with('\'')) << line;
  }
}

}  // namespace
}  // namespace ulp::cli
