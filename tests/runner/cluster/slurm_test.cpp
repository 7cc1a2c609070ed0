#include "runner/cluster/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/shell_quoted.h"

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
      .tasks = {{{"x"}, 0, 1, true}, {{"y"}, 0, 1}}};
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
  EXPECT_THAT(shellLine(words), HasSubstr("'--job-name=ulpscope-a b'"));
}

TEST(Slurm, AsksForTheRanksOfItsTasks) {
  ClusterRun run = someRun();
  run.sharesReference = true;
  run.tasks = {{{}, 0, 1, true},
               {{"a"}, 0, 1, false, {4, true}},
               {{"b"}, 0, 1},
               {{"c"}, 0, 1, false, {2, false}},
               {{"d"}, 0, 1, false, {4, true}}};
  const auto arrays = arraysOf(run, {4, 3, 2, 1, 0});
  ASSERT_EQ(arrays.size(), 4U);
  EXPECT_TRUE(arrays[0].isReference);
  EXPECT_THAT(arrays[0].tasks, ElementsAre(0));
  EXPECT_THAT(arrays[1].tasks, ElementsAre(2));
  EXPECT_THAT(arrays[2].tasks, ElementsAre(3));
  EXPECT_THAT(arrays[3].tasks, ElementsAre(1, 4));
  const auto one = arrayWords(run, {2}, "");
  EXPECT_THAT(one, Contains("--cpus-per-task=4"));
  EXPECT_THAT(one, Not(Contains(HasSubstr("--ntasks"))));
  const auto here = arrayWords(run, {3}, "");
  EXPECT_THAT(here, Contains("--nodes=1"));
  EXPECT_THAT(here, Contains("--cpus-per-task=8"));
  const auto spread = arrayWords(run, {1, 4}, "9");
  EXPECT_THAT(spread, Contains("--ntasks=4"));
  EXPECT_THAT(spread, Contains("--cpus-per-task=4"));
  EXPECT_THAT(spread, Contains("--array=1,4"));
  run.threads = 0;
  EXPECT_THAT(arrayWords(run, {3}, ""), Contains("--cpus-per-task=2"));
  EXPECT_THAT(arrayWords(run, {1}, ""), Not(Contains(HasSubstr("--cpus-per-task"))));
}

TEST(Slurm, AsksForNoGpuToMerge) {
  const auto words = mergeWords(someRun(), {"5", "6"});
  EXPECT_THAT(words, Contains("--dependency=afterany:5:6"));
  const std::vector<std::string> options(words.end() - 5, words.end());
  EXPECT_THAT(options,
              ElementsAre("--partition=gpu", "--mem=4G", "-A", "me", "/shared/runs/a b/merge.sh"));
}

TEST(Slurm, ToMergeNothingIsAskedByGpuAndTheTasksAreWaitedFor) {
  ClusterRun run = someRun();
  run.options = {
      "--mem-per-gpu=1G", "--cpus-per-gpu", "2", "--dependency=afterok:1", "-d", "singleton"};
  const auto words = mergeWords(run, {"5"});
  EXPECT_EQ(words.at(words.size() - 2), "--dependency=afterany:5");
  const auto shared = arrayWords(run, {0}, "55");
  EXPECT_THAT(shared, Contains("--dependency=afterok:55"));
  EXPECT_THAT(shared, Contains("--mem-per-gpu=1G"));
  EXPECT_THAT(shared, Not(Contains("--dependency=afterok:1")));
  EXPECT_THAT(arrayWords(run, {0}, ""), Contains("--dependency=afterok:1"));
}

TEST(Slurm, PercentSignsOfAFolderStay) {
  ClusterRun run = someRun();
  run.folder = "/shared/50%j";
  EXPECT_THAT(arrayWords(run, {0}, ""), Contains("--output=/shared/50%%j/tasks/%4a.log"));
  EXPECT_THAT(mergeWords(run, {"5"}), Contains("--output=/shared/50%%j/merge.log"));
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
