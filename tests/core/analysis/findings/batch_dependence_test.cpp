#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using report::FindingSeverity;
using report::Report;
using test::findingsOf;
using test::rowOf;
using test::setError;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// What a run sets beside what all set.
using Sets = std::pair<std::string, std::string>;

std::string keysOf(const Sets& sets) {
  std::string text = R"("precision.compute_dtype":{"value":"bfloat16"},)"
                     R"("batch.among":{"value":"0"},"batch.padding":{"value":"0"})";
  const std::string key = '"' + sets.first + R"(":{"value":")";
  if (const std::size_t at = text.find(key); at != std::string::npos) {
    const std::size_t begin = at + key.size();
    text.replace(begin, text.find('"', begin) - begin, sets.second);
  }
  return text;
}

/// Runs that are equal to the reference, and what each sets.
Report batchReport(const std::vector<std::pair<std::string, Sets>>& runs) {
  std::vector<std::string> names;
  std::string effective = R"({"reference":{)" + keysOf({}) + '}';
  for (const auto& [name, sets] : runs) {
    names.push_back(name);
    effective += ",\"" + name + "\":{" + keysOf(sets) + '}';
  }
  Report report = test::quietReport(names);
  report.effectiveJson = effective + '}';
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      setError(row, 0);
    }
  }
  return report;
}

std::vector<Finding> batchFindings(const Report& report) {
  return findingsOf(report, "batch_dependence");
}

TEST(BatchDependence, WhatIsEqualInEveryTensorDoesNotDependOnIt) {
  const Report report =
      batchReport({{"among_2", {"batch.among", "2"}}, {"padded", {"batch.padding", "4"}}});
  const auto findings = batchFindings(report);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, FindingSeverity::Note);
  EXPECT_THAT(findings[0].title.text(),
              AllOf(HasSubstr("Does not depend on the batch: all "),
                    HasSubstr(std::to_string(report.runs[1].comparisons.size()) +
                              " tensors are equal (among_2, padded)")));
  EXPECT_THAT(findings[0].sites, IsEmpty());
  EXPECT_THAT(findings[0].runs, ElementsAre("among_2", "padded"));
  EXPECT_THAT(findingsOf(report, "identical_variant"), IsEmpty())
      << "nobody meant these levers to have an effect";
}

TEST(BatchDependence, NamesTheFirstTensorHowManyAndHowFarItGets) {
  Report report = batchReport({{"among_2", {"batch.among", "2"}}});
  setError(rowOf(report, "among_2", "decoder.2"), 0.25);
  setError(rowOf(report, "among_2", "decoder.1"), 0.125);
  setError(rowOf(report, "among_2", "logits"), 0.5);
  report.runs[1].logProbabilities = report::LogProbabilityError{.positions = 40, .sameTop = 37};
  const auto findings = batchFindings(report);
  ASSERT_THAT(findings, SizeIs(1));
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.severity, FindingSeverity::Look);
  EXPECT_EQ(finding.title.text(),
            "Depends on the batch from decoder.1, forward on: 3 of " +
                std::to_string(report.runs[1].comparisons.size()) + " tensors differ (among_2)");
  EXPECT_EQ(finding.sites.front().name, "decoder.1");
  EXPECT_THAT(finding.explanation.text(),
              AllOf(HasSubstr("The largest relative error is 50"),
                    HasSubstr("logits differ by up to 1, and at 3 of 40 positions another token")));
  ASSERT_THAT(finding.numbers, SizeIs(4));
  EXPECT_EQ(finding.numbers[0].value, 3);
  EXPECT_EQ(finding.numbers[1].value, 0.5);
  EXPECT_TRUE(finding.numbers[1].isRatio);
  EXPECT_EQ(finding.numbers[3].value, 3);
}

