#include "core/report/tables/data_table.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::report {
namespace {

TEST(NumberCell, HoldsEveryNumberButNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(numberCell(0.25), DataCell(0.25));
  EXPECT_EQ(numberCell(-0.0), DataCell(0.0));
  EXPECT_EQ(numberCell(-infinity), DataCell(-infinity));
  EXPECT_EQ(numberCell(std::nan("")), DataCell());
}

TEST(NumberCell, HoldsTheNaNOfElementsThatAreNotFinite) {
  const DataCell cell = numberCell(std::nan(""), true);
  ASSERT_TRUE(std::holds_alternative<double>(cell));
  EXPECT_TRUE(std::isnan(std::get<double>(cell)));
  EXPECT_EQ(numberCell(0.25, true), DataCell(0.25));
}

TEST(ExactNumber, WritesWholeNumbersWithoutAnExponentAndKeepsAllDigitsOfOthers) {
  EXPECT_EQ(exactNumber(100'000), "100000");
  EXPECT_EQ(exactNumber(-123'456'789), "-123456789");
  EXPECT_EQ(exactNumber(0.1), "0.1");
  EXPECT_EQ(exactNumber(1e-5), "1e-05");
  EXPECT_EQ(exactNumber(1e300), "1e+300");
  EXPECT_EQ(exactNumber(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(ExactNumber, WhatIsWholeHasFewerThanSixteenDigits) {
  EXPECT_EQ(exactNumber(999'999'999'999'999), "999999999999999");
  EXPECT_EQ(exactNumber(1e15), "1e+15");
  EXPECT_EQ(exactNumber(-1e15), "-1e+15");
  EXPECT_EQ(exactNumber(0), "0");
}

TEST(DataColumns, AreNamedInOneText) {
  const std::vector<DataColumn> columns = columnsOf("a; b, %; c", "g");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(fullHeading(columns[0]), "g: a");
  EXPECT_EQ(fullHeading(columns[1]), "g: b, %");
  EXPECT_EQ(columns[1].title, "b");
  EXPECT_EQ(fullHeading(columnsOf("c, %")[0]), "c, %");
}

TEST(DataTables, AColumnMayAskForTheDigitsOfItsNumbers) {
  DataTable table{"", columnsOf("a; b"), {{6.250178813, 6.250178813}, {128.0, 128.0}}};
  table.columns[1].digits = 7;
  const TextTable text = formatTable(table);
  EXPECT_EQ(text.rows[0], (std::vector<std::string>{"6.3", "6.250179"}));
  EXPECT_EQ(text.rows[1][1], "128");
}

TEST(DataTables, AColumnIsOfNumbersWhereNoTextStands) {
  const DataTable table{"",
                        columnsOf("a; b; c"),
                        {{1.0, DataCell(), DataCell()}, {std::string("x"), 2.0, DataCell()}}};
  EXPECT_FALSE(isNumberColumn(table, 0));
  EXPECT_TRUE(isNumberColumn(table, 1));
  EXPECT_FALSE(isNumberColumn(table, 2));
}

TEST(DataTables, WholeNumbersArePartsOfOneWhereAllAre) {
  const auto shown = [](const std::vector<double>& values) {
    DataTable table{"", {{"a", "", ""}}, {}};
    for (const double value : values) {
      table.rows.push_back({value});
    }
    std::vector<std::string> texts;
    for (const std::vector<std::string>& row : formatTable(table).rows) {
      texts.push_back(row[0]);
    }
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(shown({12, -3}), (Texts{"12", "-3"}));
  EXPECT_EQ(shown({0.9995, 1}), (Texts{"0.99950", "1.00000"}));
  EXPECT_EQ(shown({0.9995, 1.5}), (Texts{"1.00", "1.50"}));
  EXPECT_EQ(shown({std::numeric_limits<double>::infinity(), 3}), (Texts{"+Inf", "3"}));
}

TEST(DataTables, ATextThatASpreadsheetWouldComputeIsQuoted) {
  for (const char* const text : {"=1+1", "+a", "-a", "@x", "\tx", "\rx", "\nx"}) {
    EXPECT_EQ(spreadsheetText(text), "'" + std::string(text));
  }
  for (const char* const text : {"", "a=b", "-1.5", "+2", "1e5", "x"}) {
    EXPECT_EQ(spreadsheetText(text), text);
  }
  EXPECT_EQ(csvField("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csvField("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csvField("ab"), "ab");
  EXPECT_EQ(csvLine(std::vector<std::string>{"a", "b,c", ""}), "a,\"b,c\",");
  EXPECT_EQ(tsvField("\"a\tb\nc\rd"), "'\"a b c d");
}

}  // namespace
}  // namespace ulp::report
