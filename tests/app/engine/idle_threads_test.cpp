#include "app/cli/idle_threads.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

/// How often the OpenMP of `ulpscope-cli` looks for work before it sleeps, as it says itself.
std::string spinsOfTheWorker(const std::string& environment) {
  const test::CliOutcome outcome =
      test::runCli({"devices"}, "OMP_DISPLAY_ENV=VERBOSE " + environment);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::string field = "GOMP_SPINCOUNT = '";
  const std::size_t at = outcome.err.find(field);
  return at == std::string::npos
             ? outcome.err
             : outcome.err.substr(at + field.size(),
                                  outcome.err.find('\'', at + field.size()) - at - field.size());
}

TEST(IdleThreads, OfTheWorkerSleepSoonUnlessTheUserSaysOtherwise) {
  const std::string none = "-u GOMP_SPINCOUNT -u OMP_WAIT_POLICY";
  EXPECT_EQ(spinsOfTheWorker("env " + none), "20000");
  EXPECT_EQ(spinsOfTheWorker("env " + none + " GOMP_SPINCOUNT=77"), "77");
  EXPECT_EQ(spinsOfTheWorker("env " + none + " OMP_WAIT_POLICY=PASSIVE"), "0");
}

}  // namespace
}  // namespace ulp::cli