TEST(BatchDependence, RunsThatPartAtTheSameTensorShareAFinding) {
  Report report = batchReport({{"among_2", {"batch.among", "2"}},
                               {"among_8", {"batch.among", "8"}},
                               {"padded", {"batch.padding", "4"}}});
  setError(rowOf(report, "among_2", "decoder.1"), 0.25);
  setError(rowOf(report, "among_8", "decoder.1"), 0.5);
  setError(rowOf(report, "among_8", "decoder.3"), 0.5);
  const auto findings = batchFindings(report);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_THAT(findings[0].title.text(), HasSubstr("1–2 of "));
  EXPECT_THAT(findings[0].runs, ElementsAre("among_2", "among_8"));
  EXPECT_THAT(findings[1].title.text(), HasSubstr("Does not depend"));
}

TEST(BatchDependence, WhichOfSeveralKeysItIsCanBeProved) {
  EXPECT_TRUE(builtinFindingRules().find("batch_dependence")->isOfDivergence);
}

TEST(BatchDependence, OtherFormatsAreNoCompany) {
  Report report = batchReport({{"fp32", {"precision.compute_dtype", "float32"}}});
  setError(rowOf(report, "fp32", "decoder.1"), 0.25);
  EXPECT_THAT(batchFindings(report), IsEmpty());
  report.effectiveJson.clear();
  EXPECT_THAT(batchFindings(report), IsEmpty()) << "formats that are not known may be others";
}

TEST(BatchDependence, ReportsWithoutBatchesSayNothingOfARepeat) {
  Report report = batchReport({{"again", {}}});
  setError(rowOf(report, "again", "decoder.1"), 0.25);
  EXPECT_THAT(batchFindings(report), IsEmpty());
}

TEST(BatchDependence, AReferenceThatDoesNotRepeatItselfIsTold) {
  Report report = batchReport({{"again", {}}, {"among_2", {"batch.among", "2"}}});
  setError(rowOf(report, "again", "decoder.2"), 0.25);
  setError(rowOf(report, "among_2", "decoder.2"), 0.25);
  const auto findings = batchFindings(report);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].title.text(),
            "The reference does not repeat its numbers from decoder.2, forward on (again)");
  EXPECT_EQ(findings[0].severity, FindingSeverity::Look);
  EXPECT_THAT(findings[1].title.text(), HasSubstr("Depends on the batch from decoder.2"));
}

TEST(BatchDependence, ElementsThatAreEqualCountByTheMetricWhereTheReportHasIt) {
  Report report = batchReport({{"among_2", {"batch.among", "2"}}});
  report.metrics.push_back({"equal_fraction"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.metrics.push_back(1);
  }
  rowOf(report, "among_2", "decoder.3").metrics.back() = 0.999;
  EXPECT_THAT(batchFindings(report)[0].title.text(), HasSubstr("from decoder.3, forward on: 1 of"));
}

TEST(BatchDependence, WhatIsNotFiniteInBothIsEqual) {
  Report report = batchReport({{"among_2", {"batch.among", "2"}}});
  report::Comparison& row = rowOf(report, "among_2", "decoder.1");
  row.compared = row.count - 2;
  row.referenceNonFinite.nan = 2;
  row.variantNonFinite.nan = 2;
  EXPECT_THAT(batchFindings(report)[0].title.text(), HasSubstr("Does not depend"));
  row.variantNonFinite = {.positiveInfinity = 2};
  EXPECT_THAT(batchFindings(report)[0].title.text(), HasSubstr("from decoder.1"));
}

TEST(BatchDependence, ARunThatIsNotFinishedProvesNothing) {
  Report report = batchReport({{"among_2", {"batch.among", "2"}}});
  report.runs[1].status = report::RunStatus::Failed;
  EXPECT_THAT(batchFindings(report), IsEmpty());
}

TEST(BatchDependence, VariantsThatDifferInMoreAreStillIdentical) {
  Report report = batchReport({{"fp32", {"precision.compute_dtype", "float32"}}});
  EXPECT_THAT(findingsOf(report, "identical_variant"), SizeIs(1));
}

}  // namespace
}  // namespace ulp::analysis
