#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/files/atomic_file.h"
#include "core/base/text/format_number.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using testing::HasSubstr;

/// Studies on a device beside the same ones on the CPU. A fake tensor has 5 x 16 elements for each
/// sequence.
class DeviceStudyTest : public StudyRunnerTest {
 protected:
  DeviceStudyTest() {
    m_engine.config().devices.push_back(
        {.id = "cuda:0", .name = "Fake GPU", .memoryBytes = 1, .note = {}});
  }

  /// What the report says of all comparisons, or the error.
  std::string comparisonsOn(const std::string& device, std::vector<std::string> sets) {
    sets.push_back("output_dir=" + (m_folder / device).string());
    const auto namesFloor = [](const std::string& set) { return set.starts_with("noise_floor"); };
    if (std::ranges::none_of(sets, namesFloor)) {
      sets.emplace_back("noise_floor=[]");
    }
    const auto result =
        run(study(sets), {.device = device, .existing = ExistingResults::Overwrite});
    if (!result) {
      return result.error().message();
    }
    const auto text = readTextFile(m_folder / device / "precision_report.json");
    return nlohmann::ordered_json::parse(*text)["comparisons"].dump(1);
  }

  /// Of one tensor.
  static constexpr std::uint64_t kBytes = std::uint64_t{4} * 5 * 16;
  test::FakeDevice& device() { return *m_engine.log()->device; }
};

TEST_F(DeviceStudyTest, GivesWhatTheCpuGivesAndCopiesNothing) {
  const std::string onCpu = comparisonsOn("cpu", {});
  EXPECT_EQ(device().comparisons, 0U);
  EXPECT_EQ(comparisonsOn("cuda", {}), onCpu);
  EXPECT_THAT(onCpu, HasSubstr("decoder.1"));
  EXPECT_EQ(device().comparisons, 3U * (9 + 8 + 3));
  EXPECT_EQ(device().copiesToHost, 0U);
  EXPECT_EQ(device().liveBytes, 0U) << "when the study is over";
  const std::string place = formatBytes(20 * kBytes) + " on the device";
  bool isTold = false;
  for (const Message& message : events<Message>()) {
    isTold = isTold || message.text.ends_with(place);
  }
  EXPECT_TRUE(isTold);
}

TEST_F(DeviceStudyTest, StartsComparingGradientsOfParametersWithoutWaitingForEach) {
  static_cast<void>(comparisonsOn("cuda", {}));
  EXPECT_EQ(device().mostUnderWay, 3U);
  EXPECT_EQ(device().underWay, 0U);
}

TEST_F(DeviceStudyTest, ARunThatFailsHasTheGradientsOfParametersThatItCameTo) {
  m_engine.config().failAt = 9 + 8 + 2;
  m_engine.config().runErrors.emplace(1, Error(ErrorCode::Device, "no more of them"));
  static_cast<void>(comparisonsOn("cuda", {}));
  const auto loaded = report::loadReport(m_folder / "cuda");
  ASSERT_TRUE(loaded);
  const report::Run& failed = *loaded->report->findRun("bf16");
  EXPECT_EQ(failed.status, RunStatus::Failed);
  ASSERT_EQ(failed.comparisons.size(), 9U + 8 + 2);
  EXPECT_EQ(failed.comparisons.back().site.name, "model.layers.1.mlp.down_proj.weight");
}

TEST_F(DeviceStudyTest, GivesTheSameInMicroBatchesThatHaveNoRoom) {
  const std::vector<std::string> sets{
      "input.micro_batch_size=2", "schedule.micro_batches=3", "noise_floor=[batch_order]"};
  const std::string onCpu = comparisonsOn("cpu", sets);
  ASSERT_THAT(onCpu, HasSubstr("floor.batch_order"));
  for (const std::uint64_t room : {std::uint64_t{0}, 2 * 20 * kBytes, 2 * 90 * kBytes}) {
    device().room = room;
    device().copiesToHost = 0;
    EXPECT_EQ(comparisonsOn("cuda", sets), onCpu) << room;
    EXPECT_EQ(device().copiesToHost > 0, room < 54 * 2 * kBytes) << room;
  }
}

TEST_F(DeviceStudyTest, CopiesTheTensorsThatAreKeptAndNoOthers) {
  ASSERT_THAT(comparisonsOn("cuda", {"capture.tensors=full", "capture.include=[decoder]"}),
              HasSubstr("decoder.1"));
  // The reference and three variants, each decoder in both passes.
  EXPECT_EQ(device().copiesToHost, 4U * 6);
  EXPECT_EQ(device().bytesToHost, 4 * 6 * kBytes);
}

TEST_F(DeviceStudyTest, ACopyThatFailsIsAnErrorOfItsVariant) {
  device().copyError = {2 * 6 + 1, Error(ErrorCode::Device, "the bus is gone")};
  static_cast<void>(comparisonsOn("cuda", {"capture.tensors=full", "capture.include=[decoder]"}));
  const auto loaded = report::loadReport(m_folder / "cuda");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(statusOf(*loaded->report, "bf16"), RunStatus::Finished);
  EXPECT_EQ(loaded->report->findRun("bf16_fp32_head")->error,
            "bf16_fp32_head: decoder.1, forward: the bus is gone");
  EXPECT_NE(statusOf(*loaded->report, "fp16"), RunStatus::Failed);
}

