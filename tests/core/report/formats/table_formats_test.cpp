#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/base/work_meter.h"
#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"
#include "tests/core/report/xlsx_reader.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using test::kInfinity;

/// A cell each of what a table may hold.
DataTable mixedTable() {
  DataTable table;
  table.title = "Errors of <two> & more";
  table.columns = {
      {"tensor", "", ""}, {"bf16", "%", "RMS rel"}, {"fp16", "%", "RMS rel"}, {"count", "", ""}};
  table.rows.push_back({std::string("a,\"b\"\t_c"), 12.5, 0.1 + 0.2, 3.0});
  table.rows.push_back({std::string("norm"), std::nan(""), kInfinity, 128.0});
  table.rows.push_back({std::string("lo|ss"), DataCell(), -kInfinity, DataCell()});
  return table;
}

std::string written(const DataTable& table, std::string_view format) {
  auto text = writeTable(table, format);
  EXPECT_TRUE(text.has_value()) << text.error().message();
  return text.value_or("");
}

TEST(FormatTable, AlignsDecimalsAndKeepsWordsForWhatIsNoNumber) {
  const TextTable text = formatTable(mixedTable());
  EXPECT_EQ(text.columns[1].title, "bf16, %");
  EXPECT_EQ(text.columns[1].group, "RMS rel");
  EXPECT_FALSE(text.columns[0].isNumber);
  EXPECT_TRUE(text.columns[3].isNumber);
  EXPECT_THAT(text.rows[0], ElementsAre("a,\"b\"\t_c", "12", "0.30", "3"));
  EXPECT_THAT(text.rows[1], ElementsAre("norm", "NaN", "+Inf", "128"));
  EXPECT_THAT(text.rows[2], ElementsAre("lo|ss", "–", "−Inf", "–"));
}

TEST(AlignedTable, NamesAGroupAboveTheFirstOfItsColumns) {
  std::string text;
  appendAlignedTable(text,
                     {"",
                      {{"a", false, "forward"},
                       {"b", false, "forward"},
                       {"c", false, "backward"},
                       {"d", false, ""}},
                      {}});
  EXPECT_THAT(text, testing::ContainsRegex("forward +backward *\n"));
  EXPECT_EQ(text.find("forward"), text.rfind("forward"));
}

TEST(FormatTable, ShowsHowFarCosinesAreFromOne) {
  DataTable table{"", {{"cosine", "", ""}}, {{0.99991}, {1.0}, {0.5}}};
  const TextTable text = formatTable(table);
  EXPECT_EQ(text.rows[0][0], "0.999910");
  EXPECT_EQ(text.rows[2][0], "0.500000");
}

TEST(FormatTable, SaysWhatItLeavesOut) {
  const TextTable text = formatTable(mixedTable(), 2);
  EXPECT_EQ(text.rows.size(), 2U);
  EXPECT_EQ(text.note, "The first 2 of 3 rows.");
  EXPECT_EQ(formatTable(mixedTable(), 3).note, "");
}

TEST(TableWriters, CsvKeepsEveryDigitAndQuotes) {
  EXPECT_EQ(written(mixedTable(), "csv"),
            "tensor,\"RMS rel: bf16, %\",\"RMS rel: fp16, %\",count\n"
            "\"a,\"\"b\"\"\t_c\",12.5,0.30000000000000004,3\n"
            "norm,NaN,Infinity,128\n"
            "lo|ss,,-Infinity,\n");
}

TEST(TableWriters, TsvHasOneLineARowAndNoTabsInCells) {
  EXPECT_EQ(written(mixedTable(), "tsv"),
            "tensor\tRMS rel: bf16, %\tRMS rel: fp16, %\tcount\n"
            "a,\"b\" _c\t12.5\t0.30000000000000004\t3\n"
            "norm\tNaN\tInfinity\t128\n"
            "lo|ss\t\t-Infinity\t\n");
}

