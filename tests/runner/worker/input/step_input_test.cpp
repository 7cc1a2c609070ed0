#include "runner/worker/input/step_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/data/fake_engine.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StepInputTest : public testing::Test {
 protected:
  Result<StepInput> tryLoad(const std::string& text) {
    auto study = study::parseStudy("model: {path: m}\n" + text, "study.yaml");
    EXPECT_TRUE(study) << study.error().message();
    return loadStep(*study, 100, m_engine);
  }
  StepInput load(const std::string& text) {
    auto input = tryLoad(text);
    EXPECT_TRUE(input) << input.error().message();
    return input.value_or(StepInput{});
  }

  test::TempDir m_folder;
  test::FakeEngine m_engine;
};

study::StepSettings docsPerStep(std::int64_t target, std::vector<std::int64_t> perMicroBatch) {
  study::StepSettings step{.docsPerStep = target};
  for (const std::int64_t count : perMicroBatch) {
    step.documents.emplace_back(static_cast<std::size_t>(count), 2);
  }
  return step;
}

TEST(MicroBatchCount, IsWhatReachesTheDocumentsOfTheStep) {
  EXPECT_EQ(microBatchCount(docsPerStep(6, {3, 2, 2}), 1), 3);
  EXPECT_EQ(microBatchCount(docsPerStep(5, {4, 4}), 1), 2);
  EXPECT_EQ(microBatchCount(docsPerStep(8, {4}), 1), 2);
  EXPECT_EQ(microBatchCount(docsPerStep(9, {4}), 2), 2);
  EXPECT_EQ(microBatchCount(docsPerStep(3, {}), 1), 3);
  EXPECT_EQ(microBatchCount({.microBatches = 4}, 1), 4);
}

TEST_F(StepInputTest, AStepOfOneMicroBatchHasTheTokensOfThePlainRun) {
  const StepInput plain = load("input: {sequence_length: 5, micro_batch_size: 2, seed: 3}");
  ASSERT_EQ(plain.samples.front().size(), 1U);
  const engine::TokenBatch& tokens = plain.samples.front().front();
  EXPECT_EQ(tokens.batch, 2);
  EXPECT_TRUE(tokens.documents.isPlain());
  EXPECT_TRUE(tokens.policy.advantages.empty());
  EXPECT_EQ(tokens.ids, m_engine.randomTokens(100, 2, 5, 3).value().ids);
  EXPECT_EQ(load("input: {sequence_length: 5, micro_batch_size: 2, seed: 3}\n"
                 "schedule: {micro_batches: 1}")
                .tokenDigest,
            plain.tokenDigest);
}

TEST_F(StepInputTest, MicroBatchesAreDrawnUntilTheDocumentsAreReached) {
  const StepInput input = load(
      "input: {sequence_length: 9, documents: [[4, 3, 3], [5, 5], [2, 8]]}\n"
      "schedule: {docs_per_step: 6}");
  ASSERT_EQ(input.samples.front().size(), 3U);
  EXPECT_THAT(input.samples.front()[0].documents.lengths, ElementsAre(4, 3, 3));
  EXPECT_THAT(input.samples.front()[2].documents.lengths, ElementsAre(2, 8));
  // One stream over all micro-batches, the first of which is that of a plain run.
  const auto all = m_engine.randomTokens(100, 3, 9, 0).value().ids;
  EXPECT_TRUE(std::equal(
      input.samples.front()[1].ids.begin(), input.samples.front()[1].ids.end(), all.begin() + 10));
}

TEST_F(StepInputTest, TermsOfTheLossReachTheEngine) {
  const StepInput input = load(
      "loss: {logits_scale: 0.5, terms: [{type: z_loss, weight: 0.1}, {type: cross_entropy}]}");
  ASSERT_EQ(input.loss.terms.size(), 2U);
  EXPECT_EQ(input.loss.terms[0], (engine::LossTerm{.type = "z_loss", .weight = 0.1}));
  EXPECT_EQ(input.loss.logitsScale, 0.5);
}

TEST_F(StepInputTest, EachDocumentHasOneAdvantageAndPaddingNone) {
  const StepInput input = load(
      "input: {sequence_length: 5, documents: [2, 3], padding: 1}\n"
      "schedule: {micro_batches: 2}\nloss: {type: gspo, seed: 10}");
  EXPECT_THAT(input.samples.front()[0].policy.advantages, ElementsAre(11, 11, -11, -11, -11, 0));
  EXPECT_THAT(input.samples.front()[1].policy.advantages, ElementsAre(12, 12, -12, -12, -12, 0));
}

