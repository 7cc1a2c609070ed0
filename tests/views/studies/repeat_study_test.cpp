#include "views/studies/repeat_study.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::views {
namespace {

namespace fs = std::filesystem;

TEST(FreeFolder, CountsUntilNothingIsThere) {
  const test::TempDir folder;
  EXPECT_EQ(freeFolder(folder / "runs"), folder / "runs");
  fs::create_directory(folder / "runs");
  EXPECT_EQ(freeFolder(folder / "runs"), folder / "runs-2");
  fs::create_directory(folder / "runs-2");
  EXPECT_EQ(freeFolder(folder / "runs/"), folder / "runs-3");
}

TEST(RepeatStudy, KeepsTheTextAndTakesAFolderOfItsOwn) {
  const test::TempDir folder;
  fs::create_directory(folder / "out");
  const std::string text =
      "# As run by Ulpscope 1 from /there/study.yaml\n# --set input.seed=1\n"
      "# mine\nmodel: {path: org/model}   # a comment\noutput_dir: " +
      (folder / "out").string() + "   # results\n";
  const auto repeated = repeatStudy(text, folder / "study.yaml", folder / "out");
  ASSERT_TRUE(repeated.has_value()) << repeated.error().message();
  EXPECT_EQ(*repeated,
            "# mine\nmodel: {path: org/model}   # a comment\noutput_dir: " +
                (folder / "out-2").string() + "   # results\n");
}

TEST(RepeatStudy, FindsAModelBesideTheStudyFromAnywhere) {
  const test::TempDir folder;
  fs::create_directory(folder / "tiny_model_of_this_test");
  const auto repeated = repeatStudy(
      "model: {path: tiny_model_of_this_test}\n", folder / "study.yaml", folder / "none");
  ASSERT_TRUE(repeated.has_value()) << repeated.error().message();
  const auto parsed = study::parseStudy(*repeated, "");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message();
  EXPECT_EQ(parsed->modelPath, (folder / "tiny_model_of_this_test").string());
  EXPECT_EQ(parsed->outputDir, folder / "none");
}

TEST(RepeatStudy, SaysWhatIsWrongWithABrokenText) {
  EXPECT_FALSE(repeatStudy("model: [", "study.yaml", "out").has_value());
}

}  // namespace
}  // namespace ulp::views
