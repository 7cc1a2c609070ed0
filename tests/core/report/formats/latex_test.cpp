#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(LatexExporter, WritesTablesUnderTheirPasses) {
  const std::string text =
      test::exported("latex", test::sampleReport(2, {"bf16"}), {{}, {"rms_diff"}, {}});
  EXPECT_THAT(text, HasSubstr("\\begin{longtable}{lrrrrrrrrrrr}"));
  EXPECT_THAT(text,
              HasSubstr("\\multicolumn{1}{c}{} & \\multicolumn{6}{c}{forward} & "
                        "\\multicolumn{5}{c}{backward} \\\\"));
  EXPECT_THAT(text,
              HasSubstr("decoder.1 & forward & 1$\\times$8$\\times$4 & "
                        "float32$\\to$bfloat16 & 0.0060 &  \\\\"));
}

TEST(LatexExporter, EscapesCommandsAndKeepsWords) {
  const std::string text = test::exported("latex", test::sampleReport(1, {"a_b%c&{d}\\~^#$é"}));
  EXPECT_THAT(text,
              HasSubstr("a\\_b\\%c\\&\\{d\\}\\textbackslash{}\\textasciitilde{}"
                        "\\textasciicircum{}\\#\\$é"));
}

TEST(LatexExporter, RendersADocumentInItsOrder) {
  const TextTable table{
      "Errors", {{"name", false}, {"RMS", true, "all"}}, {{"a", "1"}, {"b", "2"}}, "a note"};
  EXPECT_EQ(findReportFormat("latex")->render({"A #1", {{"model", "x"}}, {"Words_", table}}),
            "% Needs \\usepackage{booktabs,longtable,caption} in the preamble.\n"
            "% A \\#1\n"
            "\n"
            "Words\\_\n"
            "\n"
            "\\begin{longtable}{lr}\n"
            "\\caption*{Errors}\\\\\n"
            "\\toprule\n"
            "\\multicolumn{1}{c}{} & \\multicolumn{1}{c}{all} \\\\\n"
            "name & RMS \\\\\n"
            "\\midrule\n"
            "\\endhead\n"
            "a & 1 \\\\\n"
            "b & 2 \\\\\n"
            "\\bottomrule\n"
            "\\end{longtable}\n"
            "\n"
            "a note\n");
}

TEST(LatexExporter, WritesSignsAsPdfLatexKnowsThem) {
  EXPECT_THAT(findReportFormat("latex")->render({"", {}, {"log π, δ ≥ 1 ▾"}}),
              testing::EndsWith("\nlog $\\pi$, $\\delta$ $\\geq$ 1 $\\downarrow$\n"));
}

TEST(LatexExporter, DrawsNoTwoCharactersAsOne) {
  EXPECT_THAT(findReportFormat("latex")->render({"", {}, {"a--b,,c''d---ee-- -,-"}}),
              testing::EndsWith("\na-{}-b,{},c'{}'d-{}-{}-ee-{}- -,-\n"));
}

}  // namespace
}  // namespace ulp::report
