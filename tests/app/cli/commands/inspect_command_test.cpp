#include <array>
#include <cstdint>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/numpy/npy_writer.h"
#include "core/tensors/formats/safetensors/safetensors.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/report_builder.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;

/// A study of two runs with a layer of 2×3 elements, forward and backward, and a weight file.
class InspectCommand : public testing::Test {
 protected:
  void SetUp() override {
    auto writer = tensors::CaptureWriter::create(m_dir.path());
    ASSERT_TRUE(writer.has_value()) << writer.error().message();
    const std::vector<float> reference{1, 2, 3, 4, 5, 6};
    const std::vector<float> variant{1, 2.5F, 3, 4, 7, 6};
    put(**writer, "reference", reference);
    put(**writer, "bf16", variant);
    ASSERT_TRUE(report::saveReport(test::sampleReport(1, {"bf16"}), m_dir.path()).has_value());
    const numerics::TensorView view{reference.data(), DType::Float32, {2, 3}};
    const std::vector<tensors::NamedTensor> weights{{"a.weight", view}, {"b.weight", view}};
    ASSERT_TRUE(tensors::writeSafetensors(m_dir / "w.safetensors", weights).has_value());
  }

  static void put(tensors::CaptureWriter& writer,
                  const std::string& run,
                  const std::vector<float>& elements) {
    const numerics::TensorView view{elements.data(), DType::Float32, {2, 3}};
    ASSERT_TRUE(writer.beginRun(run).has_value());
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      ASSERT_TRUE(writer.put(test::layerSite("decoder.0", 0, pass), view, 0).has_value());
    }
    ASSERT_TRUE(writer.finishRun().has_value());
  }

  [[nodiscard]] std::string folder() const { return m_dir.path().string(); }
  [[nodiscard]] std::string weights() const { return (m_dir / "w.safetensors").string(); }

  test::TempDir m_dir;
};

TEST_F(InspectCommand, ListsTheTensorsOfAStudy) {
  const auto outcome = runCli({"inspect", folder()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("reference  forward +decoder.0  float32 +2×3\n"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("bf16 +backward +decoder.0"));
  const auto part = runCli({"inspect", folder(), "--run", "bf16", "--pass", "backward"});
  EXPECT_EQ(std::count(part.out.begin(), part.out.end(), '\n'), 1);
}

TEST_F(InspectCommand, ListsTheTensorsOfAFile) {
  const auto outcome = runCli({"inspect", weights()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("a.weight  F32 +2×3\n"));
}

TEST_F(InspectCommand, ShowsStatistics) {
  const auto outcome = runCli({"inspect", weights(), "a.weight"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("shape       2×3 = 6 elements\n"));
  EXPECT_THAT(outcome.out, HasSubstr("min         1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("max         6\n"));
  EXPECT_THAT(outcome.out, HasSubstr("mean        3.5\n"));
  EXPECT_THAT(outcome.out, HasSubstr("rms         3.89444\n"));
  EXPECT_THAT(outcome.out, HasSubstr("non-finite  none\n"));
}

TEST_F(InspectCommand, TakesTheReferencesForwardTensorByDefault) {
  const auto outcome = runCli({"inspect", folder(), "decoder.0"});
  EXPECT_THAT(outcome.out, HasSubstr("run         reference, forward\n"));
  const auto other =
      runCli({"inspect", folder(), "decoder.0", "--run", "bf16", "--pass", "backward"});
  EXPECT_THAT(other.out, HasSubstr("run         bf16, backward\n"));
  EXPECT_THAT(other.out, HasSubstr("max         7\n"));
}

TEST_F(InspectCommand, PrintsASlice) {
  const auto outcome = runCli({"inspect", weights(), "a.weight", "--slice", "1,::2"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::EndsWith("\n4  6\n"));
  EXPECT_THAT(runCli({"inspect", weights(), "a.weight", "--slice", ""}).out,
              testing::EndsWith("1  2  3\n4  5  6\n"));
  const auto wrong = runCli({"inspect", weights(), "a.weight", "--slice", "9"});
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--slice: slice '9': position 9 lies outside a dimension of 2"));
}

TEST_F(InspectCommand, PrintsTheWorstElementsOfTheOnlyVariant) {
  const auto outcome = runCli({"inspect", folder(), "decoder.0", "--worst", "2"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("run         bf16, forward\n"));
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("\\[1, 1\\] +5 +7 +2\n"
                                     "\\[0, 1\\] +2 +2.5 +0.5\n$"));
}

TEST_F(InspectCommand, RefusesToCompareTheReferenceWithItself) {
  const auto outcome =
      runCli({"inspect", folder(), "decoder.0", "--worst", "2", "--run", "reference"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("choose a variant with --run"));
  EXPECT_EQ(runCli({"inspect", weights(), "a.weight", "--worst", "2"}).exitCode, 2);
}

TEST_F(InspectCommand, DrawsAHistogram) {
  const auto outcome = runCli({"inspect", weights(), "a.weight", "--histogram"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1  ██████"));
  EXPECT_THAT(outcome.out, testing::EndsWith("       6.000\n"));
}

TEST_F(InspectCommand, SuggestsTheNearestTensor) {
  const auto outcome = runCli({"inspect", weights(), "a.wieght"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no tensor 'a.wieght'; did you mean 'a.weight'?"));
}

TEST_F(InspectCommand, SaysWhatCanBeChosen) {
  EXPECT_THAT(runCli({"inspect", folder(), "--run", "x"}).err,
              HasSubstr("no tensors of a run 'x'; there are bf16, reference"));
  EXPECT_THAT(runCli({"inspect", folder(), "--pass", "x"}).err, HasSubstr("choose forward"));
  EXPECT_THAT(runCli({"inspect", weights(), "--run", "x"}).err, HasSubstr("this file has no runs"));
  EXPECT_THAT(runCli({"inspect", folder(), "--histogram"}).err,
              HasSubstr("name it after the path"));
  EXPECT_THAT(runCli({"inspect", "/nowhere"}).err, HasSubstr("/nowhere: no such file or folder"));
}

TEST_F(InspectCommand, SaysThatAStudyKeptNoTensors) {
  const test::TempDir other;
  ASSERT_TRUE(report::saveReport(test::sampleReport(1, {"bf16"}), other.path()).has_value());
  const auto outcome = runCli({"inspect", other.path().string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the study kept no tensors"));
}

TEST_F(InspectCommand, ReadsNumpyFiles) {
  const std::array<std::int64_t, 3> ids{5, 7, 9};
  const auto file = m_dir / "ids.npy";
  ASSERT_TRUE(tensors::writeNpy(file, {ids.data(), DType::Int64, {1, 3}}));
  const auto outcome = runCli({"inspect", file.string(), "--slice", "0"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("stored as   int64\n"));
  EXPECT_THAT(outcome.out, testing::EndsWith("5  7  9\n"));
}

TEST_F(InspectCommand, RefusesAFileOfNoKnownFormat) {
  const auto outcome = runCli({"inspect", m_dir.write("x.txt", "hello").string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("x.txt"));
}

}  // namespace
}  // namespace ulp::cli
