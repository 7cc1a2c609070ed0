#include <algorithm>
#include <cmath>

#include <QtCore/QLocale>

#include "views/charts/depth/depth_marks.h"
#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {

QString DepthChart::chartSummary() const {
  return tr("%1 by depth. Tensors: %2. Variants: %3. Arrows walk tensors and variants.")
      .arg(m_data.metric.label,
           locale().toString(m_data.axis.size()),
           locale().toString(static_cast<int>(m_data.curves.size())));
}

QString DepthChart::pointName(int point) const {
  const DepthSlot& slot = m_data.axis.at(point);
  return QStringLiteral("%1, %2").arg(slot.name, passText(slot.pass));
}

QString DepthChart::pointValue(int point) const {
  const auto at = static_cast<std::size_t>(point);
  const int current = m_options.currentCurve;
  QStringList parts;
  for (const ReadoutRow& row : readoutAt(m_data, m_options.visible, point)) {
    if (current >= 0 && row.curve != current) {
      continue;
    }
    const DepthCurve& curve = m_data.curve(row.curve);
    QString text =
        std::isnan(row.value)
            ? tr("%1: no value").arg(curve.name)
            : QStringLiteral("%1: %2 %3")
                  .arg(curve.name, m_data.metric.label, meanText(m_data, row.curve, point));
    if (row.nonFinite > 0) {
      text = tr("%1, %2 elements are not finite")
                 .arg(text, locale().toString(static_cast<qulonglong>(curve.nonFinite[at])));
    }
    if (isWithinNoise(m_data, row.curve, point)) {
      text = tr("%1, within noise").arg(text);
    }
    parts << text;
  }
  return parts.join(QStringLiteral("; "));
}

QRect DepthChart::pointRect(int point) const {
  const PlotMap& map = frame().map;
  if (!map.x.contains(point)) {
    return {};
  }
  const double x = map.pixelX(point);
  const double width = std::max(4.0, map.plot.width() / std::max(1, m_data.axis.size()));
  return QRectF(x - width / 2, map.plot.top(), width, map.plot.height()).toAlignedRect();
}

}  // namespace ulp::views::charts
