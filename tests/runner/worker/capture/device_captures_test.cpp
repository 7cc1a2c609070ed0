#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/capture/capture_observers.h"
#include "runner/worker/capture/reversed_sequences.h"
#include "tests/support/data/fake_device.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

Site siteOnDevice(const std::string& name, Pass pass = Pass::Forward) {
  return {name, name, -1, Level::Layer, pass};
}

engine::Capture onHost(std::vector<float> values, std::vector<std::int64_t> shape = {}) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  if (shape.empty()) {
    shape = {static_cast<std::int64_t>(owner->size())};
  }
  return {.view = {.data = owner->data(), .dtype = DType::Float32, .shape = std::move(shape)},
          .owner = owner};
}

/// Keeps what it was asked to store.
class KeepingWriter final : public tensors::CaptureWriter {
 public:
  [[nodiscard]] Result<> beginRun(std::string_view /*run*/) override { return {}; }
  [[nodiscard]] Result<> put(const Site& where,
                             const numerics::TensorView& tensor,
                             std::uint64_t /*sampleLimit*/) override {
    std::vector<double>& values = stored[where.name];
    for (std::size_t i = 0; i < tensor.count(); ++i) {
      values.push_back(numerics::elementAt(tensor, i));
    }
    return {};
  }
  [[nodiscard]] Result<> finishRun() override { return {}; }

  std::map<std::string, std::vector<double>> stored;
};

class DeviceCaptures : public testing::Test {
 protected:
  DeviceCaptures() {
    m_captures.spillTo(m_folder.path());
    m_captures.stayOnDevice([this] { return m_comparer.roomOnDevice(); });
  }

  ObserverParts parts(tensors::CaptureWriter* writer = nullptr) {
    return {.filter = m_filter, .progress = m_progress, .writer = writer};
  }

  engine::Capture there(std::vector<float> values, std::vector<std::int64_t> shape = {}) {
    return onFakeDevice(m_device, onHost(std::move(values), std::move(shape)));
  }

  /// What a run shows of the sites, micro-batch by micro-batch, each of two elements.
  Result<> show(engine::Observer& observer,
                const std::vector<std::string>& sites,
                std::size_t batches,
                float shift) {
    for (std::size_t batch = 0; batch < batches; ++batch) {
      observer.microBatchBegins(batch, batches);
      float value = static_cast<float>(batch) * 10;
      for (const std::string& name : sites) {
        ULP_TRY(observer.observe(siteOnDevice(name), there({value, value + shift})));
        value += 2;
      }
    }
    return {};
  }

  static SiteFilter everything() {
    return SiteFilter::create({siteOnDevice("a"), siteOnDevice("b"), siteOnDevice("c")}, {}, {})
        .value();
  }

  const std::vector<std::string> m_sites{"a", "b", "c"};
  test::TempDir m_folder;
  std::shared_ptr<test::FakeDevice> m_device = std::make_shared<test::FakeDevice>();
  test::FakeCaptureComparer m_comparer{m_device, {.threads = 1}};
  SiteFilter m_filter = everything();
  ProgressMeter m_progress{2, [](const Event&) {}};
  ReferenceCaptures m_captures;
};

TEST_F(DeviceCaptures, StayWhereTheyAreAndAreComparedThere) {
  ReferenceObserver reference(parts(), m_captures);
  ASSERT_TRUE(show(reference, m_sites, 1, 1));
  EXPECT_EQ(m_captures.count(), 3U);
  EXPECT_EQ(m_captures.bytes(), 0U);
  EXPECT_EQ(m_captures.deviceBytes(), 24U);
  EXPECT_EQ(m_device->liveBytes, 24U);
  VariantObserver variant(parts(), m_captures, m_comparer);
  ASSERT_TRUE(show(variant, m_sites, 1, 2));
  EXPECT_EQ(m_device->comparisons, 3U);
  EXPECT_EQ(m_device->copiesToHost, 0U);
  EXPECT_EQ(m_device->copiesToDevice, 0U);
  EXPECT_EQ(m_device->liveBytes, 24U) << "nothing of the variant is kept";
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(rows[1].worst.at(0).reference, 3);
  EXPECT_EQ(rows[1].worst.at(0).variant, 4);
  m_captures.clear();
  EXPECT_EQ(m_device->liveBytes, 0U);
}

TEST_F(DeviceCaptures, TheLastLeaveADeviceWithoutRoom) {
  m_device->room = 16;
  ReferenceObserver reference(parts(), m_captures);
  ASSERT_TRUE(show(reference, m_sites, 1, 1));
  EXPECT_EQ(m_captures.deviceBytes(), 16U);
  EXPECT_EQ(m_captures.bytes(), 8U);
  EXPECT_EQ(m_device->liveBytes, 16U);
  EXPECT_EQ(m_device->copiesToHost, 1U);
  VariantObserver variant(parts(), m_captures, m_comparer);
  ASSERT_TRUE(show(variant, m_sites, 1, 2));
  EXPECT_EQ(m_device->comparisons, 3U) << "on the device all the same";
  EXPECT_EQ(m_device->copiesToDevice, 1U);
  EXPECT_EQ(m_device->copiesToHost, 1U);
  EXPECT_EQ(variant.takeComparisons().at(2).worst.at(0).reference, 5);
}

