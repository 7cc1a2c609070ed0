#include "core/tensors/store/sample_reader.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/hdf5/sample_store.h"
#include "core/tensors/store/capture_layout.h"
#include "tests/core/tensors/store/foreign_hdf5.h"
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

TEST_F(SampleReaderTest, ReadsAFileThatAnotherProgramPackedAnew) {
  {
    ForeignHdf5 file(m_folder / kSampleFile);
    for (const char* name : {"row_names",
                             "row_passes",
                             "metrics",
                             "runs/bf16%2Fodd/metrics",
                             "runs/bf16%2Fodd/finished"}) {
      file.pack(name);
    }
    ASSERT_TRUE(file.ok());
  }
  const auto read = readSamples(m_folder.path(), "bf16/odd", "cosine");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->samples, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(read->rows[1].name, "norm");
  EXPECT_EQ(read->at(0, 1), 4);
  EXPECT_EQ(read->at(1, 0), 6);
}

/// In any of its datasets.
TEST_F(SampleReaderTest, AnExtentThatNoFileHoldsIsNamedWithItsLimit) {
  constexpr hsize_t kEndless = hsize_t{1} << 62U;
  const UniqueHid text(H5Tcopy(H5T_C_S1));
  ASSERT_GE(H5Tset_size(text.get(), 4), 0);
  struct Case {
    const char* name;
    hid_t type;
    std::vector<hsize_t> extents;
  };
  for (const Case& each : {Case{"row_names", text.get(), {kEndless}},
                           Case{"runs/bf16%2Fodd/finished", H5T_STD_U8LE, {kEndless}},
                           Case{"runs/bf16%2Fodd/metrics", H5T_IEEE_F64LE, {3, kEndless / 3, 2}},
                           Case{"runs/bf16%2Fodd/metrics", H5T_IEEE_F64LE, {3, kEndless, 2}}}) {
    SCOPED_TRACE(each.name);
    SetUp();
    {
      ForeignHdf5 file(m_folder / kSampleFile);
      file.remove(each.name);
      file.endless(each.name, each.type, each.extents);
      ASSERT_TRUE(file.ok());
    }
    const auto read = readSamples(m_folder.path(), "bf16/odd", "rms_rel");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message(),
                AllOf(HasSubstr("samples.h5: "),
                      HasSubstr(each.name),
                      testing::ContainsRegex("at most|any file|of another size")));
  }
}

TEST_F(SampleReaderTest, TheReferenceHasNoMetrics) {
  const auto read = readSamples(m_folder.path(), "reference", "rms_rel");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::CorruptData);
}

}  // namespace
}  // namespace ulp::tensors
