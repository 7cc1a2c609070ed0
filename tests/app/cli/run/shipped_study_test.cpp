#include "app/cli/run/shipped_study.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

TEST(ShippedStudy, IsFoundByItsName) {
  const test::TempDir folder;
  folder.write("share/ulpscope/configs/tiny_random.yaml", "");
  folder.write("env/share/ulpscope/configs/of_env.yaml", "");
  const auto tiny = folder / "share/ulpscope/configs/tiny_random.yaml";
  EXPECT_EQ(*studyNamed("tiny_random", folder / "bin/ulpscope-cli"), tiny);
  EXPECT_EQ(*studyNamed("tiny_random.yaml", folder / "bin/ulpscope-cli"), tiny);
  EXPECT_EQ(*studyNamed("tiny_random", folder / "lib/ulpscope/bin/ulpscope-cli"), tiny);
  EXPECT_EQ(*studyNamed("of_env", folder / "env/bin/ulpscope-cli"),
            folder / "env/share/ulpscope/configs/of_env.yaml");
}

TEST(ShippedStudy, TakesNoFilesPlace) {
  const test::TempDir folder;
  folder.write("share/ulpscope/configs/a.yaml", "");
  const auto program = folder / "bin/ulpscope-cli";
  EXPECT_EQ(*studyNamed("./a", program), "./a");
  EXPECT_EQ(*studyNamed("", program), "");
  const auto own = folder.write("mine.yaml", "");
  EXPECT_EQ(*studyNamed(own, program), own);
}

TEST(ShippedStudy, OfAnUnknownNameSaysWhichThereAre) {
  const test::TempDir folder;
  folder.write("share/ulpscope/configs/b.yaml", "");
  folder.write("share/ulpscope/configs/a.yaml", "");
  folder.write("share/ulpscope/configs/of_python.py", "");
  EXPECT_EQ(studyNamed("nothing", folder / "bin/ulpscope-cli").error().message(),
            "nothing: there is no such file; studies that come with Ulpscope: a, b");
  EXPECT_EQ(studyNamed("nothing.yaml", "/usr/bin/ulpscope-cli").error().code(),
            ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::cli
