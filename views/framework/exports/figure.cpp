#include "views/framework/exports/figure.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QBuffer>
#include <QtCore/QRegularExpression>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPageSize>
#include <QtGui/QPainter>
#include <QtGui/QPdfWriter>
#include <QtGui/QPicture>
#include <QtSvg/QSvgGenerator>

#include "core/report/tables/data_table.h"
#include "views/framework/exports/table_figure.h"

namespace ulp::views {
namespace {

constexpr int kFigureTitlePixels = 14;
constexpr int kProvenancePixels = 10;
constexpr double kMargin = 12;
constexpr double kGap = 8;
constexpr double kPointsPerInch = 72;
constexpr double kMaxPixels = 16384;  ///< of a side: more does not open in most programs
constexpr double kNarrowest = 360;

double wrappedHeight(const QString& text, const QFont& font, double width) {
  return text.isEmpty() ? 0
                        : QFontMetricsF(font)
                              .boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text)
                              .height();
}

/// What stands between title and provenance.
struct Body {
  QSizeF size;
  std::function<void(QPainter&, const QRectF&)> paint;
};

Body chartBody(const Exhibit& exhibit, const QSizeF& size, const Theme& theme) {
  return {size.isEmpty() ? exhibit.size : size,
          [&exhibit, &theme](QPainter& painter, const QRectF& area) {
            exhibit.paint(painter, area, theme);
          }};
}

Body tableBody(const Exhibit& exhibit, const Theme& theme) {
  const auto table = std::make_shared<report::TextTable>(
      report::formatTable(exhibit.table(), Figure::kMaxTableRows));
  const auto layout = std::make_shared<TableLayout>(layoutTable(*table, figureFont()));
  const double note = wrappedHeight(QString::fromStdString(table->note),
                                    figureFont(kProvenancePixels),
                                    std::max(layout->width, kNarrowest));
  return {{std::max(layout->width, kNarrowest),
           layout->height({0, table->rows.size()}) + (note > 0 ? note + kGap : 0)},
          [table, layout, note, &theme](QPainter& painter, const QRectF& area) {
            paintTable(painter, area.topLeft(), *layout, *table, {0, table->rows.size()}, theme);
            painter.setFont(figureFont(kProvenancePixels));
            painter.setPen(theme.dimText);
            painter.drawText(QRectF(area.left(), area.bottom() - note, area.width(), note),
                             Qt::TextWordWrap,
                             QString::fromStdString(table->note));
          }};
}

/// Qt closes a group for every change of pen or brush, also when nothing is drawn with it; and it
/// names one family, which other machines may lack. It keeps characters that XML does not allow,
/// and writes titles as if they were markup: these are put in here.
QByteArray tidySvg(const QByteArray& svg, const QString& title, const QString& description) {
  static const QRegularExpression kEmptyGroup(QStringLiteral("<g [^>]*>\\s*</g>\\s*"));
  static const QRegularExpression kNoXml(
      QStringLiteral("[\\x{00}-\\x{08}\\x{0b}\\x{0c}\\x{0e}-\\x{1f}\\x{fffe}\\x{ffff}]"));
  QString text = QString::fromUtf8(svg);
  text.insert(text.indexOf(QLatin1Char('>'), text.indexOf(QLatin1String("<svg"))) + 1,
              QStringLiteral("\n<title>%1</title>\n<desc>%2</desc>")
                  .arg(title.toHtmlEscaped(), description.toHtmlEscaped()));
  text.remove(kEmptyGroup);
  text.replace(kNoXml, QString(QChar::ReplacementCharacter));
  text.replace(QStringLiteral("font-family=\"DejaVu Sans\""),
               QStringLiteral("font-family=\"DejaVu Sans, Verdana, sans-serif\""));
  return text.toUtf8();
}

void play(const QPicture& picture, QPainter& painter) {
  // Playing opens the picture's buffer; a copy shares the bytes and has a buffer of its own.
  QPicture copy(picture);
  copy.detach();
  painter.save();
  // A picture grows with the resolution of the device, as text in points does; a figure does not.
  painter.scale(copy.logicalDpiX() * 1.0 / painter.device()->logicalDpiX(),
                copy.logicalDpiY() * 1.0 / painter.device()->logicalDpiY());
  copy.play(&painter);
  painter.restore();
}

}  // namespace

