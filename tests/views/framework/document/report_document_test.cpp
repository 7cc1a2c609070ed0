#include "views/framework/document/report_document.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/views/realistic_report.h"
#include "views/framework/document/ulp_help.h"

namespace ulp::views {
namespace {

TEST(ReportDocument, FindsVariantsSitesAndValues) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"bf16", "fp16"}));
  EXPECT_EQ(document->variantCount(), 2);
  EXPECT_EQ(document->findVariant(QStringLiteral("fp16")), 1);
  EXPECT_EQ(document->findVariant(QStringLiteral("reference")), -1);
  ASSERT_NE(document->referenceRun(), nullptr);
  const int forward = document->findSite("decoder.1", Pass::Forward);
  const int backward = document->findSite("decoder.1", Pass::Backward);
  EXPECT_GE(forward, 0);
  EXPECT_GT(backward, forward);
  EXPECT_EQ(document->findSite("decoder.9", Pass::Forward), -1);
  const int metric = document->findMetric(QStringLiteral("rms_rel"));
  EXPECT_DOUBLE_EQ(document->value(1, forward, metric), 3 * 2 / 1000.0);
  EXPECT_TRUE(std::isnan(document->value(0, -1, metric)));
  EXPECT_TRUE(std::isnan(document->value(7, forward, metric)));
  EXPECT_EQ(document->comparison(0, 10000), nullptr);
}

TEST(ReportDocument, MergesTheSitesOfVariantsInExecutionOrder) {
  report::Report report = test::sampleReport(2, {"a", "b"});
  auto& first = report.runs[1].comparisons;
  first.erase(first.begin() + 1);  // decoder.0 is missing in the first variant
  const DocumentPtr document = test::documentOf(std::move(report));
  ASSERT_GT(document->sites().size(), 2U);
  EXPECT_EQ(document->sites()[0].name, "embeddings");
  EXPECT_EQ(document->sites()[1].name, "decoder.0");
  EXPECT_EQ(document->sites()[2].name, "decoder.1");
  EXPECT_EQ(document->comparison(0, 1), nullptr);
  EXPECT_NE(document->comparison(1, 1), nullptr);
}

TEST(ReportDocument, VariantsWithTensorsOfTheirOwnTakeMemoryInProportion) {
  constexpr int kVariants = 10'000;
  report::Report report;
  report.reference = "reference";
  report.metrics = {{"rms_rel"}};
  report.runs.push_back({.name = "reference"});
  for (int i = 0; i < kVariants; ++i) {
    report::Comparison row;
    row.site.name = "tensor_" + std::to_string(i);
    row.metrics = {static_cast<double>(i)};
    report.runs.push_back({.name = "v" + std::to_string(i), .comparisons = {std::move(row)}});
  }
  const bool isKnown = test::MemoryPeak::works();
  const test::MemoryPeak peak;
  const DocumentPtr document = test::documentOf(std::move(report));
  // A table of all variants by all tensors has 10^8 places.
  if (isKnown) {
    EXPECT_LT(peak.bytes(), std::size_t{150} << 20U);
  }
  const int last = document->findVariant(QStringLiteral("v9999"));
  EXPECT_EQ(last, kVariants - 1);
  EXPECT_DOUBLE_EQ(document->value(last, document->findSite("tensor_9999", Pass::Forward), 0),
                   9999);
  EXPECT_EQ(document->comparison(last, document->findSite("tensor_0", Pass::Forward)), nullptr);
}

TEST(ReportDocument, ShowsAnUnknownMetricByItsId) {
  report::Report report = test::sampleReport(1, {"a"});
  report.metrics[0].id = "from_the_future";
  const DocumentPtr document = test::documentOf(std::move(report));
  EXPECT_EQ(document->metrics()[0].label, QStringLiteral("from_the_future"));
  EXPECT_TRUE(document->metrics()[0].formula.isEmpty());
  EXPECT_FALSE(document->metrics()[1].formula.isEmpty());
  EXPECT_EQ(document->defaultMetric(), QStringLiteral("rms_rel"));
}

TEST(ReportDocument, AnEmptyReportHasNothing) {
  const DocumentPtr document = test::documentOf({});
  EXPECT_EQ(document->variantCount(), 0);
  EXPECT_EQ(document->referenceRun(), nullptr);
  EXPECT_TRUE(document->sites().empty());
  EXPECT_TRUE(document->defaultMetric().isEmpty());
}

QString labelOf(const ReportDocument& document, const char* metric) {
  return document.metrics()[static_cast<std::size_t>(document.findMetric(QLatin1String(metric)))]
      .label;
}

TEST(ReportDocument, SaysOfWhichFormatUlpAre) {
  report::Report report = test::sampleReport(1, {"a", "b"});
  EXPECT_EQ(labelOf(*test::documentOf(report), "ulp.mean"), QStringLiteral("Mean ULP of bfloat16"));
  report.runs[2].comparisons[1].variantDType = "float16";
  EXPECT_EQ(labelOf(*test::documentOf(report), "ulp.mean"),
            QStringLiteral("Mean ULP of several formats"));
  for (const std::size_t run : {1U, 2U}) {
    for (report::Comparison& row : report.runs[run].comparisons) {
      row.variantDType = "nf4";
    }
  }
  EXPECT_EQ(labelOf(*test::documentOf(report), "ulp.mean"), QStringLiteral("Mean ULP"));
}

TEST(ReportDocument, ShowsNoUlpThatSayNothing) {
  report::Report report = test::sampleReport(1, {"a"});
  ASSERT_EQ(report.metrics[3].id, "ulp.mean");
  report.runs[1].comparisons[0].metrics[3] = 1.5e36;
  const DocumentPtr document = test::documentOf(report);
  EXPECT_TRUE(std::isnan(document->value(0, 0, 3)));
  EXPECT_FALSE(std::isnan(document->value(0, 1, 3)));
  EXPECT_EQ(document->columnFormat(3).text(document->value(0, 1, 3)).trimmed(),
            QStringLiteral("0.0200"))
      << "the others are not written for its sake";
  const QString why = ulpHelp(*document, {0, 0, 3});
  EXPECT_TRUE(why.startsWith(QStringLiteral("not shown: 1.50e36 ULP of bfloat16")))
      << why.toStdString();
  EXPECT_EQ(ulpHelp(*document, {0, 1, 3}), QStringLiteral("in ULP of bfloat16"));
  EXPECT_EQ(ulpHelp(*document, {0, 1, 1}), QString()) << "no number of ULP";
}

TEST(ReportDocument, SurvivesRowsWithFewerMetricsThanColumns) {
  report::Report report = test::sampleReport(1, {"a"});
  report.runs[1].comparisons[0].metrics.resize(1);
  const DocumentPtr document = test::documentOf(std::move(report));
  EXPECT_TRUE(std::isnan(document->value(0, 0, 2)));
}

}  // namespace
}  // namespace ulp::views
