#include <sstream>

#include "core/report/tables/number_column.h"
#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

std::vector<std::string> linesAfter(const std::string& text, const std::string& heading) {
  std::istringstream stream(text.substr(text.find(heading)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line) && !line.empty();) {
    lines.push_back(line);
  }
  return lines;
}

TEST(TextExporter, AlignsATensorTable) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons.resize(2);
  const auto lines =
      linesAfter(test::exported("text", report, {{}, {"rms_diff"}, {}}), "=== Variant: bf16");
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_THAT(lines[1], testing::StartsWith("SmolLM2-135M · weights aa · tokens bb"));
  EXPECT_EQ(lines[2], "tensor      pass     shape  dtype             RMS diff  non-finite");
  EXPECT_EQ(lines[3], "------------------------------------------------------------------");
  EXPECT_EQ(lines[4], "embeddings  forward  1×8×4  float32→bfloat16    0.0020");
  EXPECT_EQ(lines[5], "decoder.0   forward  1×8×4  float32→bfloat16    0.0040");
}

TEST(TextExporter, PutsTheSummaryLastUnderItsPasses) {
  const std::string text = test::exported("text", test::sampleReport(4, {"bf16", "fp16"}));
  EXPECT_GT(text.find("=== Summary: "), text.find("=== Variant: fp16 ==="));
  const auto lines = linesAfter(text, "=== Summary: ");
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_THAT(lines[2], HasSubstr("forward"));
  EXPECT_THAT(lines[2], HasSubstr("backward"));
  EXPECT_THAT(
      lines[3],
      testing::MatchesRegex("variant +embeddings +mid median +mid max +norm +logits +loss +head "
                            "+logits +mid median +mid max +decoder.0"));
  EXPECT_THAT(lines[5], testing::StartsWith("bf16 "));
  EXPECT_EQ(displayWidth(lines[5]), displayWidth(lines[3]));
}

TEST(TextExporter, ShowsTheRunsAndWhereTheyRan) {
  Report report = test::sampleReport(2, {"bf16"});
  report.runs.at(1).attentionKernels = {{"model.layers.0.self_attn", "flash"}};
  const std::string text = test::exported("text", report);
  EXPECT_THAT(
      text,
      HasSubstr("  model              SmolLM2-135M (llama, 2 layers, 134515008 parameters)\n"));
  EXPECT_THAT(text, HasSubstr("  device             cpu, 2 threads\n"));
  EXPECT_THAT(text, HasSubstr("  attention kernels  bf16 flash\n"));
  EXPECT_THAT(text, HasSubstr("precision.compute_dtype: bfloat16"));
}

TEST(AlignedTable, IsAsWideAsItsColumnsAndTheGapsBetween) {
  std::string text;
  appendAlignedTable(text,
                     {"Errors",
                      {{"tensor", false, ""}, {"a", true, "forward"}, {"count", true, "forward"}},
                      {{"norm", "0.25", "1"}, {"the last", "", "12"}},
                      "In order."});
  EXPECT_EQ(text,
            "\n=== Errors ===\n"
            "In order.\n"
            "          forward\n"
            "tensor       a  count\n"
            "---------------------\n"
            "norm      0.25      1\n"
            "the last           12\n");
}

}  // namespace
}  // namespace ulp::report
