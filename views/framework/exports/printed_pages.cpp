#include "views/framework/exports/printed_pages.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>

#include "core/base/list_of.h"
#include "views/framework/exports/figure.h"
#include "views/framework/exports/table_figure.h"
#include "views/framework/look/theme.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

constexpr int kResolution = 1200;
constexpr double kMarginMillimetres = 15;
constexpr double kFooterHeight = 24;
constexpr double kFactGap = 16;
constexpr int kTextPixels = 12;
constexpr int kTablePixels = 11;
constexpr int kHeadingPixels = 14;
constexpr int kPageTitlePixels = 20;
constexpr int kFooterPixels = 9;
constexpr double kBlockGap = 16;
constexpr double kNoteGap = 4;
constexpr double kSmallestType = 0.9;     ///< relative; a table that is wider needs a wider page
constexpr double kSmallestOfWide = 0.75;  ///< the same in landscape, where it needs parts
constexpr std::size_t kFewestRows = 3;    ///< of a table at the foot of a page
constexpr double kSmallTable = 0.3;       ///< of a page: stands on one

/// The columns that name a row, and `count` of the others from `first` on.
report::TextTable columnsOf(const report::TextTable& table,
                            std::size_t names,
                            std::size_t first,
                            std::size_t count) {
  const auto taken = [&](const auto& cells) {
    auto part = std::vector(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(names));
    const auto from = cells.begin() + static_cast<std::ptrdiff_t>(first);
    part.insert(part.end(), from, from + static_cast<std::ptrdiff_t>(count));
    return part;
  };
  return {first == names ? table.title : table.title + ", further columns",
          taken(table.columns),
          listOf(table.rows, taken),
          first == names ? table.note : std::string()};
}

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

double PrintedPages::landscapeWidth() const {
  const QRectF paper = m_writer.pageLayout().paintRect(QPageLayout::Inch);
  return std::max(paper.width(), paper.height()) * kFigureDotsPerInch;
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
  m_painter.drawText(line,
                     Qt::AlignLeft | Qt::AlignVCenter,
                     elidedFacts(m_footer, metrics, m_width - numberWidth));
}

void PrintedPages::addBookmark(const QString& title) {
  constexpr double kPointsPerInch = 72;
  const QPageLayout layout = m_writer.pageLayout();
  m_bookmarks.push_back({title,
                         m_page,
                         layout.fullRectPoints().height() - layout.marginsPoints().top() -
                             m_y * kPointsPerInch / kFigureDotsPerInch});
}

void PrintedPages::addTitle(const QString& text) {
  paintText(text, figureFont(kPageTitlePixels, true), lightTheme().palette.color(QPalette::Text));
  m_y += 10;
}

void PrintedPages::addHeading(const QString& text, const QString& note, double next) {
  const QFont font = figureFont(kHeadingPixels, true);
  const QFont noteFont = figureFont(kTablePixels);
  const auto heightOf = [this](const QString& words, const QFont& of) {
    return QFontMetricsF(of)
        .boundingRect(QRectF(0, 0, m_width, 1e6), Qt::TextWordWrap, words)
        .height();
  };
  const double own =
      heightOf(text, font) + kNoteGap + (note.isEmpty() ? 0 : heightOf(note, noteFont) + kNoteGap);
  // Room above a block, but not at the top of a page.
  need(kBlockGap + own + next);
  m_y += m_y > 0 ? kBlockGap : 0;
  addBookmark(text);
  paintText(text, font, lightTheme().palette.color(QPalette::Text));
  m_y += kNoteGap;
  if (!note.isEmpty()) {
    paintText(note, noteFont, lightTheme().dimText);
    m_y += kNoteGap;
  }
}

void PrintedPages::addParagraph(const QString& text) {
  m_y += m_y > 0 ? kNoteGap : 0;
  paintText(text, figureFont(kTablePixels), lightTheme().dimText);
  m_y += kNoteGap;
}

