#include "core/engine/torch_folder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::engine {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

/// Packages in two places: that of a Python, which says `python`, and Ulpscope's own.
class FindTorch : public ::testing::Test {
 protected:
  std::filesystem::path python(const std::string& says) {
    std::filesystem::create_directories(m_folder / "bin");
    auto program = m_folder.write("bin/python3", "#!/bin/sh\n" + says + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return program;
  }
  std::filesystem::path package(const std::string& folder, const std::string& version) {
    std::filesystem::create_directories(m_folder / folder);
    m_folder.write(folder + "/version.py", "__version__ = '" + version + "'\n");
    return m_folder / folder;
  }

  test::TempDir m_folder;
  test::EnvironmentVariable m_noEnvironment{"VIRTUAL_ENV", ""};
  test::EnvironmentVariable m_noConda{"CONDA_PREFIX", ""};
  test::EnvironmentVariable m_noFolder{kTorchFolderVariable, ""};
  test::EnvironmentVariable m_python{"ULPSCOPE_PYTHON", (m_folder / "bin/python3").string()};
  test::EnvironmentVariable m_data{"XDG_DATA_HOME", (m_folder / "share").string()};
};

TEST_F(FindTorch, TakesTheFolderOfTheVariableAlone) {
  const auto folder = package("named", "2.11.0+cpu");
  const test::EnvironmentVariable variable(kTorchFolderVariable, folder.string());
  const auto places = findTorch(package("built", "2.11.0"));
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].source, kTorchFolderVariable);
  EXPECT_EQ(places[0].folder, folder);
  EXPECT_EQ(places[0].version, "2.11.0+cpu");
  EXPECT_TRUE(places[0].isFit());
}

TEST_F(FindTorch, TakesTheOneOfTheBuildWhereItIsStillThere) {
  const auto built = package("built", "2.11.0");
  EXPECT_EQ(findTorch(built).front().folder, built);
  python("echo");
  EXPECT_EQ(findTorch(m_folder / "gone").front().source, (m_folder / "bin/python3").string());
}

TEST_F(FindTorch, AsksThePythonThatWouldRunModels) {
  const auto folder = package("site-packages/torch", "2.9.1");
  python("echo noise >&2; echo " + folder.string());
  const auto places = findTorch({});
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].folder, folder);
  EXPECT_EQ(places[0].version, "2.9.1");
  EXPECT_FALSE(places[0].isFit());
  EXPECT_EQ(places[1].source, (m_folder / "share/ulpscope/python").string());
  EXPECT_TRUE(places[1].folder.empty());
}

TEST_F(FindTorch, LooksForOneOfItsOwnWherePythonHasNone) {
  python("exit 1");
  const auto own = package("share/ulpscope/python/torch", "2.11.0+cu130");
  const auto places = findTorch({});
  ASSERT_EQ(places.size(), 2U);
  EXPECT_TRUE(places[0].folder.empty());
  EXPECT_FALSE(places[0].isFit());
  EXPECT_EQ(places[1].folder, own);
  EXPECT_TRUE(places[1].isFit());
}

TEST_F(FindTorch, ItsOwnIsWhereTheCommandInstallsIt) {
  EXPECT_EQ(torchInstallCommand(),
            "python3 -m pip install --target " + (m_folder / "share/ulpscope/python").string() +
                " torch==2.11.0");
}

}  // namespace
}  // namespace ulp::engine
