// Tokens that a model chooses behind prompts, and the cache that it keeps meanwhile.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Side = BatchPlan::Side;

constexpr std::int64_t kPrompt = 6;
constexpr std::int64_t kSteps = 5;

class Generation : public ::testing::Test {
 protected:
  Generation() {
    TinyModel().writeDouble(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  std::vector<TokenBatch> generate(const RunRequest& request) const {
    std::vector<std::int64_t> told;
    const auto watch = [&told](std::int64_t chosen, std::int64_t all) {
      EXPECT_EQ(all, 2 * (kSteps + 1));
      told.push_back(chosen);
    };
    auto generated = m_model->generate(request, kSteps, watch, std::stop_token());
    EXPECT_TRUE(generated) << generated.error().message();
    EXPECT_THAT(told, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    return generated.value_or(std::vector<TokenBatch>());
  }

  /// The most likely token behind each position, of a pass over all of them at once.
  std::vector<std::int64_t> likeliest(const TokenBatch& tokens) const {
    RunRequest request = requestOf(DType::Float64, kVocabulary, tokens.length);
    request.microBatches = {tokens};
    const Recorder recorder = runOrFail(*m_model, request);
    const Seen& logits = recorder.of("logits", Pass::Forward);
    std::vector<std::int64_t> found;
    for (std::size_t begin = 0; begin < logits.count(); begin += kVocabulary) {
      std::int64_t best = 0;
      for (std::int64_t id = 1; id < kVocabulary; ++id) {
        const auto at = [&](std::int64_t i) {
          return logits.at(begin + static_cast<std::size_t>(i));
        };
        best = at(id) > at(best) ? id : best;
      }
      found.push_back(best);
    }
    return found;
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(Generation, ChoosesWhatAPassOverAllTokensFindsTheMostLikely) {
  for (const BatchPlan& plan :
       {BatchPlan{},
        BatchPlan{.chunkLength = 4},
        BatchPlan{.padding = 3},
        BatchPlan{.padding = 3, .side = Side::Right},
        BatchPlan{.among = 5, .place = 2, .padding = 3, .chunkLength = 2}}) {
    RunRequest request = requestOf(DType::Float64, kVocabulary, kPrompt);
    request.microBatches.push_back(
        sharedEngine().randomTokens(kVocabulary, 3, kPrompt, 21).value());
    request.batch = plan;
    const std::vector<TokenBatch> generated = generate(request);
    ASSERT_EQ(generated.size(), 2U);
    for (std::size_t batch = 0; batch < generated.size(); ++batch) {
      const TokenBatch& tokens = generated[batch];
      const TokenBatch& prompts = request.microBatches[batch];
      ASSERT_EQ(tokens.batch, prompts.batch);
      ASSERT_EQ(tokens.length, kPrompt + kSteps);
      const auto next = likeliest(tokens);
      const auto width = static_cast<std::size_t>(tokens.length) + 1;
      ASSERT_EQ(tokens.ids.size(), width * static_cast<std::size_t>(tokens.batch));
      for (std::size_t row = 0; row < static_cast<std::size_t>(tokens.batch); ++row) {
        for (std::size_t i = 0; i < width; ++i) {
          const std::int64_t expected =
              i < kPrompt ? prompts.ids[row * (kPrompt + 1) + i] : next[row * (width - 1) + i - 1];
          EXPECT_EQ(tokens.ids[row * width + i], expected) << "row " << row << ", token " << i;
        }
      }
    }
  }
}

TEST_F(Generation, StopsAndRefusesAsRunsDo) {
  std::stop_source stop;
  stop.request_stop();
  const RunRequest request = requestOf(DType::Float32, kVocabulary, kPrompt);
  EXPECT_EQ(m_model
                ->generate(
                    request, kSteps, [](auto, auto) {}, stop.get_token())
                .error()
                .code(),
            ErrorCode::Cancelled);
  RunRequest outside = request;
  outside.microBatches.front().ids.front() = kVocabulary;
  EXPECT_THAT(m_model
                  ->generate(
                      outside, kSteps, [](auto, auto) {}, std::stop_token())
                  .error()
                  .message(),
              HasSubstr("outside the vocabulary"));
}

TEST_F(Generation, APromptLeavesPositionsToGenerate) {
  RunRequest request = requestOf(DType::Float32, kVocabulary, kPrompt);
  request.batch.prompt = kPrompt;
  Recorder recorder;
  EXPECT_THAT(runError(*m_model, request, recorder).message(), HasSubstr("leaves none of 6"));
}

class KeyValueCacheFormat : public Generation {
 protected:
  Recorder runWith(const BatchPlan& plan) const {
    RunRequest request = requestOf(DType::Float32, kVocabulary, kPrompt + kSteps);
    request.batch = plan;
    return runOrFail(*m_model, request);
  }
};

TEST_F(KeyValueCacheFormat, OfWhatIsComputedChangesNoBit) {
  const Recorder as = runWith({.prompt = kPrompt});
  expectSameRuns(as, runWith({.prompt = kPrompt, .cacheFormat = numerics::NumberFormat::Float32}));
}

TEST_F(KeyValueCacheFormat, RoundsWhatAttentionReadsAndNotWhatMadeIt) {
  const Recorder exact = runWith({.prompt = kPrompt});
  const Recorder coarse =
      runWith({.prompt = kPrompt, .cacheFormat = numerics::NumberFormat::Float8E4M3FN});
  const std::string attention = "model.layers.0.self_attn";
  EXPECT_EQ(exact.of(attention + ".k_proj", Pass::Forward).bytes,
            coarse.of(attention + ".k_proj", Pass::Forward).bytes);
  const double error = relativeError(exact.of(attention + ".o_proj", Pass::Forward),
                                     coarse.of(attention + ".o_proj", Pass::Forward));
  EXPECT_GT(error, 0.005);  // half a step of three bits of mantissa is up to 6 %
  EXPECT_LT(error, 0.1);
  EXPECT_GT(relativeError(exact.of(attention + ".q_proj", Pass::Backward),
                          coarse.of(attention + ".q_proj", Pass::Backward)),
            0);
}

TEST_F(KeyValueCacheFormat, NeedsACache) {
  RunRequest request = requestOf(DType::Float32, kVocabulary, kPrompt);
  request.batch.cacheFormat = numerics::NumberFormat::BFloat16;
  Recorder recorder;
  EXPECT_THAT(runError(*m_model, request, recorder).message(), HasSubstr("without a cache"));
}

}  // namespace
}  // namespace ulp::engine
