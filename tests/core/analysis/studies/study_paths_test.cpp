#include "core/analysis/studies/study_paths.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

namespace fs = std::filesystem;

TEST(StudyPaths, AreFoundInOtherFoldersAndElseLeft) {
  const test::TempDir folder;
  fs::create_directories(folder / "models/tiny_model_of_this_test");
  const fs::path changes = folder.write("models/changes_of_this_test.py", "");
  const std::array folders{folder / "none", folder / "models"};
  const auto found = withFoundPaths(R"(model.path: tiny_model_of_this_test
input.tokenizer: org/model
model.factory: none.py:make
variants:
  a:
    python.prepare: changes_of_this_test.py:halve
)",
                                    "study.yaml",
                                    folders);
  ASSERT_TRUE(found.has_value()) << found.error().message();
  EXPECT_EQ(*found,
            "model.path: " + (folder / "models/tiny_model_of_this_test").string() +
                "\ninput.tokenizer: org/model\nmodel.factory: none.py:make\nvariants:\n  a:\n"
                "    python.prepare: " +
                changes.string() + ":halve\n");
}

TEST(StudyPaths, ACopyTellsWhatItWasMadeFrom) {
  EXPECT_EQ(originOfCopy("# As run by Ulpscope 1 from /there/study.yaml\nmodel.path: m\n"),
            "/there/study.yaml");
  EXPECT_TRUE(originOfCopy("# As run by Ulpscope 1\n").empty());
  EXPECT_TRUE(originOfCopy("# copied from /there/study.yaml\n").empty());
}

}  // namespace
}  // namespace ulp::analysis
