#include "views/framework/exports/exhibit_export.h"

#include <gtest/gtest.h>

#include <QtCore/QLocale>
#include <QtCore/QXmlStreamReader>
#include <QtGui/QPainter>

#include "tests/core/report/xlsx_reader.h"
#include "tests/views/pdf_pages.h"

namespace ulp::views {
namespace {

Exhibit squareExhibit() {
  return {.id = QStringLiteral("square"),
          .title = QStringLiteral("A square"),
          .size = {200, 100},
          .paint =
              [](QPainter& painter, const QRectF& area, const Theme& theme) {
                painter.fillRect(QRectF(area.topLeft(), QSizeF(50, 50)), theme.variants[0]);
              },
          .table =
              [] {
                return report::DataTable{"A square",
                                         {{"name", "", ""}, {"error", "%", ""}},
                                         {{std::string("x"), 1234.5678}}};
              }};
}

Exhibit tableExhibit(std::size_t rows) {
  Exhibit exhibit = squareExhibit();
  exhibit.paint = {};
  exhibit.title = QStringLiteral("Many rows");
  exhibit.table = [rows] {
    report::DataTable table{"Many rows", {{"tensor", "", ""}, {"error", "dB", ""}}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
      table.rows.push_back({"row " + std::to_string(i), static_cast<double>(i) / 7});
    }
    return table;
  };
  return exhibit;
}

TEST(Figure, HasTitleAboveAndProvenanceBelow) {
  const Figure plain = Figure::make(squareExhibit(), {});
  const Figure figure = Figure::make(squareExhibit(), QStringLiteral("where it comes from"));
  EXPECT_GT(figure.size().height(), plain.size().height());
  const QString svg = QString::fromUtf8(figure.toSvg().value());
  EXPECT_LT(svg.indexOf(QStringLiteral(">A square</text>")),
            svg.indexOf(QStringLiteral(">where it comes from</text>")));
  EXPECT_TRUE(svg.contains(QStringLiteral("<title>A square</title>")));
  EXPECT_FALSE(svg.contains(QStringLiteral("<image")));
}

TEST(Figure, NamesAreNoMarkupOfThePicture) {
  const QString name = QStringLiteral("</title><script>R&amp;D \"x\" ");
  Exhibit exhibit = squareExhibit();
  exhibit.title = name + QChar(0x1b);
  exhibit.paint = [&name](QPainter& painter, const QRectF& area, const Theme& /*theme*/) {
    painter.drawText(area.bottomLeft(), name + QChar(0x07));
  };
  QXmlStreamReader svg(Figure::make(exhibit, QStringLiteral("from <a> & b")).toSvg().value());
  QStringList texts;
  while (!svg.atEnd()) {
    svg.readNext();
    EXPECT_FALSE(svg.name() == QLatin1String("script"));
    if (svg.isCharacters() && !svg.isWhitespace()) {
      texts << svg.text().toString().trimmed();
    }
  }
  EXPECT_FALSE(svg.hasError()) << svg.errorString().toStdString();
  EXPECT_EQ(texts.count(name + QChar(QChar::ReplacementCharacter)), 2) << "title and label";
  EXPECT_EQ(texts.join(QString()).remove(QLatin1Char(' ')).count(QString(name).remove(u' ')), 3)
      << "and a heading in several lines";
  EXPECT_EQ(texts.count(QStringLiteral("from <a> & b")), 2);
}

TEST(Figure, KeepsItsSizeOnEveryDevice) {
  const Figure figure = Figure::make(squareExhibit(), {});
  const QSize size = figure.size().toSize();
  for (const int scale : {1, 3}) {
    const QImage image = QImage::fromData(figure.toPng(scale).value());
    EXPECT_EQ(image.size(), size * scale);
    // The square of 50 lies 12 from the left, below the title.
    const int y = (size.height() - 12 - 60) * scale;
    EXPECT_EQ(QColor(image.pixel(13 * scale, y)), lightTheme().variants[0]);
    EXPECT_EQ(QColor(image.pixel(61 * scale, y)), lightTheme().variants[0]);
    EXPECT_EQ(QColor(image.pixel(64 * scale, y)), QColor(Qt::white));
  }
  const QByteArray pdf = figure.toPdf().value();
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  const QByteArray width = QByteArray::number(size.width() * 0.75);
  EXPECT_TRUE(pdf.contains("/MediaBox [0 0 " + width)) << width.constData();
}

TEST(Figure, RefusesMorePixelsThanProgramsOpen) {
  const auto png = Figure::make(squareExhibit(), {}, {9000, 100}).toPng(2);
  ASSERT_FALSE(png.has_value());
  EXPECT_EQ(png.error().code(), ErrorCode::InvalidArgument);
}

TEST(Figure, ShowsATableOfAtMostSixtyRows) {
  const QString svg = QString::fromUtf8(Figure::make(tableExhibit(61), {}).toSvg().value());
  EXPECT_TRUE(svg.contains(QStringLiteral(">row 59</text>")));
  EXPECT_FALSE(svg.contains(QStringLiteral(">row 60</text>")));
  EXPECT_TRUE(svg.contains(QStringLiteral("The first 60 of 61 rows.")));
}

TEST(TakenExhibit, WritesNumbersOfWorkbooksWithPoints) {
  const auto book = TakenExhibit::take(squareExhibit(), {}).write(QStringLiteral("xlsx"));
  ASSERT_TRUE(book.has_value()) << book.error().message();
  EXPECT_NE(test::readBook(*book).find("Table|x|1234.5678\n"), std::string::npos)
      << test::readBook(*book);
}

TEST(TakenExhibit, WritesEveryFormat) {
  for (const Exhibit& exhibit : {squareExhibit(), tableExhibit(3)}) {
    const TakenExhibit taken = TakenExhibit::take(exhibit, QStringLiteral("source"));
    for (const ExportChoice& format : exhibitFormats()) {
      const auto content = taken.write(format.id);
      ASSERT_TRUE(content.has_value()) << format.id.toStdString() << content.error().message();
      EXPECT_FALSE(content->empty()) << format.id.toStdString();
    }
  }
  EXPECT_EQ(TakenExhibit::take(squareExhibit(), {}).write(QStringLiteral("csv")).value(),
            "name,\"error, %\"\nx,1234.5678\n");
  EXPECT_FALSE(TakenExhibit::take(squareExhibit(), {}).write(QStringLiteral("bmp")).has_value());
}

TEST(TakenExhibit, StaysAsItWasWhenTheViewGoesOn) {
  int value = 1;
  Exhibit exhibit = squareExhibit();
  exhibit.table = [&value] {
    return report::DataTable{"", {{"v", "", ""}}, {{static_cast<double>(value)}}};
  };
  const TakenExhibit taken = TakenExhibit::take(exhibit, {});
  value = 2;
  EXPECT_EQ(taken.write(QStringLiteral("csv")).value(), "v\n1\n");
}

TEST(TakenExhibit, CopiesTextInTheCLocaleTableAndPictures) {
  QLocale::setDefault(QLocale(QLocale::German));
  const auto copy = TakenExhibit::take(squareExhibit(), {}).copy(2);
  QLocale::setDefault(QLocale::c());
  ASSERT_TRUE(copy.has_value());
  const auto data = mimeData(*copy);
  EXPECT_EQ(data->text(), QStringLiteral("name\terror, %\nx\t1234.5678\n"));
  EXPECT_TRUE(data->html().contains(QStringLiteral("<td class=\"number\">1235</td>")) ||
              data->html().contains(QStringLiteral("1234.6")))
      << data->html().toStdString();
  EXPECT_TRUE(data->hasImage());
  EXPECT_EQ(data->imageData().value<QImage>().devicePixelRatio(), 2);
  EXPECT_TRUE(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
}

TEST(PrintedPages, BreaksATableAndRepeatsItsHeading) {
  const auto pdf = TakenExhibit::take(tableExhibit(150), QStringLiteral("source line"))
                       .write(QStringLiteral("pdf"));
  ASSERT_TRUE(pdf.has_value());
  const QStringList pages = test::pdfPages(*pdf);
  ASSERT_GE(pages.size(), 3);
  for (qsizetype i = 0; i < pages.size(); ++i) {
    EXPECT_TRUE(pages[i].contains(QStringLiteral("error, dB"))) << i;
    EXPECT_TRUE(pages[i].contains(QStringLiteral("source line"))) << i;
    EXPECT_TRUE(pages[i].contains(QStringLiteral("page %1").arg(i + 1))) << i;
  }
  EXPECT_TRUE(pages.first().contains(QStringLiteral("row 0 ")));
  EXPECT_TRUE(pages.last().contains(QStringLiteral("row 149 ")));
  EXPECT_EQ(pages.join(QString()).count(QStringLiteral("row 77 ")), 1);
}

}  // namespace
}  // namespace ulp::views
