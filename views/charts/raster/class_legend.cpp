#include "views/charts/raster/class_legend.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QEvent>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/raster/raster.h"
#include "views/charts/raster/scale_bar.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {
namespace {

constexpr QSize kLegendSwatch(20, 14);
constexpr int kSwatchGap = 6;
constexpr int kDigitsGap = 12;
constexpr int kRows = 4;  ///< of classNames()
/// Room for so many digits at least: the legend rarely moves while counts change.
constexpr int kDigits = 6;

}  // namespace

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Cells with a look of their own"));
  describe();
}

void ClassLegend::setTheme(const Theme& theme) {
  m_theme = theme;
  update();
}

void ClassLegend::setScale(const ColorScale& scale) {
  m_scale = scale;
  update();
}

void ClassLegend::setCounts(const ClassCounts& counts) {
  m_counts = counts;
  describe();
  updateGeometry();
  update();
}

void ClassLegend::describe() {
  QStringList words;
  for (const ClassName& entry : classNames(m_counts)) {
    words << QStringLiteral("%1: %2").arg(entry.name, countText(entry.count));
  }
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  setToolTip(words.join(QLatin1Char('\n')));
}

QSize ClassLegend::sizeHint() const {
  const QFontMetrics fixed(fixedFont(font()));
  int names = 0;
  int digits = fixed.horizontalAdvance(QLatin1Char('0')) * kDigits;
  for (const ClassName& entry : classNames(m_counts)) {
    names = std::max(names, fontMetrics().horizontalAdvance(entry.name));
    digits = std::max(digits, fixed.horizontalAdvance(countText(entry.count)));
  }
  return {kLegendSwatch.width() + kSwatchGap + names + kDigitsGap + digits,
          kRows * std::max(fontMetrics().height(), kLegendSwatch.height() + 2)};
}

void ClassLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const ScaleColors colors = scaleColors(m_scale, m_theme);
  const double ratio = devicePixelRatioF();
  const int line = height() / kRows;
  int top = 0;
  for (const ClassName& entry : classNames(m_counts)) {
    const QRect swatch(0,
                       top + (line - kLegendSwatch.height()) / 2,
                       kLegendSwatch.width(),
                       kLegendSwatch.height());
    painter.drawImage(swatch, classSwatch(entry.look, colors, kLegendSwatch * ratio, ratio));
    painter.setPen(QPen(m_theme.gridStrong, 1));
    painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    const bool none = entry.count == 0;
    const bool alarming = entry.look == CellClass::NonFinite && !none;
    painter.setPen(none ? m_theme.dimText : m_theme.palette.color(QPalette::WindowText));
    painter.setFont(font());
    const QRect text(swatch.right() + 1 + kSwatchGap, top, width(), line);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, entry.name);
    if (alarming) {
      painter.setPen(m_theme.nonFinite);
    }
    painter.setFont(fixedFont(font()));
    painter.drawText(
        QRect(0, top, width(), line), Qt::AlignRight | Qt::AlignVCenter, countText(entry.count));
    top += line;
  }
}

void ClassLegend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    updateGeometry();
  }
}

}  // namespace ulp::views::charts