TEST(TableWriters, HtmlIsAPageOfItsOwn) {
  const std::string text = written(mixedTable(), "html");
  EXPECT_THAT(text, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, HasSubstr("<h1>Errors of &lt;two&gt; &amp; more</h1>"));
  EXPECT_THAT(text, HasSubstr("<th colspan=\"2\">RMS rel</th>"));
  EXPECT_THAT(text, HasSubstr("<td class=\"number\">NaN</td>"));
  EXPECT_THAT(text, testing::Not(HasSubstr("http")));
}

TEST(TableWriters, MarkdownAndLatexEscape) {
  EXPECT_THAT(written(mixedTable(), "md"), HasSubstr("| lo\\|ss | – | −Inf | – |\n"));
  EXPECT_THAT(written(mixedTable(), "md"), HasSubstr("| RMS rel bf16, % |"));
  const std::string latex = written(mixedTable(), "latex");
  EXPECT_THAT(latex, HasSubstr("a,\"b\" \\_c & 12 & 0.30 & 3 \\\\"));
  EXPECT_THAT(latex, HasSubstr("\\multicolumn{2}{c}{RMS rel}"));
  EXPECT_THAT(latex, HasSubstr("\\caption*{Errors of \\textless{}two\\textgreater{} \\& more}"));
}

TEST(TableWriters, JsonKeepsNumbersGapsAndWords) {
  const std::string json = written(mixedTable(), "json");
  EXPECT_THAT(json, HasSubstr("[\"norm\",\"NaN\",\"Infinity\",128]"));
  EXPECT_THAT(json, HasSubstr("[\"lo|ss\",null,\"-Infinity\",null]"));
  EXPECT_THAT(json, HasSubstr("{\"title\":\"bf16\",\"unit\":\"%\",\"group\":\"RMS rel\"}"));
}

TEST(TableWriters, XlsxHoldsNumbersWordsGroupsAndAFrozenHeader) {
  const std::string book = test::readBook(written(mixedTable(), "xlsx"));
  EXPECT_THAT(book, HasSubstr("Table|frozen|2\n"));
  EXPECT_THAT(book, HasSubstr("Table|filter|A2:D5\n"));
  EXPECT_THAT(book, HasSubstr("Table|tensor|bf16, %|fp16, %|count\n"));
  EXPECT_THAT(book, HasSubstr("|12.5|0.3|3\n"));
  EXPECT_THAT(book, HasSubstr("Table|norm|NaN|+Inf|128\n"));
  EXPECT_THAT(book, HasSubstr("About|Errors of <two> & more\n"));
}

TEST(TableWriters, AnEmptyTableHasItsHeading) {
  DataTable table{"nothing", {{"a", "", ""}, {"b", "dB", ""}}, {}};
  EXPECT_EQ(written(table, "csv"), "a,\"b, dB\"\n");
  for (const Format& format : tableFormats()) {
    EXPECT_FALSE(written(table, format.id).empty()) << format.id;
    EXPECT_TRUE(format.extension.starts_with(".")) << format.id;
  }
}

TEST(TableWriters, RefusesAnUnknownFormat) {
  const auto text = writeTable(mixedTable(), "docx");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(text.error().message(), HasSubstr("csv, html, json, latex, md, tsv, xlsx"));
}

class LongTable : public testing::TestWithParam<std::string> {
 protected:
  LongTable() {
    m_table.title = "Long";
    m_table.columns = {{"tensor", "", ""}, {"bf16", "%", "RMS rel"}};
    m_table.rows.assign(2560, {std::string("norm"), 0.5});
  }

  DataTable m_table;
};

TEST_P(LongTable, TellsHowMuchOfItIsWritten) {
  WorkMeter meter;
  const MeterScope scope(meter);
  EXPECT_TRUE(writeTable(m_table, GetParam()));
  // The last rows are not told; a workbook has as much to pack as to write.
  const double rows = 2560;
  const double written = 9 * 256;
  EXPECT_DOUBLE_EQ(meter.fraction(),
                   GetParam() == "xlsx" ? written / (2 * rows + 2) : written / rows);
}

TEST_P(LongTable, IsNotWrittenToItsEndWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  const StopScope scope(stop.get_token());
  const auto text = writeTable(m_table, GetParam());
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Formats, LongTable, testing::Values("csv", "tsv", "xlsx"));

}  // namespace
}  // namespace ulp::report
