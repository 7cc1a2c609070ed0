#include "runner/worker/capture/capture_observers.h"

#include <filesystem>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/support/data/fake_device.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

engine::Capture captureOf(std::vector<float> values) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {.view = {.data = owner->data(),
                   .dtype = DType::Float32,
                   .shape = {static_cast<std::int64_t>(owner->size())}},
          .owner = owner};
}

Site site(const std::string& name, Pass pass = Pass::Forward) {
  return {name, name, -1, Level::Layer, pass};
}

/// Remembers what it was asked to store.
class RememberingWriter final : public tensors::CaptureWriter {
 public:
  [[nodiscard]] Result<> beginRun(std::string_view /*run*/) override { return {}; }
  [[nodiscard]] Result<> put(const Site& where,
                             const numerics::TensorView& /*tensor*/,
                             std::uint64_t sampleLimit) override {
    stored.push_back(where.name + " " + std::to_string(sampleLimit));
    return error ? Result<>(tl::unexpected(*error)) : Result<>();
  }
  [[nodiscard]] Result<> finishRun() override { return {}; }

  std::vector<std::string> stored;
  std::optional<Error> error;
};

class ObserversTest : public testing::Test {
 protected:
  ObserverParts parts(tensors::CaptureWriter* writer = nullptr, std::uint64_t limit = 0) {
    return {.filter = m_filter, .progress = m_progress, .writer = writer, .sampleLimit = limit};
  }

  static SiteFilter onlyA() {
    auto filter = SiteFilter::create({site("a"), site("b")}, {"a"}, {});
    return std::move(filter.value());
  }

  SiteFilter m_filter = onlyA();
  ProgressMeter m_progress{2, [](const Event&) {}};
  ReferenceCaptures m_captures;
  std::shared_ptr<test::FakeDevice> m_device = std::make_shared<test::FakeDevice>();
  test::FakeCaptureComparer m_comparer{m_device, {.threads = 1}};
};

TEST_F(ObserversTest, TheReferenceSharesTheTensorsWithoutCopying) {
  ReferenceObserver observer(parts(), m_captures);
  const engine::Capture capture = captureOf({1, 2, 3});
  ASSERT_TRUE(observer.observe(site("a"), capture));
  ASSERT_TRUE(*m_captures.find(site("a")));
  EXPECT_EQ((*m_captures.find(site("a")))->view.data, capture.view.data);
  EXPECT_EQ(m_captures.bytes(), 12U);
  EXPECT_EQ(capture.owner.use_count(), 2);
  m_captures.clear();
  EXPECT_EQ(capture.owner.use_count(), 1);
  EXPECT_EQ(m_captures.bytes(), 0U);
}

TEST_F(ObserversTest, AVariantIsComparedAtOnceAndNotKept) {
  ASSERT_TRUE(m_captures.put(site("a"), captureOf({1, 2, 4})));
  VariantObserver observer(parts(), m_captures, m_comparer);
  const engine::Capture capture = captureOf({1, 2, 5});
  ASSERT_TRUE(observer.observe(site("a"), capture));
  EXPECT_EQ(capture.owner.use_count(), 1);
  const auto rows = observer.takeComparisons();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].site.name, "a");
  EXPECT_EQ(rows[0].compared, 3U);
  ASSERT_FALSE(rows[0].worst.empty());
  EXPECT_EQ(rows[0].worst[0].index, std::vector<std::int64_t>{2});
  EXPECT_DOUBLE_EQ(rows[0].worst[0].variant, 5);
}

TEST_F(ObserversTest, TheMostLikelyTokensOfTheLogitsAreCompared) {
  const Site logits{"logits", "lm_head", -1, Level::Layer, Pass::Forward};
  Site gradient = logits;
  gradient.pass = Pass::Backward;
  for (const Site& each : {site("a"), logits, gradient}) {
    ASSERT_TRUE(m_captures.put(each, captureOf({1, 2, 4}), {}));
  }
  VariantObserver observer(parts(), m_captures, m_comparer);
  ASSERT_TRUE(observer.observe(site("a"), captureOf({1, 2, 4})));
  EXPECT_EQ(observer.topAgreement().rows, 0U);
  ASSERT_TRUE(observer.observe(logits, captureOf({1, 2, 3})));
  ASSERT_TRUE(observer.observe(gradient, captureOf({5, 2, 3})));
  EXPECT_EQ(observer.topAgreement().rows, 1U);
  EXPECT_EQ(observer.topAgreement().same, 1U);
}

