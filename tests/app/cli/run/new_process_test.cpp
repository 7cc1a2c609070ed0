#include "app/cli/run/new_process.h"

#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

using Words = std::vector<std::string>;

TEST(NewProcess, GoesOnWithEverythingThatWasAskedFor) {
  RunArguments arguments;
  arguments.study = "my study.yaml";
  arguments.sets = {"seed=1", "device=cuda:1"};
  arguments.progress = ProgressMode::JsonLines;
  arguments.hasControl = true;
  arguments.options = {.outputDir = "out",
                       .variants = {"bf16", "fp16"},
                       .device = "cuda",
                       .threads = 3,
                       .existing = worker::ExistingResults::Overwrite};
  const Words expected{
      "ulpscope-cli", "run",       "my study.yaml", "--output",     "out",  "--set",
      "seed=1",       "--set",     "device=cuda:1", "--variant",    "bf16", "--variant",
      "fp16",         "--device",  "cuda",          "--threads",    "3",    "--progress",
      "jsonl",        "--control", "--resume",      "--keep-failed"};
  EXPECT_EQ(wordsToGoOn(arguments), expected);
}

TEST(NewProcess, NamesNothingThatWasNotAskedFor) {
  RunArguments arguments;
  arguments.study = "study.yaml";
  const Words expected{
      "ulpscope-cli", "run", "study.yaml", "--progress", "plain", "--resume", "--keep-failed"};
  EXPECT_EQ(wordsToGoOn(arguments), expected);
}

}  // namespace
}  // namespace ulp::cli
