#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/session/run_plan.h"
#include "tests/runner/worker/session/study_runner_fixture.h"

namespace ulp::worker {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kBatchVariants = R"(
variants:
  alone: {}
  among: {batch: {among: 8, place: 2, seed: 5}}
  padded: {batch: {padding: 3, padding_side: right, chunk_length: 4}}
)";

std::vector<engine::TokenBatch> sequences(std::int64_t count) {
  return {{.ids = std::vector<std::int64_t>(static_cast<std::size_t>(count) * 6, 1),
           .batch = count,
           .length = 5}};
}

/// Why a study with this variant cannot run, or empty.
std::string batchProblem(const std::string& variant,
                         std::int64_t count,
                         const std::string& device,
                         const std::vector<std::string>& chosen = {}) {
  auto study = study::parseStudy(
      "model: {path: m}\ninput: {source: tokens, path: t.json}\nvariants:\n  v: " + variant, "s");
  EXPECT_TRUE(study) << study.error().message();
  study->file = "s.yaml";
  const auto runs = planRuns(*study, chosen, device);
  EXPECT_TRUE(runs) << runs.error().message();
  const auto checked = checkBatches(*study, *runs, sequences(count), device);
  return checked ? std::string() : checked.error().message();
}

TEST(CheckBatches, TheSequencesOfAFileNeedRoom) {
  EXPECT_EQ(batchProblem("{batch.among: 4}", 4, "cpu"), "");
  EXPECT_EQ(batchProblem("{batch.among: 4}", 5, "cpu"),
            "s.yaml:4:20: v: 'batch.among': 4 sequences have no room for the 5 of a micro-batch");
  EXPECT_EQ(batchProblem("{batch.among: 4}\n  w: {}", 5, "cpu", {"w"}), "") << "it does not run";
}

TEST(CheckBatches, FlashAttentionTakesNoMaskOnCuda) {
  const std::string flash = "attention.implementation: sdpa_flash, ";
  EXPECT_EQ(batchProblem("{" + flash + "batch.padding: 4}", 1, "cpu"), "");
  EXPECT_THAT(batchProblem("{" + flash + "batch.padding: 4}", 1, "cuda:0"),
              StartsWith("s.yaml:4:60: v: the attention kernel sdpa_flash takes no mask on CUDA"));
  EXPECT_THAT(batchProblem("{" + flash + "batch.chunk_length: 4}", 1, "cuda"),
              HasSubstr("sdpa_flash takes no mask"));
  EXPECT_EQ(batchProblem("{" + flash + "batch.chunk_length: 1}", 1, "cuda"), "")
      << "a single query sees every key";
  EXPECT_EQ(batchProblem("{" + flash + "batch.among: 4}", 1, "cuda"), "");
  EXPECT_EQ(batchProblem("{attention.implementation: sdpa, batch.padding: 4}", 1, "cuda"), "");
}

class BatchStudyTest : public StudyRunnerTest {};

TEST_F(BatchStudyTest, TheReferenceChoosesTokensThatAllRunsComputeWith) {
  const auto result = run(study({"input.generate=3", "input.micro_batch_size=2"}, R"(
batch.padding: 1
reference: {attention.implementation: eager}
variants:
  steps: {batch.padding: 4}
  pass: {batch.generated: pass}
)"));
  ASSERT_TRUE(result) << result.error().message();
  const auto& generations = m_engine.log()->generations;
  ASSERT_EQ(generations.size(), 1U);
  EXPECT_EQ(generations[0].plan.attention, engine::AttentionImplementation::Eager);
  EXPECT_EQ(generations[0].batch.padding, 1);
  const auto told = events<Progress>();
  const auto first = std::ranges::find(told, "choose", &Progress::phase);
  ASSERT_NE(first, told.end());
  EXPECT_EQ(first->run, "reference");
  EXPECT_THAT(first->site, testing::EndsWith("/4"));
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 3U);
  const auto& prompts = generations[0].microBatches.front().ids;
  for (const engine::RunRequest& request : requests) {
    const engine::TokenBatch& tokens = request.microBatches.front();
    EXPECT_EQ(tokens.length, 8);
    ASSERT_EQ(tokens.ids.size(), 18U);
    EXPECT_TRUE(std::equal(prompts.begin(), prompts.begin() + 5, tokens.ids.begin()));
    EXPECT_THAT(std::vector(tokens.ids.begin() + 5, tokens.ids.begin() + 9),
                testing::ElementsAre(5, 6, 7, 8));
  }
  EXPECT_EQ(requests[0].batch.prompt, 5);
  EXPECT_EQ(requests[1].batch.prompt, 5);
  EXPECT_EQ(requests[1].batch.padding, 4);
  EXPECT_EQ(requests[2].batch.prompt, 0);
  EXPECT_EQ((*result)->provenance.sequenceLength, 8U);
  EXPECT_THAT((*result)->provenance.input, HasSubstr("4 tokens of each chosen by the reference"));
  for (const report::Run& run : (*result)->runs) {
    const report::PositionErrors& positions = run.positions;
    EXPECT_EQ(positions.isEmpty(), run.name == "reference") << run.name;
    EXPECT_EQ(positions.count(), positions.isEmpty() ? 0U : 8U);
    EXPECT_EQ(positions.prompt, positions.isEmpty() ? 0U : 5U);
    for (const report::PositionRow& row : positions.rows) {
      EXPECT_EQ(row.errors.at(7).tokens.tokens, 2U) << row.name << ": two sequences";
    }
  }
}

TEST_F(BatchStudyTest, EveryRunComputesInItsOwnCompany) {
  const auto result = run(study({}, kBatchVariants));
  ASSERT_TRUE(result) << result.error().message();
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_TRUE(requests[0].batch.isPlain());
  EXPECT_TRUE(requests[1].batch.isPlain());
  EXPECT_EQ(requests[2].batch.among, 8);
  EXPECT_EQ(requests[2].batch.place, 2);
  EXPECT_EQ(requests[2].batch.seed, 5U);
  EXPECT_EQ(requests[3].batch.padding, 3);
  EXPECT_EQ(requests[3].batch.side, engine::BatchPlan::Side::Right);
  EXPECT_EQ(requests[3].batch.chunkLength, 4);
  for (const engine::RunRequest& request : requests) {
    EXPECT_EQ(request.microBatches.front().ids, requests[0].microBatches.front().ids)
        << "the others are the engine's";
  }
  EXPECT_EQ(saved()->runs[2].overrides.at("batch.among"), "8");
  EXPECT_TRUE(saved()->runs[2].positions.isEmpty()) << "the study generates nothing";
}

TEST_F(BatchStudyTest, TheNoiseFloorOfABatchIsInTheSameCompany) {
  const auto result =
      run(study({"noise_floor=[repeat]", "reference.batch.among=3"}, "\nvariants: {bf16: {}}\n"));
  ASSERT_TRUE(result) << result.error().message();
  const auto& requests = m_engine.log()->requests;
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].batch.among, 3);
  EXPECT_EQ(requests[1].batch.among, 0);
  EXPECT_EQ(requests[2].batch.among, 3);
}

}  // namespace
}  // namespace ulp::worker
