#include "core/report/formats/xlsx_book.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <stop_token>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/base/text/utf8.h"
#include "core/report/formats/format.h"
#include "core/report/tables/data_table.h"
#include "tests/core/report/xlsx_reader.h"
#include "tests/support/data/special_numbers.h"
#include "tests/support/machine/environment_variable.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

using numerics::MetricUnit;
using testing::HasSubstr;

using test::kInfinity;

/// A book with the sheet "S".
std::string bookOf(const std::function<void(XlsxSheet&)>& fill) {
  const auto book = makeXlsxBook(10, [&](XlsxBook& made) -> Result<> {
    fill(made.addSheet("S"));
    return {};
  });
  EXPECT_TRUE(book) << book.error().message();
  return book.value_or("");
}

TEST(XlsxSheet, NumbersAreWhatTheyAreAndWhatNoCellHoldsIsAWord) {
  const std::string book = bookOf([](XlsxSheet& sheet) {
    sheet.text("first");
    sheet.number(0, MetricUnit::None);
    sheet.number(-0.25, MetricUnit::Percent);
    sheet.count(0);
    sheet.count(7);
    sheet.exact(0.1);
    sheet.flag(true);
    sheet.flag(false);
    sheet.number(std::nan(""), MetricUnit::None);
    sheet.number(kInfinity, MetricUnit::Percent);
    sheet.number(-kInfinity, MetricUnit::None);
    sheet.text("");
    sheet.text("last");
    sheet.endRow();
  });
  EXPECT_EQ(test::readSheetKinds(book, "S"),
            "text,number,number,number,number,number,flag,flag,text,text,text,,text\r\n");
  EXPECT_EQ(test::readSheetValues(book, "S"),
            "__fill,first,0,-0.25,0,7,0.1,True,False,NaN,+Inf,−Inf,,last\r\n");
}

TEST(XlsxSheet, ColoursAreOfTheCellsThatFollow) {
  const std::string book = bookOf([](XlsxSheet& sheet) {
    sheet.text("plain");
    sheet.setFill(0xFF0000);
    sheet.text("red");
    sheet.text("");
    sheet.exact(2);
    sheet.flag(true);
    sheet.endRow();
    sheet.setFill(0xFFFF00);
    sheet.text("yellow");
    sheet.setFill(0xFF0000);
    sheet.text("red again");
    sheet.setFill(std::nullopt);
    sheet.text("");
    sheet.text("plain");
    sheet.endRow();
  });
  EXPECT_EQ(test::readSheetKinds(book, "S"),
            "text,text FF0000,FF0000,number FF0000,flag FF0000\r\n"
            "text FFFF00,text FF0000,,text,\r\n");
}

TEST(XlsxSheet, HeadingsAreBoldAndNumbersHaveTheirFormats) {
  const std::string book = bookOf([](XlsxSheet& sheet) {
    sheet.setWidth(0, 30);
    sheet.setWidth(1, 12);
    sheet.header("head");
    sheet.section("part");
    sheet.text("text");
    sheet.number(0.5, MetricUnit::None);
    sheet.number(0.5, MetricUnit::Percent);
    sheet.number(0.5, MetricUnit::Decibel);
    sheet.count(3);
    sheet.exact(0.5);
    sheet.endRow();
  });
  EXPECT_EQ(test::readSheetLooks(book, "S"),
            "30,12\r\n"
            "bold,bold,,[<0.001]0.00E+00;[<1000]0.0000;0,[<0.00001]0.00E+00;0.000%,"
            "[<0.001]0.00E+00;[<1000]0.0000;0,,\r\n");
}

TEST(XlsxSheet, TheFilterIsOverTheRowsThatAreThere) {
  const auto areaOf = [](std::size_t rows, std::size_t titles) {
    const std::string book = test::readBook(bookOf([&](XlsxSheet& sheet) {
      for (std::size_t row = 0; row < rows; ++row) {
        sheet.text("x");
        sheet.endRow();
      }
      sheet.filterAll(3, titles);
      sheet.freezeHeader(1, 2);
    }));
    EXPECT_THAT(book, HasSubstr("S|frozen|2\n"));
    const std::size_t start = book.find("filter|") + 7;
    return book.substr(start, book.find('\n', start) - start);
  };
  EXPECT_EQ(areaOf(0, 0), "A1:C1");
  EXPECT_EQ(areaOf(1, 0), "A1:C1");
  EXPECT_EQ(areaOf(2, 0), "A1:C2");
  EXPECT_EQ(areaOf(2, 1), "A2:C2");
  EXPECT_EQ(areaOf(4, 1), "A2:C4");
}

