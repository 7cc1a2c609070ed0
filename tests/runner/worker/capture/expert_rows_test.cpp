#include "runner/worker/capture/expert_rows.h"

#include <cmath>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/capture/capture_observers.h"
#include "tests/support/data/fake_device.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

using testing::ElementsAre;

/// Rows of two elements, each with the key of its token and expert.
engine::Capture rowsOf(std::vector<std::int64_t> keys, std::vector<float> values) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {.view = {.data = owner->data(),
                   .dtype = DType::Float32,
                   .shape = {static_cast<std::int64_t>(keys.size()), 2}},
          .owner = owner,
          .keys = std::make_shared<const std::vector<std::int64_t>>(std::move(keys))};
}

std::vector<double> valuesIn(const engine::Capture& capture) {
  std::vector<double> values(capture.view.count());
  numerics::readElements(capture.view, 0, 1, values);
  return values;
}

TEST(ExpertRows, AreBroughtToThePairsThatBothRunsHave) {
  const auto reference = rowsOf({3, 5, 9}, {1, 2, 3, 4, 5, 6});
  const auto variant = rowsOf({9, 7, 3, 8}, {50, 60, 0, 0, 10, 20, 0, 0});
  const auto aligned = alignRows(reference, variant);
  ASSERT_TRUE(aligned) << aligned.error().message();
  EXPECT_THAT(valuesIn(aligned->reference), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(valuesIn(aligned->variant), ElementsAre(10, 20, 50, 60));
  EXPECT_THAT(aligned->places, ElementsAre(0U, 2U));
  EXPECT_EQ(aligned->onlyReference, 1U);
  EXPECT_EQ(aligned->onlyVariant, 2U);
}

TEST(ExpertRows, AreNotCopiedWhereTheyAreTheSame) {
  const auto reference = rowsOf({3, 5}, {1, 2, 3, 4});
  const auto variant = rowsOf({3, 5}, {1, 2, 3, 5});
  const auto aligned = alignRows(reference, variant);
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->variant.view.data, variant.view.data);
  EXPECT_THAT(aligned->places, ElementsAre(0U, 1U));
  EXPECT_EQ(aligned->onlyReference + aligned->onlyVariant, 0U);
}

TEST(ExpertRows, StandInFilesAsThoseOfTheReference) {
  const auto kept = rowsOfReference(rowsOf({3, 5}, {1, 2, 3, 4}), rowsOf({5, 8}, {7, 8, 9, 9}));
  ASSERT_TRUE(kept);
  EXPECT_THAT(kept->view.shape, ElementsAre(2, 2));
  EXPECT_TRUE(std::isnan(valuesIn(*kept)[0]));
  EXPECT_TRUE(std::isnan(valuesIn(*kept)[1]));
  EXPECT_EQ(valuesIn(*kept)[2], 7);
  EXPECT_EQ(valuesIn(*kept)[3], 8);
}

TEST(ExpertRows, KeysOfAnotherNumberOfRowsAreRefused) {
  auto wrong = rowsOf({3, 5}, {1, 2, 3, 4});
  wrong.view.shape = {1, 4};
  EXPECT_EQ(alignRows(wrong, wrong).error().code(), ErrorCode::Internal);
}

class ExpertObservers : public testing::Test {
 protected:
  ObserverParts parts() {
    return {.filter = m_filter, .progress = m_progress, .writer = nullptr, .sampleLimit = 0};
  }
  static SiteFilter everything() { return std::move(SiteFilter::create({kSite}, {}, {}).value()); }

  /// Shows micro-batches of rows.
  static void show(engine::Observer& observer, const std::vector<engine::Capture>& batches) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
      observer.microBatchBegins(i, batches.size());
      const auto observed = observer.observe(kSite, batches[i]);
      EXPECT_TRUE(observed) << observed.error().message();
    }
  }

  inline static const Site kSite{"experts.act_fn[1]", "experts.act_fn", 0, Level::Module};
  SiteFilter m_filter = everything();
  ProgressMeter m_progress{2, [](const Event&) {}};
  ReferenceCaptures m_captures;
  std::shared_ptr<test::FakeDevice> m_device = std::make_shared<test::FakeDevice>();
  test::FakeCaptureComparer m_comparer{m_device, {.threads = 1}};
};

TEST_F(ExpertObservers, RowsThatOneRunAloneHasAreCounted) {
  ReferenceObserver reference(parts(), m_captures);
  show(reference, {rowsOf({3, 5, 9}, {1, 2, 3, 4, 5, 6})});
  VariantObserver variant(parts(), m_captures, m_comparer);
  show(variant, {rowsOf({9, 7}, {5, 8, 0, 0})});
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0].shape, ElementsAre(3, 2));
  EXPECT_EQ(rows[0].count, 2U);
  EXPECT_EQ(rows[0].onlyReference, 2U);
  EXPECT_EQ(rows[0].onlyVariant, 1U);
  ASSERT_EQ(rows[0].worst.size(), 1U);
  EXPECT_THAT(rows[0].worst[0].index, ElementsAre(2, 1)) << "in the reference's tensor";
  EXPECT_EQ(rows[0].worst[0].variant, 8);
}

TEST_F(ExpertObservers, MicroBatchesMayHaveOtherNumbersOfRows) {
  const test::TempDir folder;
  m_captures.spillTo(folder.path());
  ReferenceObserver reference(parts(), m_captures);
  show(reference, {rowsOf({1, 2}, {1, 1, 2, 2}), rowsOf({4}, {3, 3}), rowsOf({}, {})});
  VariantObserver variant(parts(), m_captures, m_comparer);
  show(variant, {rowsOf({2, 6}, {2, 2, 9, 9}), rowsOf({4}, {3, 7}), rowsOf({5}, {1, 1})});
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].count, 4U);
  EXPECT_EQ(rows[0].onlyReference, 1U);
  EXPECT_EQ(rows[0].onlyVariant, 2U);
  ASSERT_EQ(rows[0].worst.size(), 1U);
  EXPECT_EQ(rows[0].worst[0].microBatch, 1U);
  EXPECT_THAT(rows[0].worst[0].index, ElementsAre(0, 1));
}

TEST_F(ExpertObservers, AnExpertThatNeitherRunChoseIsARowWithoutElements) {
  ReferenceObserver reference(parts(), m_captures);
  show(reference, {rowsOf({}, {})});
  VariantObserver variant(parts(), m_captures, m_comparer);
  show(variant, {rowsOf({}, {})});
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].count, 0U);
  EXPECT_TRUE(rows[0].worst.empty());
}

}  // namespace
}  // namespace ulp::worker
