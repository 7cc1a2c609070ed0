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

}  // namespace
}  // namespace ulp::report
