#include "core/tensors/store/sample_reader.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/store/sample_store.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;

class SampleReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    const SampleLayout layout{
        .runs = {"reference", "bf16/odd"},
        .samples = 3,
        .rows = {{.name = "norm", .pass = Pass::Forward}, {.name = "norm", .pass = Pass::Backward}},
        .metrics = {"rms_rel", "cosine"},
        .tokenDigest = "aa"};
    auto store = SampleStore::create(m_folder.path(), layout);
    ASSERT_TRUE(store) << store.error().message();
    const std::vector<double> gains{0, 0};
    const std::vector<double> first{1, 2, 3, 4};
    const std::vector<double> last{5, 6, std::nan(""), 8};
    ASSERT_TRUE((*store)->write("bf16/odd", 0, {.metrics = first, .gainErrors = gains}));
    ASSERT_TRUE((*store)->write("bf16/odd", 2, {.metrics = last, .gainErrors = gains}));
    ASSERT_TRUE((*store)->sync());
  }
  test::TempDir m_folder;
};

TEST_F(SampleReaderTest, GivesOneMetricOfTheSamplesThatAreFinished) {
  const auto read = readSamples(m_folder.path(), "bf16/odd", "rms_rel");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->samples, (std::vector<std::uint64_t>{0, 2}));
  ASSERT_EQ(read->rows.size(), 2U);
  EXPECT_EQ(read->rows[1].name, "norm");
  EXPECT_EQ(read->rows[1].pass, Pass::Backward);
  EXPECT_EQ(read->at(0, 0), 1);
  EXPECT_EQ(read->at(0, 1), 3);
  EXPECT_EQ(read->at(1, 0), 5);
  EXPECT_TRUE(std::isnan(read->at(1, 1)));
  EXPECT_EQ(readSamples(m_folder.path(), "bf16/odd", "cosine")->at(1, 1), 8);
}

TEST_F(SampleReaderTest, RowsOfEveryPassAreRead) {
  const test::TempDir folder;
  SampleLayout layout{.runs = {"reference", "bf16"},
                      .samples = 1,
                      .rows = {},
                      .metrics = {"rms_rel"},
                      .tokenDigest = "aa"};
  for (const Pass pass : kPasses) {
    layout.rows.push_back({.name = "norm", .pass = pass});
  }
  ASSERT_TRUE(SampleStore::create(folder.path(), layout));
  const auto read = readSamples(folder.path(), "bf16", "rms_rel");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->rows.size(), kPasses.size());
  EXPECT_EQ(read->rows.back().pass, Pass::Optimizer);
}

TEST_F(SampleReaderTest, SaysWhatIsNotThere) {
  const auto run = readSamples(m_folder.path(), "fp16", "rms_rel");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(run.error().message(), HasSubstr("run 'fp16'"));
  const auto metric = readSamples(m_folder.path(), "bf16/odd", "max_rel");
  ASSERT_FALSE(metric);
  EXPECT_THAT(metric.error().message(), HasSubstr("metric 'max_rel'"));
  const auto file = readSamples(m_folder.path() / "gone", "bf16/odd", "rms_rel");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(file.error().message(), HasSubstr("samples.h5"));
}

TEST_F(SampleReaderTest, AFileOfAnotherKindIsNamed) {
  std::ofstream(m_folder.path() / kSampleFile) << "no HDF5";
  const auto read = readSamples(m_folder.path(), "bf16/odd", "rms_rel");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(read.error().message(), HasSubstr("samples.h5"));
}

TEST_F(SampleReaderTest, TheReferenceHasNoMetrics) {
  const auto read = readSamples(m_folder.path(), "reference", "rms_rel");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
}

}  // namespace
}  // namespace ulp::tensors
