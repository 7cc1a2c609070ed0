#include "runner/worker/capture/position_comparison.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runner/worker/capture/capture_observers.h"
#include "tests/support/data/fake_device.h"

namespace ulp::worker {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

engine::Capture tensorOf(std::vector<float> values, std::vector<std::int64_t> shape) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {.view = {.data = owner->data(), .dtype = DType::Float32, .shape = std::move(shape)},
          .owner = owner};
}

Site rowSite(const std::string& name, Pass pass = Pass::Forward, Level level = Level::Layer) {
  return {name, name, name == "decoder.0" ? 0 : -1, level, pass};
}

constexpr SequenceLayout kLayout{.prompt = 2, .length = 3};

TEST(PositionComparison, TakesForwardRowsOfTheSequences) {
  const PositionComparison comparison(kLayout);
  const auto sequences = tensorOf(std::vector<float>(12), {2, 3, 2});
  EXPECT_TRUE(comparison.takes(rowSite("decoder.0"), sequences));
  EXPECT_TRUE(comparison.takes(rowSite("logits"), tensorOf(std::vector<float>(6), {3, 2})));
  EXPECT_FALSE(comparison.takes(rowSite("decoder.0", Pass::Backward), sequences));
  EXPECT_FALSE(comparison.takes(rowSite("mlp", Pass::Forward, Level::Module), sequences));
  EXPECT_FALSE(comparison.takes(rowSite("x"), tensorOf(std::vector<float>(12), {3, 2, 2})))
      << "another dimension";
  EXPECT_FALSE(comparison.takes(rowSite("loss"), tensorOf({1}, {})));
  EXPECT_FALSE(PositionComparison({}).takes(rowSite("decoder.0"), sequences));
}

TEST(PositionComparison, MeansAreOverSequencesAndMicroBatches) {
  PositionComparison comparison(kLayout);
  const Site site = rowSite("decoder.0");
  ASSERT_TRUE(comparison.add(site,
                             tensorOf({1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 4, 4}, {2, 3, 2}),
                             tensorOf({1, 1, 2, 2, 3, 5, 1, 2, 2, 2, 4, 4}, {2, 3, 2})));
  ASSERT_TRUE(comparison.add(site,
                             tensorOf({1, 1, 2, 2, 3, 3}, {1, 3, 2}),
                             tensorOf({1, kNone, 2, 2, kNone, kNone}, {1, 3, 2})));
  const report::PositionErrors errors = comparison.take();
  EXPECT_EQ(errors.prompt, 2U);
  EXPECT_EQ(errors.first, 0U);
  EXPECT_TRUE(errors.tops.empty());
  ASSERT_EQ(errors.rows.size(), 1U);
  EXPECT_EQ(errors.rows[0].layer, 0);
  const auto& at = errors.rows[0].errors;
  ASSERT_EQ(at.size(), 3U);
  EXPECT_EQ(at[0].tokens.tokens, 3U);
  EXPECT_DOUBLE_EQ(at[0].tokens.rmsDiff, std::sqrt((0 + 0.5 + 0) / 3));
  EXPECT_DOUBLE_EQ(at[0].tokens.refScale, 1);
  EXPECT_EQ(at[0].nonFinite, 1U);
  EXPECT_EQ(at[1].tokens.rmsDiff, 0) << "no error is exactly none";
  EXPECT_EQ(at[2].tokens.tokens, 2U) << "the third has nothing but NaN";
  EXPECT_DOUBLE_EQ(at[2].tokens.rmsDiff, std::sqrt((2.0 + 0) / 2));
  EXPECT_DOUBLE_EQ(at[2].tokens.refScale, std::sqrt((9.0 + 16) / 2));
  EXPECT_EQ(at[2].nonFinite, 2U);
  EXPECT_TRUE(comparison.take().isEmpty());
}

TEST(PositionComparison, TheMostLikelyTokenIsComparedAtEachPosition) {
  PositionComparison comparison(kLayout);
  const auto tops = comparison.add(rowSite("logits"),
                                   tensorOf({1, 2, 2, 1, 5, 4, 1, 2, 2, 1, 5, 4}, {2, 3, 2}),
                                   tensorOf({1, 3, 1, 2, kNone, 4, 1, 2, 2, 1, 3, 4}, {2, 3, 2}));
  ASSERT_TRUE(tops) << tops.error().message();
  EXPECT_EQ(tops->rows, 5U) << "one has a NaN";
  EXPECT_EQ(tops->same, 3U);
  const report::PositionErrors errors = comparison.take();
  ASSERT_EQ(errors.tops.size(), 3U);
  EXPECT_EQ(errors.tops[0].tokens, 2U);
  EXPECT_EQ(errors.tops[0].flipped, 0U);
  EXPECT_EQ(errors.tops[1].flipped, 1U);
  EXPECT_EQ(errors.tops[2].tokens, 1U);
  EXPECT_EQ(errors.tops[2].flipped, 1U);
}

TEST(PositionComparison, OfALongSequenceTheLastPositionsAreKept) {
  const auto length = static_cast<std::int64_t>(report::kMostPositions) + 5;
  PositionComparison comparison({.prompt = 4, .length = length});
  std::vector<float> reference(static_cast<std::size_t>(length), 1);
  std::vector<float> variant = reference;
  variant.back() = 1.5F;
  variant.front() = 9;
  ASSERT_TRUE(comparison.add(rowSite("decoder.0"),
                             tensorOf(std::move(reference), {1, length, 1}),
                             tensorOf(std::move(variant), {1, length, 1})));
  const report::PositionErrors errors = comparison.take();
  EXPECT_EQ(errors.first, 5U);
  EXPECT_TRUE(errors.isGenerated(0));
  ASSERT_EQ(errors.rows[0].errors.size(), report::kMostPositions);
  EXPECT_EQ(errors.rows[0].errors.front().tokens.rmsDiff, 0);
  EXPECT_DOUBLE_EQ(errors.rows[0].errors.back().tokens.rmsDiff, 0.5);
}

TEST(PositionComparison, TheObserverOfAVariantKeepsPositionsAndAgreement) {
  const Site logits = rowSite("logits");
  const SiteFilter filter = SiteFilter::create({logits}, {}, {}).value();
  ProgressMeter progress(1, [](const Event&) {});
  ReferenceCaptures captures;
  auto device = std::make_shared<test::FakeDevice>();
  test::FakeCaptureComparer comparer{device, {.threads = 1}};
  ASSERT_TRUE(captures.put(logits, tensorOf({1, 2, 2, 1, 5, 4}, {1, 3, 2})));
  VariantObserver observer(
      {.filter = filter, .progress = progress, .sequences = kLayout}, captures, comparer);
  ASSERT_TRUE(observer.observe(logits, tensorOf({1, 2, 1, 2, 5, 4}, {1, 3, 2})));
  EXPECT_EQ(observer.topAgreement().rows, 3U);
  EXPECT_EQ(observer.topAgreement().same, 2U);
  const report::PositionErrors errors = observer.takePositions();
  ASSERT_EQ(errors.rows.size(), 1U);
  EXPECT_EQ(errors.rows[0].errors[0].tokens.rmsDiff, 0);
  EXPECT_DOUBLE_EQ(errors.rows[0].errors[1].tokens.rmsDiff, 1);
  EXPECT_EQ(observer.takeComparisons().size(), 1U) << "the row itself stays";
}

}  // namespace
}  // namespace ulp::worker
