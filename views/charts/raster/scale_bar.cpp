#include "views/charts/raster/scale_bar.h"

#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/charts/raster/raster.h"

namespace ulp::views::charts {
namespace {

constexpr double kBarHeight = 10;
constexpr QSizeF kScaleSwatch(18, 12);
constexpr double kTickDistance = 60;
constexpr double kScaleLabelGap = 10;

struct ScaleBarWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::ScaleBar)
};

void paintTicks(QPainter& painter,
                const QRectF& bar,
                const ColorScale& scale,
                double factor,
                const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const Range ends = scale.positions();
  double free = bar.left() - kGap;
  painter.setPen(theme.axisText);
  for (const Tick& tick : scaleTicks(scale.kind, ends, bar.width(), factor)) {
    const double x = bar.left() + (tick.position - ends.low) / ends.span() * bar.width();
    const double width = metrics.horizontalAdvance(tick.label);
    const double left = std::clamp(
        x - width / 2, bar.left() - kGap, std::max(bar.left(), bar.right() + kGap - width));
    if (tick.label.isEmpty() || left < free) {
      continue;
    }
    painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + 3));
    painter.drawText(QRectF(left - width, bar.bottom() + 4, 3 * width, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop,
                     tick.label);
    free = left + width + kScaleLabelGap;
  }
}

}  // namespace

std::vector<Tick> scaleTicks(ScaleKind kind, const Range& positions, double width, double factor) {
  const int labels = std::max(2, static_cast<int>(width / kTickDistance));
  return kind == ScaleKind::Logarithmic ? logTicks(positions, labels, factor)
                                        : linearTicks(positions, labels, factor);
}

std::vector<ClassName> classNames(const ClassCounts& counts) {
  return {{CellClass::NonFinite, ScaleBarWords::tr("Not finite"), counts.nonFinite},
          {CellClass::Missing, ScaleBarWords::tr("Missing"), counts.missing},
          {CellClass::AboveRange, ScaleBarWords::tr("Above the range"), counts.above},
          {CellClass::BelowRange, ScaleBarWords::tr("Below the range"), counts.below}};
}

void paintColors(QPainter& painter, const QRectF& area, const ScaleColors& colors) {
  QImage map(static_cast<int>(kMapColors), 1, QImage::Format_RGB32);
  for (std::size_t i = 0; i < kMapColors; ++i) {
    map.setPixel(static_cast<int>(i), 0, colors.inRange(static_cast<double>(i) / (kMapColors - 1)));
  }
  painter.drawImage(area, map);
}

double scaleBarHeight(const QPainter& painter) {
  return kBarHeight + kGap + 2 * QFontMetricsF(painter.font()).height() + 4;
}

void paintScaleBar(QPainter& painter,
                   const QRectF& area,
                   const ColorScale& scale,
                   const ClassCounts& counts,
                   double factor,
                   const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const ScaleColors colors = scaleColors(scale, theme);
  const QRectF bar(area.left(), area.top(), area.width(), kBarHeight);
  painter.save();
  paintColors(painter, bar, colors);
  paintTicks(painter, bar, scale, factor, theme);
  double x = area.left();
  const double y = bar.bottom() + 4 + metrics.height() + kGap / 2;
  for (const ClassName& entry : classNames(counts)) {
    const QString text = QStringLiteral("%1: %2").arg(
        entry.name, QLocale().toString(static_cast<qulonglong>(entry.count)));
    const QRectF swatch(QPointF(x, y + (metrics.height() - kScaleSwatch.height()) / 2),
                        kScaleSwatch);
    painter.drawImage(
        swatch, classSwatch(entry.look, colors, (kScaleSwatch * kFileRatio).toSize(), kFileRatio));
    painter.setPen(QPen(theme.gridStrong, 1));
    painter.drawRect(swatch);
    painter.setPen(entry.count == 0 ? theme.dimText : theme.palette.color(QPalette::Text));
    painter.drawText(QPointF(swatch.right() + 6, y + metrics.ascent()), text);
    x = swatch.right() + 6 + metrics.horizontalAdvance(text) + 2 * kGap;
  }
  painter.restore();
}

}  // namespace ulp::views::charts
