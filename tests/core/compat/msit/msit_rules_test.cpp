#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/msit/comparison.h"
#include "core/compat/msit/inputs.h"
#include "core/compat/msit/metrics.h"
#include "core/compat/msit/report_table.h"
#include "core/dumps/msit/pairing.h"
#include "tests/core/compat/msit/msit_fixture.h"
#include "tests/support/machine/long_file.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::compat::msit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MsitMappingTest, AUsersFileAddsAndReplacesTypes) {
  const test::TempDir dir;
  dir.write("op_mapping_file.json",
            R"({"RmsNormOperation": ["MyNorm"], "MyOp_outtensor1": "MyModule_output_0"})");
  const auto mapping = operationMapping(dir.path());
  ASSERT_TRUE(mapping) << mapping.error().message();
  EXPECT_EQ(mapping->size(), dumps::msit::builtinMapping().size() + 1);
  EXPECT_EQ(mapping->back().first, "MyOp_outtensor1");
  EXPECT_THAT(mapping->back().second, ElementsAre("MyModule_output_0"));
  const auto bad = operationMapping(dir.write("bad.json", R"({"A": ["../x"]})"));
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message(), AllOf(HasSubstr("bad.json"), HasSubstr("'A'")));
}

TEST(MsitMappingTest, FilesHaveUpTo16MiB) {
  const ::ulp::test::TempDir dir;
  const auto errorOf = [&](std::uint64_t bytes) {
    return operationMapping(::ulp::test::longFile(dir, "m.json", "}", bytes)).error().message();
  };
  EXPECT_THAT(errorOf(16U << 20U), testing::Not(HasSubstr(::ulp::test::kTooLong)));
  EXPECT_THAT(errorOf((16U << 20U) + 1), HasSubstr(::ulp::test::kTooLong));
}

/// Each type was looked for among all others.
TEST(MsitMappingTest, ManyTypesTakeATimeThatGrowsWithTheirNumber) {
  constexpr int kTypes = 200'000;
  std::string types = "{";
  for (int i = 0; i < kTypes; ++i) {
    types += fmt::format(R"({}"AnOperationOfATB{}": "M")", i == 0 ? "" : ",", i);
  }
  const test::TempDir dir;
  const auto file = dir.write("many.json", types + "}");
  const double before = ::ulp::test::processSeconds();
  const auto mapping = operationMapping(file);
  ASSERT_TRUE(mapping) << mapping.error().message();
  EXPECT_EQ(mapping->size(), dumps::msit::builtinMapping().size() + kTypes);
  EXPECT_LT(::ulp::test::processSeconds() - before, 8 * ::ulp::test::sanitizerFactor())
      << "minutes where it grows with the square";
}

tensors::Tensor tensorOf(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  const auto owner = std::make_shared<std::vector<float>>(values);
  return {.view = {owner->data(), DType::Float32, std::move(shape)}, .owner = owner};
}

