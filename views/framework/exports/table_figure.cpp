#include "views/framework/exports/table_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "core/base/list_of.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/wrapped_text.h"

namespace ulp::views {
namespace {

constexpr double kColumnGap = 14;
constexpr double kRowPadding = 5;
constexpr double kWidestCell = 44;      ///< em, of a table without a largest width
constexpr double kComfortableText = 9;  ///< em, of a column whose cells have several lines
constexpr double kNarrowestText = 6;    ///< em
constexpr double kWorthSmaller = 0.8;   ///< of the lines: smaller type must save as many
constexpr qsizetype kMostLines = 40;    ///< of a cell, which stands on one page
constexpr std::size_t kMeasured = 400;  ///< rows

QFont boldFont(QFont font) {
  font.setBold(true);
  return font;
}

QFont scaledFont(QFont font, double scale) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * scale))));
  return font;
}

double heightOf(qsizetype lines, const QFontMetricsF& metrics) {
  return metrics.height() * static_cast<double>(lines) + kRowPadding;
}

/// What decides on the width of a column.
struct ColumnNeed {
  double natural = 0;      ///< of texts on one line
  double comfortable = 0;  ///< of texts that still read well on several
  double least = 0;
};

QString cellText(const report::TextTable& table, std::size_t row, std::size_t column) {
  return QString::fromStdString(table.rows[row][column]);
}

ColumnNeed needOf(const report::TextTable& table, std::size_t column, const QFont& font) {
  const QFontMetricsF metrics(font);
  const QFontMetricsF heads(boldFont(font));
  const double em = metrics.horizontalAdvance(QLatin1Char('m'));
  const QString title = QString::fromStdString(table.columns[column].title);
  const bool isNumber = table.columns[column].isNumber;
  const double titleWidth = heads.horizontalAdvance(title);
  const double titlePart = widestWord(title, heads);
  const std::size_t step = std::max<std::size_t>(1, table.rows.size() / kMeasured);
  double width = 0;
  double part = titlePart;
  std::size_t longest = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::size_t size = table.rows[row][column].size();
    // A number that is not measured might not fit; texts have more lines.
    if (row % step == 0 || (isNumber && size > longest)) {
      width = std::max(width, metrics.horizontalAdvance(cellText(table, row, column)));
      part = isNumber ? part : std::max(part, widestPart(cellText(table, row, column), metrics));
      longest = std::max(longest, size);
    }
  }
  const double natural = std::max(width, titleWidth) + 1;
  if (isNumber) {
    const double narrow = std::max(width, titlePart) + 1;
    return {natural, narrow, narrow};
  }
  return {natural,
          std::min(natural, std::max(kComfortableText * em, titlePart + 1)),
          std::min(natural, std::max(titlePart + 1, std::min(part + 1, kNarrowestText * em)))};
}

double sumOf(const std::vector<ColumnNeed>& needs, double ColumnNeed::*width) {
  return std::accumulate(
      needs.begin(), needs.end(), 0.0, [width](double sum, const ColumnNeed& need) {
        return sum + need.*width + kColumnGap;
      });
}

/// Shares the room among columns. `exponent`: 0 gives every column what it asks for up to the same
/// width, so that names stay whole; 1 gives each as much as its texts are long, so that sentences
/// have as few lines as names.
std::vector<double> sharedWidths(const std::vector<ColumnNeed>& needs,
                                 double ColumnNeed::*least,
                                 double room,
                                 double exponent) {
  const auto widthAt = [=](const ColumnNeed& need, double part) {
    return std::clamp(room * part * std::pow(need.natural / room, exponent),
                      need.*least,
                      std::max(need.*least, need.natural));
  };
  const auto totalAt = [&](double part) {
    double total = 0;
    for (const ColumnNeed& need : needs) {
      total += widthAt(need, part) + kColumnGap;
    }
    return total;
  };
  double low = 0;
  double high = std::max(1.0, room);
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (totalAt(middle) <= room ? low : high) = middle;
  }
  return listOf(needs, [&](const ColumnNeed& need) { return widthAt(need, low); });
}

/// The lines of a cell in a column of that width. Numbers stand as they are: their columns are
/// never narrower than what was measured of them.
QStringList linesOf(const QString& text,
                    bool isNumber,
                    const QFontMetricsF& metrics,
                    double width) {
  if (isNumber) {
    return {text};
  }
  QStringList lines = wrappedText(text, metrics, width);
  if (lines.size() > kMostLines) {
    const QString rest = lines.mid(kMostLines - 1).join(QLatin1Char(' '));
    lines.resize(kMostLines - 1);
    lines << elidedText(rest, metrics, width);
  }
  return lines;
}

