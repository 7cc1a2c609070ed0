#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/schema/schema.h"
#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

TEST(SchemaCommand, PrintsTheTable) {
  const auto outcome = test::runCli({"schema"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_EQ(outcome.out, study::schemaHelp());
  EXPECT_EQ(test::runCli({"schema", "--format", "md"}).out, study::schemaMarkdown());
}

}  // namespace
}  // namespace ulp::cli
