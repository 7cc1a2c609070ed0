#include "core/engine/running/observer_time.h"

#include <thread>

#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

constexpr std::chrono::milliseconds kTold{2};

void beTold() {
  std::this_thread::sleep_for(kTold);
}

std::vector<at::Device> cpuAndCuda() {
  return {at::Device(at::kCUDA, 0), at::Device(at::kCPU)};
}

TEST(ObserverTime, IsAllOfItWhereTheDeviceIsTheProcessor) {
  ObserverTime time(LayerDevices{at::Device(at::kCPU)});
  time.whileDevicesGoOn(beTold);
  EXPECT_GE(time.total(), kTold);
  time.whileDevicesRest(beTold);
  EXPECT_GE(time.total(), 2 * kTold);
}

TEST(ObserverTime, IsNothingOfWhatACudaDeviceComputesIn) {
  for (const LayerDevices& devices :
       {LayerDevices(at::Device(at::kCUDA, 0)), LayerDevices(cpuAndCuda(), {})}) {
    ObserverTime time(devices);
    bool wasTold = false;
    time.whileDevicesGoOn([&] {
      beTold();
      wasTold = true;
    });
    EXPECT_TRUE(wasTold);
    EXPECT_EQ(time.total().count(), 0);
    time.whileDevicesRest(beTold);
    EXPECT_GE(time.total(), kTold);
  }
}

TEST(ObserverTime, CountsWhatEndsWithAnException) {
  ObserverTime time(LayerDevices{at::Device(at::kCPU)});
  EXPECT_THROW(time.whileDevicesRest([] {
    beTold();
    throw std::runtime_error("stopped");
  }),
               std::runtime_error);
  EXPECT_GE(time.total(), kTold);
}

}  // namespace
}  // namespace ulp::engine