qsizetype linesOfRow(const report::TextTable& table,
                     std::size_t row,
                     const QFontMetricsF& metrics,
                     const std::vector<double>& widths) {
  qsizetype lines = 1;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const QString text = cellText(table, row, i);
    lines = std::max(lines, linesOf(text, table.columns[i].isNumber, metrics, widths[i]).size());
  }
  return lines;
}

qsizetype lineCount(const report::TextTable& table,
                    const QFont& font,
                    const std::vector<double>& widths) {
  const QFontMetricsF metrics(font);
  qsizetype lines = 0;
  const std::size_t step = std::max<std::size_t>(1, table.rows.size() / kMeasured);
  for (std::size_t row = 0; row < table.rows.size(); row += step) {
    lines += linesOfRow(table, row, metrics, widths);
  }
  return lines;
}

/// Font and widths of the columns of a table that is to be no wider than `maxWidth`.
std::pair<QFont, std::vector<double>> fittedColumns(const report::TextTable& table,
                                                    const QFont& font,
                                                    double maxWidth) {
  const auto needsAt = [&](double scale) {
    std::vector<ColumnNeed> needs;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      needs.push_back(needOf(table, column, scaledFont(font, scale)));
    }
    return needs;
  };
  for (const double scale : {1.0, 0.9, 0.8}) {
    const std::vector<ColumnNeed> needs = needsAt(scale);
    if (sumOf(needs, &ColumnNeed::natural) <= maxWidth) {
      return {scaledFont(font, scale), listOf(needs, &ColumnNeed::natural)};
    }
  }
  // The largest of those with the fewest lines.
  std::optional<std::pair<QFont, std::vector<double>>> best;
  double fewest = 0;
  for (const double scale : {0.9, 0.8, 0.7}) {
    const std::vector<ColumnNeed> needs = needsAt(scale);
    if (sumOf(needs, &ColumnNeed::comfortable) <= maxWidth) {
      for (const double exponent : {0.0, 0.5, 1.0}) {
        std::pair columns(scaledFont(font, scale),
                          sharedWidths(needs, &ColumnNeed::comfortable, maxWidth, exponent));
        const auto lines = static_cast<double>(lineCount(table, columns.first, columns.second));
        const bool isSmaller = best && best->first.pixelSize() > columns.first.pixelSize();
        if (!best || lines < fewest * (isSmaller ? kWorthSmaller : 1)) {
          best = std::move(columns);
          fewest = lines;
        }
      }
    }
  }
  constexpr double kSmallest = 0.7;
  return best ? *std::move(best)
              : std::pair(scaledFont(font, kSmallest),
                          sharedWidths(needsAt(kSmallest), &ColumnNeed::least, maxWidth, 1));
}

std::vector<double> naturalWidths(const report::TextTable& table, const QFont& font) {
  const double widest = kWidestCell * QFontMetricsF(font).horizontalAdvance(QLatin1Char('m'));
  std::vector<double> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const double natural = needOf(table, column, font).natural;
    widths.push_back(table.columns[column].isNumber ? natural : std::min(natural, widest));
  }
  return widths;
}

/// A group's heading may be wider than its columns.
void widenForGroups(std::vector<double>& widths,
                    const report::TextTable& table,
                    const QFont& font) {
  const QFontMetricsF heads(boldFont(font));
  std::size_t column = 0;
  for (const report::ColumnGroup& group : report::columnGroups(table.columns)) {
    double own = kColumnGap * static_cast<double>(group.columns - 1);
    for (std::size_t i = 0; i < group.columns; ++i) {
      own += widths[column + i];
    }
    widths[column] +=
        std::max(0.0, heads.horizontalAdvance(QString::fromStdString(group.title)) + 1 - own);
    column += group.columns;
  }
}

void paintLines(QPainter& painter, const QRectF& place, bool isNumber, const QStringList& lines) {
  const double height = QFontMetricsF(painter.font()).height();
  double top = place.top() + kRowPadding / 2;
  for (const QString& line : lines) {
    painter.drawText(
        QRectF(place.left(), top, place.width(), height),
        isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter,
        line);
    top += height;
  }
}

