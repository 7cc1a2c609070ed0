#include "views/framework/exports/printed_pages.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>

#include "views/framework/exports/figure.h"
#include "views/framework/exports/table_figure.h"
#include "views/framework/look/theme.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

constexpr int kResolution = 1200;
constexpr double kMarginMillimetres = 15;
constexpr double kFooterHeight = 24;
constexpr double kFactIndent = 96;
constexpr int kTextPixels = 12;
constexpr int kTablePixels = 11;
constexpr int kHeadingPixels = 15;
constexpr int kPageTitlePixels = 22;
constexpr int kFooterPixels = 9;
constexpr double kSmallestType = 0.66;  ///< relative; tables that are wider still need a wider page
constexpr std::size_t kFewestRows = 3;  ///< of a table at the foot of a page

}  // namespace

PrintedPages::PrintedPages(const QString& title, QString footer)
    : m_footer(std::move(footer)), m_buffer(&m_bytes), m_writer(openBuffer()) {
  m_writer.setTitle(title);
  m_writer.setCreator(QStringLiteral("Ulpscope"));
  m_writer.setPageSize(QPageSize(QPageSize::A4));
  m_writer.setPageMargins(
      QMarginsF(kMarginMillimetres, kMarginMillimetres, kMarginMillimetres, kMarginMillimetres),
      QPageLayout::Millimeter);
  m_writer.setResolution(kResolution);
  // Not before the writer knows its page.
  m_isOpen = m_painter.begin(&m_writer);
  m_painter.scale(kResolution / kFigureDotsPerInch, kResolution / kFigureDotsPerInch);
  beginPage();
}

QIODevice* PrintedPages::openBuffer() {
  m_buffer.open(QIODevice::WriteOnly);
  return &m_buffer;
}

void PrintedPages::beginPage() {
  m_width = m_writer.width() * kFigureDotsPerInch / kResolution;
  m_height = m_writer.height() * kFigureDotsPerInch / kResolution - kFooterHeight;
  m_y = 0;
  paintFooter();
}

void PrintedPages::newPage() {
  m_writer.newPage();
  ++m_page;
  beginPage();
}

void PrintedPages::setOrientation(QPageLayout::Orientation orientation) {
  if (m_writer.pageLayout().orientation() == orientation) {
    return;
  }
  m_writer.setPageOrientation(orientation);
  newPage();
}

double PrintedPages::portraitWidth() const {
  const QRectF paper = m_writer.pageLayout().paintRect(QPageLayout::Inch);
  return std::min(paper.width(), paper.height()) * kFigureDotsPerInch;
}

void PrintedPages::need(double height) {
  if (m_height - m_y < height && m_y > 0) {
    newPage();
  }
}

void PrintedPages::paintText(const QString& text,
                             const QFont& font,
                             const QColor& color,
                             double left) {
  const QRectF wanted(left, 0, m_width - left, 1e6);
  const double height = QFontMetricsF(font).boundingRect(wanted, Qt::TextWordWrap, text).height();
  need(height);
  m_painter.setFont(font);
  m_painter.setPen(color);
  m_painter.drawText(QRectF(left, m_y, m_width - left, height + 1), Qt::TextWordWrap, text);
  m_y += height;
}

void PrintedPages::paintFooter() {
  m_painter.setFont(figureFont(kFooterPixels));
  m_painter.setPen(lightTheme().dimText);
  const QFontMetricsF metrics(m_painter.font());
  const QString number =
      QCoreApplication::translate("ulp::views::PrintedPages", "page %1").arg(m_page);
  const double numberWidth = metrics.horizontalAdvance(number) + 12;
  const QRectF line(0, m_height + kFooterHeight - metrics.height(), m_width, metrics.height());
  m_painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, number);
  m_painter.drawText(
      line, Qt::AlignLeft | Qt::AlignVCenter, elidedText(m_footer, metrics, m_width - numberWidth));
}

void PrintedPages::addTitle(const QString& text) {
  paintText(text, figureFont(kPageTitlePixels, true), lightTheme().palette.color(QPalette::Text));
  m_y += 10;
}

void PrintedPages::addHeading(const QString& text) {
  const QFont font = figureFont(kHeadingPixels, true);
  // Room above a block, but not at the top of a page.
  m_y += m_y > 0 ? 22 : 0;
  // A heading alone at the foot of a page belongs to the next one.
  need(QFontMetricsF(font).height() * 6);
  paintText(text, font, lightTheme().palette.color(QPalette::Text));
  m_y += 6;
}

void PrintedPages::addParagraph(const QString& text) {
  paintText(text, figureFont(kTextPixels), lightTheme().dimText);
  m_y += 6;
}

void PrintedPages::addFact(const QString& name, const QString& value) {
  const QFont font = figureFont(kTextPixels);
  need(QFontMetricsF(font).height());
  m_painter.setFont(font);
  m_painter.setPen(lightTheme().dimText);
  m_painter.drawText(QPointF(0, m_y + QFontMetricsF(font).ascent()), name);
  paintText(value, font, lightTheme().palette.color(QPalette::Text), kFactIndent);
  m_y += 2;
}

void PrintedPages::addTable(const report::TextTable& table) {
  const double wanted = layoutTable(table, figureFont(kTablePixels)).width;
  const bool isWide = wanted * kSmallestType > portraitWidth();
  setOrientation(isWide ? QPageLayout::Landscape : QPageLayout::Portrait);
  addHeading(QString::fromStdString(table.title));
  if (!table.note.empty()) {
    addParagraph(QString::fromStdString(table.note));
  }
  const TableLayout layout = layoutTable(table, figureFont(kTablePixels), m_width);
  // What cannot be made narrower is drawn smaller.
  const double scale = std::min(1.0, m_width / layout.width);
  std::size_t row = 0;
  do {
    need(layout.height(std::min(kFewestRows, table.rows.size() - row)) * scale);
    const double room = (m_height - m_y) / scale - layout.headHeight;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, room / layout.rowHeight));
    const std::size_t count = std::min(fitting, table.rows.size() - row);
    m_painter.save();
    m_painter.translate(0, m_y);
    m_painter.scale(scale, scale);
    paintTable(m_painter, {}, layout, table, {row, count}, lightTheme());
    m_painter.restore();
    m_y += layout.height(count) * scale;
    row += count;
    if (row < table.rows.size()) {
      newPage();
    }
  } while (row < table.rows.size());
  m_y += 6;
}

void PrintedPages::addFigure(const Figure& figure) {
  setOrientation(QPageLayout::Portrait);
  const double scale =
      std::min({1.0, m_width / figure.size().width(), m_height / figure.size().height()});
  need(figure.size().height() * scale);
  m_painter.save();
  m_painter.translate(0, m_y);
  m_painter.scale(scale, scale);
  figure.draw(m_painter);
  m_painter.restore();
  m_y += figure.size().height() * scale + 6;
}

Result<QByteArray> PrintedPages::finish() {
  const bool isDone = m_isOpen && m_painter.end();
  m_buffer.close();
  if (!isDone) {
    return fail(ErrorCode::Internal, "the document cannot be made as PDF");
  }
  return m_bytes;
}

}  // namespace ulp::views
