#include "core/report/summary/provenance_line.h"

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

TEST(ProvenanceLine, NamesModelWeightsTokensDeviceDateAndVersion) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.tokenDigest = "0123456789abcdef";
  report.provenance.weightsDigest = "sha256:fedcba9876543210";
  EXPECT_EQ(provenanceLine(report),
            "SmolLM2-135M · weights fedcba987654 · tokens 0123456789ab · cpu · 2026-01-31 · "
            "Ulpscope 0.1.0");
}

TEST(ProvenanceLine, StatesInputTokensDocumentsAndLabels) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.input = "random token ids, seed 0";
  report.provenance.sequences = 2;
  report.provenance.sequenceLength = 128;
  report.runs[0].step = {.labels = 254, .documents = 2, .microBatches = 1};
  EXPECT_EQ(provenanceLine(report),
            "SmolLM2-135M · weights aa · random token ids, seed 0 · tokens bb · 1 sample, 2 "
            "sequences of 128 tokens, 2 documents, 254 labels · cpu · 2026-01-31 · Ulpscope 0.1.0");
}

TEST(ProvenanceLine, StatesHowManySamplesTheReferenceFinished) {
  Report report;
  report.provenance.sequences = 6;
  report.provenance.sequenceLength = 4;
  report.provenance.samples = 3;
  EXPECT_EQ(inputAmount(report), "0 of 3 samples, 0 sequences of 4 tokens");
  report = test::sampleReport(1, {"bf16"});
  report.provenance.sequences = 6;
  report.provenance.sequenceLength = 4;
  report.provenance.samples = 3;
  report.runs[0].samples = 2;
  EXPECT_EQ(inputAmount(report), "2 of 3 samples, 4 sequences of 4 tokens");
}

TEST(AttentionText, NamesTheKernelsOfEachRunOnce) {
  Report report = test::sampleReport(1, {"bf16", "eager"});
  EXPECT_EQ(attentionText(report), "");
  report.runs[0].attentionKernels = {{"a", "math"}, {"b", "math"}};
  report.runs[1].attentionKernels = {{"a", "math"}, {"b", "flash"}};
  EXPECT_EQ(attentionText(report), "reference math; bf16 flash, math");
}

TEST(DeviceFactsText, ListsThemInOneLine) {
  Report report;
  EXPECT_EQ(deviceFactsText(report), "");
  report.provenance.deviceFacts = {{"cudnn", "9.19.0"}, {"compute_capability", "9.0"}};
  EXPECT_EQ(deviceFactsText(report), "compute_capability 9.0, cudnn 9.19.0");
}

TEST(ProvenanceLine, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(provenanceLine({}), "");
  Report report;
  report.model.name = "tiny";
  EXPECT_EQ(provenanceLine(report), "tiny");
}

}  // namespace
}  // namespace ulp::report
