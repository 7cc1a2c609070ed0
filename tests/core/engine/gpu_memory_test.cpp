// What runs on a CUDA device say of their time and memory, and what stays there between them.

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/core/engine/gpu_fixture.h"

namespace ulp::engine {
namespace {

class GpuRunMemory : public GpuTest {
 protected:
  static RunRequest onGpu(DType compute) {
    RunRequest request = requestOf(compute, kVocabulary);
    request.device = "cuda";
    return request;
  }

  static RunOutcome outcomeOf(Model& model, const RunRequest& request) {
    Recorder recorder;
    const auto outcome = model.run(request, recorder, std::stop_token());
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
    return outcome.value_or(RunOutcome());
  }
};

TEST_F(GpuRunMemory, WeightsThatStayOnTheDeviceAreCastToTheSameBits) {
  for (const DType compute : {DType::Float32, DType::BFloat16, DType::Float16, DType::Float32}) {
    const auto fresh = openOrFail({.path = m_folder.path()});
    expectSameRuns(runOrFail(*fresh, onGpu(compute)), runOrFail(*m_model, onGpu(compute)));
  }
}

TEST_F(GpuRunMemory, ThePeakOfARunDoesNotCountWhatTheOneBeforeLeft) {
  static_cast<void>(outcomeOf(*m_model, onGpu(DType::Float64)));
  const std::uint64_t after = outcomeOf(*m_model, onGpu(DType::BFloat16)).peakBytes;
  m_model = openOrFail({.path = m_folder.path()});
  const std::uint64_t alone = outcomeOf(*m_model, onGpu(DType::BFloat16)).peakBytes;
  EXPECT_GT(alone, 0U);
  EXPECT_LE(after, alone + alone / 100);
}

TEST_F(GpuRunMemory, ALargerStepHasALargerPeak) {
  RunRequest longer = requestOf(DType::BFloat16, kVocabulary, 64);
  longer.device = "cuda";
  const std::uint64_t large = outcomeOf(*m_model, longer).peakBytes;
  EXPECT_GT(large, outcomeOf(*m_model, onGpu(DType::BFloat16)).peakBytes);
}

TEST_F(GpuRunMemory, TheTimeOfARunIsWithoutItsObserver) {
  const RunRequest request = onGpu(DType::Float32);
  static_cast<void>(outcomeOf(*m_model, request));  // loads the kernels
  constexpr std::chrono::milliseconds kDelay{20};
  Recorder slow;
  slow.onObserve = [&](const Site& /*site*/) {
    std::this_thread::sleep_for(kDelay);
    return Result<>();
  };
  const auto outcome = m_model->run(request, slow, std::stop_token());
  ASSERT_TRUE(outcome) << outcome.error().message();
  const std::chrono::duration<double> slept = kDelay * slow.seen.size();
  ASSERT_GT(slept.count(), 1);
  EXPECT_GT(outcome->seconds, 0);
  EXPECT_LT(outcome->seconds, slept.count() / 2);
}

TEST_F(GpuRunMemory, SaysHowMuchOfTheDeviceIsFree) {
  const auto free = sharedEngine().freeBytes("cuda:0");
  ASSERT_TRUE(free) << free.error().message();
  EXPECT_GT(*free, 0U);
  for (const DeviceInfo& device : sharedEngine().devices()) {
    if (device.id == "cuda:0") {
      EXPECT_LE(*free, device.memoryBytes);
    }
  }
}

}  // namespace
}  // namespace ulp::engine
