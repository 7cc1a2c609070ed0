#include <gtest/gtest.h>

#include "core/engine/engine.h"
#include "core/engine/engine_abi.h"
#include "core/engine/torch_folder.h"
#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::engine {
namespace {

TEST(LoadEngine, FindsTheLibraryOfThisBuild) {
  const auto engine = loadEngine();
  ASSERT_TRUE(engine) << engine.error().message();
  EXPECT_FALSE((*engine)->torchVersion().empty());
}

TEST(LoadEngine, TellsWhetherThisBuildHasCudaKernels) {
  const auto engine = loadEngine();
  ASSERT_TRUE(engine) << engine.error().message();
#ifdef ULP_HAVE_CUDA
  EXPECT_EQ((*engine)->cudaKernelsProblem(), "");
#else
  EXPECT_EQ((*engine)->cudaKernelsProblem(),
            "CUDA plug-in: built without a CUDA compiler; `make setup-cuda` installs one, and "
            "`make build` then adds the plug-in");
#endif
}

TEST(LoadEngine, TakesTheLibraryThatTheEnvironmentNames) {
  const test::EnvironmentVariable variable(kEngineLibraryVariable,
                                           "/nowhere/libulpscope_engine.so");
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(engine.error().message().find("/nowhere/libulpscope_engine.so"), std::string::npos);
  EXPECT_NE(engine.error().message().find("make setup"), std::string::npos);
}

TEST(LoadEngine, RefusesWhatIsNoLibrary) {
  const test::TempDir folder;
  const test::EnvironmentVariable variable(kEngineLibraryVariable,
                                           folder.write("text.so", "not a library").string());
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(engine.error().message().find("cannot be loaded"), std::string::npos);
}

TEST(LoadEngine, RefusesAnotherLibrary) {
  const test::EnvironmentVariable variable(kEngineLibraryVariable,
                                           "/lib/x86_64-linux-gnu/libm.so.6");
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().message().find("is not an Ulpscope engine"), std::string::npos)
      << engine.error().message();
}

TEST(LoadEngine, ComparesTorchFoldersWithTheVersionThatItIsCompiledAgainst) {
  const auto engine = loadEngine();
  ASSERT_TRUE(engine) << engine.error().message();
  EXPECT_EQ((*engine)->torchVersion(), kTorchVersion);
}

TEST(LoadEngine, RefusesAFolderWithoutTorch) {
  const test::TempDir folder;
  const test::EnvironmentVariable variable(kTorchFolderVariable, folder.path().string());
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(engine.error().message().find(folder.path().string() +
                                          " (ULP_TORCH_DIR) is not the folder of a torch package"),
            std::string::npos)
      << engine.error().message();
}

TEST(LoadEngine, RefusesATorchOfAnotherVersion) {
  const test::TempDir folder;
  folder.write("version.py", "from typing import Optional\n__version__ = '2.12.1+cu130'\n");
  const test::EnvironmentVariable variable(kTorchFolderVariable, folder.path().string());
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().message().find(" (ULP_TORCH_DIR) holds torch 2.12.1+cu130"),
            std::string::npos)
      << engine.error().message();
}

TEST(LoadEngine, TellsWhatKeepsTheTorchOfAFolderFromLoading) {
  const test::TempDir folder;
  folder.write("version.py", "__version__ = \"2.11.0\"\n");
  const test::EnvironmentVariable variable(kTorchFolderVariable, folder.path().string());
  const auto engine = loadEngine();
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().message().find("/lib/libtorch_cpu.so: cannot open shared object file"),
            std::string::npos)
      << engine.error().message();
}

}  // namespace
}  // namespace ulp::engine
