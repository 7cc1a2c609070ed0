#include "views/framework/exports/printed_pages.h"

#include <algorithm>

#include <QtCore/QBuffer>
#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPageLayout>
#include <QtGui/QPainter>
#include <QtGui/QPdfWriter>

#include "views/framework/exports/figure.h"
#include "views/framework/exports/table_figure.h"
#include "views/framework/look/theme.h"

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

/// The page that is being filled, in units of 1/96 inch below the top margin.
class PrintedPages::Sheet {
 public:
  Sheet(const QString& title, QString footer)
      : m_footer(std::move(footer)), m_buffer(&m_bytes), m_writer(openBuffer()) {
    m_writer.setTitle(title);
    m_writer.setCreator(QStringLiteral("Ulpscope"));
    m_writer.setPageSize(QPageSize(QPageSize::A4));
    m_writer.setPageMargins(
        QMarginsF(kMarginMillimetres, kMarginMillimetres, kMarginMillimetres, kMarginMillimetres),
        QPageLayout::Millimeter);
    m_writer.setResolution(kResolution);
    // Not before the writer knows its page.
    if (m_painter.begin(&m_writer)) {
      m_isOpen = true;
    }
    m_painter.scale(kResolution / kFigureDotsPerInch, kResolution / kFigureDotsPerInch);
    beginPage();
  }

  [[nodiscard]] QPainter& painter() { return m_painter; }
  [[nodiscard]] double width() const { return m_width; }
  [[nodiscard]] double height() const { return m_height; }
  [[nodiscard]] double room() const { return m_height - m_y; }
  [[nodiscard]] double y() const { return m_y; }
  [[nodiscard]] bool isFresh() const { return m_y == 0; }
  [[nodiscard]] int page() const { return m_page; }

  void advance(double height) { m_y += height; }
  /// Room above a block, but not at the top of a page.
  void space(double height) { m_y += isFresh() ? 0 : height; }
  void newPage() {
    m_writer.newPage();
    ++m_page;
    beginPage();
  }
  /// What follows stands on pages of this orientation.
  void setOrientation(QPageLayout::Orientation orientation) {
    if (m_writer.pageLayout().orientation() == orientation) {
      return;
    }
    m_writer.setPageOrientation(orientation);
    newPage();
  }
  [[nodiscard]] double portraitWidth() const {
    const QRectF paper = m_writer.pageLayout().paintRect(QPageLayout::Inch);
    return std::min(paper.width(), paper.height()) * kFigureDotsPerInch;
  }
  void need(double height) {
    if (room() < height && !isFresh()) {
      newPage();
    }
  }
  void paintText(const QString& text, const QFont& font, const QColor& color, double left = 0) {
    const QRectF wanted(left, 0, m_width - left, 1e6);
    const double height = QFontMetricsF(font).boundingRect(wanted, Qt::TextWordWrap, text).height();
    need(height);
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(QRectF(left, m_y, m_width - left, height + 1), Qt::TextWordWrap, text);
    m_y += height;
  }
  Result<QByteArray> finish() {
    const bool isDone = m_isOpen && m_painter.end();
    m_buffer.close();
    if (!isDone) {
      return fail(ErrorCode::Internal, "the document cannot be made as PDF");
    }
    return m_bytes;
  }

 private:
  QIODevice* openBuffer() {
    m_buffer.open(QIODevice::WriteOnly);
    return &m_buffer;
  }
  void beginPage() {
    m_width = m_writer.width() * kFigureDotsPerInch / kResolution;
    m_height = m_writer.height() * kFigureDotsPerInch / kResolution - kFooterHeight;
    m_y = 0;
    paintFooter();
  }
  void paintFooter() {
    m_painter.setFont(figureFont(kFooterPixels));
    m_painter.setPen(lightTheme().dimText);
    const QFontMetricsF metrics(m_painter.font());
    const QString number =
        QCoreApplication::translate("ulp::views::PrintedPages", "page %1").arg(m_page);
    const double numberWidth = metrics.horizontalAdvance(number) + 12;
    const QRectF line(0, m_height + kFooterHeight - metrics.height(), m_width, metrics.height());
    m_painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, number);
    m_painter.drawText(line,
                       Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(m_footer, Qt::ElideMiddle, m_width - numberWidth));
  }

  QString m_footer;
  QByteArray m_bytes;
  QBuffer m_buffer;
  QPdfWriter m_writer;
  QPainter m_painter;
  double m_width = 0;
  double m_height = 0;
  double m_y = 0;
  int m_page = 1;
  bool m_isOpen = false;
};