TEST_F(DeviceStudyTest, ARunThatLacksMemoryBeginsAgainWithoutTheReferencesTensorsThere) {
  const std::string onCpu = comparisonsOn("cpu", {});
  const int before = m_engine.log()->runs;
  m_engine.config().runErrors.emplace(before + 2, Error(ErrorCode::OutOfMemory, "the GPU is full"));
  EXPECT_EQ(comparisonsOn("cuda", {}), onCpu);
  EXPECT_EQ(m_engine.log()->runs, before + 5);
  EXPECT_EQ(device().copiesToHost, 9U + 8 + 3);
  EXPECT_EQ(device().copiesToDevice, 2U * (9 + 8 + 3) + 2) << "and the logits for their tops";
  EXPECT_EQ(events<RunStarted>().size(), 4U);
  EXPECT_EQ(events<RunFinished>().size(), 4U);
}

TEST_F(DeviceStudyTest, ARunThatLacksMemoryForGoodSaysWhatWasPlannedAndWhatWasFree) {
  const std::string full = "the GPU is full";
  m_engine.config().freeBytes = std::uint64_t{3} << 30;
  for (const int attempt : {1, 2}) {
    m_engine.config().runErrors.emplace(attempt, Error(ErrorCode::OutOfMemory, full));
  }
  const RunOptions options{
      .device = "cuda", .forecastMemory = [](std::uint64_t /*free*/) {
        return MemoryForecast{
            .runs = {{"bf16", {.weights = std::uint64_t{4} << 30, .captures = 1U << 30}}},
            .warning = {}};
      }};
  ASSERT_FALSE(run(study({"noise_floor=[]"}), options));
  EXPECT_EQ(saved()->findRun("bf16")->error,
            "bf16: the GPU is full; it was planned to take 4.0 GiB (weights 4.0 GiB), and 3.0 GiB "
            "were free as it began")
      << "without the captures that have left";
  EXPECT_EQ(statusOf(*saved(), "fp16"), RunStatus::Finished);
  EXPECT_EQ(device().liveBytes, 0U) << "everything is free again";
}

TEST_F(DeviceStudyTest, AFinishedRunHasItsMemoryBesideThePlan) {
  m_engine.config().memory = engine::DeviceMoments{
      .begin = 1, .forward = 2, .forwardPeak = 3, .backward = 4, .backwardPeak = 5, .reserved = 6};
  const RunOptions options{
      .device = "cuda", .forecastMemory = [](std::uint64_t /*free*/) {
        return MemoryForecast{.runs = {{"bf16", {.weights = 1U << 19}}}, .warning = {}};
      }};
  ASSERT_TRUE(run(study({"noise_floor=[]"}), options));
  const report::Run& planned = *saved()->findRun("bf16");
  ASSERT_TRUE(planned.memory);
  EXPECT_EQ(planned.memory->planned->weights, 1U << 19);
  EXPECT_EQ(planned.memory->free, m_engine.config().freeBytes);
  EXPECT_EQ(planned.memory->begin, 1U);
  EXPECT_EQ(planned.memory->forward, 2U);
  EXPECT_EQ(planned.memory->forwardPeak, 3U);
  EXPECT_EQ(planned.memory->backward, 4U);
  EXPECT_EQ(planned.memory->backwardPeak, 5U);
  EXPECT_EQ(planned.memory->reserved, 6U);
  EXPECT_EQ(planned.memory->captures, 20 * kBytes);
  EXPECT_FALSE(saved()->findRun("fp16")->memory->planned);
  for (const RunFinished& event : events<RunFinished>()) {
    EXPECT_EQ(event.plannedBytes, event.run == "bf16" ? 1U << 19 : 0U);
  }
}

TEST_F(DeviceStudyTest, AReferenceThatLacksMemoryBeginsAgainWithoutTensorsThere) {
  const std::string onCpu = comparisonsOn("cpu", {});
  m_engine.config().runErrors.emplace(m_engine.log()->runs,
                                      Error(ErrorCode::OutOfMemory, "the GPU is full"));
  EXPECT_EQ(comparisonsOn("cuda", {}), onCpu);
  EXPECT_EQ(device().copiesToHost, 9U + 8 + 3);
}

TEST_F(DeviceStudyTest, OnCudaTheReferenceIsRepeatedUnlessTheStudySaysOtherwise) {
  const auto floorOn = [this](const std::string& device, const std::vector<std::string>& sets) {
    const auto result =
        run(study(sets), {.device = device, .existing = ExistingResults::Overwrite});
    EXPECT_TRUE(result) << result.error().message();
    return result && (*result)->findRun("floor.repeat") != nullptr;
  };
  EXPECT_FALSE(floorOn("cpu", {}));
  EXPECT_TRUE(floorOn("cuda", {}));
  const auto messages = events<Message>();
  EXPECT_TRUE(std::ranges::any_of(messages, [](const Message& message) {
    return message.text.starts_with("noise_floor: the reference runs once more");
  }));
  EXPECT_FALSE(floorOn("cuda", {"noise_floor=[]"}));
  EXPECT_FALSE(floorOn("cuda", {"noise_floor=[attention]"}));
}

TEST_F(DeviceStudyTest, SaysWhereComparisonsAreMadeWithoutTheKernels) {
  m_engine.config().cudaKernelsProblem = "CUDA plug-in: there is none";
  static_cast<void>(comparisonsOn("cpu", {}));
  const auto isWarned = [this] {
    return std::ranges::any_of(events<Message>(), [](const Message& message) {
      return message.text.ends_with("compared there: CUDA plug-in: there is none");
    });
  };
  EXPECT_FALSE(isWarned());
  static_cast<void>(comparisonsOn("cuda", {}));
  EXPECT_TRUE(isWarned());
}

}  // namespace
}  // namespace ulp::worker
