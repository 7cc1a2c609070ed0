#include "core/report/model/report.h"

#include <cmath>
#include <ctime>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(Report, FindsRunsAndMetrics) {
  const Report report = test::sampleReport(1, {"bf16"});
  EXPECT_EQ(report.findRun("bf16"), &report.runs[1]);
  EXPECT_EQ(report.findRun("none"), nullptr);
  EXPECT_EQ(report.metricIndex("ulp.mean"), 3);
  EXPECT_EQ(report.metricIndex("ulp"), -1);
}

TEST(Report, SavesAndLoadsAFolderOrAFile) {
  const test::TempDir dir;
  const Report report = test::sampleReport(2, {"bf16"});
  ASSERT_TRUE(saveReport(report, dir.path()).has_value());
  for (const auto& path : {dir.path(), dir / "precision_report.json"}) {
    const auto loaded = loadReport(path);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
    EXPECT_EQ(toJson(*loaded->report), toJson(report));
    EXPECT_EQ(loaded->file, dir / "precision_report.json");
    EXPECT_EQ(loaded->folder, dir.path());
  }
}

TEST(Report, NamesWhatIsMissing) {
  const test::TempDir dir;
  const auto folder = loadReport(dir.path());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(folder.error().message(), HasSubstr("holds no precision_report.json"));
  const auto file = loadReport(dir / "none.json");
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(file.error().message(), HasSubstr("none.json"));
}

TEST(Report, NamesTheFileOfACorruptReport) {
  const test::TempDir dir;
  const auto loaded =
      loadReport(dir.write("x.json", "{\"schema\": \"ulpscope.report/1\",\n oops}"));
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(loaded.error().message(), HasSubstr("x.json:2:2: "));
}

TEST(Report, FailsToSaveWhereItCannotWrite) {
  EXPECT_FALSE(saveReport({}, "/nowhere/at/all").has_value());
}

TEST(Report, MakesAComparisonOfTheFusedPass) {
  const std::vector<float> reference{1, 2, 3, 4, 5, 6};
  const std::vector<float> candidate{1, 2, 3, 4, 7, 6};
  numerics::Moments moments;
  moments.count = 6;
  moments.compared = 5;
  moments.sumSquaredDifference = 20;
  moments.candidate.nan = 1;
  moments.worst = {{4, 5, 7}};
  const Site site{"decoder.0", "model.layers.0", 0, Level::Layer, Pass::Forward};
  const Comparison row = makeComparison(site,
                                        {reference.data(), DType::Float32, {2, 3}},
                                        {candidate.data(), DType::BFloat16, {2, 3}},
                                        moments);
  EXPECT_EQ(row.site, site);
  EXPECT_THAT(row.shape, testing::ElementsAre(2, 3));
  EXPECT_EQ(row.referenceDType, "float32");
  EXPECT_EQ(row.variantDType, "bfloat16");
  EXPECT_EQ(row.count, 6U);
  EXPECT_EQ(row.compared, 5U);
  EXPECT_EQ(row.variantNonFinite.nan, 1U);
  ASSERT_EQ(row.worst.size(), 1U);
  EXPECT_THAT(row.worst[0].index, testing::ElementsAre(1, 1));
  EXPECT_EQ(row.worst[0].variant, 7);
  const numerics::MetricRegistry metrics = numerics::elementMetrics();
  ASSERT_EQ(row.metrics.size(), metrics.all().size());
  EXPECT_EQ(row.metrics[*metrics.indexOf("rms_diff")], 2);
}

TEST(Report, ReadsManyRowsWithoutQuadraticWork) {
  Report report = test::sampleReport(2, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  constexpr std::size_t kRows = 5'000;
  while (rows.size() < kRows) {
    rows.push_back(rows[rows.size() % 7]);
    rows.back().site.name = "model.layers.0.mlp." + std::to_string(rows.size());
  }
  const auto timed = [&] {
    const std::string json = toJson(report);
    const std::clock_t start = std::clock();
    const auto parsed = parseReport(json, "r.json");
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_TRUE(parsed.has_value());
    return seconds;
  };
  const double small = timed();
  for (int doubling = 0; doubling < 3; ++doubling) {
    const std::vector<Comparison> copy = rows;
    rows.insert(rows.end(), copy.begin(), copy.end());
  }
  const double large = timed();
  RecordProperty("cpu_seconds_40000_rows", std::to_string(large));
  EXPECT_LT(large, 30 * small) << "eight times the rows took " << large / small << " times as long";
}

}  // namespace
}  // namespace ulp::report
