#include "core/engine/device_comparer.h"

#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

#ifdef ULP_HAVE_CUDA
TEST(DeviceComparer, ReportsAMissingDeviceInsteadOfAResult) {
  auto comparer = makeDeviceComparer({});
  ASSERT_TRUE(comparer.has_value()) << comparer.error().message();
  const DevicePair onNoDevice{.count = 1, .device = 4096};
  const auto compared = (*comparer)->compare(onNoDevice, {});
  ASSERT_FALSE(compared.has_value());
  EXPECT_EQ(compared.error().code(), ErrorCode::Device);
  EXPECT_NE(compared.error().message().find("CUDA: choosing the device"), std::string::npos);
}
#else
TEST(DeviceComparer, SaysThatThisBuildHasNone) {
  const auto comparer = makeDeviceComparer({});
  ASSERT_FALSE(comparer.has_value());
  EXPECT_EQ(comparer.error().code(), ErrorCode::Unsupported);
  EXPECT_NE(comparer.error().message().find("make setup-cuda"), std::string::npos);
}
#endif

}  // namespace
}  // namespace ulp::engine
