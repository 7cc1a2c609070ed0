#include "core/comparing/align/recognised_dump.h"

#include <gtest/gtest.h>

#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

TEST(IsDump, TellsADumpFromARunAndFromWhatIsNeither) {
  const test::TempDir dir;
  test::writeNpy(dir / "dump" / "a.npy", {1}, {1});
  test::writeNpy(dir / "run" / "a.npy", {1}, {1});
  const auto report = dir.write("run/precision_report.json", "{}");
  EXPECT_TRUE(isDump(dir / "dump"));
  EXPECT_TRUE(isDump(dir / "dump/a.npy"));
  EXPECT_FALSE(isDump(dir / "run")) << "a folder with a report is a run";
  EXPECT_TRUE(looksLikeDump(dir / "run")) << "whatever else lies in it";
  EXPECT_FALSE(isDump(report));
  EXPECT_FALSE(isDump(dir / "none"));
}

TEST(IsDump, ADumpThatCannotBeOpenedIsOne) {
  const test::TempDir dir;
  dir.write("newer/rank0/index.jsonl", "{\"schema\": \"ulpscope.recording/9\"}\n");
  EXPECT_TRUE(isDump(dir / "newer"));
  EXPECT_FALSE(recogniseDump(dir / "newer"));
}

}  // namespace
}  // namespace ulp::analysis
