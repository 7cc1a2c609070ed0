#include "runner/cluster/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::cluster {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ClusterRun someRun() {
  return {
      .folder = "/shared/runs/a b",
      .workingDir = "/home/me",
      .threads = 4,
      .options = {"--partition=gpu", "--gpus", "2", "-N1", "--gres=gpu:1", "--mem=4G", "-A", "me"},
      .tasks = {{"x", 0, 1, true}, {"y", 0, 1}}};
}

TEST(Slurm, AsksForAnArray) {
  const auto words = arrayWords(someRun(), {0, 1}, "55");
  EXPECT_EQ(words.front(), "sbatch");
  EXPECT_EQ(words.back(), "/shared/runs/a b/task.sh");
  EXPECT_THAT(words, Contains("--array=0-1"));
  EXPECT_THAT(words, Contains("--cpus-per-task=4"));
  EXPECT_THAT(words, Contains("--dependency=afterok:55"));
  EXPECT_THAT(words, Contains("--output=/shared/runs/a b/tasks/%4a.log"));
  EXPECT_THAT(words, Contains("--gpus"));
  EXPECT_THAT(commandText(words), HasSubstr("'--job-name=ulpscope-a b'"));
}

TEST(Slurm, AsksForNoGpuToMerge) {
  const auto words = mergeWords(someRun(), {"5", "6"});
  EXPECT_THAT(words, Contains("--dependency=afterany:5:6"));
  const std::vector<std::string> options(words.end() - 5, words.end());
  EXPECT_THAT(options,
              ElementsAre("--partition=gpu", "--mem=4G", "-A", "me", "/shared/runs/a b/merge.sh"));
}

TEST(Slurm, SaysWhatToDoAboutARefusal) {
  const Error error = refusalOf(
      "sbatch",
      {.text = "",
       .errors = "sbatch: error: invalid partition specified: x\n"
                 "sbatch: error: Batch job submission failed: Invalid partition name specified\n",
       .exitCode = 1});
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("invalid partition specified: x"));
  EXPECT_THAT(error.message(), HasSubstr("--sbatch=--partition=NAME"));
  EXPECT_THAT(refusalOf("sbatch", {.text = "", .errors = "", .exitCode = 9}).message(),
              HasSubstr("code 9: without a word"));
}

}  // namespace
}  // namespace ulp::cluster
