#include <sstream>

#include "tests/core/report/formats/plugin_test_support.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line);) {
    result.push_back(line);
  }
  return result;
}

TEST(CsvExporter, WritesOneRowForEachVariantAndTensor) {
  const Report report = test::sampleReport(2, {"a", "b"});
  const auto rows = lines(test::exported("csv", report));
  ASSERT_EQ(rows.size(), 1 + 2 * test::layerSites(2).size());
  EXPECT_EQ(rows[0],
            "run,name,module,layer,level,pass,shape,dtype_reference,dtype_variant,count,compared,"
            "rms_diff,rms_rel,cosine,ulp.mean,ulp.max,reference_nan,reference_+inf,reference_-inf,"
            "variant_nan,variant_+inf,variant_-inf");
  EXPECT_EQ(rows[2],
            "a,decoder.0,model.layers.0,0,layer,forward,1x8x4,float32,bfloat16,32,32,0.004,0.002,"
            "0.998,0.02,0.198,0,0,0,0,0,0");
}

TEST(CsvExporter, WritesLayersWithoutAnExponent) {
  Report report = test::sampleReport(1, {"a"});
  report.runs[1].comparisons[0].site.layer = 100'000;
  EXPECT_THAT(lines(test::exported("csv", report))[1], testing::HasSubstr(",100000,layer,"));
}

TEST(CsvExporter, AddsColumnsOfSamplesAndNoiseFloor) {
  Report report = test::sampleReport(1, {"a", "floor.repeat"});
  report.provenance.samples = 4;
  for (auto& run : report.runs) {
    run.samples = 4;
    for (Comparison& row : run.comparisons) {
      row.spread.assign(row.metrics.size(), {.sd = 0.5, .minimum = 0, .maximum = 1});
      row.gainError = 0.25;
      row.gainSpread.sd = 0;
    }
  }
  report.runs[2].role = RunRole::Floor;
  const auto rows = lines(test::exported("csv", report, {{}, {"rms_rel"}, {}}));
  EXPECT_THAT(rows[0],
              testing::EndsWith("variant_-inf,samples,gain_error,gain_error_sd,gain_error_ci95,"
                                "gain_error_systematic,is_noise_floor,rms_rel_sd,rms_rel_ci95,"
                                "rms_rel_floor,rms_rel_within_floor"));
  // 3.182446305283710 of three degrees of freedom, times 0.5 / 2
  EXPECT_THAT(rows[1], testing::HasSubstr(",4,0.25,0,0,1,0,0.5,0.79561157632"));
  EXPECT_THAT(rows[1], testing::EndsWith(",0.002,1"));
  EXPECT_THAT(rows.back(), testing::HasSubstr(",4,0.25,0,0,1,1,0.5,0.795611576"));
  EXPECT_THAT(rows.back(), testing::EndsWith(",0"));
}

using test::kInfinity;

TEST(CsvExporter, WritesNumbersThatReadBackExactly) {
  Report report = test::sampleReport(1, {"a"});
  report.runs[1].comparisons.resize(1);
  report.runs[1].comparisons[0].metrics = {1.0 / 3, std::nan(""), kInfinity, -kInfinity, 5e-324};
  EXPECT_THAT(lines(test::exported("csv", report))[1],
              testing::HasSubstr(",0.3333333333333333,NaN,Infinity,-Infinity,5e-324,"));
}

TEST(CsvExporter, QuotesWhatHoldsSeparators) {
  Report report = test::sampleReport(1, {"a, \"b\""});
  EXPECT_THAT(lines(test::exported("csv", report))[1], testing::StartsWith("\"a, \"\"b\"\"\",emb"));
}

}  // namespace
}  // namespace ulp::report
