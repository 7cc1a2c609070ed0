#include "views/framework/exports/table_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

constexpr double kColumnGap = 14;
constexpr double kRowPadding = 5;
constexpr double kWidestCell = 44;      ///< em
constexpr double kNarrowestText = 6;    ///< em
constexpr std::size_t kMeasured = 400;  ///< rows

QFont boldFont(QFont font) {
  font.setBold(true);
  return font;
}

QFont scaledFont(QFont font, double scale) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * scale))));
  return font;
}

std::vector<double> naturalWidths(const report::TextTable& table, const QFont& font) {
  const QFontMetricsF metrics(font);
  const QFontMetricsF heads(boldFont(font));
  const double widest = kWidestCell * metrics.horizontalAdvance(QLatin1Char('m'));
  const std::size_t step = std::max<std::size_t>(1, table.rows.size() / kMeasured);
  std::vector<double> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    double width = heads.horizontalAdvance(QString::fromStdString(table.columns[column].title));
    const bool isNumber = table.columns[column].isNumber;
    std::size_t longest = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::string& text = table.rows[row][column];
      // A number that is not measured might not fit; names are shortened.
      if (row % step == 0 || (isNumber && text.size() > longest)) {
        width = std::max(width, metrics.horizontalAdvance(QString::fromStdString(text)));
        longest = std::max(longest, text.size());
      }
    }
    widths.push_back(isNumber ? width + 1 : std::min(width + 1, widest));
  }
  return widths;
}

double totalWidth(const std::vector<double>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0.0) +
         kColumnGap * static_cast<double>(widths.size());
}

/// Takes what is too much from the columns of text, as each has room.
void narrow(std::vector<double>& widths, const report::TextTable& table, double excess, double em) {
  double room = 0;
  const auto roomOf = [&](std::size_t column) {
    const double least = kNarrowestText * em;
    return table.columns[column].isNumber ? 0 : std::max(0.0, widths[column] - least);
  };
  for (std::size_t i = 0; i < widths.size(); ++i) {
    room += roomOf(i);
  }
  const double part = room > 0 ? std::min(1.0, excess / room) : 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] -= part * roomOf(i);
  }
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

void paintCell(QPainter& painter,
               const QRectF& place,
               bool isNumber,
               const QString& text,
               const QFontMetricsF& metrics) {
  // Columns of numbers are never made narrower than what was measured of them.
  const QString fitting = isNumber ? text : elidedText(text, metrics, place.width());
  const Qt::Alignment alignment = (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
  painter.drawText(place, static_cast<int>(alignment.toInt()), fitting);
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
                      layout.rowHeight);
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
  if (layout.headHeight > layout.rowHeight * 1.5) {
    paintGroups(painter, place, layout, table, theme);
  }
  const double top = place.y() + layout.headHeight - layout.rowHeight;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    paintCell(painter,
              QRectF(place.x() + layout.lefts[i], top, layout.widths[i], layout.rowHeight),
              table.columns[i].isNumber,
              QString::fromStdString(table.columns[i].title),
              metrics);
  }
  const double line = place.y() + layout.headHeight;
  painter.setPen(QPen(theme.axisText, 1));
  painter.drawLine(QPointF(place.x(), line), QPointF(place.x() + layout.width, line));
}

}  // namespace

TableLayout layoutTable(const report::TextTable& table, const QFont& font, double maxWidth) {
  constexpr std::array<double, 4> kScales{1, 0.9, 0.8, 0.7};
  TableLayout layout;
  for (const double scale : kScales) {
    layout.font = scaledFont(font, scale);
    layout.widths = naturalWidths(table, layout.font);
    widenForGroups(layout.widths, table, layout.font);
    if (maxWidth <= 0 || totalWidth(layout.widths) <= maxWidth) {
      break;
    }
  }
  const QFontMetricsF metrics(layout.font);
  if (maxWidth > 0 && totalWidth(layout.widths) > maxWidth) {
    narrow(layout.widths,
           table,
           totalWidth(layout.widths) - maxWidth,
           metrics.horizontalAdvance(QLatin1Char('m')));
  }
  double left = kColumnGap / 2;
  for (const double width : layout.widths) {
    layout.lefts.push_back(left);
    left += width + kColumnGap;
  }
  layout.width = left - kColumnGap / 2;
  layout.rowHeight = metrics.height() + kRowPadding;
  const bool hasGroups = !report::columnGroups(table.columns).empty();
  layout.headHeight = layout.rowHeight * (hasGroups ? 2 : 1);
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
    if ((row - rows.first) % 2 == 1) {
      painter.fillRect(QRectF(place.x(), top, layout.width, layout.rowHeight),
                       theme.palette.color(QPalette::AlternateBase));
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& cell = table.rows[row][i];
      const bool isWord = cell == "NaN" || cell == "+Inf" || cell == "−Inf";
      painter.setPen(isWord ? theme.nonFinite : theme.palette.color(QPalette::Text));
      paintCell(painter,
                QRectF(place.x() + layout.lefts[i], top, layout.widths[i], layout.rowHeight),
                table.columns[i].isNumber,
                QString::fromStdString(cell),
                metrics);
    }
    top += layout.rowHeight;
  }
  painter.restore();
}

}  // namespace ulp::views
