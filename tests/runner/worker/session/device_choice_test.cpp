#include "runner/worker/session/device_choice.h"

#include <gtest/gtest.h>

#include "core/base/text/split.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

engine::DeviceInfo device(const std::string& id, std::uint64_t memory, const std::string& note) {
  return {.id = id, .name = "", .memoryBytes = memory, .note = note};
}

std::vector<engine::DeviceInfo> cpuOnly() {
  return {device("cpu", kGiB, ""), device("cuda", 0, "no CUDA driver")};
}

std::vector<engine::DeviceInfo> twoGpus(const std::string& noteOfFirst = "") {
  return {device("cpu", kGiB, ""), device("cuda:0", kGiB, noteOfFirst), device("cuda:1", kGiB, "")};
}

TEST(ChooseDevice, AutoPrefersCuda) {
  EXPECT_EQ(chooseDevice(twoGpus(), "auto")->device.id, "cuda:0");
  EXPECT_EQ(chooseDevice(cpuOnly(), "auto")->device.id, "cpu");
  EXPECT_EQ(chooseDevice(cpuOnly(), "")->device.id, "cpu");
  EXPECT_EQ(chooseDevice(cpuOnly(), "auto")->warning, "");
}

TEST(ChooseDevice, AutoSaysWhyItPassedOverADevice) {
  EXPECT_EQ(chooseDevice(twoGpus("libtorch_cuda.so is missing"), "auto")->device.id, "cuda:1");
  auto devices = twoGpus("libtorch_cuda.so is missing");
  devices.pop_back();
  const auto choice = chooseDevice(devices, "auto");
  EXPECT_EQ(choice->device.id, "cpu");
  EXPECT_EQ(choice->warning, "cuda:0 is not used: libtorch_cuda.so is missing");
}

TEST(ChooseDevice, AutoSaysThatADriverHasNothingToOffer) {
  auto devices = cpuOnly();
  devices[1].note = "the CUDA driver does not answer (error 999)";
  devices[1].hasDriver = true;
  const auto choice = chooseDevice(devices, "auto");
  EXPECT_EQ(choice->device.id, "cpu");
  EXPECT_EQ(choice->warning, "cuda is not used: the CUDA driver does not answer (error 999)");
  EXPECT_EQ(chooseDevice(devices, "cuda").error().message(),
            "device: 'cuda' cannot be used here; known are cpu, cuda (the CUDA driver does not "
            "answer (error 999)); choose another with --device");
}

TEST(ChooseDevice, TakesWhatIsNamed) {
  EXPECT_EQ(chooseDevice(twoGpus(), "cpu")->device.id, "cpu");
  EXPECT_EQ(chooseDevice(twoGpus(), "cuda")->device.id, "cuda:0");
  EXPECT_EQ(chooseDevice(twoGpus(), "cuda:1")->device.id, "cuda:1");
}

TEST(CudaUuids, AreThoseOfAllCudaDevicesOrNone) {
  auto devices = twoGpus();
  EXPECT_TRUE(cudaUuids(devices).empty());
  devices[1].uuid = "GPU-bb";
  EXPECT_TRUE(cudaUuids(devices).empty()) << "one of them would count for another";
  devices[2].uuid = "GPU-aa";
  EXPECT_EQ(cudaUuids(devices), (std::vector<std::string>{"GPU-bb", "GPU-aa"}));
  EXPECT_TRUE(cudaUuids(cpuOnly()).empty());
}

TEST_F(StudyRunnerTest, TellsWithEachRunWhichGpusThereAre) {
  m_engine.config().devices.push_back(device("cuda:0", kGiB, ""));
  m_engine.config().devices.back().uuid = "GPU-aa";
  ASSERT_TRUE(run(study()));
  ASSERT_EQ(events<RunStarted>().size(), 4U);
  for (const RunStarted& event : events<RunStarted>()) {
    EXPECT_EQ(event.gpus, std::vector<std::string>{"GPU-aa"});
  }
}

TEST(ChooseDevice, SeveralThatShareAModelCountAsOne) {
  auto devices = twoGpus();
  devices[0].name = "EPYC";
  devices[1].name = devices[2].name = "H200";
  devices[1].facts = {{"driver", "580"}, {"compute_capability", "9.0"}};
  devices[2].facts = {{"driver", "580"}, {"compute_capability", "10.0"}};
  const auto two = chooseDevice(devices, "cuda:0+cuda:1");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->device.id, "cuda:0+cuda:1");
  EXPECT_EQ(two->device.name, "2 x H200");
  EXPECT_EQ(two->device.memoryBytes, 2 * kGiB);
  EXPECT_EQ(two->device.facts.at("driver"), "580");
  EXPECT_EQ(two->device.facts.at("compute_capability"), "9.0, 10.0");
  EXPECT_EQ(chooseDevice(devices, "cpu+cuda")->device.id, "cpu+cuda:0");
  EXPECT_EQ(chooseDevice(devices, "cpu+cuda")->device.name, "EPYC and H200");
  EXPECT_TRUE(isCuda("cpu+cuda:0"));
  EXPECT_FALSE(isCuda("cpu+cpu"));
  EXPECT_TRUE(isOnCpu("cuda:0+cpu"));
  EXPECT_FALSE(isOnCpu("cuda:0+cuda:1"));
}

TEST(ChooseDevice, NeverReplacesANamedDevice) {
  for (const char* wanted : {"cuda", "cuda:7", "cpu+cuda:7"}) {
    const auto choice = chooseDevice(cpuOnly(), wanted);
    ASSERT_FALSE(choice) << wanted;
    EXPECT_EQ(choice.error().code(), ErrorCode::NotFound);
    EXPECT_NE(choice.error().message().find(lastPart(wanted, '+')), std::string::npos);
    EXPECT_NE(choice.error().message().find("no CUDA driver"), std::string::npos);
  }
}

}  // namespace
}  // namespace ulp::worker
