#include "tests/core/report/exporters/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(HtmlExporter, WritesOnePageWithoutOutsideParts) {
  const std::string text = test::exported("html", test::sampleReport(2, {"bf16"}));
  EXPECT_THAT(text, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, testing::EndsWith("</html>\n"));
  EXPECT_THAT(text, HasSubstr("<th colspan=\"6\">forward</th>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"number\">"));
  for (const char* outside : {"http", "src=", "<script", "@import"}) {
    EXPECT_THAT(text, testing::Not(HasSubstr(outside)));
  }
}

TEST(HtmlExporter, EscapesTags) {
  Report report = test::sampleReport(1, {"<b>&\"x\""});
  report.model.name = "<script>";
  const std::string text = test::exported("html", report);
  EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;&quot;x&quot;"));
  EXPECT_THAT(text, testing::Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace ulp::report
