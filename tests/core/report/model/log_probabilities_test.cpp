#include "core/report/model/log_probabilities.h"

#include <cmath>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LogProbabilityFiles : public testing::Test {
 protected:
  void write(const std::string& file, const std::vector<tensors::NamedTensor>& tensors) const {
    const auto written = tensors::writeSafetensors(m_dir.path() / file, tensors);
    ASSERT_TRUE(written) << written.error().message();
  }

  const std::vector<double> m_values{-1, -2, -3, -4};
  const std::vector<std::uint8_t> m_labels{1, 1, 0, 1};
  test::TempDir m_dir;
};

TEST_F(LogProbabilityFiles, HoldTheRunsOfAStudy) {
  write("log_probabilities.safetensors",
        {{"runs/reference", {m_values.data(), DType::Float64, {2, 2}}},
         {"runs/bf16", {m_values.data(), DType::Float64, {2, 2}}},
         {"is_label", {m_labels.data(), DType::UInt8, {2, 2}}}});
  const auto runs = readLogProbabilities(m_dir.path());
  ASSERT_TRUE(runs) << runs.error().message();
  ASSERT_EQ(runs->size(), 2U);
  const LogProbabilities& run = runs->front();
  EXPECT_EQ(run.sequences, 2);
  EXPECT_EQ(run.length, 2);
  EXPECT_EQ(run.values, m_values);
  EXPECT_EQ(run.labels(), 3U);
}

TEST_F(LogProbabilityFiles, OfAStudyThatEndedEarlyHoldTheFirstSequencesOfSomeRuns) {
  write("log_probabilities.safetensors",
        {{"runs/reference", {m_values.data(), DType::Float64, {2, 2}}},
         {"runs/bf16", {m_values.data(), DType::Float64, {1, 2}}},
         {"is_label", {m_labels.data(), DType::UInt8, {2, 2}}}});
  const auto runs = readLogProbabilities(m_dir.path());
  ASSERT_TRUE(runs) << runs.error().message();
  const auto& bf16 = runs->front().name == "bf16" ? runs->front() : runs->back();
  EXPECT_EQ(bf16.sequences, 1);
  EXPECT_THAT(bf16.isLabel, ElementsAre(1, 1));
  EXPECT_THAT(bf16.values, ElementsAre(-1, -2));
}

TEST_F(LogProbabilityFiles, OfOtherEnginesHoldOneTensorWithNanForTokensWithoutLabel) {
  const std::vector<float> values{-1, std::numeric_limits<float>::quiet_NaN(), -2.5F};
  write("vllm.safetensors", {{"logprobs", {values.data(), DType::Float32, {3}}}});
  const auto runs = readLogProbabilities(m_dir.path() / "vllm.safetensors");
  ASSERT_TRUE(runs) << runs.error().message();
  ASSERT_EQ(runs->size(), 1U);
  EXPECT_EQ(runs->front().name, "vllm");
  EXPECT_EQ(runs->front().sequences, 1);
  EXPECT_THAT(runs->front().isLabel, ElementsAre(1, 0, 1));
  EXPECT_EQ(runs->front().values[2], -2.5);
}

TEST_F(LogProbabilityFiles, OfFastLlmHoldOneSequenceOrAListOfThem) {
  using tensors::PickleBytes;
  const std::string storage = tensors::numbers({-1, -2, -3, -4});
  const std::string one =
      tensors::archiveOf(PickleBytes().tensor("0", 4, 0, {4}, {1}).end(), storage);
  const auto single = readLogProbabilities(m_dir.write("logprobs_bf16.pt", one));
  ASSERT_TRUE(single) << single.error().message();
  EXPECT_EQ(single->front().name, "bf16");
  EXPECT_THAT(single->front().values, ElementsAre(-1, -2, -3, -4));

  PickleBytes pickle;
  pickle.op("](").tensor("0", 4, 0, {3}, {1}).tensor("0", 4, 3, {1}, {1}).op("e");
  const auto list = readLogProbabilities(
      m_dir.write("logprobs_fp8.pt", tensors::archiveOf(pickle.end(), storage)));
  ASSERT_TRUE(list) << list.error().message();
  EXPECT_EQ(list->front().name, "fp8");
  EXPECT_EQ(list->front().sequences, 2);
  EXPECT_EQ(list->front().length, 3);
  EXPECT_THAT(list->front().isLabel, ElementsAre(1, 1, 1, 1, 0, 0));
  EXPECT_EQ(list->front().values[3], -4);
}

TEST_F(LogProbabilityFiles, OfTheFixturesAreRead) {
  const auto runs =
      readLogProbabilities(test::fixture("fastllm/tool_tip_116dc065/logprobs_bf16.pt"));
  ASSERT_TRUE(runs) << runs.error().message();
  EXPECT_EQ(runs->front().name, "bf16");
  EXPECT_EQ(runs->front().labels(), 31U);
}

TEST_F(LogProbabilityFiles, SayWhatIsWrongWithThem) {
  const auto none = readLogProbabilities(m_dir.path());
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(none.error().message(), HasSubstr("a model of model.factory has none"));
  write("two.safetensors",
        {{"a", {m_values.data(), DType::Float64, {4}}},
         {"b", {m_values.data(), DType::Float64, {4}}}});
  EXPECT_THAT(readLogProbabilities(m_dir.path() / "two.safetensors").error().message(),
              HasSubstr("two.safetensors: holds 2 tensors"));
  write("short.safetensors",
        {{"runs/bf16", {m_values.data(), DType::Float64, {1, 2}}},
         {"is_label", {m_labels.data(), DType::UInt8, {2, 2}}}});
  EXPECT_THAT(readLogProbabilities(m_dir.path() / "short.safetensors").error().message(),
              HasSubstr("run 'bf16' has 2 tokens, but 'is_label' has 4"));
  write("ids.safetensors", {{"ids", {m_labels.data(), DType::UInt8, {4}}}});
  EXPECT_EQ(readLogProbabilities(m_dir.path() / "ids.safetensors").error().code(),
            ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::report
