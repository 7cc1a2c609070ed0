#include "views/framework/exports/pdf_outline.h"

#include <gtest/gtest.h>

#include "tests/views/pdf_pages.h"
#include "views/framework/exports/printed_pages.h"

namespace ulp::views {
namespace {

TEST(PdfOutline, LeadsToTheHeadingsOnTheirPages) {
  report::TextTable table{"First (of two)", {{"name"}}, {}};
  table.rows.assign(90, {"row"});
  PrintedPages pages(QStringLiteral("t"), {});
  pages.addTable(table);
  table.title = "Zweite Tabelle für δ";
  pages.addTable(table);
  const std::string pdf = pages.finish().value().toStdString();
  const QStringList bookmarks = test::pdfBookmarks(pdf);
  ASSERT_EQ(bookmarks.size(), 2);
  EXPECT_EQ(bookmarks[0], QStringLiteral("1 First (of two)"));
  const QStringList texts = test::pdfPages(pdf);
  qsizetype page = 0;
  while (!texts[page].contains(QStringLiteral("Zweite"))) {
    ++page;
  }
  EXPECT_EQ(bookmarks[1], QStringLiteral("%1 Zweite Tabelle für δ").arg(page + 1));
}

TEST(PdfOutline, LeavesADocumentOfAnotherFormAsItIs) {
  const std::vector<PdfBookmark> bookmarks{{QStringLiteral("a"), 1, 0}};
  for (const char* text :
       {"",
        "%PDF-1.4",
        "trailer\n<<\n/Size 3\n/Info 1 0 R\n/Root 2 0 R\n>>\nstartxref\n99999\n%%EOF\n",
        "xref\n0 1\n0000000000 65535 f \ntrailer\n<<\n/Size 1\n/Info 9 0 R\n/Root 8 0 R\n>>\n"
        "startxref\n0\n%%EOF\n"}) {
    EXPECT_EQ(withOutline(QByteArray(text), bookmarks), QByteArray(text));
  }
}

TEST(PdfOutline, WithoutHeadingsThereIsNone) {
  PrintedPages pages(QStringLiteral("t"), {});
  pages.addParagraph(QStringLiteral("text"));
  const QByteArray pdf = pages.finish().value();
  EXPECT_FALSE(pdf.contains("/Outlines"));
  // A page that is not there is a mistake of the caller, not of the reader of the document.
  EXPECT_EQ(withOutline(pdf, {{QStringLiteral("a"), 7, 0}}), pdf);
}

}  // namespace
}  // namespace ulp::views
