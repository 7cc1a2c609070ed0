#include "core/report/provenance_line.h"

#include <gtest/gtest.h>

#include "tests/support/report_builder.h"

namespace ulp::report {
namespace {

TEST(ProvenanceLine, NamesModelTokensDeviceDateAndVersion) {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.tokenDigest = "0123456789abcdef";
  EXPECT_EQ(provenanceLine(report),
            "SmolLM2-135M · tokens 0123456789ab · cpu · 2026-01-31 · Ulpscope 0.1.0");
}

TEST(ProvenanceLine, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(provenanceLine({}), "");
  Report report;
  report.model.name = "tiny";
  EXPECT_EQ(provenanceLine(report), "tiny");
}

}  // namespace
}  // namespace ulp::report
