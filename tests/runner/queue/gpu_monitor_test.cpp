#include <gtest/gtest.h>

#include "runner/queue/resource_use.h"
#include "tests/runner/queue/fake_nvml.h"
#include "tests/support/machine/environment_variable.h"

namespace ulp::queue {
namespace {

TEST(GpuMonitor, TellsNothingOfACpu) {
  GpuMonitor monitor;
  EXPECT_FALSE(monitor.use("cpu", 1).has_value());
}

TEST(GpuMonitor, TellsWhatTheDriverSays) {
  const FakeNvml driver;
  GpuMonitor monitor;
  const auto ofWorker = monitor.use("cuda:0", 4242);
  ASSERT_TRUE(ofWorker.has_value());
  EXPECT_EQ(ofWorker->processBytes, 1000U);
  EXPECT_EQ(ofWorker->usedBytes, 3000U);
  EXPECT_EQ(ofWorker->totalBytes, 8000U);
  EXPECT_EQ(ofWorker->utilization, 0.75);
  const auto ofNobody = monitor.use("cuda:0", 1);
  ASSERT_TRUE(ofNobody.has_value());
  EXPECT_FALSE(ofNobody->processBytes.has_value());
  EXPECT_EQ(ofNobody->usedBytes, 3000U);
}

TEST(GpuMonitor, AddsUpDevicesThatShareAModel) {
  const FakeNvml driver;
  GpuMonitor monitor;
  const auto both = monitor.use("cuda:0+cuda:1", 4242);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->processBytes, 1500U);
  EXPECT_EQ(both->usedBytes, 3600U);
  EXPECT_EQ(both->totalBytes, 17000U);
  EXPECT_EQ(both->utilization, 0.75);
  EXPECT_EQ(monitor.use("cpu+cuda:1", 4242)->processBytes, 500U);
  EXPECT_FALSE(monitor.use("cuda:0+cuda:1", 1)->processBytes.has_value());
}

TEST(GpuMonitor, NamesTheDevicesInTheirOrder) {
  const FakeNvml driver;
  EXPECT_EQ(GpuMonitor().deviceNames(), (std::vector<std::string>{"Fake GPU", "Fake GPU"}));
}

TEST(GpuMonitor, HasNoDeviceThatIsHidden) {
  const FakeNvml driver;
  const test::EnvironmentVariable visible("CUDA_VISIBLE_DEVICES", "");
  EXPECT_TRUE(GpuMonitor().deviceNames().empty());
  EXPECT_FALSE(GpuMonitor().use("cuda:0", 1).has_value());
  visible.set("1,-1,0");
  EXPECT_EQ(GpuMonitor().deviceNames().size(), 1U);
  EXPECT_EQ(GpuMonitor().use("cuda:0", 1)->totalBytes, 9000U);
  EXPECT_FALSE(GpuMonitor().use("cuda:1", 1).has_value());
  visible.set("GPU-bb");
  EXPECT_EQ(GpuMonitor().use("cuda", 1)->totalBytes, 9000U);
}

TEST(GpuMonitor, NamesAPartOfACard) {
  const FakeNvml driver;
  const test::EnvironmentVariable visible("CUDA_VISIBLE_DEVICES", "MIG-cc33");
  EXPECT_EQ(GpuMonitor().deviceNames(), std::vector<std::string>{"Fake GPU MIG 1g.4gb"});
  EXPECT_EQ(GpuMonitor().use("cuda:0", 1)->totalBytes, 4000U);
  visible.set("MIG-unknown");
  EXPECT_EQ(GpuMonitor().deviceNames(), std::vector<std::string>{""});
}

TEST(GpuMonitor, SaysNothingOfDifferentCardsWhoseOrderNobodyKnows) {
  FakeNvml driver;
  driver.rename("T400", "H200");
  EXPECT_EQ(GpuMonitor().deviceNames(), (std::vector<std::string>{"", ""}));
  EXPECT_FALSE(GpuMonitor().use("cuda:0", 1).has_value());
  EXPECT_EQ(GpuMonitor().use("cuda:1", 4242)->totalBytes, 8000U) << "where the process computes";
  const test::EnvironmentVariable order("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  EXPECT_EQ(GpuMonitor().deviceNames(), (std::vector<std::string>{"T400", "H200"}));
  EXPECT_EQ(GpuMonitor().use("cuda:1", 1)->totalBytes, 9000U);
}

TEST(GpuMonitor, KnowsDifferentCardsByTheUuidsThatAWorkerTold) {
  FakeNvml driver;
  driver.rename("T400", "H200");
  GpuMonitor monitor;
  EXPECT_EQ(monitor.deviceNames({"GPU-bb22", "GPU-aa11", "MIG-cc33", "GPU-gone"}),
            (std::vector<std::string>{"H200", "T400", "Fake GPU MIG 1g.4gb", ""}));
  EXPECT_EQ(monitor.use("GPU-bb22", 1)->totalBytes, 9000U);
  EXPECT_EQ(monitor.use("GPU-bb22+cpu+GPU-aa11", 4242)->processBytes, 1500U);
  EXPECT_FALSE(monitor.use("GPU-gone", 1).has_value());
}

TEST(GpuMonitor, AsksForNamesOnceAsLongAsNoDeviceComesOrGoes) {
  FakeNvml driver;
  GpuMonitor monitor;
  const int before = driver.namesTold();
  for (int sample = 0; sample < 5; ++sample) {
    EXPECT_EQ(monitor.use("cuda:1", 1)->totalBytes, 9000U);
  }
  EXPECT_EQ(driver.namesTold() - before, 2);
  driver.keep(1);
  EXPECT_FALSE(monitor.use("cuda:1", 1).has_value());
  EXPECT_EQ(monitor.use("cuda:0", 1)->totalBytes, 8000U);
  EXPECT_EQ(driver.namesTold() - before, 3);
  driver.keep(2);
  EXPECT_EQ(monitor.use("cuda:1", 1)->totalBytes, 9000U);
  EXPECT_EQ(driver.namesTold() - before, 5);
}

TEST(GpuMonitor, TellsOfADeviceWhatMakesSense) {
  GpuMonitor monitor;
  const auto use = monitor.use("cuda:0", 1);
  if (!use) {
    GTEST_SKIP() << "no driver of NVIDIA here";
  }
  EXPECT_GT(use->totalBytes, 0U);
  EXPECT_LE(use->usedBytes, use->totalBytes);
  EXPECT_FALSE(use->processBytes.has_value());
  if (use->utilization) {
    EXPECT_GE(*use->utilization, 0);
    EXPECT_LE(*use->utilization, 1);
  }
}

}  // namespace
}  // namespace ulp::queue
