#include "core/report/formats/format.h"
#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(HtmlExporter, WritesOnePageWithoutOutsideParts) {
  const std::string text = test::exported("html", test::sampleReport(2, {"bf16"}));
  EXPECT_THAT(text, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, testing::EndsWith("</html>\n"));
  EXPECT_THAT(text, HasSubstr("<th colspan=\"6\">forward</th>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"number\">"));
  for (const char* outside : {"http", "src=", "href=\"h", "url(", "@import"}) {
    EXPECT_THAT(text, testing::Not(HasSubstr(outside)));
  }
}

TEST(HtmlExporter, EscapesTags) {
  Report report = test::sampleReport(1, {"<b>&\"x\""});
  report.model.name = "<script>";
  const std::string text = test::exported("html", report);
  EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;&quot;x&quot;"));
  EXPECT_THAT(text, HasSubstr("Precision report of &lt;script&gt;</h1>"));
  EXPECT_THAT(text, testing::Not(HasSubstr("of <script>")));
}

TEST(HtmlExporter, SortsColumnsButThoseWithUnitsInTheirCells) {
  const std::string text = test::exported("html", test::sampleReport(1, {"bf16"}));
  EXPECT_THAT(text, HasSubstr("document.querySelectorAll(\"thead tr:last-child\")"));
  EXPECT_THAT(text, HasSubstr("<th class=\"number\" data-unsorted>peak memory</th>"));
  EXPECT_THAT(text, HasSubstr("<th class=\"number\">loss</th>"));
}

TEST(HtmlExporter, ShowsFiguresBeforeSummariesAndListsItsParts) {
  const Report report = test::sampleReport(1, {"bf16"});
  const auto document = makeReadable(
      report,
      {},
      PartOrder::SummaryFirst,
      {.figures = {{"Chart & more", "<svg>curve</svg>"}}, .style = "svg { color: red; }"});
  ASSERT_TRUE(document.has_value());
  const std::string text = renderHtml(*document);
  const std::size_t figure = text.find("<svg>curve</svg>");
  const std::size_t summary = text.find(">Summary: RMS rel %</h2>");
  const std::size_t runs = text.find(">Runs</h2>");
  EXPECT_LT(figure, summary);
  EXPECT_LT(summary, runs);
  EXPECT_LT(runs, text.size());
  EXPECT_THAT(text, HasSubstr("<li><a href=\"#part0\">Chart &amp; more</a></li>"));
  EXPECT_THAT(text,
              HasSubstr("<h2 id=\"part0\">Chart &amp; more</h2>\n"
                        "<figure role=\"img\" aria-labelledby=\"part0\">"));
  // Every entry of the contents leads to a heading.
  for (std::size_t at = text.find("href=\"#"); at != std::string::npos;
       at = text.find("href=\"#", at + 1)) {
    const std::size_t from = at + std::string_view("href=\"#").size();
    const std::string id = text.substr(from, text.find('"', from) - from);
    EXPECT_THAT(text, HasSubstr("<h2 id=\"" + id + "\">"));
  }
  EXPECT_THAT(text, HasSubstr("svg { color: red; }</style>"));
}

TEST(HtmlExporter, ATableBesideOthersScrollsInABox) {
  const TextTable table{"Errors", {{"name"}, {"RMS", true}}, {{"a", "1"}}, "a note"};
  const std::string body =
      "<thead>\n<tr><th>name</th><th class=\"number\">RMS</th></tr>\n</thead>\n"
      "<tbody>\n<tr><td>a</td><td class=\"number\">1</td></tr>\n</tbody>\n";
  const std::string many = renderHtml({"All", {{"model", "x"}}, {table}});
  EXPECT_THAT(
      many,
      HasSubstr(
          "<h1>All</h1>\n<dl>\n<dt>model</dt><dd>x</dd>\n</dl>\n<h2 id=\"part0\">Errors</h2>\n"
          "<p class=\"note\">a note</p>\n<div class=\"scroll\" role=\"region\" "
          "aria-labelledby=\"part0\" tabindex=\"0\"><table>\n" +
          body + "</table></div>\n<script>"));
  EXPECT_THAT(renderHtml({"", {}, {table}}), HasSubstr("<title>Errors</title>"));
  EXPECT_THAT(renderHtml({"", {}, {table}}),
              HasSubstr("<body>\n<h1>Errors</h1>\n<p class=\"note\">a note</p>\n<table>\n" + body +
                        "</table>\n<script>"));
}

TEST(HtmlExporter, FoldsLongTablesOfDetails) {
  TextTable table{"Errors", {{"name"}}, {{"a"}}, "a note"};
  table.isDetail = true;
  EXPECT_THAT(renderHtml({"All", {}, {table}}), testing::Not(HasSubstr("<details>")))
      << "it is short";
  table.rows.assign(13, {"a"});
  const std::string folded = renderHtml({"All", {}, {table}});
  EXPECT_THAT(folded,
              HasSubstr("<details>\n<summary><h2 id=\"part0\">Errors</h2>\n"
                        "<span>13 rows</span></summary>\n<p class=\"note\">a note</p>\n"
                        "<div class=\"scroll\""));
  EXPECT_THAT(folded, HasSubstr("</table></div>\n</details>\n"));
  EXPECT_THAT(folded, HasSubstr("box.type = \"search\""));
  table.isDetail = false;
  EXPECT_THAT(renderHtml({"All", {}, {table}}), testing::Not(HasSubstr("<details>")));
}

}  // namespace
}  // namespace ulp::report