TEST(XlsxSheet, ATextIsAsLongAsACellHolds) {
  const auto shown = [](const std::string& text) {
    const std::string book =
        test::readSheetValues(bookOf([&](XlsxSheet& sheet) { sheet.text(text); }), "S");
    return book.substr(7, book.size() - 9);
  };
  const std::string longest(32'767, 'a');
  EXPECT_EQ(shown(longest), longest);
  const std::string cut = shown(longest + "b");
  EXPECT_LE(countCodePoints(cut), 32'767U);
  EXPECT_THAT(cut, HasSubstr("a…a"));
  std::string wide;
  for (int i = 0; i < 32'767; ++i) {
    wide += "ä";
  }
  EXPECT_EQ(shown(wide), wide) << "characters are counted, not bytes";
  EXPECT_EQ(shown("_xZ041_ _x041_ _x00412_ _x0041 _x"), "_xZ041_ _x041_ _x00412_ _x0041 _x");
  EXPECT_EQ(shown("_x0041_"), "_x005F_x0041_") << "the first is the code of a line";
}

TEST(XlsxBook, WhatASheetCannotHoldIsAnError) {
  const auto fill = [](XlsxBook& book) -> Result<> {
    book.addSheet("S");
    return {};
  };
  EXPECT_TRUE(makeXlsxBook(1'048'576, fill));
  const auto rows = makeXlsxBook(1'048'577, fill);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(rows.error().message(),
              HasSubstr("a sheet holds 1048576 rows and there are 1048577"));
  const auto columns = [](int count) {
    return makeXlsxBook(10, [count](XlsxBook& book) -> Result<> {
      XlsxSheet& sheet = book.addSheet("S");
      for (int i = 0; i < count; ++i) {
        sheet.count(1);
      }
      sheet.endRow();
      sheet.text("next");
      book.addSheet("T").text("other");
      return {};
    });
  };
  EXPECT_TRUE(columns(16'384));
  ASSERT_FALSE(columns(16'385));
  EXPECT_EQ(columns(16'385).error().code(), ErrorCode::Io);
  EXPECT_THAT(columns(16'385).error().message(), HasSubstr("cannot make the workbook: "));
}

TEST(XlsxBook, AStopEndsItAndLeavesNoFile) {
  const test::TempDir temporary;
  const test::EnvironmentVariable scratch("TMPDIR", temporary.path().string());
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  std::size_t written = 0;
  const auto book = makeXlsxBook(1'000'000, [&](XlsxBook& made) -> Result<> {
    XlsxSheet& sheet = made.addSheet("S");
    for (; !sheet.isStopped() && written < 1'000'000; ++written) {
      if (written == 10'000) {
        stop.request_stop();
      }
      sheet.count(1);
      sheet.endRow();
    }
    return {};
  });
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().code(), ErrorCode::Cancelled);
  EXPECT_LE(written, 10'300U);
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

TEST(XlsxBook, AStopEndsThePackingToo) {
  constexpr std::size_t kRows = 120'000;
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  std::jthread stopper;
  std::atomic<double> stoppedAt = 0;
  const auto book = makeXlsxBook(kRows, [&](XlsxBook& made) -> Result<> {
    XlsxSheet& sheet = made.addSheet("S");
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t column = 0; column < 12; ++column) {
        sheet.exact(1.0 / static_cast<double>(row * 12 + column + 1));
      }
      sheet.endRow();
    }
    stopper = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stoppedAt = test::processSeconds();
      stop.request_stop();
    });
    return {};
  });
  stopper.join();
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().code(), ErrorCode::Cancelled);
  EXPECT_LT(test::processSeconds() - stoppedAt, 0.3) << "packing takes more than a second";
}

std::string sheetOf(const DataTable& table) {
  const auto book = writeTable(table, "xlsx");
  EXPECT_TRUE(book) << book.error().message();
  return book.value_or("");
}

TEST(XlsxTable, WholeNumbersAreCountsAndOthersHaveTheFormatOfNumbers) {
  const DataTable table{
      "", {{"a", "", ""}}, {{0.0}, {0.5}, {-3.0}, {999'999'999'999'999.0}, {1e15}, {DataCell()}}};
  EXPECT_EQ(test::readSheetLooks(sheetOf(table), "Table"),
            "8\r\nbold\r\n\"\"\r\n[<0.001]0.00E+00;[<1000]0.0000;0\r\n"
            "[<0.001]0.00E+00;[<1000]0.0000;0\r\n\"\"\r\n[<0.001]0.00E+00;[<1000]0.0000;0\r\n");
  EXPECT_THAT(test::readSheetValues(sheetOf(table), "Table"),
              HasSubstr("a\r\n,0\r\n,0.5\r\n,-3\r\n"));
}

TEST(XlsxTable, ColumnsAreAsWideAsTheirHeadingsAndFirstTexts) {
  DataTable table{"",
                  {{"a", "", ""},
                   {"a heading of so many", "", ""},
                   {"b", "", ""},
                   {"c", "", ""},
                   {"d", "", ""}},
                  {}};
  for (int row = 0; row < 501; ++row) {
    table.rows.push_back({std::string("x"),
                          std::string("x"),
                          0.123456789,
                          std::string(row == 499 ? 20 : 1, 'x'),
                          std::string(row == 500 ? 20 : 1, 'x')});
  }
  table.rows[0][0] = std::string(60, 'x');
  const std::string looks = test::readSheetLooks(sheetOf(table), "Table");
  EXPECT_EQ(looks.substr(0, looks.find('\r')), "48,22,8,22,8");
}

}  // namespace
}  // namespace ulp::report
