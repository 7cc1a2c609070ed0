#include "views/charts/depth/depth_exhibit.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>
#include <QtCore/QXmlStreamReader>
#include <QtGui/QPainter>

#include "tests/views/realistic_report.h"
#include "views/charts/depth/depth_marks.h"
#include "views/framework/exports/figure.h"

namespace ulp::views::charts {
namespace {

DepthData depthOf(const test::ReportShape& shape) {
  const auto document = ReportDocument::build(
      {std::make_shared<report::Report>(test::realisticReport(shape)), {}, {}});
  return makeDepthData(*document,
                       makeDepthAxis(*document, layerRowsId(), PassFilter::ForwardBackward),
                       QStringLiteral("rms_rel"));
}

QImage imageOf(const Exhibit& exhibit) {
  QImage image(exhibit.size.toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setFont(figureFont());
  exhibit.paint(painter, QRectF(QPointF(), exhibit.size), lightTheme());
  return image;
}

/// What an SVG consists of.
struct SvgParts {
  QStringList texts;
  int curves = 0;  ///< polylines of more than two points
  int images = 0;
  bool isWellFormed = false;
};

SvgParts partsOf(const QByteArray& svg) {
  SvgParts parts;
  QXmlStreamReader xml(svg);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) {
      continue;
    }
    if (xml.name() == QLatin1String("text")) {
      parts.texts << xml.readElementText().trimmed();
    } else if (xml.name() == QLatin1String("polyline")) {
      const QString points = xml.attributes().value(QLatin1String("points")).toString();
      // Lines of the grid and samples have two.
      parts.curves += points.simplified().count(QLatin1Char(' ')) > 1 ? 1 : 0;
    } else if (xml.name() == QLatin1String("image")) {
      ++parts.images;
    }
  }
  parts.isWellFormed = !xml.hasError();
  return parts;
}

QByteArray svgOf(const Exhibit& exhibit) {
  const auto svg = Figure::make(exhibit, QStringLiteral("model · Ulpscope")).toSvg();
  EXPECT_TRUE(svg.has_value());
  return svg.value_or(QByteArray());
}

TEST(DepthExhibit, SvgHasTextsAndLinesAndNoPictureOfPixels) {
  const DepthData data = depthOf({.layers = 6, .variants = {"bf16", "fp16"}});
  const SvgParts parts = partsOf(svgOf(depthExhibit(wholePicture(data))));
  EXPECT_TRUE(parts.isWellFormed);
  EXPECT_EQ(parts.images, 0);
  // Each variant and the reference have a piece on either side of the fold.
  EXPECT_EQ(parts.curves, 6);
  for (const char* text : {"RMS rel, %",
                           "bf16",
                           "fp16",
                           "emb",
                           "Forward →",
                           "Backward →",
                           "RMS of the reference",
                           "model · Ulpscope"}) {
    EXPECT_TRUE(parts.texts.contains(QString::fromUtf8(text))) << text;
  }
}

TEST(DepthExhibit, NamesManyVariantsInALegendBelow) {
  test::ReportShape shape{.layers = 4, .variants = {}};
  for (int i = 0; i < 9; ++i) {
    shape.variants.push_back("variant_" + std::to_string(i));
  }
  const DepthData data = depthOf(shape);
  const Exhibit exhibit = depthExhibit(wholePicture(data));
  EXPECT_TRUE(exhibit.title.contains(QStringLiteral("9 variants")));
  EXPECT_GT(exhibit.size.height(),
            depthExhibit(wholePicture(depthOf({.layers = 4}))).size.height());
  const SvgParts parts = partsOf(svgOf(exhibit));
  for (const std::string& name : shape.variants) {
    EXPECT_TRUE(parts.texts.contains(QString::fromStdString(name))) << name;
  }
}

TEST(DepthExhibit, DrawsNothingOutsideItsPlotWhenItIsZoomed) {
  const DepthData data = depthOf({.layers = 30, .variants = {"bf16"}});
  DepthOptions options;
  options.visible.assign(data.curves.size(), true);
  Viewport viewport;
  const Range full{-0.6, data.axis.size() - 0.4};
  viewport.setFull(full, extentOf(data, options.visible).y);
  viewport.zoomTo({10, 14}, viewport.fullY());
  const QByteArray svg = svgOf(depthExhibit({data, options, viewport}));
  const double width = depthExhibit({data, options, viewport}).size.width() + 24;
  static const QRegularExpression kPoints(QStringLiteral("points=\"([^\"]*)\""));
  auto found = kPoints.globalMatch(QString::fromUtf8(svg));
  int points = 0;
  while (found.hasNext()) {
    const QString list = found.next().captured(1);
    for (const QString& point : list.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      const double x = point.section(QLatin1Char(','), 0, 0).toDouble();
      EXPECT_GE(x, 0);
      EXPECT_LE(x, width);
      ++points;
    }
  }
  EXPECT_GT(points, 0);
  EXPECT_EQ(depthTable({data, options, viewport}).rows.size(), 5U);
}

TEST(DepthExhibit, TableHasTheValuesInTheirUnitAndCountsWhatIsNotFinite) {
  DepthData data = depthOf({.layers = 2, .variants = {"bf16"}});
  data.curves[0].values[1] = std::numeric_limits<double>::quiet_NaN();
  data.curves[0].values[2] = std::numeric_limits<double>::quiet_NaN();
  data.curves[0].nonFinite[2] = 7;
  const report::DataTable table = depthExhibit(wholePicture(data)).table();
  ASSERT_EQ(table.columns.size(), 6U);
  EXPECT_EQ(table.columns[3].title, "bf16");
  EXPECT_EQ(table.columns[3].unit, "%");
  EXPECT_EQ(table.columns[4].group, "Elements not finite");
  ASSERT_EQ(table.rows.size(), static_cast<std::size_t>(data.axis.size()));
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "embeddings");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][3]), data.curves[0].values[0] * 100);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[1][3])) << "missing is a gap";
  EXPECT_TRUE(std::isnan(std::get<double>(table.rows[2][3]))) << "NaN stays NaN";
  EXPECT_EQ(std::get<double>(table.rows[2][4]), 7);
}

TEST(DepthExhibit, ShadesAndNamesTheNoise) {
  const test::ReportShape shape{.layers = 6, .variants = {"a", "noise"}};
  const DocumentPtr document = test::documentOf(test::realisticReport(shape));
  DepthData data = depthOf(shape);
  const QImage without = imageOf(depthExhibit(wholePicture(data)));
  addNoise(data, *document, {.name = QStringLiteral("noise"), .variants = {1}});
  const Exhibit exhibit = depthExhibit(wholePicture(data));
  const QImage with = imageOf(exhibit);
  int changed = 0;
  for (int y = 0; y < with.height(); ++y) {
    for (int x = 0; x < with.width(); ++x) {
      changed += static_cast<int>(with.pixel(x, y) != without.pixel(x, y));
    }
  }
  EXPECT_GT(changed, with.width() * with.height() / 20);
  const report::DataTable table = exhibit.table();
  EXPECT_EQ(table.columns.back().title, "noise: noise");
  EXPECT_EQ(std::get<double>(table.rows[2].back()), std::get<double>(table.rows[2][4]));
}

}  // namespace
}  // namespace ulp::views::charts
