#include "core/engine/find_python.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::engine {
namespace {

constexpr const char* kSystemPython = ULP_PYTHON;

TEST(FindPython, TakesTheActiveEnvironmentBeforeAllElse) {
  const test::TempDir folder;
  std::filesystem::create_directories(folder / "venv/bin");
  const auto python = folder.write("venv/bin/python", "");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  const test::EnvironmentVariable other("ULPSCOPE_PYTHON", kSystemPython);
  {
    const test::EnvironmentVariable active("VIRTUAL_ENV", (folder / "venv").string());
    EXPECT_EQ(findPython().value(), python);
  }
  const test::EnvironmentVariable none("VIRTUAL_ENV", "");
  const test::EnvironmentVariable noConda("CONDA_PREFIX", "");
  EXPECT_EQ(findPython().value(), kSystemPython);
}

}  // namespace
}  // namespace ulp::engine