TEST_F(ObserversTest, ATensorThatCanBeMadeAgainIsNotHeld) {
  ReferenceObserver observer(parts(), m_captures);
  engine::Capture capture = captureOf({1, 2, 3});
  int made = 0;
  capture.again = [&made] {
    ++made;
    return captureOf({1, 2, 3});
  };
  ASSERT_TRUE(observer.observe(site("a"), capture));
  EXPECT_EQ(capture.owner.use_count(), 1);
  EXPECT_EQ(m_captures.bytes(), 0U);
  EXPECT_EQ(made, 0);
  VariantObserver variant(parts(), m_captures, m_comparer);
  ASSERT_TRUE(variant.observe(site("a"), captureOf({1, 2, 4})));
  EXPECT_EQ(made, 1);
  EXPECT_DOUBLE_EQ(variant.takeComparisons().at(0).worst.at(0).reference, 3);
}

class MicroBatchesTest : public ObserversTest {
 protected:
  MicroBatchesTest() { m_captures.spillTo(m_folder.path()); }

  /// What a run shows of the site "a", micro-batch by micro-batch.
  static void show(engine::Observer& observer, const std::vector<std::vector<float>>& batches) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
      observer.microBatchBegins(i, batches.size());
      const auto observed = observer.observe(site("a"), captureOf(batches[i]));
      EXPECT_TRUE(observed) << observed.error().message();
    }
  }

  test::TempDir m_folder;
};

TEST_F(MicroBatchesTest, AreComparedAsOneTensor) {
  ReferenceObserver reference(parts(), m_captures);
  show(reference, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  const engine::Capture whole = captureOf({1, 2, 3, 4, 5, 6, 7, 8, 9});
  const engine::Capture other = captureOf({1, 2, 3, 4.5, 5, 8, 7, 8.25, 9});
  const auto moments = numerics::compare(whole.view, other.view, {.threads = 1});
  ASSERT_TRUE(moments);
  for (int variant = 0; variant < 2; ++variant) {
    VariantObserver observer(parts(), m_captures, m_comparer);
    show(observer, {{1, 2, 3}, {4.5, 5, 8}, {7, 8.25, 9}});
    const auto rows = observer.takeComparisons();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].count, 9U);
    EXPECT_EQ(rows[0].shape, std::vector<std::int64_t>{3});
    const auto expected = report::makeComparison(site("a"), whole.view, other.view, *moments);
    for (std::size_t i = 0; i < rows[0].metrics.size(); ++i) {
      EXPECT_DOUBLE_EQ(rows[0].metrics[i], expected.metrics[i]) << i;
    }
    ASSERT_EQ(rows[0].worst.size(), 3U);
    EXPECT_EQ(rows[0].worst[0].microBatch, 1U);
    EXPECT_EQ(rows[0].worst[0].index, std::vector<std::int64_t>{2});
    EXPECT_EQ(rows[0].worst[0].variant, 8);
    EXPECT_EQ(rows[0].worst[2].microBatch, 2U);
    EXPECT_EQ(rows[0].worst[2].index, std::vector<std::int64_t>{1});
  }
}

TEST_F(MicroBatchesTest, AddUpTheirNumbersThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  ReferenceObserver reference(parts(), m_captures);
  show(reference, {{1, nan}, {3, 4}});
  VariantObserver observer(parts(), m_captures, m_comparer);
  show(observer, {{nan, nan}, {nan, 4}});
  const auto rows = observer.takeComparisons();
  EXPECT_EQ(rows.at(0).referenceNonFinite.nan, 1U);
  EXPECT_EQ(rows.at(0).variantNonFinite.nan, 3U);
  EXPECT_EQ(rows.at(0).compared, 1U);
}

TEST_F(MicroBatchesTest, LeaveTheLastInMemoryAndTheOthersInAFileThatNobodySees) {
  RememberingWriter writer;
  ReferenceObserver reference(parts(&writer), m_captures);
  show(reference, {{1, 2}, {3, 4}, {5, 6}});
  EXPECT_EQ(m_captures.count(), 1U);
  EXPECT_EQ(m_captures.bytes(), 8U);
  EXPECT_EQ(m_captures.spilledBytes(), 128U);
  EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
  EXPECT_EQ(writer.stored.size(), 1U) << "the last one is kept";
  const auto held = m_captures.find(site("a"), {.index = 1, .count = 3});
  m_captures.clear();
  EXPECT_EQ(m_captures.spilledBytes(), 0U);
  EXPECT_EQ(numerics::elementAt((*held)->view, 1), 4) << "for as long as somebody holds it";
}

TEST_F(MicroBatchesTest, SayWhereTheirTensorsCannotBeKept) {
  m_captures.spillTo(m_folder / "nowhere");
  ReferenceObserver reference(parts(), m_captures);
  reference.microBatchBegins(0, 2);
  const auto observed = reference.observe(site("a"), captureOf({1}));
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().code(), ErrorCode::Io);
  EXPECT_THAT(observed.error().message(), testing::HasSubstr("nowhere"));
}

