#include "runner/worker/capture/expert_choices.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/capture/reversed_sequences.h"

namespace ulp::worker {
namespace {

using testing::ElementsAre;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Value>
engine::Capture matrix(DType dtype, std::int64_t columns, std::vector<Value> values) {
  auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
  return {.view = {.data = owner->data(),
                   .dtype = dtype,
                   .shape = {static_cast<std::int64_t>(owner->size()) / columns, columns}},
          .owner = owner};
}

/// Two of four experts a token.
engine::ExpertChoice choiceOf(std::vector<std::int64_t> chosen, std::vector<double> scores) {
  return {.router = {"model.layers.1.mlp.gate", "", 1, Level::Module, Pass::Forward},
          .block = "model.layers.1.mlp",
          .chosen = matrix(DType::Int64, 2, std::move(chosen)),
          .scores = matrix(DType::Float64, 4, std::move(scores))};
}

engine::ExpertChoice referenceChoice() {
  return choiceOf({1, 0, 3, 2, 0, 1},
                  {0.3,
                   0.4,
                   0.25,
                   0.05,  //
                   0.1,
                   0.1,
                   0.2,
                   0.6,  //
                   0.5,
                   0.5,
                   -kInfinity,
                   -kInfinity});
}

TEST(ChosenExperts, TheMarginIsThatOfTheLastChosenAndTheFirstNot) {
  const auto chosen = chosenExperts(referenceChoice());
  ASSERT_TRUE(chosen) << chosen.error().message();
  EXPECT_THAT(chosen->sorted, ElementsAre(0, 1, 2, 3, 0, 1));
  EXPECT_DOUBLE_EQ(chosen->margins[0], 0.3 - 0.25);
  EXPECT_DOUBLE_EQ(chosen->margins[1], 0.2 - 0.1);
  EXPECT_TRUE(std::isnan(chosen->margins[2])) << "no other one could be chosen";
}

TEST(ChosenExperts, TensorsThatDoNotFitAreRefused) {
  auto wrong = referenceChoice();
  wrong.scores = matrix(DType::Float64, 4, std::vector<double>(8));
  EXPECT_EQ(chosenExperts(wrong).error().code(), ErrorCode::Internal);
}

class ChoiceComparisonTest : public testing::Test {
 protected:
  ReferenceChoices m_reference;
};

TEST_F(ChoiceComparisonTest, ATokenIsFlippedWhereTheSetsDiffer) {
  ASSERT_TRUE(m_reference.put(referenceChoice(), 0));
  ChoiceComparison comparison(m_reference);
  EXPECT_FALSE(comparison.hasChoices());
  // In another order, one other expert, two others.
  ASSERT_TRUE(comparison.add(choiceOf({0, 1, 3, 0, 2, 3}, std::vector<double>(12)), 0));
  const auto reference = matrix<float>(DType::Float32, 2, {1, 1, 2, 2, 3, 4});
  const auto variant = matrix<float>(DType::Float32, 2, {1, 1.5F, 2, 5, 3, 0});
  ASSERT_TRUE(comparison.addOutput("model.layers.0.mlp", reference, variant));
  ASSERT_TRUE(comparison.addOutput("model.layers.1.mlp", reference, variant));
  ASSERT_TRUE(comparison.addOutput("model.layers.1.mlp", reference, variant)) << "counts once";
  const auto routers = comparison.take();
  ASSERT_EQ(routers.size(), 1U);
  const report::RouterChoice& router = routers[0];
  EXPECT_EQ(router.router, "model.layers.1.mlp.gate");
  EXPECT_EQ(router.layer, 1);
  EXPECT_EQ(router.experts, 4U);
  EXPECT_EQ(router.chosen, 2U);
  EXPECT_EQ(router.tokens, 3U);
  EXPECT_EQ(router.flipped, 2U);
  EXPECT_EQ(router.changed, 3U);
  EXPECT_THAT(router.flips, ElementsAre(0, 1, 1));
  EXPECT_EQ(router.same.tokens, 1U);
  EXPECT_DOUBLE_EQ(router.same.rmsDiff, std::sqrt(0.25 / 2));
  EXPECT_DOUBLE_EQ(router.same.refScale, 1);
  EXPECT_EQ(router.other.tokens, 2U);
  EXPECT_DOUBLE_EQ(router.other.rmsDiff, std::sqrt((9.0 + 16.0) / 4));
  EXPECT_DOUBLE_EQ(router.other.refScale, std::sqrt((4.0 + 4 + 9 + 16) / 4));
  ASSERT_EQ(router.margins.size(), 2U);
  EXPECT_EQ(router.margins[0].exponent, -5);
  EXPECT_EQ(router.margins[0].flipped, 0U);
  EXPECT_EQ(router.margins[1].exponent, -4);
  EXPECT_EQ(router.margins[1].flipped, 1U);
}

TEST_F(ChoiceComparisonTest, MicroBatchesFollowEachOther) {
  ASSERT_TRUE(m_reference.put(referenceChoice(), 0));
  ASSERT_TRUE(m_reference.put(referenceChoice(), 1));
  ChoiceComparison comparison(m_reference);
  ASSERT_TRUE(comparison.add(referenceChoice(), 0));
  ASSERT_TRUE(comparison.add(choiceOf({0, 2, 3, 2, 0, 1}, std::vector<double>(12)), 1));
  const auto routers = comparison.take();
  ASSERT_EQ(routers.size(), 1U);
  EXPECT_EQ(routers[0].tokens, 6U);
  EXPECT_THAT(routers[0].flips, ElementsAre(0, 0, 0, 1, 0, 0));
  EXPECT_EQ(routers[0].same.tokens, 0U) << "no output was captured";
}

TEST_F(ChoiceComparisonTest, OtherNumbersOfExpertsAreRefused) {
  ASSERT_TRUE(m_reference.put(referenceChoice(), 0));
  ChoiceComparison comparison(m_reference);
  auto other = referenceChoice();
  other.chosen = matrix<std::int64_t>(DType::Int64, 1, {0, 1, 2});
  EXPECT_EQ(comparison.add(other, 0).error().code(), ErrorCode::InvalidArgument);
}

/// Keeps what it is shown.
class LastShown final : public engine::Observer {
 public:
  [[nodiscard]] bool wants(const Site& /*site*/) override { return true; }
  [[nodiscard]] Result<> observe(const Site& /*site*/, const engine::Capture& capture) override {
    keys = *capture.keys;
    return {};
  }
  [[nodiscard]] Result<> observeChoice(const engine::ExpertChoice& choice) override {
    chosen = chosenExperts(choice).value().sorted;
    return {};
  }

  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> chosen;
};

TEST(RestoredExperts, HaveTheTokensOfTheStudy) {
  LastShown last;
  RestoringObserver observer(last, 3, 1);
  ASSERT_TRUE(observer.observeChoice(referenceChoice()));
  EXPECT_THAT(last.chosen, ElementsAre(0, 1, 2, 3, 0, 1));
  RestoringObserver pairs(last, 2, 2);
  engine::Capture capture = matrix<float>(DType::Float32, 1, {0, 0, 0});
  // Token 1 of expert 0, tokens 2 and 3 of expert 5, of four tokens.
  capture.keys = std::make_shared<const std::vector<std::int64_t>>(
      std::vector<std::int64_t>{1, 5 * 4 + 2, 5 * 4 + 3});
  ASSERT_TRUE(pairs.observe({}, capture));
  EXPECT_THAT(last.keys, ElementsAre(3, 20, 21));
}

}  // namespace
}  // namespace ulp::worker