TEST_F(StepInputTest, TheReferencesLogProbabilitiesWithNoiseBecomeTheOldOnes) {
  StepInput input = load(
      "input: {sequence_length: 2}\nschedule: {micro_batches: 2}\n"
      "loss: {type: grpo, old_noise: 0.5}");
  EXPECT_TRUE(input.samples.front()[0].policy.oldIsOwn);
  // Noise of seed 1: 2, -2, 3, -3, 4, -4 times 0.5
  EXPECT_THAT(input.samples.front()[0].policy.oldLogProbabilities, ElementsAre(1, -1, 1.5));
  takeOldLogProbabilities(input.samples.front(), {.logProbabilities = {-10, -20, -30, -40}});
  EXPECT_FALSE(input.samples.front()[1].policy.oldIsOwn);
  EXPECT_THAT(input.samples.front()[0].policy.oldLogProbabilities, ElementsAre(1, -11, -18.5));
  EXPECT_THAT(input.samples.front()[1].policy.oldLogProbabilities, ElementsAre(-1.5, -28, -42));
}

TEST_F(StepInputTest, ZerosStayWhateverTheReferenceComputes) {
  StepInput input =
      load("input: {sequence_length: 2}\nloss: {type: grpo, old_log_probabilities: zeros}");
  takeOldLogProbabilities(input.samples.front(), {.logProbabilities = {-1, -2}});
  EXPECT_THAT(input.samples.front()[0].policy.oldLogProbabilities, ElementsAre(0, 0, 0));
}

TEST_F(StepInputTest, AFileGivesEachTokenItsNumbers) {
  const std::vector<float> advantages{1, 1, 1, 2, 2, 2};
  const std::vector<float> old{-1, -2, -3, -4, -5, -6};
  ASSERT_TRUE(tensors::writeSafetensors(
      m_folder / "policy.safetensors",
      std::vector<tensors::NamedTensor>{
          {"advantages", {advantages.data(), DType::Float32, {2, 3}}},
          {"old_log_probabilities", {old.data(), DType::Float32, {2, 3}}}}));
  const std::string loss =
      "loss: {type: grpo, advantages: file, old_log_probabilities: file, path: " +
      (m_folder / "policy.safetensors").string() + "}\n";
  const StepInput input = load(loss + "input: {sequence_length: 2}\nschedule: {micro_batches: 2}");
  EXPECT_THAT(input.samples.front()[1].policy.advantages, ElementsAre(2, 2, 2));
  EXPECT_THAT(input.samples.front()[1].policy.oldLogProbabilities, ElementsAre(-4, -5, -6));
  const auto longer = tryLoad(loss + "input: {sequence_length: 4}");
  ASSERT_FALSE(longer);
  EXPECT_THAT(longer.error().message(),
              HasSubstr("advantages: is float32 [2, 3], but the step needs float32 [1, 5]"));
}

TEST_F(StepInputTest, AFileOfTokensIsDividedIntoMicroBatches) {
  m_folder.write("ids.json", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]");
  const std::string source =
      "input: {source: tokens, path: " + (m_folder / "ids.json").string() + "}\n";
  EXPECT_EQ(load(source).samples.front().front().batch, 3);
  const StepInput split = load(source + "schedule: {micro_batches: 2}");
  EXPECT_THAT(split.samples.front()[1].ids, ElementsAre(4, 5, 6));
  const auto tooMany = tryLoad(source + "schedule: {micro_batches: 4}");
  ASSERT_FALSE(tooMany);
  EXPECT_THAT(tooMany.error().message(), HasSubstr("holds 3 sequences, but the study needs 4"));
  const auto documents = tryLoad(source + "input.documents: [2, 2]");
  ASSERT_FALSE(documents);
  EXPECT_THAT(documents.error().message(), HasSubstr("add up to 4 tokens"));
}

TEST_F(StepInputTest, IdsOfPaddingMayLieOutsideOfTheVocabulary) {
  m_folder.write("ids.json", "[[1, 2, -100]]");
  const std::string source =
      "input: {source: tokens, path: " + (m_folder / "ids.json").string() + "}\n";
  EXPECT_EQ(load(source + "input.padding: 1").samples.front().front().documents.padding, 1);
  EXPECT_FALSE(tryLoad(source));
}

}  // namespace
}  // namespace ulp::worker
