#include "core/analysis/reports/rebase_report.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Writes runs whose tensor at every site is ramp(first value).
class RebaseReportTest : public testing::Test {
 protected:
  static std::vector<float> ramp(float first, std::size_t count = 6) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }

  void keep(tensors::CaptureWriter& writer,
            const std::string& run,
            const std::vector<std::pair<Site, std::vector<float>>>& captures,
            std::uint64_t sampleLimit = 0) {
    ASSERT_TRUE(writer.beginRun(run).has_value());
    for (const auto& [site, values] : captures) {
      const numerics::TensorView view{
          values.data(), DType::Float32, {2, static_cast<std::int64_t>(values.size() / 2)}};
      ASSERT_TRUE(writer.put(site, view, sampleLimit).has_value());
    }
    ASSERT_TRUE(writer.finishRun().has_value());
  }

  ReportSource sourceOf(report::Report report) const {
    return {{std::make_shared<const report::Report>(std::move(report)),
             m_folder.path() / "precision_report.json",
             m_folder.path()},
            {}};
  }

  test::TempDir m_folder;
  Site m_first = test::layerSite("decoder.0", 0, Pass::Forward);
  Site m_second = test::layerSite("decoder.0", 0, Pass::Backward);
};

TEST_F(RebaseReportTest, ComparesEveryOtherRunWithTheBaselinesTensors) {
  {
    auto writer = *tensors::CaptureWriter::create(m_folder.path());
    keep(*writer, "reference", {{m_first, ramp(0)}, {m_second, ramp(0)}});
    keep(*writer, "a", {{m_first, ramp(1)}, {m_second, ramp(2)}});
    keep(*writer, "b", {{m_first, ramp(4)}});
  }
  const std::vector sources{sourceOf(test::sampleReport(1, {"a", "b"}))};
  const JoinedReports joined = *joinReports(sources);
  std::vector<std::size_t> seen;
  const auto rebased = rebaseReport(joined, sources, "a", {.onRun = [&](const RebasedReport& so) {
                                      seen.push_back(so.report.runs.size());
                                    }});
  ASSERT_TRUE(rebased.has_value()) << rebased.error().message();
  EXPECT_EQ(rebased->report.reference, "a");
  EXPECT_EQ(rebased->compared, 3U);
  EXPECT_EQ(rebased->unmatched, 1U);
  EXPECT_TRUE(rebased->problems.empty());
  EXPECT_THAT(seen, ElementsAre(2U, 3U));
  const int maximum = rebased->report.metricIndex("max_diff");
  ASSERT_GE(maximum, 0);
  const auto& reference = rebased->report.findRun("reference")->comparisons;
  ASSERT_EQ(reference.size(), 2U);
  EXPECT_EQ(reference[0].site, m_first);
  EXPECT_DOUBLE_EQ(reference[0].metrics[static_cast<std::size_t>(maximum)], 1);
  EXPECT_DOUBLE_EQ(reference[1].metrics[static_cast<std::size_t>(maximum)], 2);
  const auto& b = rebased->report.findRun("b")->comparisons;
  ASSERT_EQ(b.size(), 1U);
  EXPECT_DOUBLE_EQ(b[0].metrics[static_cast<std::size_t>(maximum)], 3);
  EXPECT_THAT(b[0].shape, ElementsAre(2, 3));
}

TEST_F(RebaseReportTest, ComparesSamplesAtTheSamePlaces) {
  {
    auto writer = *tensors::CaptureWriter::create(m_folder.path());
    auto changed = ramp(0, 200);
    changed[66] += 5;
    keep(*writer, "reference", {{m_first, ramp(0, 200)}});
    keep(*writer, "a", {{m_first, changed}}, 70);
  }
  const std::vector sources{sourceOf(test::sampleReport(1, {"a"}))};
  const auto rebased = rebaseReport(*joinReports(sources), sources, "reference");
  ASSERT_TRUE(rebased.has_value()) << rebased.error().message();
  const report::Comparison& row = rebased->report.findRun("a")->comparisons.at(0);
  EXPECT_EQ(row.count, 200U);
  EXPECT_EQ(row.compared, 67U);
  EXPECT_THAT(row.shape, ElementsAre(2, 100));
  ASSERT_EQ(row.worst.size(), 1U);
  EXPECT_THAT(row.worst[0].index, ElementsAre(0, 66));
  EXPECT_DOUBLE_EQ(row.worst[0].variant - row.worst[0].reference, 5);
}

TEST_F(RebaseReportTest, LeavesOutTensorsOfAnotherShape) {
  {
    auto writer = *tensors::CaptureWriter::create(m_folder.path());
    keep(*writer, "reference", {{m_first, ramp(0)}});
    keep(*writer, "a", {{m_first, ramp(0, 8)}});
  }
  const std::vector sources{sourceOf(test::sampleReport(1, {"a"}))};
  const auto rebased = rebaseReport(*joinReports(sources), sources, "reference");
  ASSERT_TRUE(rebased.has_value()) << rebased.error().message();
  EXPECT_EQ(rebased->compared, 0U);
  EXPECT_EQ(rebased->misshapen, 1U);
  EXPECT_EQ(rebased->unmatched, 0U);
}

TEST_F(RebaseReportTest, SaysWhatIsMissing) {
  const std::vector sources{sourceOf(test::sampleReport(1, {"a"}))};
  const JoinedReports joined = *joinReports(sources);
  const auto without = rebaseReport(joined, sources, "a");
  ASSERT_FALSE(without.has_value());
  EXPECT_EQ(without.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(without.error().message(),
              HasSubstr("a: no tensors were kept, so no error against it can be computed; run its "
                        "study again with capture.tensors: full"));
  EXPECT_EQ(rebaseReport(joined, sources, "x").error().message(), "there is no run 'x'");
}

TEST_F(RebaseReportTest, StopsWhenAsked) {
  {
    auto writer = *tensors::CaptureWriter::create(m_folder.path());
    keep(*writer, "reference", {{m_first, ramp(0)}});
    keep(*writer, "a", {{m_first, ramp(0)}});
  }
  const std::vector sources{sourceOf(test::sampleReport(1, {"a"}))};
  std::stop_source stop;
  stop.request_stop();
  const auto rebased =
      rebaseReport(*joinReports(sources), sources, "a", {.stop = stop.get_token()});
  ASSERT_FALSE(rebased.has_value());
  EXPECT_EQ(rebased.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
