#include "runner/worker/capture/comparisons_under_way.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/capture/capture_observers.h"
#include "tests/support/data/fake_device.h"

namespace ulp::worker {
namespace {

Site gradientOf(const std::string& name) {
  return {name, name, -1, Level::Module, Pass::ParameterGradient};
}

engine::Capture gradient(std::vector<float> values) {
  const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {.view = {.data = owner->data(),
                   .dtype = DType::Float32,
                   .shape = {static_cast<std::int64_t>(owner->size())}},
          .owner = owner};
}

/// Gradients a to e, with an optimizer's row behind them.
class GradientsUnderWay : public testing::Test {
 protected:
  engine::Capture there(std::vector<float> values) {
    return onFakeDevice(m_device, gradient(std::move(values)));
  }
  ObserverParts parts() { return {.filter = m_filter, .progress = m_progress}; }

  void keepReference(std::size_t count = 2, const std::string& names = "abcde") {
    ReferenceObserver reference(parts(), m_captures);
    for (const char name : names) {
      ASSERT_TRUE(reference.observe(gradientOf({name}), there(std::vector<float>(count, 1))));
    }
    ASSERT_TRUE(reference.observe(m_update, there({5})));
  }

  static std::vector<std::string> namesOf(const std::vector<report::Comparison>& rows) {
    std::vector<std::string> names;
    for (const report::Comparison& row : rows) {
      names.push_back(row.site.name);
    }
    return names;
  }

  const Site m_update{"a.update", "a", -1, Level::Module, Pass::Optimizer};
  std::shared_ptr<test::FakeDevice> m_device = std::make_shared<test::FakeDevice>();
  test::FakeCaptureComparer m_comparer{m_device, {.threads = 1}};
  SiteFilter m_filter = SiteFilter::create({gradientOf("a")}, {}, {}).value();
  ProgressMeter m_progress{2, [](const Event&) {}};
  ReferenceCaptures m_captures;
  VariantObserver m_variant{parts(), m_captures, m_comparer};
};

TEST_F(GradientsUnderWay, AreStartedOneAfterTheOtherAndEndInTheirOrder) {
  m_captures.stayOnDevice([this] { return m_comparer.roomOnDevice(); });
  keepReference();
  float shift = 1;
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(m_variant.observe(gradientOf(name), there({1, 1 + shift})));
    shift *= 2;
  }
  EXPECT_EQ(m_device->underWay, 3U);
  EXPECT_EQ(m_device->comparisons, 0U);
  ASSERT_TRUE(m_variant.finish());
  EXPECT_EQ(m_device->underWay, 0U);
  EXPECT_EQ(m_device->comparisons, 3U);
  const auto rows = m_variant.takeComparisons();
  EXPECT_THAT(namesOf(rows), testing::ElementsAre("a", "b", "c"));
  EXPECT_EQ(rows.at(0).worst.at(0).variant, 2);
  EXPECT_EQ(rows.at(2).worst.at(0).variant, 5);
}

TEST_F(GradientsUnderWay, EndBeforeARowOfAnotherKind) {
  keepReference();
  ASSERT_TRUE(m_variant.observe(gradientOf("a"), there({1, 2})));
  ASSERT_TRUE(m_variant.observe(gradientOf("b"), there({1, 2})));
  ASSERT_TRUE(m_variant.observe(m_update, there({6})));
  EXPECT_EQ(m_device->underWay, 0U);
  EXPECT_THAT(namesOf(m_variant.takeComparisons()), testing::ElementsAre("a", "b", "a.update"));
}

TEST_F(GradientsUnderWay, HoldNoMoreBytesThanTheyMay) {
  constexpr std::size_t kThird =
      (ComparisonsUnderWay::kMostBytes / 3 - ComparisonsUnderWay::kBytesOfResult) /
      (2 * sizeof(float));
  m_captures.stayOnDevice([this] { return m_comparer.roomOnDevice(); });
  keepReference(kThird);
  const std::uint64_t ofReference = m_device->liveBytes;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    ASSERT_TRUE(m_variant.observe(gradientOf(name), there(std::vector<float>(kThird, 2))));
    EXPECT_LE(m_device->liveBytes - ofReference, ComparisonsUnderWay::kMostBytes / 2);
  }
  EXPECT_EQ(m_device->mostUnderWay, 3U);
  ASSERT_TRUE(m_variant.finish());
  EXPECT_EQ(m_device->liveBytes, ofReference);
  EXPECT_THAT(namesOf(m_variant.takeComparisons()), testing::ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(GradientsUnderWay, OfMoreBytesAreWaitedForAtOnce) {
  constexpr std::size_t kTooMany = ComparisonsUnderWay::kMostBytes / (2 * sizeof(float)) + 1;
  keepReference(kTooMany, "b");
  ASSERT_TRUE(m_variant.observe(gradientOf("b"), there(std::vector<float>(kTooMany, 2))));
  EXPECT_EQ(m_device->mostUnderWay, 0U);
  EXPECT_EQ(m_variant.takeComparisons().size(), 1U);
}

TEST_F(GradientsUnderWay, OfTheHostAreComparedAtOnce) {
  keepReference();
  ASSERT_TRUE(m_variant.observe(gradientOf("a"), gradient({1, 2})));
  EXPECT_EQ(m_device->mostUnderWay, 0U);
  EXPECT_EQ(m_variant.takeComparisons().size(), 1U);
}

TEST_F(GradientsUnderWay, ThatFailLaterNameTheirOwnRow) {
  keepReference();
  m_device->comparisonError = {1, Error(ErrorCode::Device, "the device is gone")};
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(m_variant.observe(gradientOf(name), there({1, 2})));
  }
  const auto observed = m_variant.observe(m_update, there({6}));
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().code(), ErrorCode::Device);
  EXPECT_EQ(observed.error().message(), "b, parameter_gradient: the device is gone");
  EXPECT_THAT(namesOf(m_variant.takeComparisons()), testing::ElementsAre("a"));
}

TEST_F(GradientsUnderWay, AreForgottenWhenTheRunBeginsAgain) {
  keepReference();
  ASSERT_TRUE(m_variant.observe(gradientOf("a"), there({1, 2})));
  m_variant.restart();
  EXPECT_EQ(m_device->underWay, 0U);
  ASSERT_TRUE(m_variant.observe(gradientOf("a"), there({1, 4})));
  ASSERT_TRUE(m_variant.finish());
  const auto rows = m_variant.takeComparisons();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].worst.at(0).variant, 4);
}

TEST_F(GradientsUnderWay, OfAnotherShapeAreAnErrorOfTheirRow) {
  keepReference();
  ASSERT_TRUE(m_variant.observe(gradientOf("a"), there({1, 2, 3})));
  const auto finished = m_variant.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(finished.error().message(), testing::StartsWith("a, parameter_gradient: "));
}

}  // namespace
}  // namespace ulp::worker