QFont figureFont(int pixels, bool isBold) {
  QFont font;
  font.setFamilies({QStringLiteral("DejaVu Sans"),
                    QStringLiteral("Verdana"),
                    QStringLiteral("Liberation Sans"),
                    QStringLiteral("sans-serif")});
  font.setPixelSize(pixels);
  font.setBold(isBold);
  // Widths are then the same on screen and on paper.
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

Exhibit recorded(const Exhibit& exhibit, const QSizeF& size) {
  Exhibit kept = exhibit;
  if (!exhibit.paint) {
    return kept;
  }
  auto picture = std::make_shared<QPicture>();
  QPainter recorder(picture.get());
  recorder.setFont(figureFont());
  exhibit.paint(recorder, QRectF(QPointF(), size), lightTheme());
  recorder.end();
  kept.size = size;
  kept.paint = [picture = std::shared_ptr<const QPicture>(std::move(picture)), size](
                   QPainter& painter, const QRectF& area, const Theme& /*theme*/) {
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(area.width() / size.width(), area.height() / size.height());
    play(*picture, painter);
    painter.restore();
  };
  return kept;
}

Figure Figure::make(const Exhibit& exhibit,
                    const QString& provenance,
                    const QSizeF& size,
                    const Theme& theme) {
  const Body body = exhibit.paint ? chartBody(exhibit, size, theme) : tableBody(exhibit, theme);
  const double width = body.size.width();
  const QFont titleFont = figureFont(kFigureTitlePixels, true);
  const QFont provenanceFont = figureFont(kProvenancePixels);
  const double title = wrappedHeight(exhibit.title, titleFont, width);
  const double source = wrappedHeight(provenance, provenanceFont, width);
  const double top = kMargin + (title > 0 ? title + kGap : 0);
  Figure figure;
  figure.m_title = exhibit.title;
  figure.m_provenance = provenance;
  figure.m_size =
      QSizeF(std::ceil(width + 2 * kMargin),
             std::ceil(top + body.size.height() + (source > 0 ? kGap + source : 0) + kMargin));
  auto picture = std::make_shared<QPicture>();
  QPainter painter(picture.get());
  painter.fillRect(QRectF(QPointF(), figure.m_size), theme.chartBackground);
  painter.setFont(titleFont);
  painter.setPen(theme.palette.color(QPalette::Text));
  painter.drawText(QRectF(kMargin, kMargin, width, title), Qt::TextWordWrap, exhibit.title);
  painter.save();
  painter.setFont(figureFont());
  body.paint(painter, QRectF(QPointF(kMargin, top), body.size));
  painter.restore();
  painter.setFont(provenanceFont);
  painter.setPen(theme.dimText);
  painter.drawText(QRectF(kMargin, top + body.size.height() + kGap, width, source),
                   Qt::TextWordWrap,
                   provenance);
  painter.end();
  figure.m_picture = std::move(picture);
  return figure;
}

void Figure::draw(QPainter& painter) const {
  play(*m_picture, painter);
}

QImage Figure::toImage(double scale) const {
  QImage image((m_size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  draw(painter);
  return image;
}

Result<QByteArray> Figure::toPng(double scale) const {
  if (std::max(m_size.width(), m_size.height()) * scale > kMaxPixels) {
    return fail(ErrorCode::InvalidArgument,
                "a picture of that size has more than 16384 pixels on a side; choose a smaller "
                "scale, or SVG or PDF");
  }
  QImage image = toImage(scale);
  if (image.isNull()) {
    return fail(ErrorCode::OutOfMemory, "no memory for the picture; choose a smaller scale");
  }
  image.setDevicePixelRatio(1);
  const int dotsPerMetre = static_cast<int>(std::lround(kFigureDotsPerInch * scale / 0.0254));
  image.setDotsPerMeterX(dotsPerMetre);
  image.setDotsPerMeterY(dotsPerMetre);
  image.setText(QStringLiteral("Title"), m_title);
  image.setText(QStringLiteral("Source"), m_provenance);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (!image.save(&buffer, "PNG")) {
    return fail(ErrorCode::Internal, "the picture cannot be encoded as PNG");
  }
  return bytes;
}

Result<QByteArray> Figure::toSvg() const {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(static_cast<int>(kFigureDotsPerInch));
  generator.setSize(m_size.toSize());
  generator.setViewBox(QRectF(QPointF(), m_size));
  generator.setTitle({});
  generator.setDescription({});
  QPainter painter;
  if (!painter.begin(&generator)) {
    return fail(ErrorCode::Internal, "the picture cannot be drawn as SVG");
  }
  draw(painter);
  painter.end();
  return tidySvg(bytes, m_title, m_provenance);
}

Result<QByteArray> Figure::toPdf() const {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(m_title);
  writer.setCreator(QStringLiteral("Ulpscope"));
  writer.setPageSize(QPageSize(m_size * kPointsPerInch / kFigureDotsPerInch, QPageSize::Point));
  writer.setPageMargins({});
  writer.setResolution(1200);
  QPainter painter;
  if (!painter.begin(&writer)) {
    return fail(ErrorCode::Internal, "the picture cannot be drawn as PDF");
  }
  const double scale = 1200.0 / kFigureDotsPerInch;
  painter.scale(scale, scale);
  draw(painter);
  painter.end();
  return bytes;
}

}  // namespace ulp::views
