#include "core/analysis/reports/run_pair.h"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using testing::HasSubstr;

class RunPairTest : public testing::Test {
 protected:
  /// Each run keeps one tensor of four elements, the last one `last`.
  void keep(const std::vector<std::pair<std::string, float>>& runs) const {
    auto writer = *tensors::CaptureWriter::create(m_folder.path());
    for (const auto& [run, last] : runs) {
      const std::array<float, 4> elements{1, 2, 3, last};
      ASSERT_TRUE(writer->beginRun(run).has_value());
      ASSERT_TRUE(writer->put(m_site, {elements.data(), DType::Float32, {1, 4}}, 0).has_value());
      ASSERT_TRUE(writer->finishRun().has_value());
    }
  }

  [[nodiscard]] std::vector<ReportSource> sources(report::Report report) const {
    return {{{std::make_shared<const report::Report>(std::move(report)),
              m_folder.path() / "precision_report.json",
              m_folder.path()},
             {}}};
  }

  test::TempDir m_folder;
  Site m_site = test::layerSite("decoder.0", 0, Pass::Forward);
};

TEST_F(RunPairTest, OfAReferenceTakesTheRowsOfTheReport) {
  const auto open = sources(test::sampleReport(2, {"a", "b"}));
  const JoinedReports joined = *joinReports(open);
  const auto pair = pairRuns(joined, open, "b", "reference");
  ASSERT_TRUE(pair.has_value()) << pair.error().message();
  EXPECT_EQ(pair->baselineLabel, "reference");
  EXPECT_EQ(pair->candidateLabel, "b");
  EXPECT_EQ(pair->rows, joined.report->findRun("b"));
}

TEST_F(RunPairTest, CountsTheOperationsThatOneOfTheRunsAloneMade) {
  report::Report report = test::sampleReport(2, {"a", "b"});
  for (const char* run : {"reference", "a", "b"}) {
    const auto of = std::ranges::find(report.runs, run, &report::Run::name);
    of->graph.of(Pass::Forward)[of->name == "a" ? "gelu" : "silu"].forward = {"decoder.0"};
  }
  const auto open = sources(std::move(report));
  const JoinedReports joined = *joinReports(open);
  EXPECT_EQ(pairRuns(joined, open, "reference", "a")->unmatched, 2U);
  EXPECT_EQ(pairRuns(joined, open, "reference", "b")->unmatched, 0U);
}

TEST_F(RunPairTest, ComparesWhatTwoVariantsKeptAndTellsHowFarItIs) {
  keep({{"a", 4.0F}, {"b", 5.0F}});
  const auto open = sources(test::sampleReport(1, {"a", "b", "c"}));
  const JoinedReports joined = *joinReports(open);
  std::vector<double> progress;
  const auto pair = pairRuns(
      joined, open, "a", "b", {.onTensor = [&](double fraction) { progress.push_back(fraction); }});
  ASSERT_TRUE(pair.has_value()) << pair.error().message();
  ASSERT_EQ(pair->rows->comparisons.size(), 1U);
  const int equal = pair->report->metricIndex("equal_fraction");
  EXPECT_EQ(pair->rows->comparisons[0].metrics.at(static_cast<std::size_t>(equal)), 0.75);
  EXPECT_EQ(pair->report->runs.size(), 2U) << "no other run is read";
  EXPECT_THAT(progress, testing::ElementsAre(1.0));
}

TEST_F(RunPairTest, AlsoComparesARunOfTheNoiseFloor) {
  keep({{"a", 4.0F}, {"floor.repeat", 4.0F}});
  report::Report report = test::sampleReport(1, {"a", "floor.repeat"});
  report.runs[2].role = report::RunRole::Floor;
  const auto open = sources(report);
  const auto pair = pairRuns(*joinReports(open), open, "a", "floor.repeat");
  ASSERT_TRUE(pair.has_value()) << pair.error().message();
  EXPECT_EQ(pair->rows->comparisons.size(), 1U);
}

TEST_F(RunPairTest, OfTwoReportsWithReferencesOfTheirOwnComparesTheTensors) {
  keep({{"reference", 4.0F}, {"a", 4.0F}});
  std::vector<ReportSource> open = sources(test::sampleReport(1, {"a"}));
  report::Report separate = test::sampleReport(1, {"a"});
  separate.provenance.tokenDigest = "sha256:cc";
  open.push_back(open.front());
  open.back().loaded.file = "other/precision_report.json";
  open.back().loaded.report = std::make_shared<const report::Report>(std::move(separate));
  const JoinedReports joined = *joinReports(open);
  const std::string other = joined.report->runs.back().name;
  const auto pair = pairRuns(joined, open, "reference", other);
  ASSERT_TRUE(pair.has_value()) << pair.error().message();
  EXPECT_EQ(pair->candidate.run, joined.origins.back().run);
  EXPECT_EQ(pair->candidate.loaded.file, "other/precision_report.json");
  EXPECT_EQ(pair->rows->comparisons.size(), 1U);
}

TEST_F(RunPairTest, ARunWhoseReferenceSeveralReportsShareIsComparedInItsOwn) {
  std::vector<ReportSource> open = sources(test::sampleReport(1, {"a"}));
  open.push_back(open.front());
  open.back().loaded.file = "other/precision_report.json";
  const JoinedReports joined = *joinReports(open);
  ASSERT_EQ(joined.report->runs.size(), 3U);
  const auto pair = pairRuns(joined, open, "reference", joined.report->runs.back().name);
  ASSERT_TRUE(pair.has_value()) << "no tensors are kept: " << pair.error().message();
  EXPECT_EQ(pair->rows, &joined.report->runs.back());
  EXPECT_EQ(pair->baseline.loaded.file, "other/precision_report.json");
  EXPECT_EQ(pair->baseline.run, "reference");
}

TEST_F(RunPairTest, SaysWhatIsWrongWithTheRuns) {
  const auto open = sources(test::sampleReport(1, {"a", "b"}));
  const JoinedReports joined = *joinReports(open);
  const auto same = pairRuns(joined, open, "a", "a");
  EXPECT_EQ(same.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(same.error().message(), HasSubstr("cannot be compared with itself"));
  EXPECT_THAT(pairRuns(joined, open, "a", "x").error().message(),
              HasSubstr("there is no run 'x'; choose reference, a, b"));
  const auto nothingKept = pairRuns(joined, open, "a", "b");
  EXPECT_EQ(nothingKept.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(nothingKept.error().message(), HasSubstr("capture.tensors: full"));
}

TEST_F(RunPairTest, CanBeStopped) {
  keep({{"a", 4.0F}, {"b", 5.0F}});
  const auto open = sources(test::sampleReport(1, {"a", "b"}));
  std::stop_source stop;
  stop.request_stop();
  const auto pair = pairRuns(*joinReports(open), open, "a", "b", {.stop = stop.get_token()});
  EXPECT_EQ(pair.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
