#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST_F(InspectCommand, ElementsWithoutAHeaderHaveTheirTypeBehindTheName) {
  std::ofstream(m_dir / "r.bin", std::ios::binary) << std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  const auto outcome = runCli({"inspect", (m_dir / "r.bin:float32[2]").string()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("max         2\n"));
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

TEST_F(InspectCommand, SaysWhichElementsHaveNoDifference) {
  auto writer = tensors::CaptureWriter::create(m_dir.path());
  ASSERT_TRUE(writer.has_value()) << writer.error().message();
  put(**writer, "reference", {1, 2, 3, 4, 5, 6});
  put(**writer, "bf16", std::vector<float>(6, std::numeric_limits<float>::quiet_NaN()));
  writer->reset();
  const auto outcome = runCli({"inspect", folder(), "decoder.0", "--worst", "2"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr("6 of 6 elements have no difference: not finite are 0 of the reference and 6 "
                "of the variant\n"));
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

/// What lies at the place that JSON gives of the only tensor.
std::vector<float> elementsAt(const nlohmann::json& place) {
  std::ifstream file(place["file"].get<std::string>(), std::ios::binary);
  std::vector<float> elements(place["bytes"].get<std::size_t>() / sizeof(float));
  file.seekg(place["offset"].get<std::streamoff>());
  file.read(reinterpret_cast<char*>(elements.data()), place["bytes"].get<std::streamsize>());
  return elements;
}

TEST_F(InspectCommand, SaysWhereElementsLie) {
  const auto study = runCli({"inspect",
                             folder(),
                             "decoder.0",
                             "--run",
                             "bf16",
                             "--pass",
                             "backward",
                             "--format",
                             "json"});
  EXPECT_EQ(study.exitCode, 0) << study.err;
  const auto kept = nlohmann::json::parse(study.out);
  EXPECT_EQ(kept["schema"], "ulpscope.tensors/1");
  ASSERT_EQ(kept["tensors"].size(), 1U);
  const auto& tensor = kept["tensors"][0];
  EXPECT_EQ(tensor["name"], "decoder.0");
  EXPECT_EQ(tensor["pass"], "backward");
  EXPECT_EQ(tensor["layer"], 0);
  EXPECT_EQ(tensor["place"]["dtype"], "float32");
  EXPECT_EQ(tensor["place"]["shape"], nlohmann::json({2, 3}));
  EXPECT_EQ(elementsAt(tensor["place"]), (std::vector<float>{1, 2.5F, 3, 4, 7, 6}));
  const auto file = nlohmann::json::parse(runCli({"inspect", weights(), "--format", "json"}).out);
  ASSERT_EQ(file["tensors"].size(), 2U);
  EXPECT_EQ(elementsAt(file["tensors"][1]["place"]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(InspectCommand, UnpacksWhatLiesInNoFile) {
  // Column by column.
  std::string text = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 4), }";
  text += std::string(118 - text.size() - 1, ' ') + "\n";
  const auto file = m_dir.write(
      "turned.npy",
      std::string("\x93NUMPY\x01\0\x76\0", 10) + text + std::string("\0\0\0\0\x80\x00\x3f\x40", 8));
  const auto none =
      nlohmann::json::parse(runCli({"inspect", file.string(), "--format", "json"}).out);
  EXPECT_TRUE(none["tensors"][0]["place"].is_null()) << none;
  const auto unpacked = runCli(
      {"inspect", file.string(), "--format", "json", "--unpack", (m_dir / "new/folder").string()});
  EXPECT_EQ(unpacked.exitCode, 0) << unpacked.err;
  const auto place = nlohmann::json::parse(unpacked.out)["tensors"][0]["place"];
  EXPECT_EQ(place["file"], (m_dir / "new/folder/0.bin").string());
  EXPECT_EQ(elementsAt(place), (std::vector<float>{1, 2}));
}

TEST_F(InspectCommand, SaysInJsonWhatIsWrong) {
  const auto none = runCli({"inspect", "/nowhere", "--format", "json"});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_EQ(nlohmann::json::parse(none.out)["problem"]["code"], "not found");
  const auto unknown = runCli({"inspect", weights(), "z", "--format", "json"});
  EXPECT_EQ(unknown.exitCode, 0) << unknown.err;
  EXPECT_TRUE(nlohmann::json::parse(unknown.out)["tensors"].empty());
  EXPECT_EQ(runCli({"inspect", weights(), "--format", "json", "--worst", "2"}).exitCode, 2);
  EXPECT_EQ(runCli({"inspect", weights(), "--unpack", folder()}).exitCode, 2);
}

TEST_F(InspectCommand, ListsADumpAndWhatAReportOfDumpsCompares) {
  const std::vector<float> other{1, 2, 3, 4, 5, 8};
  for (const char* side : {"one", "two"}) {
    const bool isOne = std::string(side) == "one";
    std::filesystem::create_directory(m_dir / side);
    const std::vector<float> elements = isOne ? std::vector<float>{1, 2, 3, 4, 5, 6} : other;
    ASSERT_TRUE(
        tensors::writeNpy(m_dir / side / "x.npy", {elements.data(), DType::Float32, {2, 3}}));
  }
  const auto dump = runCli({"inspect", (m_dir / "two").string()});
  EXPECT_EQ(dump.exitCode, 0) << dump.err;
  EXPECT_THAT(dump.out, HasSubstr("run         two, forward\n"));
  EXPECT_THAT(dump.out, HasSubstr("max         8\n"));
  const std::string report = (m_dir / "report").string();
  ASSERT_EQ(runCli({"compare",
                    (m_dir / "one").string(),
                    (m_dir / "two").string(),
                    "--quiet",
                    "--report",
                    report})
                .exitCode,
            0);
  const auto worst = runCli({"inspect", report, "x", "--worst", "1"});
  EXPECT_EQ(worst.exitCode, 0) << worst.err;
  EXPECT_THAT(worst.out, HasSubstr("run         two, forward\n"));
  EXPECT_THAT(worst.out, testing::ContainsRegex("\\[1, 2\\] +6 +8 +2\n$"));
  const auto places = runCli({"inspect", report, "--run", "two", "--format", "json"});
  EXPECT_EQ(elementsAt(nlohmann::json::parse(places.out)["tensors"][0]["place"]), other);
}

TEST_F(InspectCommand, RefusesAFileOfNoKnownFormat) {
  const auto outcome = runCli({"inspect", m_dir.write("x.txt", "hello").string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("x.txt"));
}

}  // namespace
}  // namespace ulp::cli
