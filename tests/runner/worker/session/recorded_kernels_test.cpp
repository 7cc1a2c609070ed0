#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

class RecordedKernels : public StudyRunnerTest {
 protected:
  RecordedKernels() {
    m_engine.config().devices.push_back(
        {.id = "cuda:0", .name = "Fake GPU", .memoryBytes = 1, .note = {}});
  }

  /// How often a study warned that kernels cannot be seen.
  std::ptrdiff_t warnings(const std::vector<std::string>& sets) {
    const RunOptions options{.existing = ExistingResults::Overwrite};
    EXPECT_TRUE(run(study(sets), options));
    return std::ranges::count_if(events<Message>(), [](const Message& message) {
      return message.level == "warning" && message.text.find("no kernels") != std::string::npos;
    });
  }
};

TEST_F(RecordedKernels, TheReportSaysWhichRanForEveryRowOfEveryRun) {
  m_engine.config().kernelOf = [](const engine::RunRequest& request, const Site& site) {
    const auto compute = request.plan.formats[numerics::Operation::Compute];
    return site.name + (compute == numerics::NumberFormat::BFloat16 ? " bf16" : " other");
  };
  ASSERT_TRUE(run(study({"device=cuda:0"})));
  const auto report = saved();
  EXPECT_EQ(report->runs[0].kernels.of(Pass::Forward, "decoder.1"),
            std::vector<std::string_view>{"decoder.1 other"});
  EXPECT_EQ(report->runs[1].kernels.of(Pass::Backward, "decoder.1"),
            std::vector<std::string_view>{"decoder.1 bf16"});
}

TEST_F(RecordedKernels, AreThoseOfTheFirstSample) {
  m_engine.config().kernelOf = [](const engine::RunRequest& /*request*/, const Site& /*site*/) {
    return std::string("gemm");
  };
  ASSERT_TRUE(run(study({"device=cuda:0", "input.sequences=3", "noise_floor=[]"})));
  EXPECT_EQ(m_engine.log()->requests.size(), 12U);
  EXPECT_EQ(std::ranges::count(m_engine.log()->requests, true, &engine::RunRequest::recordsKernels),
            4);
  EXPECT_FALSE(saved()->runs[1].kernels.isEmpty());
}

TEST_F(RecordedKernels, ThatCannotBeSeenAreAWarningOfEachRun) {
  EXPECT_EQ(warnings({"device=cuda:0", "noise_floor=[]"}), 4);
  EXPECT_TRUE(saved()->runs[0].kernels.isEmpty());
}

TEST_F(RecordedKernels, AreNotAskedForOnTheCpuAndWhereTheStudySaysSo) {
  EXPECT_EQ(warnings({}), 0);
  EXPECT_EQ(warnings({"device=cuda:0", "capture.kernels=false"}), 0);
}

}  // namespace
}  // namespace ulp::worker