TEST(MsitTensorPartsTest, PartsOfDevicesAreJoinedWhereTheOtherSideIsAsLarge) {
  const std::vector<tensors::Tensor> parts{tensorOf({1, 2, 5, 6}, {2, 2}),
                                           tensorOf({3, 4, 7, 8}, {2, 2})};
  const std::vector<tensors::Tensor> one{tensorOf({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4})};
  ASSERT_EQ(joinDimension(parts, one), 1U);
  const auto whole = joined(parts, 1);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_THAT(asFloats(whole->view), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(whole->view.shape, ElementsAre(2, 4));
  EXPECT_EQ(joinDimension(parts, {tensorOf({1, 2, 3}, {3, 1})}), std::nullopt);
  EXPECT_FALSE(joined({parts[0], tensorOf({1, 2, 3}, {3, 1})}, 1));
}

TEST(MsitTensorPartsTest, ATableOfRotationsIsCutToTheRowOfTheToken) {
  const tensors::Tensor table = tensorOf({1, 2, 3, 4, 5, 6}, {1, 1, 3, 2});
  const auto row = rotaryRow(table, 2, 0);
  ASSERT_TRUE(row);
  EXPECT_THAT(row->view.shape, ElementsAre(1, 2));
  EXPECT_THAT(asFloats(row->view), ElementsAre(3, 4));
  const auto half = rotaryRow(tensorOf({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}), 1, 1);
  ASSERT_TRUE(half);
  EXPECT_THAT(half->view.shape, ElementsAre(1, 2));
  EXPECT_THAT(asFloats(half->view), ElementsAre(2, 4));
  const auto columns = withoutRepeatedColumns(tensorOf({1, 1, 2, 2}, {1, 4}));
  ASSERT_TRUE(columns);
  EXPECT_THAT(asFloats(columns->view), ElementsAre(1, 2));
}

TEST(MsitMetricsTest, ReasonsAreThoseOfTheOriginal) {
  const std::vector<float> good{1, 2};
  const std::vector<float> bad{NAN, 2};
  EXPECT_EQ(reasonAgainst(good, good, true), "");
  EXPECT_EQ(reasonAgainst(bad, bad, false),
            "data shape doesn't match. golden_data includes NAN or inf. my_data includes NAN or "
            "inf.");
}

TEST(MsitMetricsTest, AnErrorAtAZeroOfTheReferenceIsNotSeen) {
  const std::vector<float> golden{0, 4};
  const std::vector<float> my{100, 5};
  const Metrics metrics = compareValues(golden, my);
  EXPECT_EQ(metrics.maxAbsoluteError, 1);
  EXPECT_EQ(metrics.maxRelativeError, 0.25F);
  EXPECT_EQ(metrics.meanRelativeError, 0.125F);
  const std::vector<float> zero{0, 0};
  EXPECT_EQ(compareValues(zero, zero).cosineSimilarity, 1);
  EXPECT_EQ(compareValues(zero, my).cosineSimilarity, 0);
  EXPECT_EQ(compareValues(zero, my).relativeEuclideanDistance, 0);
}

TEST(MsitMetricsTest, FewNumbersAreAddedFourAtATimeAsTorchDoes) {
  // One after the other they make 0.30833337.
  EXPECT_EQ(rangeOf(std::vector<float>{0.5F, -1.25F, 2.0F, 0.1F, 0.2F, 0.3F})->mean,
            0.3083333373069763F);
}

TEST(MsitReportTest, EveryOtherRowOfInt8OnOneSideStays) {
  std::vector<ReportRow> rows(4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].token = "0";
    rows[i].id = i;
    rows[i].golden.dtype = "torch.float16";
    rows[i].my.dtype = i < 3 ? "torch.int8" : "torch.float16";
  }
  rows[3].reason = "data shape doesn't match.";
  const test::Table table = test::parseCsv(reportCsv(rows));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1][1], "1");
}

TEST(MsitMetricsTest, AreThoseOfTheirFormulas) {
  const std::vector<float> golden{3, 4};
  const std::vector<float> my{3, 5};
  const Metrics metrics = compareValues(golden, my);
  EXPECT_EQ(metrics.relativeEuclideanDistance, 0.2F);
  EXPECT_EQ(metrics.meanAbsoluteError, 0.5F);
  EXPECT_NEAR(metrics.cosineSimilarity, 29 / (5 * std::sqrt(34.0)), 1e-10);
  EXPECT_EQ(metrics.cosineSimilarity, roundedTo(metrics.cosineSimilarity, 10));
  const std::vector<float> tiny{1e-9F};
  EXPECT_NEAR(cosineSimilarity(tiny, tiny), 0.01, 1e-6) << "norms below 1e-8 count as that";
  EXPECT_EQ(cosineSimilarity(std::vector<float>{0, 0}, std::vector<float>{0, 1}), 0);
  EXPECT_EQ(roundedTo(0.125, 2), 0.12);
  EXPECT_EQ(roundedTo(2.675, 2), 2.67);
  EXPECT_EQ(rangeOf({}), std::nullopt);
  const auto range = rangeOf(golden);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->max, 4);
  EXPECT_EQ(range->min, 3);
  EXPECT_EQ(range->mean, 3.5F);
  EXPECT_TRUE(std::isnan(rangeOf(std::vector<float>{1, NAN})->max));
}

TEST(MsitMetricsTest, TheDivergenceIsThatOfSoftmaxes) {
  std::vector<float> golden;
  std::vector<float> my;
  for (int i = 0; i < 45; ++i) {
    golden.push_back(static_cast<float>(i * 37 % 45) / 9);
    my.push_back(static_cast<float>(i * 11 % 45) / 9);
  }
  const auto logSum = [](const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) {
      sum += std::exp(static_cast<double>(value));
    }
    return std::log(sum);
  };
  double expected = 0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const double logP = static_cast<double>(golden[i]) - logSum(golden);
    expected += std::exp(logP) * (logP - static_cast<double>(my[i]) + logSum(my));
  }
  EXPECT_NEAR(*klDivergence(golden, my), expected, 1e-5);
  EXPECT_NEAR(*klDivergence(golden, my, KlPrecision::Float16), expected, 0.02 * expected);
  EXPECT_NEAR(*klDivergence(golden, my, KlPrecision::BFloat16), expected, 0.1 * expected);
  EXPECT_NE(klDivergence(golden, my, KlPrecision::Float16), klDivergence(golden, my));
}

TEST(MsitMetricsTest, LongTensorsAreReadToTheirEnd) {
  std::vector<float> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  EXPECT_EQ(asFloats(tensorOf(values, {5000}).view), values);
}

}  // namespace
}  // namespace ulp::compat::msit