TEST_F(ObserversTest, ASiteThatTheReferenceDidNotMakeIsADefect) {
  VariantObserver observer(parts(), m_captures, m_comparer);
  const auto observed = observer.observe(site("a"), captureOf({1}));
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().code(), ErrorCode::Internal);
}

TEST_F(ObserversTest, AnOperationThatTheKernelsOfTheReferenceDoNotShowIsLeftOut) {
  VariantObserver observer(parts(), m_captures, m_comparer);
  Site scores = site("a");
  scores.level = Level::Op;
  ASSERT_TRUE(observer.observe(scores, captureOf({1})));
  EXPECT_TRUE(observer.takeComparisons().empty());
}

TEST_F(ObserversTest, AnotherShapeIsNamedWithItsSite) {
  ASSERT_TRUE(m_captures.put(site("a"), captureOf({1, 2})));
  VariantObserver observer(parts(), m_captures, m_comparer);
  const auto observed = observer.observe(site("a"), captureOf({1}));
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().code(), ErrorCode::InvalidArgument);
  EXPECT_TRUE(observed.error().message().starts_with("a, forward")) << observed.error().message();
}

TEST_F(ObserversTest, AnOperationOfAnotherShapeIsNotComparedButKnown) {
  Site operation = site("a");
  operation.level = Level::Op;
  for (const std::size_t microBatch : {0U, 1U}) {
    ASSERT_TRUE(m_captures.put(operation, captureOf({1, 2, 3}), {microBatch, 2}));
  }
  VariantObserver observer(parts(), m_captures, m_comparer);
  observer.microBatchBegins(0, 2);
  ASSERT_TRUE(observer.observe(operation, captureOf({1, 2})));
  observer.microBatchBegins(1, 2);
  ASSERT_TRUE(observer.observe(operation, captureOf({1, 2, 3})));
  EXPECT_TRUE(observer.takeComparisons().empty());
  EXPECT_THAT(observer.takeUncompared(), testing::ElementsAre(operation));
}

TEST_F(ObserversTest, WantsWhatTheFilterWants) {
  ReferenceObserver observer(parts(), m_captures);
  EXPECT_TRUE(observer.wants(site("a")));
  EXPECT_FALSE(observer.wants(site("b")));
}

TEST_F(ObserversTest, TensorsAreStoredWithTheSampleLimitAndErrorsPassedOn) {
  RememberingWriter writer;
  ReferenceObserver observer(parts(&writer, 64), m_captures);
  ASSERT_TRUE(observer.observe(site("a"), captureOf({1})));
  EXPECT_EQ(writer.stored, std::vector<std::string>{"a 64"});
  writer.error = Error(ErrorCode::Io, "tensors.h5: no space left");
  const auto observed = observer.observe(site("a"), captureOf({1}));
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().code(), ErrorCode::Io);
}

TEST(AddLossRow, StandsBehindTheForwardRows) {
  std::vector<report::Comparison> rows(3);
  rows[0].site = site("embeddings");
  rows[1].site = site("logits");
  rows[2].site = site("logits", Pass::Backward);
  ASSERT_TRUE(addLossRow(rows, 2.0, 2.5));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].site.name, "loss");
  EXPECT_EQ(rows[2].site.pass, Pass::Forward);
  EXPECT_TRUE(rows[2].shape.empty());
  EXPECT_EQ(rows[2].referenceDType, "float32");
  const auto metrics = numerics::elementMetrics();
  EXPECT_DOUBLE_EQ(rows[2].metrics.at(*metrics.indexOf("rms_diff")), 0.5);
}

TEST(AddLossRow, ComparesInFloat64WhatIsNoFloat32) {
  std::vector<report::Comparison> rows;
  ASSERT_TRUE(addLossRow(rows, 2.0 + 1e-12, 2.0));
  EXPECT_EQ(rows.at(0).referenceDType, "float64");
}

TEST(AddLossRow, CountsANaN) {
  std::vector<report::Comparison> rows;
  ASSERT_TRUE(addLossRow(rows, 2.0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(rows.at(0).variantNonFinite.nan, 1U);
  EXPECT_EQ(rows.at(0).compared, 0U);
}

TEST(AddLossRow, LeavesTheEnginesOwnAlone) {
  std::vector<report::Comparison> rows(1);
  rows[0].site = site("loss");
  ASSERT_TRUE(addLossRow(rows, 1, 2));
  EXPECT_EQ(rows.size(), 1U);
}

}  // namespace
}  // namespace ulp::worker