TEST_F(DeviceCaptures, LeaveTheDeviceWhenARunTurnsOutToNeedMore) {
  ReferenceObserver reference(parts(), m_captures);
  ASSERT_TRUE(reference.observe(siteOnDevice("a"), there({1, 2})));
  ASSERT_TRUE(reference.observe(siteOnDevice("b"), there({3, 4})));
  m_device->room = 8;
  ASSERT_TRUE(reference.observe(siteOnDevice("c"), there({5, 6})));
  EXPECT_EQ(m_device->liveBytes, 8U);
  EXPECT_EQ(m_captures.bytes(), 16U);
  const auto first = m_captures.find(siteOnDevice("b"));
  const auto copy = (*first)->onHost();
  EXPECT_EQ(numerics::elementAt(copy->view, 1), 4);
  EXPECT_EQ(m_device->copiesToHost, 2U) << "what has left is there";
}

TEST_F(DeviceCaptures, ThoseOfEarlierMicroBatchesLeaveForTheFile) {
  m_device->room = 32;
  ReferenceObserver reference(parts(), m_captures);
  ASSERT_TRUE(show(reference, m_sites, 3, 1));
  EXPECT_EQ(m_captures.deviceBytes(), 32U);
  EXPECT_EQ(m_captures.spilledBytes(), 2 * 64U) << "b and c of the second";
  EXPECT_EQ(m_captures.bytes(), 24U) << "of the last";
  EXPECT_EQ(m_captures.count(), 3U);
  VariantObserver variant(parts(), m_captures, m_comparer);
  ASSERT_TRUE(show(variant, m_sites, 3, 2));
  EXPECT_EQ(m_device->comparisons, 9U);
  EXPECT_EQ(m_device->copiesToDevice, 5U);
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].count, 6U);
  EXPECT_EQ(rows[2].worst.at(1).microBatch, 1U);
  EXPECT_EQ(rows[2].worst.at(1).reference, 15);
}

TEST_F(DeviceCaptures, AreCopiedWhereTheirTensorsAreKept) {
  KeepingWriter writer;
  ReferenceObserver reference(parts(&writer), m_captures);
  ASSERT_TRUE(show(reference, {"a"}, 2, 1));
  EXPECT_EQ(m_device->copiesToHost, 1U) << "the last micro-batch's";
  EXPECT_EQ(m_device->bytesToHost, 8U);
  EXPECT_THAT(writer.stored["a"], testing::ElementsAre(10, 11));
  EXPECT_EQ(m_captures.deviceBytes(), 16U);
}

TEST_F(DeviceCaptures, ACopyThatFailsIsAnErrorWithItsSite) {
  m_device->copyError = {1, Error(ErrorCode::Device, "the bus is gone")};
  m_device->room = 0;
  ReferenceObserver reference(parts(), m_captures);
  const auto shown = show(reference, m_sites, 1, 1);
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code(), ErrorCode::Device);
  EXPECT_EQ(shown.error().message(), "b, forward: the bus is gone");
  m_captures.clear();
  EXPECT_EQ(m_device->liveBytes, 0U);
}

TEST_F(DeviceCaptures, WhatCanBeMadeAgainIsNotHeldThereEither) {
  ReferenceObserver reference(parts(), m_captures);
  engine::Capture capture = there({1, 2});
  capture.again = [this] { return there({1, 2}); };
  ASSERT_TRUE(reference.observe(siteOnDevice("a"), capture));
  capture = {};
  EXPECT_EQ(m_device->liveBytes, 0U);
  EXPECT_EQ(m_captures.deviceBytes(), 0U);
  VariantObserver variant(parts(), m_captures, m_comparer);
  ASSERT_TRUE(variant.observe(siteOnDevice("a"), there({1, 3})));
  EXPECT_EQ(variant.takeComparisons().at(0).worst.at(0).reference, 2);
  EXPECT_EQ(m_device->copiesToHost, 0U);
}

TEST_F(DeviceCaptures, OfReversedSequencesAreTurnedWhereTheyAre) {
  ReferenceObserver reference(parts(), m_captures);
  ASSERT_TRUE(reference.observe(siteOnDevice("a"), there({1, 2, 3, 4, 5, 6}, {3, 2})));
  VariantObserver variant(parts(), m_captures, m_comparer);
  RestoringObserver restoring(variant, 3, 2);
  ASSERT_TRUE(restoring.observe(siteOnDevice("a"), there({5, 6, 3, 4, 1, 2.5}, {3, 2})));
  EXPECT_EQ(m_device->copiesToHost, 0U);
  const auto rows = variant.takeComparisons();
  ASSERT_EQ(rows.at(0).worst.size(), 1U);
  EXPECT_EQ(rows[0].worst[0].index, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(rows[0].worst[0].variant, 2.5);
}

}  // namespace
}  // namespace ulp::worker