void paintGroups(QPainter& painter,
                 const QPointF& place,
                 const TableLayout& layout,
                 const report::TextTable& table,
                 const Theme& theme) {
  std::size_t column = 0;
  for (const report::ColumnGroup& group : report::columnGroups(table.columns)) {
    const std::size_t last = column + group.columns - 1;
    const QRectF span(place.x() + layout.lefts[column],
                      place.y(),
                      layout.lefts[last] + layout.widths[last] - layout.lefts[column],
                      layout.groupHeight);
    if (!group.title.empty()) {
      painter.drawText(
          span, Qt::AlignHCenter | Qt::AlignVCenter, QString::fromStdString(group.title));
      painter.save();
      painter.setPen(QPen(theme.gridStrong, 0.8));
      painter.drawLine(span.bottomLeft(), span.bottomRight());
      painter.restore();
    }
    column += group.columns;
  }
}

void paintHead(QPainter& painter,
               const QPointF& place,
               const TableLayout& layout,
               const report::TextTable& table,
               const Theme& theme) {
  const QFont font = boldFont(layout.font);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(theme.palette.color(QPalette::Text));
  if (layout.groupHeight > 0) {
    paintGroups(painter, place, layout, table, theme);
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    // Headings of several lines end where the others do.
    const QStringList lines =
        wrappedText(QString::fromStdString(table.columns[i].title), metrics, layout.widths[i]);
    const double height = heightOf(lines.size(), metrics);
    paintLines(painter,
               QRectF(place.x() + layout.lefts[i],
                      place.y() + layout.headHeight - height,
                      layout.widths[i],
                      height),
               table.columns[i].isNumber,
               lines);
  }
  const double line = place.y() + layout.headHeight;
  painter.setPen(QPen(theme.axisText, 1));
  painter.drawLine(QPointF(place.x(), line), QPointF(place.x() + layout.width, line));
}

}  // namespace

double TableLayout::height(RowRange rows) const {
  double sum = headHeight;
  const std::size_t end = std::min(rowHeights.size(), rows.first + rows.count);
  for (std::size_t row = rows.first; row < end; ++row) {
    sum += rowHeights[row];
  }
  return sum;
}

TableLayout layoutTable(const report::TextTable& table, const QFont& font, double maxWidth) {
  TableLayout layout;
  layout.font = font;
  if (maxWidth > 0) {
    std::tie(layout.font, layout.widths) = fittedColumns(table, font, maxWidth);
  } else {
    layout.widths = naturalWidths(table, font);
  }
  widenForGroups(layout.widths, table, layout.font);
  const QFontMetricsF metrics(layout.font);
  const QFontMetricsF heads(boldFont(layout.font));
  double left = kColumnGap / 2;
  for (const double width : layout.widths) {
    layout.lefts.push_back(left);
    left += width + kColumnGap;
  }
  layout.width = left - kColumnGap / 2;
  const bool hasGroups = !report::columnGroups(table.columns).empty();
  layout.groupHeight = hasGroups ? heightOf(1, heads) : 0;
  qsizetype headLines = 1;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const QString title = QString::fromStdString(table.columns[i].title);
    headLines = std::max(headLines, wrappedText(title, heads, layout.widths[i]).size());
  }
  layout.headHeight = layout.groupHeight + heightOf(headLines, heads);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const qsizetype lines = maxWidth > 0 ? linesOfRow(table, row, metrics, layout.widths) : 1;
    layout.rowHeights.push_back(heightOf(lines, metrics));
  }
  return layout;
}

void paintTable(QPainter& painter,
                const QPointF& place,
                const TableLayout& layout,
                const report::TextTable& table,
                RowRange rows,
                const Theme& theme) {
  painter.save();
  paintHead(painter, place, layout, table, theme);
  painter.setFont(layout.font);
  const QFontMetricsF metrics(layout.font);
  const std::size_t end = std::min(table.rows.size(), rows.first + rows.count);
  double top = place.y() + layout.headHeight;
  for (std::size_t row = rows.first; row < end; ++row) {
    const double height = layout.rowHeights[row];
    if ((row - rows.first) % 2 == 1) {
      painter.fillRect(QRectF(place.x(), top, layout.width, height),
                       theme.palette.color(QPalette::AlternateBase));
    }
    const bool isOneLine = height < heightOf(2, metrics);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& cell = table.rows[row][i];
      const bool isNumber = table.columns[i].isNumber;
      const QString text = QString::fromStdString(cell);
      const bool isWord = cell == "NaN" || cell == "+Inf" || cell == "−Inf";
      painter.setPen(isWord ? theme.nonFinite : theme.palette.color(QPalette::Text));
      paintLines(painter,
                 QRectF(place.x() + layout.lefts[i], top, layout.widths[i], height),
                 isNumber,
                 isOneLine && !isNumber ? QStringList{elidedText(text, metrics, layout.widths[i])}
                                        : linesOf(text, isNumber, metrics, layout.widths[i]));
    }
    top += height;
  }
  painter.restore();
}

}  // namespace ulp::views
