#include "runner/worker/capture/reversed_sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

using testing::ElementsAre;

/// Keeps the last tensor that it was shown.
class LastCapture final : public engine::Observer {
 public:
  [[nodiscard]] bool wants(const Site& /*site*/) override { return true; }
  [[nodiscard]] Result<> observe(const Site& /*site*/, const engine::Capture& capture) override {
    const auto* shown = static_cast<const float*>(capture.view.data);
    values.assign(shown, shown + capture.view.count());
    return {};
  }

  std::vector<float> values;  ///< that it holds
};

/// Nothing where it is left out.
Result<std::vector<float>> seen(std::vector<std::int64_t> shape,
                                Pass pass = Pass::Forward,
                                std::optional<engine::RowsOfSequences> known = std::nullopt) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  LastCapture last;
  RestoringObserver observer(last, 3, 2, std::move(known));
  const engine::Capture capture{
      .view = {.data = values.data(), .dtype = DType::Float32, .shape = std::move(shape)},
      .owner = nullptr};
  if (auto done = observer.observe({.name = "x", .pass = pass}, capture); !done) {
    return tl::unexpected(done.error());
  }
  EXPECT_EQ(observer.leftOut().size(), last.values.empty() ? 1U : 0U);
  return last.values;
}

TEST(ReversedSequences, TurnTokensAndWhatBelongsToThem) {
  const engine::TokenBatch tokens{.ids = {1, 2, 3, 4, 5, 6},
                                  .batch = 2,
                                  .length = 2,
                                  .policy = {.advantages = {1, 1, 1, 2, 2, 2},
                                             .oldLogProbabilities = {-1, -2, -3, -4, -5, -6}}};
  const engine::TokenBatch reversed = reversedSequences(tokens);
  EXPECT_THAT(reversed.ids, ElementsAre(4, 5, 6, 1, 2, 3));
  EXPECT_THAT(reversed.policy.advantages, ElementsAre(2, 2, 2, 1, 1, 1));
  EXPECT_THAT(reversed.policy.oldLogProbabilities, ElementsAre(-4, -5, -6, -1, -2, -3));
}

TEST(ReversedSequences, TensorsComeBackInTheOrderOfTheStudy) {
  EXPECT_THAT(seen({3, 2}).value(), ElementsAre(5, 6, 3, 4, 1, 2));
  EXPECT_THAT(seen({6}).value(), ElementsAre(5, 6, 3, 4, 1, 2)) << "all positions in a row";
  EXPECT_THAT(seen({1, 6}).value(), ElementsAre(1, 2, 3, 4, 5, 6)) << "the same for all";
  EXPECT_THAT(seen({3, 2}, Pass::ParameterGradient).value(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ReversedSequences, TensorsComeBackAsIsKnownOfThemAndNotByTheirSize) {
  const Pass backward = Pass::Backward;
  const engine::RowsOfSequences of{{{backward, "x"}, true}};
  const engine::RowsOfSequences none{{{backward, "x"}, false}};
  EXPECT_THAT(seen({3, 2}, backward, none).value(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(seen({6, 1}, backward, of).value(), ElementsAre(5, 6, 3, 4, 1, 2));
  EXPECT_THAT(seen({2, 3}, backward, of).value(), ElementsAre()) << "of another size";
  EXPECT_THAT(seen({3, 2}, backward, engine::RowsOfSequences()).value(), ElementsAre());
  EXPECT_THAT(seen({2, 3}).value(), ElementsAre()) << "where the size alone tells";
}

TEST(ReversedSequences, WhatIsSaidOfTokensAndDocumentsComesBackToo) {
  const engine::TokenBatch tokens{.ids = {0, 0, 0, 0, 0, 0}, .batch = 2, .length = 2};
  engine::RunOutcome outcome;
  outcome.tokens = {.logProbabilities = {-1, -2, -3, -4, -5, -6, -7, -8},
                    .isLabel = {0, 1, 0, 1, 1, 1, 1, 1}};
  outcome.terms.resize(2);
  outcome.terms[0].clips = {.unit = engine::ClipDecisions::Unit::Token,
                            .region = {1, 0, -1, 0, 1, 1},
                            .stopped = {1, 0, 0, 0, 1, 0}};
  outcome.terms[1].clips = {.unit = engine::ClipDecisions::Unit::Document,
                            .region = {1, 0, 0, -1},
                            .stopped = {1, 0, 0, 1}};
  ASSERT_TRUE(restoreSequences(outcome, {tokens, tokens}));
  EXPECT_THAT(outcome.tokens.logProbabilities, ElementsAre(-3, -4, -1, -2, -7, -8, -5, -6));
  EXPECT_THAT(outcome.tokens.isLabel, ElementsAre(0, 1, 0, 1, 1, 1, 1, 1));
  EXPECT_THAT(outcome.terms[0].clips.region, ElementsAre(0, 1, 1, 1, -1, 0));
  EXPECT_THAT(outcome.terms[1].clips.region, ElementsAre(0, 1, -1, 0));
  EXPECT_THAT(outcome.terms[1].clips.stopped, ElementsAre(0, 1, 1, 0));
  outcome.tokens.logProbabilities.pop_back();
  EXPECT_EQ(restoreSequences(outcome, {tokens, tokens}).error().code(), ErrorCode::Internal);
}

}  // namespace
}  // namespace ulp::worker
