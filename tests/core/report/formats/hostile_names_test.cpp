#include <algorithm>
#include <cstdio>
#include <memory>
#include <ranges>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/visible_text.h"
#include "core/json/parse.h"
#include "core/report/formats/format.h"
#include "tests/core/report/formats/printed_format.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {

namespace {

/// Each is markup, a formula, an option or a code for one of the programs that read exports.
const std::vector<std::string>& hostileNames() {
  using namespace std::string_literals;
  static const std::vector<std::string> kNames{
      "=1+1",
      "@SUM(A1)",
      "-x",
      "+cmd|' /C calc'!A0",
      "\"=1+1\"",
      "[4cm] first",
      "*starred",
      "<script>alert(1)</script>",
      "</title></style><img src=x>",
      "\" onmouseover=\"x",
      "&lt;b&gt; & co",
      "a|b`c`*d*_e_~~f~~",
      "![i](http://evil.example/x)",
      "https://evil.example www.evil.example :smile: :100:",
      "a_b%c&{d}\\~^#$é",
      "$\\input{/etc/passwd}$",
      "two\nlines\ta tab\ra return",
      "\x1b[2J\x07 bell",
      "left\u202eright",
      "a nul\0byte"s,
      "'' -- ,, ``",
      "_x0041_",
      "%1 %2 %n {} {0}",
      "# heading",
      "1. list",
  };
  return kNames;
}

/// The texts that a reader of the file sees, each in one line (exported_texts.py).
std::vector<std::string> textsOf(const Format& format, const std::string& content) {
  const test::TempDir dir;
  const std::string file = dir.write("export" + format.extension, content).string();
  const std::string command = ULP_ORACLE_PYTHON " " ULP_SOURCE_DIR
                                                "/tests/core/report/formats/exported_texts.py " +
                              format.id + " " + file + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string printed;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) {
    printed += static_cast<char>(c);
  }
  std::vector<std::string> texts;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const auto text = json::parse(line);
    if (!text) {
      ADD_FAILURE() << printed;
      break;
    }
    texts.push_back(text->text());
  }
  return texts;
}

std::string inOneLine(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string line;
  for (std::string word; words >> word;) {
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

/// Formats for machines keep codes; those for reading show them. Some end names at a line break.
bool isShown(const std::vector<std::string>& texts, const std::string& name) {
  const std::string firstLine = name.substr(0, name.find('\n'));
  return std::ranges::any_of(texts, [&](const std::string& text) {
    return text.find(inOneLine(name)) != std::string::npos ||
           text.find(inOneLine(visibleText(name))) != std::string::npos ||
           (firstLine != name && text.find(firstLine) != std::string::npos);
  });
}

const auto kNameOfFormat = [](const auto& test) {
  std::string name = test.param.id;
  std::ranges::replace(name, '-', '_');
  return name;
};

class HostileReport : public testing::TestWithParam<Format> {};

TEST_P(HostileReport, ShowsNamesAsTheyAre) {
  Report report = test::sampleReport(1, hostileNames());
  report.model.name = hostileNames()[7];
  for (std::size_t run = 1; run < report.runs.size(); ++run) {
    report.runs[run].error = hostileNames()[run - 1];
    report.runs[run].comparisons[0].site.name = "row " + hostileNames()[run - 1];
  }
  const std::vector<std::string> wanted =
      GetParam().ofOneRun ? std::vector<std::string>{hostileNames().front()} : hostileNames();
  const auto content = GetParam().writeReport(report, {{}, {}, wanted});
  ASSERT_TRUE(content.has_value()) << content.error().message();
  const std::vector<std::string> texts = textsOf(GetParam(), *content);
  for (const std::string& name : wanted) {
    EXPECT_TRUE(isShown(texts, name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileReport, testing::ValuesIn(reportFormats()), kNameOfFormat);

class HostileTable : public testing::TestWithParam<Format> {};

TEST_P(HostileTable, ShowsNamesAsTheyAre) {
  DataTable table;
  table.title = hostileNames()[7];
  table.source = "1. " + hostileNames()[8];
  table.columns = {{"tensor", "", ""}, {hostileNames()[0], "%", hostileNames()[5]}};
  for (const std::string& name : hostileNames()) {
    table.rows.push_back({name, -1.5});
  }
  const auto content = GetParam().writeTable(table);
  ASSERT_TRUE(content.has_value()) << content.error().message();
  const std::vector<std::string> texts = textsOf(GetParam(), *content);
  for (const std::string& name : hostileNames()) {
    EXPECT_TRUE(isShown(texts, name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileTable, testing::ValuesIn(tableFormats()), kNameOfFormat);

TEST(SpreadsheetText, IsNeverComputedAndKeepsNumbers) {
  for (const char* formula : {"=1", "+a", "-a", "@a", "\tx", "\nx", "\rx", "-1.5.2", "+1+1"}) {
    EXPECT_EQ(spreadsheetText(formula), std::string("'") + formula);
  }
  for (const char* text :
       {"", "-1.5", "-1e-5", "-Infinity", "+1", "+Inf", "a=1", "'=1", "−1", "1-2"}) {
    EXPECT_EQ(spreadsheetText(text), text);
  }
  EXPECT_EQ(spreadsheetCell(-1.5), "-1.5");
  EXPECT_EQ(spreadsheetCell(std::string("-a")), "'-a");
  EXPECT_EQ(tsvField("\"=1\""), "'\"=1\"");
}

}  // namespace
}  // namespace ulp::report
