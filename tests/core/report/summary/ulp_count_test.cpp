#include "core/report/summary/ulp_count.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/report/summary/noise_floor.h"
#include "core/report/summary/summary.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Comparison rowOf(const std::string& reference, const std::string& variant) {
  Comparison row = test::comparisonOf(test::layerSite("norm", -1, Pass::Forward), {});
  row.referenceDType = reference;
  row.variantDType = variant;
  return row;
}

TEST(UlpCount, IsOfTheCoarserFormat) {
  EXPECT_EQ(ulpFormatOf(rowOf("float32", "bfloat16")), DType::BFloat16);
  EXPECT_EQ(ulpFormatOf(rowOf("bfloat16", "float32")), DType::BFloat16);
  EXPECT_EQ(ulpFormatOf(rowOf("float32", "float32")), DType::Float32);
  EXPECT_EQ(ulpFormatOf(rowOf("float32", "nf4")), std::nullopt);
  EXPECT_TRUE(countsUlp("ulp.mean"));
  EXPECT_FALSE(countsUlp("rms_rel"));
}

TEST(UlpCount, SaysNothingBeyondTheNumbersOfTheFormat) {
  const Comparison narrow = rowOf("float32", "bfloat16");
  EXPECT_TRUE(isSensibleUlp(narrow, 65'536));
  EXPECT_FALSE(isSensibleUlp(narrow, 65'537));
  EXPECT_FALSE(isSensibleUlp(narrow, -1.5e36));
  EXPECT_TRUE(isSensibleUlp(narrow, INFINITY)) << "it is shown as a word";
  EXPECT_TRUE(isSensibleUlp(narrow, std::nan("")));
  EXPECT_TRUE(isSensibleUlp(rowOf("float32", "float32"), 65'537));
  EXPECT_FALSE(isSensibleUlp(rowOf("float32", "float32"), 4.3e9));
  EXPECT_TRUE(isSensibleUlp(rowOf("float32", "nf4"), 1e30)) << "nobody knows how many there are";
}

TEST(UlpCount, ThatSaysNothingIsInNoSummaryAndNoFloor) {
  Report report = test::sampleReport(3, {"a", "floor.repeat"});
  report.runs[2].role = RunRole::Floor;
  const std::size_t mean = 3;
  ASSERT_EQ(report.metrics[mean].id, "ulp.mean");
  for (std::size_t run = 1; run < report.runs.size(); ++run) {
    report.runs[run].comparisons.front().metrics[mean] = 1.5e36;
  }
  const Site site = report.runs[1].comparisons.front().site;
  EXPECT_TRUE(std::isnan(summarise(report, "ulp.mean").front().cells.front().value));
  EXPECT_FALSE(std::isnan(summarise(report, "rms_rel").front().cells.front().value));
  EXPECT_TRUE(std::isnan(NoiseFloor(report).at(site, mean)));
  EXPECT_FALSE(std::isnan(NoiseFloor(report).at(site, mean + 1)));
}

}  // namespace
}  // namespace ulp::report
