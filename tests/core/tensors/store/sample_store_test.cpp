#include "core/tensors/hdf5/sample_store.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/store/capture_layout.h"
#include "tests/core/tensors/store/foreign_hdf5.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

SampleLayout layout() {
  return {
      .runs = {"reference", "bf16/odd"},
      .samples = 3,
      .rows = {{.name = "norm", .pass = Pass::Forward}, {.name = "norm", .pass = Pass::Backward}},
      .metrics = {"rms_rel", "cosine"},
      .tokenDigest = "aa"};
}

class SampleStoreTest : public testing::Test {
 protected:
  std::unique_ptr<SampleStore> create() {
    auto store = SampleStore::create(m_folder.path(), layout());
    EXPECT_TRUE(store) << store.error().message();
    return store ? *std::move(store) : nullptr;
  }

  test::TempDir m_folder;
};

TEST_F(SampleStoreTest, GivesBackWhatWasWrittenBeforeItIsClosed) {
  const auto store = create();
  const std::vector<double> metrics{1, 2, 3, 4};
  const std::vector<double> gains{0.5, -0.5};
  ASSERT_TRUE(store->write("reference", 1, {.loss = 2.5}));
  ASSERT_TRUE(store->write("bf16/odd", 1, {.loss = 3.5, .metrics = metrics, .gainErrors = gains}));
  ASSERT_TRUE(store->sync());
  // Another reader sees it at once: nothing waits for the file to be closed.
  const auto reader = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_EQ((*reader)->loss("reference", 1).value(), 2.5);
  EXPECT_EQ((*reader)->loss("bf16/odd", 1).value(), 3.5);
}

TEST_F(SampleStoreTest, ASampleThatIsNotFinishedHasNoLoss) {
  const auto store = create();
  const auto loss = store->loss("reference", 0);
  ASSERT_FALSE(loss);
  EXPECT_EQ(loss.error().code(), ErrorCode::NotFound);
  ASSERT_TRUE(store->write("reference", 0, {.loss = std::nan("")}));
  EXPECT_TRUE(std::isnan(store->loss("reference", 0).value())) << "NaN is a loss";
}

/// A power loss may lose the values and keep what was written behind them.
TEST_F(SampleStoreTest, ASampleIsSaidToBeFinishedOnlyOnceItsValuesAreOnTheDisk) {
  const auto store = create();
  ASSERT_TRUE(store->write("reference", 1, {.loss = 2.5}));
  EXPECT_EQ(store->loss("reference", 1).value(), 2.5);
  const auto reader = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->loss("reference", 1).error().code(), ErrorCode::NotFound);
  ASSERT_TRUE(store->sync());
  EXPECT_EQ((*reader)->loss("reference", 1).value(), 2.5);
}

TEST_F(SampleStoreTest, ALinkIsNotWrittenThrough) {
  create();
  std::filesystem::rename(m_folder / "samples.h5", m_folder / "theirs.h5");
  std::filesystem::create_symlink("theirs.h5", m_folder / "samples.h5");
  const auto store = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(store.error().message(), HasSubstr("samples.h5: is a link"));
}

TEST_F(SampleStoreTest, GoingOnAddsRunsAndKeepsWhatIsThere) {
  const auto first = create();
  ASSERT_TRUE(first->write("reference", 2, {.loss = 1.25}));
  ASSERT_TRUE(first->sync());
  SampleLayout wider = layout();
  wider.runs.emplace_back("fp16");
  const auto store = SampleStore::reopen(m_folder.path(), wider);
  ASSERT_TRUE(store) << store.error().message();
  EXPECT_EQ((*store)->loss("reference", 2).value(), 1.25);
  const std::vector<double> metrics(4, 0);
  const std::vector<double> gains(2, 0);
  EXPECT_TRUE((*store)->write("fp16", 0, {.loss = 9, .metrics = metrics, .gainErrors = gains}));
  EXPECT_EQ((*store)->loss("fp16", 0).value(), 9);
}

TEST_F(SampleStoreTest, OtherTokensRowsOrMetricsAreRefused) {
  create();
  std::vector<SampleLayout> others(4, layout());
  others[0].tokenDigest = "bb";
  others[1].rows.pop_back();
  others[2].metrics[0] = "rms_diff";
  others[3].samples = 4;
  for (const SampleLayout& other : others) {
    const auto store = SampleStore::reopen(m_folder.path(), other);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(store.error().message(), HasSubstr("--overwrite"));
  }
}

TEST_F(SampleStoreTest, AFileThatIsGoneOrDamagedIsNamed) {
  const auto gone = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code(), ErrorCode::NotFound);
  m_folder.write("samples.h5", "not HDF5");
  const auto damaged = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(damaged.error().message(), HasSubstr("samples.h5"));
}

/// A file of others may say that its values are anywhere, or nowhere.
TEST_F(SampleStoreTest, AFileWhoseValuesDoNotLieInOnePieceIsNotWritten) {
  create();
  {
    ForeignHdf5 file(m_folder / kSampleFile);
    file.pack("runs/bf16%2Fodd/metrics");
    ASSERT_TRUE(file.ok());
  }
  const std::string before = test::contentOf(m_folder / kSampleFile);
  const auto store = SampleStore::reopen(m_folder.path(), layout());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(store.error().message(), HasSubstr("run 'bf16/odd' cannot be found"));
  EXPECT_EQ(test::contentOf(m_folder / kSampleFile), before);
}

TEST_F(SampleStoreTest, WhatTheLayoutDoesNotHaveIsRefused) {
  const auto store = create();
  EXPECT_EQ(store->write("fp16", 0, {}).error().code(), ErrorCode::Internal);
  EXPECT_EQ(store->write("reference", 3, {}).error().code(), ErrorCode::Internal);
  EXPECT_EQ(store->write("bf16/odd", 0, {}).error().code(), ErrorCode::Internal);
}

}  // namespace
}  // namespace ulp::tensors
