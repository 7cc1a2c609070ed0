#include <gtest/gtest.h>

#include "core/report/summary/provenance_line.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

TEST(InputAmount, CountsSamplesTokensDocumentsAndLabels) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.sequences = 1;
  report.provenance.sequenceLength = 128;
  report.runs[0].step = {.labels = 127, .documents = 1, .microBatches = 1};
  EXPECT_EQ(inputAmount(report), "1 sample, 1 sequence of 128 tokens, 1 document, 127 labels");
}

TEST(InputAmount, SaysHowManySamplesAreFinished) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.samples = 8;
  report.provenance.sequences = 16;
  report.provenance.sequenceLength = 128;
  report.runs[0].samples = 3;
  EXPECT_EQ(inputAmount(report), "3 of 8 samples, 6 sequences of 128 tokens");
}

TEST(InputAmount, IsEmptyForReportsThatDoNotSay) {
  EXPECT_EQ(inputAmount(test::sampleReport(1, {"bf16"})), "");
}

}  // namespace
}  // namespace ulp::report
