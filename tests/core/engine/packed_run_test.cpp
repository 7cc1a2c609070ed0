// Documents packed into a sequence, padding, and steps of several micro-batches.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using ::testing::HasSubstr;

class PackedRun : public ::testing::TestWithParam<AttentionImplementation> {
 protected:
  PackedRun() {
    TinyModel().writeDouble(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  static std::vector<std::int64_t> ids(std::int64_t count, std::uint64_t seed) {
    return sharedEngine().randomTokens(kVocabulary, 1, count - 1, seed).value().ids;
  }

  static RunRequest request(std::vector<std::int64_t> tokens, DocumentLayout documents = {}) {
    RunRequest request = requestOf(DType::Float64, kVocabulary);
    request.plan.attention = GetParam();
    const auto length = static_cast<std::int64_t>(tokens.size()) - 1;
    request.microBatches = {{std::move(tokens), 1, length, std::move(documents)}};
    return request;
  }

  RunOutcome outcomeOf(const RunRequest& request, Recorder& recorder) {
    auto outcome = m_model->run(request, recorder, std::stop_token());
    if (!outcome) {
      ADD_FAILURE() << outcome.error().message();
      std::abort();
    }
    return *outcome;
  }

  /// Rows `first` … of a [1, length, …] tensor are those of another one.
  static void expectRows(const Seen& packed, std::size_t first, const Seen& alone) {
    const auto width = static_cast<std::size_t>(alone.capture.view.shape.back());
    ASSERT_LE(first * width + alone.count(), packed.count());
    for (std::size_t i = 0; i < alone.count(); ++i) {
      ASSERT_NEAR(packed.at(first * width + i), alone.at(i), 1e-12) << i;
    }
  }

  static void expectSameGradients(const Recorder& a, const Recorder& b) {
    int compared = 0;
    for (const Seen& one : a.seen) {
      if (one.site.pass == Pass::ParameterGradient) {
        EXPECT_LT(relativeError(one, b.of(one.site.name, one.site.pass)), 1e-11) << one.site.name;
        ++compared;
      }
    }
    EXPECT_GT(compared, 10);
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_P(PackedRun, DocumentsDoNotSeeEachOther) {
  const std::vector<std::int64_t> first = ids(4, 1);
  const std::vector<std::int64_t> second = ids(7, 2);
  std::vector<std::int64_t> both = first;
  both.insert(both.end(), second.begin(), second.end());
  Recorder packed;
  Recorder alone;
  Recorder other;
  const RunOutcome outcome = outcomeOf(request(both, {.lengths = {4, 7}}), packed);
  const RunOutcome a = outcomeOf(request(first), alone);
  const RunOutcome b = outcomeOf(request(second), other);
  for (const char* row : {"logits", "decoder.0", "decoder.1"}) {
    expectRows(packed.of(row, Pass::Forward), 0, alone.of(row, Pass::Forward));
    expectRows(packed.of(row, Pass::Forward), 4, other.of(row, Pass::Forward));
  }
  EXPECT_EQ(outcome.labels, 9);
  EXPECT_EQ(outcome.documents, 2);
  EXPECT_NEAR(outcome.loss, (3 * a.loss + 6 * b.loss) / 9, 1e-12);
}

TEST_P(PackedRun, PositionsStartAnewAtEachDocumentOrRunThrough) {
  RunRequest packed = request(ids(11, 1), {.lengths = {4, 7}});
  Recorder anew;
  outcomeOf(packed, anew);
  packed.plan.semantics = Semantics::FastLlm;
  Recorder through;
  outcomeOf(packed, through);
  Recorder plain;
  RunRequest single = request(ids(11, 1));
  outcomeOf(single, plain);
  const auto table = [](const Recorder& recorder) -> const Seen& {
    return recorder.of("model.rotary_emb.cos", Pass::Forward);
  };
  EXPECT_EQ(table(through).bytes, table(plain).bytes);
  constexpr std::size_t kChannels = 4;
  for (std::size_t channel = 0; channel < kChannels; ++channel) {
    EXPECT_EQ(table(anew).at(4 * kChannels + channel), table(plain).at(channel));
    EXPECT_EQ(table(anew).at(6 * kChannels + channel), table(plain).at(2 * kChannels + channel));
  }
}

TEST_P(PackedRun, ADocumentThatFillsTheSequenceIsThePlainRunBitForBit) {
  Recorder plain;
  Recorder spelled;
  const RunOutcome a = outcomeOf(request(ids(9, 1)), plain);
  const RunOutcome b = outcomeOf(request(ids(9, 1), {.lengths = {9}}), spelled);
  expectSameRuns(plain, spelled);
  EXPECT_EQ(a.loss, b.loss);
}

TEST_P(PackedRun, PaddingAddsNothing) {
  std::vector<std::int64_t> padded = ids(9, 1);
  padded.insert(padded.end(), 4, -100);
  Recorder plain;
  Recorder longer;
  const RunOutcome a = outcomeOf(request(ids(9, 1)), plain);
  const RunOutcome b = outcomeOf(request(padded, {.padding = 4}), longer);
  EXPECT_NEAR(a.loss, b.loss, 1e-12);
  EXPECT_EQ(b.labels, 8);
  expectSameGradients(plain, longer);
  const Seen& embedded = longer.of("embeddings", Pass::Forward);
  EXPECT_EQ(embedded.at(embedded.count() - 1), 0);
}

TEST_P(PackedRun, AStepOfMicroBatchesIsTheStepOfTheirSequences) {
  RunRequest whole = request(ids(9, 1));
  const std::vector<std::int64_t> second = ids(9, 2);
  TokenBatch& tokens = whole.microBatches.back();
  tokens.ids.insert(tokens.ids.end(), second.begin(), second.end());
  tokens.batch = 2;
  RunRequest split = request(ids(9, 1));
  split.microBatches.push_back(request(second).microBatches.back());
  Recorder a;
  Recorder b;
  const RunOutcome one = outcomeOf(whole, a);
  const RunOutcome two = outcomeOf(split, b);
  EXPECT_NEAR(one.loss, two.loss, 1e-12);
  EXPECT_EQ(two.microBatches, 2);
  EXPECT_EQ(two.labels, 16);
  EXPECT_EQ(two.tokens.logProbabilities.size(), 16U);
  expectSameGradients(a, b);
  EXPECT_EQ(b.of("loss", Pass::Forward).at(0), two.loss);
  EXPECT_EQ(b.of("logits", Pass::Forward).capture.view.shape.front(), 1);
}

TEST_P(PackedRun, LogProbabilitiesAreThoseOfTheLoss) {
  Recorder recorder;
  const RunOutcome outcome = outcomeOf(request(ids(9, 1), {.lengths = {4, 5}}), recorder);
  double sum = 0;
  ASSERT_EQ(outcome.tokens.isLabel.size(), 8U);
  EXPECT_EQ(outcome.tokens.isLabel[3], 0);
  for (std::size_t i = 0; i < 8; ++i) {
    sum += outcome.tokens.isLabel[i] != 0 ? outcome.tokens.logProbabilities[i] : 0;
  }
  EXPECT_NEAR(outcome.loss, -sum / 7, 1e-12);
}

TEST_P(PackedRun, APolicyThatIsItsOwnOldOneHasRatiosOfOne) {
  RunRequest own = request(ids(9, 1), {.lengths = {4, 5}});
  own.loss.terms = {{.type = "grpo"}, {.type = "gspo", .weight = 0.5}};
  own.microBatches.back().policy = {std::vector<float>(9, 1.5F), std::vector<float>(9, 0), true};
  Recorder recorder;
  const RunOutcome outcome = outcomeOf(own, recorder);
  ASSERT_EQ(outcome.terms.size(), 2U);
  EXPECT_NEAR(outcome.terms[0].value, -1.5, 1e-6);
  EXPECT_NEAR(outcome.loss, -1.5 * 1.5, 1e-6);
  EXPECT_EQ(outcome.terms[0].clips.region, std::vector<std::int8_t>(7, 0));
  EXPECT_EQ(outcome.terms[1].clips.region, std::vector<std::int8_t>(2, 0));
  EXPECT_EQ(recorder.of("loss", Pass::Forward).at(0), outcome.loss);
}

std::string attentionName(const ::testing::TestParamInfo<AttentionImplementation>& info) {
  return info.param == AttentionImplementation::Eager ? "eager" : "sdpa";
}

INSTANTIATE_TEST_SUITE_P(Attention,
                         PackedRun,
                         ::testing::Values(AttentionImplementation::Eager,
                                           AttentionImplementation::Sdpa),
                         attentionName);

class RefusedRun : public PackedRun {
 protected:
  std::string messageOf(const RunRequest& request) {
    Recorder recorder;
    const Error error = runError(*m_model, request, recorder);
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    return error.message();
  }
};

TEST_P(RefusedRun, NamesWhatIsWrongWithTheStep) {
  EXPECT_THAT(messageOf(request(ids(9, 1), {.lengths = {4, 4}})), HasSubstr("do not fill the 9"));
  RunRequest policy = request(ids(9, 1));
  policy.loss.terms = {{.type = "gspo"}};
  EXPECT_THAT(messageOf(policy), HasSubstr("need advantages and old log-probabilities"));
  policy.microBatches.back().policy = {std::vector<float>(3, 0), std::vector<float>(9, 0)};
  EXPECT_THAT(messageOf(policy), HasSubstr("for 9 tokens"));
  RunRequest unknown = request(ids(9, 1));
  unknown.loss.terms = {{.type = "dpo"}};
  EXPECT_THAT(messageOf(unknown), HasSubstr("'dpo' is no loss"));
}

INSTANTIATE_TEST_SUITE_P(Attention,
                         RefusedRun,
                         ::testing::Values(AttentionImplementation::Sdpa),
                         attentionName);

TEST(RandomNormals, AreThoseOfTorchRandn) {
  // torch.randn(4, generator=torch.Generator().manual_seed(3))
  EXPECT_THAT(
      sharedEngine().randomNormals(4, 3).value(),
      ::testing::ElementsAre(
          0.8032760620117188F, 0.17483338713645935F, 0.08897809684276581F, -0.6137180328369141F));
}

}  // namespace
}  // namespace ulp::engine