void PrintedPages::addFacts(const std::vector<std::pair<std::string, std::string>>& facts) {
  const QFont font = figureFont(kTextPixels);
  const QFontMetricsF metrics(font);
  double indent = 0;
  for (const auto& [name, value] : facts) {
    indent = std::max(indent, metrics.horizontalAdvance(QString::fromStdString(name)) + kFactGap);
  }
  for (const auto& [name, value] : facts) {
    need(metrics.height());
    m_painter.setFont(font);
    m_painter.setPen(lightTheme().dimText);
    m_painter.drawText(QPointF(0, m_y + metrics.ascent()), QString::fromStdString(name));
    paintText(
        QString::fromStdString(value), font, lightTheme().palette.color(QPalette::Text), indent);
    m_y += 2;
  }
}

void PrintedPages::addTable(const report::TextTable& table) {
  const QFont font = figureFont(kTablePixels);
  TableLayout layout = layoutTable(table, font, portraitWidth());
  const bool isWide = layout.width * kSmallestType > portraitWidth();
  if (isWide) {
    layout = layoutTable(table, font, landscapeWidth());
    const auto name = std::ranges::find(table.columns, true, &report::TableColumn::isNumber);
    const auto names = static_cast<std::size_t>(name - table.columns.begin());
    const std::size_t numbers = table.columns.size() - names;
    if (layout.width * kSmallestOfWide > landscapeWidth() && numbers > 1) {
      const std::size_t half = numbers / 2;
      addTable(columnsOf(table, names, names, half));
      addTable(columnsOf(table, names, names + half, numbers - half));
      return;
    }
  }
  setOrientation(isWide ? QPageLayout::Landscape : QPageLayout::Portrait);
  const double scale = std::min(1.0, m_width / layout.width);
  const double whole = layout.height({0, table.rows.size()}) * scale;
  addHeading(QString::fromStdString(table.title),
             QString::fromStdString(table.note),
             whole <= m_height * kSmallTable ? whole : layout.height({0, kFewestRows}) * scale);
  addRows(table, layout);
}

void PrintedPages::addRows(const report::TextTable& table, const TableLayout& layout) {
  // What cannot be made narrower is drawn smaller.
  const double scale = std::min(1.0, m_width / layout.width);
  std::size_t row = 0;
  do {
    const std::size_t left = table.rows.size() - row;
    std::size_t count = std::min<std::size_t>(1, left);
    while (count < left && layout.height({row, count + 1}) * scale <= m_height - m_y) {
      ++count;
    }
    // No row stands alone on the last page.
    count -= left - count == 1 && count > kFewestRows ? 1 : 0;
    m_painter.save();
    m_painter.translate(0, m_y);
    m_painter.scale(scale, scale);
    paintTable(m_painter, {}, layout, table, {row, count}, lightTheme());
    m_painter.restore();
    m_y += layout.height({row, count}) * scale;
    row += count;
    if (row < table.rows.size()) {
      newPage();
    }
  } while (row < table.rows.size());
}

void PrintedPages::addFigure(const Figure& figure) {
  setOrientation(QPageLayout::Portrait);
  const double scale = std::min(
      {1.0, m_width / figure.size().width(), (m_height - kBlockGap) / figure.size().height()});
  need(kBlockGap + figure.size().height() * scale);
  m_y += m_y > 0 ? kBlockGap : 0;
  addBookmark(figure.title());
  m_painter.save();
  m_painter.translate(0, m_y);
  m_painter.scale(scale, scale);
  figure.draw(m_painter);
  m_painter.restore();
  m_y += figure.size().height() * scale;
}

Result<QByteArray> PrintedPages::finish() {
  const bool isDone = m_isOpen && m_painter.end();
  m_buffer.close();
  if (!isDone) {
    return fail(ErrorCode::Internal, "the document cannot be made as PDF");
  }
  return withOutline(m_bytes, m_bookmarks);
}

}  // namespace ulp::views
