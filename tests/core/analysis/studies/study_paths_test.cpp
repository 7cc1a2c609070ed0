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
  const fs::path old = folder.write("models/old_of_this_test.safetensors", "");
  const std::array folders{folder / "none", folder / "models"};
  const auto found = withFoundPaths(R"(model.path: tiny_model_of_this_test
input.tokenizer: org/model
loss.path: old_of_this_test.safetensors
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
                "\ninput.tokenizer: org/model\nloss.path: " + old.string() +
                "\nmodel.factory: none.py:make\nvariants:\n  a:\n"
                "    python.prepare: " +
                changes.string() + ":halve\n");
}

}  // namespace
}  // namespace ulp::analysis
