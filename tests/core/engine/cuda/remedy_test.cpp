#include "core/engine/remedy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

TEST(Remedy, OfAPackageIsNothingToBuild) {
  for (const Remedy& remedy : {kTorchCudaRemedy, kPluginRemedy, kNoPluginRemedy}) {
    EXPECT_THAT(remedy.text(false), testing::HasSubstr("`make "));
    EXPECT_THAT(remedy.text(true), testing::Not(testing::HasSubstr("`make ")));
    EXPECT_STREQ(remedy.text(), remedy.text(kIsPackaged));
  }
  EXPECT_STREQ(kTorchCudaRemedy.text(true),
               "install a torch package with CUDA (python3 -m pip install torch==2.11.0)");
}

}  // namespace
}  // namespace ulp::engine
