#include "views/framework/exports/printed_pages.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>

#include "tests/views/pdf_pages.h"

namespace ulp::views {
namespace {

/// "row 7" with a number, and a sentence on each seventh row.
report::TextTable rowsOf(const std::string& title, std::size_t rows) {
  report::TextTable table{title, {{"name of " + title}, {"value", true}, {"remark"}}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    std::string remark = "–";
    for (int word = 0; i % 7 == 3 && word < 60; ++word) {
      remark += " word" + std::to_string(word);
    }
    table.rows.push_back({"row " + std::to_string(i), std::to_string(100000 + i) + ".25", remark});
  }
  return table;
}

QStringList pagesWith(const std::vector<report::TextTable>& tables, int paragraphs = 0) {
  PrintedPages pages(QStringLiteral("t"), {});
  pages.addTitle(QStringLiteral("Title"));
  for (int i = 0; i < paragraphs; ++i) {
    pages.addParagraph(QStringLiteral("filling"));
  }
  for (const report::TextTable& table : tables) {
    pages.addTable(table);
  }
  return test::pdfPages(pages.finish().value().toStdString());
}

TEST(PrintedPages, KeepAHeadingWithTheFirstRowsOfItsTable) {
  for (int paragraphs = 0; paragraphs < 60; paragraphs += 3) {
    const QStringList pages = pagesWith({rowsOf("First", static_cast<std::size_t>(paragraphs)),
                                         rowsOf("Second", 9),
                                         rowsOf("Third", 50)},
                                        paragraphs);
    for (const char* title : {"Second", "Third"}) {
      const QString heading = QLatin1String(title);
      // The heading, then the headings of the columns, then rows, all on one page.
      const QRegularExpression whole(
          QStringLiteral("^ *%1\n\\s*name of %1[^\n]*value[^\n]*\n(.*\n)*? *row 0 +100000.25")
              .arg(heading),
          QRegularExpression::MultilineOption);
      const bool isTogether = std::ranges::any_of(pages, [&](const QString& page) {
        const auto found = whole.match(page);
        return found.hasMatch() && page.contains(QStringLiteral("row 1 "));
      });
      EXPECT_TRUE(isTogether) << paragraphs << " " << title << pages.join(u'|').toStdString();
    }
  }
}

TEST(PrintedPages, RepeatTheHeadingsOfColumnsAndSplitNoRow) {
  for (const std::size_t rows : {1U, 40U, 77U, 150U}) {
    const QStringList pages = pagesWith({rowsOf("Table", rows)});
    QString all;
    for (const QString& page : pages) {
      EXPECT_TRUE(page.contains(QStringLiteral("name of Table"))) << rows;
      // A long remark ends on the page on which it begins.
      EXPECT_EQ(page.count(QStringLiteral("word0 ")), page.count(QStringLiteral("word59"))) << rows;
      EXPECT_GT(page.count(QStringLiteral("row ")), rows > 3 ? 1 : 0) << "a row alone";
      all += page;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      EXPECT_EQ(all.count(QStringLiteral("row %1 ").arg(row)), 1) << row;
    }
  }
}

TEST(PrintedPages, ShowEveryNumberAndEveryNameInFull) {
  report::TextTable table{"Numbers", {{"tensor"}, {"variant"}}, {{}}};
  const std::string tensor =
      "model.language_model.layers.31.block_sparse_moe.experts.127.down_proj";
  table.rows[0] = {tensor, "bf16_with_a_float32_residual_stream_and_language_head"};
  for (int i = 0; i < 9; ++i) {
    table.columns.push_back({"metric " + std::to_string(i), true});
    table.rows[0].push_back("-1.2345" + std::to_string(i) + "e-12");
  }
  const QStringList pages = pagesWith({table});
  ASSERT_EQ(pages.size(), 1);
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(pages[0].contains(QStringLiteral("-1.2345%1e-12").arg(i))) << i;
  }
  EXPECT_FALSE(pages[0].contains(u'…')) << pages[0].toStdString();
  EXPECT_TRUE(pages[0].contains(QStringLiteral("down_proj"))) << pages[0].toStdString();
  EXPECT_TRUE(pages[0].contains(QStringLiteral("127"))) << pages[0].toStdString();
}

TEST(PrintedPages, KeepASmallTableOnOnePage) {
  for (int paragraphs = 30; paragraphs < 50; ++paragraphs) {
    const QStringList pages = pagesWith({rowsOf("Small", 6)}, paragraphs);
    const QString& last = pages.last();
    EXPECT_TRUE(last.contains(QStringLiteral("Small")) && last.contains(QStringLiteral("row 0 ")) &&
                last.contains(QStringLiteral("row 5 ")))
        << paragraphs;
  }
}

TEST(PrintedPages, PutAWideTableOnPagesInLandscape) {
  report::TextTable table{"Wide", {}, {{}}};
  for (int i = 0; i < 24; ++i) {
    table.columns.push_back({"column " + std::to_string(i), true, ""});
    table.rows[0].push_back("123456");
  }
  PrintedPages pages(QStringLiteral("t"), {});
  pages.addTitle(QStringLiteral("Title"));
  pages.addTable(table);
  EXPECT_EQ(pages.pageCount(), 2);
  const QByteArray pdf = pages.finish().value();
  EXPECT_TRUE(pdf.contains("/MediaBox [0 0 595"));
  EXPECT_TRUE(pdf.contains("/MediaBox [0 0 842"));
}

TEST(PrintedPages, ContinueATableOfVeryManyColumnsInParts) {
  report::TextTable table{"Wide", {{"name"}}, {{"row"}}};
  for (int i = 0; i < 60; ++i) {
    table.columns.push_back({"c" + std::to_string(i), true});
    table.rows[0].push_back(std::to_string(1000000 + i));
  }
  const QString text = pagesWith({table}).join(QString());
  for (int i = 0; i < 60; ++i) {
    EXPECT_TRUE(text.contains(QString::number(1000000 + i))) << i;
  }
  EXPECT_TRUE(text.contains(QStringLiteral("Wide, further columns")));
  EXPECT_GE(text.count(QRegularExpression(QStringLiteral("\\brow\\b"))), 2);
}

}  // namespace
}  // namespace ulp::views
