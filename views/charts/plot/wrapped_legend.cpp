#include "views/charts/plot/wrapped_legend.h"

#include <algorithm>

#include <QtCore/QStringList>
#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views::charts {
namespace {

constexpr double kLegendSampleWidth = 26;
constexpr double kBeforeName = kLegendSampleWidth + 6;

}  // namespace

double LegendLayout::height() const {
  return rows > 0 ? rows * lineHeight + kGap : 0;
}

LegendLayout legendLayout(const std::vector<DrawnEntry>& entries,
                          double width,
                          const QFontMetricsF& metrics) {
  if (entries.empty()) {
    return {};
  }
  double widest = 0;
  for (const DrawnEntry& entry : entries) {
    widest = std::max(widest, metrics.horizontalAdvance(entry.name));
  }
  const double wanted = std::min(width / 2, kBeforeName + widest + 2 * kGap);
  LegendLayout layout;
  const int count = static_cast<int>(entries.size());
  layout.columns = std::clamp(static_cast<int>(width / wanted), 1, count);
  layout.rows = (count + layout.columns - 1) / layout.columns;
  layout.cellWidth = width / layout.columns;
  layout.lineHeight = metrics.height() + 2;
  return layout;
}

void paintLegend(QPainter& painter,
                 const QRectF& area,
                 const LegendLayout& layout,
                 const std::vector<DrawnEntry>& entries,
                 const Theme& theme) {
  const double room = layout.cellWidth - kBeforeName - kGap;
  QStringList names;
  for (const DrawnEntry& entry : entries) {
    names << entry.name;
  }
  const QStringList shown = elidedNames(names, QFontMetricsF(painter.font()), room);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto place = static_cast<int>(i);
    const double left = area.left() + place % layout.columns * layout.cellWidth;
    const int line = place / layout.columns;
    const double top = area.top() + line * layout.lineHeight;
    if (top + layout.lineHeight > area.bottom() + 1) {
      break;
    }
    drawSample(painter,
               theme.variantStyle(entries[i].style),
               QRectF(left, top, kLegendSampleWidth, layout.lineHeight));
    painter.setPen(theme.palette.color(QPalette::Text));
    painter.drawText(QRectF(left + kBeforeName, top, room, layout.lineHeight),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     shown.at(place));
  }
}

}  // namespace ulp::views::charts