PrintedPages::PrintedPages(const QString& title, const QString& footer)
    : m_sheet(std::make_unique<Sheet>(title, footer)) {}

PrintedPages::~PrintedPages() = default;

void PrintedPages::addTitle(const QString& text) {
  m_sheet->paintText(
      text, figureFont(kPageTitlePixels, true), lightTheme().palette.color(QPalette::Text));
  m_sheet->advance(10);
}

void PrintedPages::addHeading(const QString& text) {
  const QFont font = figureFont(kHeadingPixels, true);
  m_sheet->space(22);
  // A heading alone at the foot of a page belongs to the next one.
  m_sheet->need(QFontMetricsF(font).height() * 6);
  m_sheet->paintText(text, font, lightTheme().palette.color(QPalette::Text));
  m_sheet->advance(6);
}

void PrintedPages::addParagraph(const QString& text) {
  m_sheet->paintText(text, figureFont(kTextPixels), lightTheme().dimText);
  m_sheet->advance(6);
}

void PrintedPages::addFact(const QString& name, const QString& value) {
  const QFont font = figureFont(kTextPixels);
  m_sheet->need(QFontMetricsF(font).height());
  m_sheet->painter().setFont(font);
  m_sheet->painter().setPen(lightTheme().dimText);
  m_sheet->painter().drawText(QPointF(0, m_sheet->y() + QFontMetricsF(font).ascent()), name);
  m_sheet->paintText(value, font, lightTheme().palette.color(QPalette::Text), kFactIndent);
  m_sheet->advance(2);
}

void PrintedPages::addTable(const report::TextTable& table) {
  const double wanted = layoutTable(table, figureFont(kTablePixels)).width;
  const bool isWide = wanted * kSmallestType > m_sheet->portraitWidth();
  m_sheet->setOrientation(isWide ? QPageLayout::Landscape : QPageLayout::Portrait);
  addHeading(QString::fromStdString(table.title));
  if (!table.note.empty()) {
    addParagraph(QString::fromStdString(table.note));
  }
  const TableLayout layout = layoutTable(table, figureFont(kTablePixels), m_sheet->width());
  // What cannot be made narrower is drawn smaller.
  const double scale = std::min(1.0, m_sheet->width() / layout.width);
  std::size_t row = 0;
  do {
    m_sheet->need(layout.height(std::min(kFewestRows, table.rows.size() - row)) * scale);
    const double room = m_sheet->room() / scale - layout.headHeight;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, room / layout.rowHeight));
    const std::size_t count = std::min(fitting, table.rows.size() - row);
    QPainter& painter = m_sheet->painter();
    painter.save();
    painter.translate(0, m_sheet->y());
    painter.scale(scale, scale);
    paintTable(painter, {}, layout, table, {row, count}, lightTheme());
    painter.restore();
    m_sheet->advance(layout.height(count) * scale);
    row += count;
    if (row < table.rows.size()) {
      m_sheet->newPage();
    }
  } while (row < table.rows.size());
  m_sheet->advance(6);
}

void PrintedPages::addFigure(const Figure& figure) {
  m_sheet->setOrientation(QPageLayout::Portrait);
  const double scale = std::min(
      {1.0, m_sheet->width() / figure.size().width(), m_sheet->height() / figure.size().height()});
  m_sheet->need(figure.size().height() * scale);
  QPainter& painter = m_sheet->painter();
  painter.save();
  painter.translate(0, m_sheet->y());
  painter.scale(scale, scale);
  figure.draw(painter);
  painter.restore();
  m_sheet->advance(figure.size().height() * scale + 6);
}

int PrintedPages::pageCount() const {
  return m_sheet->page();
}

Result<QByteArray> PrintedPages::finish() {
  return m_sheet->finish();
}

}  // namespace ulp::views
