#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(MdExporter, WritesTables) {
  const std::string text =
      test::exported("md", test::sampleReport(2, {"bf16"}), {{}, {"rms_diff"}, {}});
  EXPECT_THAT(text, testing::StartsWith("# Precision report of SmolLM2-135M\n"));
  EXPECT_THAT(text, HasSubstr("| variant | forward embeddings | forward mid median |"));
  EXPECT_THAT(text, HasSubstr("\n|---|---|---|---|---:|---|\n"));
  EXPECT_THAT(text, HasSubstr("| decoder.1 | forward | 1×8×4 | float32→bfloat16 | 0.0060 |  |"));
}

TEST(MdExporter, EscapesMarkup) {
  const std::string text = test::exported("md", test::sampleReport(1, {"a|b_c*<i>"}));
  EXPECT_THAT(text, HasSubstr("| a\\|b\\_c\\*\\<i\\> |"));
}

std::string paragraph(const std::string& note) {
  return findReportFormat("md")->render({"", {}, {note}});
}

TEST(MdExporter, RendersADocumentInItsOrder) {
  const TextTable table{
      "Errors", {{"name", false}, {"RMS", true, "all"}}, {{"a", "1"}}, "- a note"};
  EXPECT_EQ(findReportFormat("md")->render({"A #1", {{"model", "x|y"}}, {"Words", table}}),
            "# A \\#1\n\n"
            "- model: x\\|y\n"
            "\n"
            "Words\n"
            "\n"
            "## Errors\n\n"
            "\\- a note\n\n"
            "| name | all RMS |\n"
            "|---|---:|\n"
            "| a | 1 |\n");
  EXPECT_EQ(findReportFormat("md")->render({"", {}, {"One", "Two"}}), "One\n\nTwo\n");
}

TEST(MdExporter, EscapesWhatWouldBecomeAList) {
  EXPECT_EQ(paragraph("- a"), "\\- a\n");
  EXPECT_EQ(paragraph("+ a"), "\\+ a\n");
  EXPECT_EQ(paragraph("= a"), "\\= a\n");
  EXPECT_EQ(paragraph("1. a"), "1\\. a\n");
  EXPECT_EQ(paragraph("12) a"), "12\\) a\n");
  // No list begins so.
  EXPECT_EQ(paragraph(". a"), ". a\n");
  EXPECT_EQ(paragraph("1- a"), "1- a\n");
  EXPECT_EQ(paragraph("12"), "12\n");
}

TEST(MdExporter, EscapesAddressesAndNamesOfPictures) {
  EXPECT_EQ(paragraph("www.a"), "www\\.a\n");
  EXPECT_EQ(paragraph("a WWW.b"), "a WWW\\.b\n");
  EXPECT_EQ(paragraph("ww.a xw.b"), "ww.a xw.b\n");
  for (const char* next : {"a", "z", "A", "Z", "0", "9", "/", "+", "-"}) {
    EXPECT_EQ(paragraph(std::string("x:") + next), std::string("x\\:") + next + "\n");
  }
  EXPECT_EQ(paragraph("x: y"), "x: y\n");
  EXPECT_EQ(paragraph("x:"), "x:\n");
}

}  // namespace
}  // namespace ulp::report
