#include "views/plugins/experts/flip_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QPainter>
#include <QtWidgets/QToolTip>

#include "core/base/text/format_number.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

QString sharePercent(const FlipPoint& point) {
  return QStringLiteral("%1 %").arg(QString::fromStdString(formatSignificant(point.share() * 100)));
}

}  // namespace

FlipChart::FlipChart(QWidget* parent) : ChartWidget(parent) {
  setAccessibleName(tr("Flipped tokens by layer and margin"));
}

void FlipChart::setData(FlipData data) {
  m_data = std::move(data);
  m_current = {};
  m_hovered = {};
  layOut();
  announcePointsReplaced(*this);
}

void FlipChart::setCurrent(int line, int router) {
  FlipSpot spot{.line = line};
  if (line >= 0) {
    const std::vector<FlipPoint>& points = m_data.lines[static_cast<std::size_t>(line)].byLayer;
    const auto found = std::ranges::find(points, static_cast<double>(router), &FlipPoint::x);
    spot.point = found == points.end() ? -1 : static_cast<int>(found - points.begin());
  }
  if (spot != m_current) {
    m_current = spot;
    redraw();
    announceCurrentPoint(*this);
  }
}

QSize FlipChart::minimumSizeHint() const {
  const int em = fontMetrics().height();
  return {30 * em, 9 * em};
}

QString FlipChart::chartSummary() const {
  return tr(
      "Shares of flipped tokens of %n variants.", nullptr, static_cast<int>(m_data.lines.size()));
}

int FlipChart::pointCount() const {
  std::size_t count = 0;
  for (const FlipLine& line : m_data.lines) {
    count += line.byLayer.size() + line.byMargin.size();
  }
  return static_cast<int>(count);
}

FlipSpot FlipChart::spotOf(int point) const {
  int left = point;
  for (std::size_t i = 0; i < m_data.lines.size(); ++i) {
    const int layers = static_cast<int>(m_data.lines[i].byLayer.size());
    const int margins = static_cast<int>(m_data.lines[i].byMargin.size());
    if (left < layers + margins) {
      const bool isMargin = left >= layers;
      return {static_cast<int>(i), isMargin ? left - layers : left, isMargin};
    }
    left -= layers + margins;
  }
  return {};
}

int FlipChart::currentPoint() const {
  if (!m_current.isValid()) {
    return -1;
  }
  int before = 0;
  for (int i = 0; i < m_current.line; ++i) {
    const FlipLine& line = m_data.lines[static_cast<std::size_t>(i)];
    before += static_cast<int>(line.byLayer.size() + line.byMargin.size());
  }
  return before + m_current.point;
}

QString FlipChart::placeText(const FlipSpot& spot) const {
  const FlipPoint* point = pointAt(m_data, spot);
  if (point == nullptr) {
    return {};
  }
  if (spot.isMargin) {
    return tr("margin about %1")
        .arg(QString::fromStdString(formatSignificant(std::pow(10.0, point->x))));
  }
  return tr("layer %1").arg(routerText(m_data.routers[static_cast<std::size_t>(point->x)]));
}

QString FlipChart::pointName(int point) const {
  const FlipSpot spot = spotOf(point);
  return QStringLiteral("%1, %2").arg(m_data.lines[static_cast<std::size_t>(spot.line)].run,
                                      placeText(spot));
}

QString FlipChart::pointValue(int point) const {
  const FlipPoint* here = pointAt(m_data, spotOf(point));
  return here == nullptr
             ? QString()
             : tr("%1 flipped, %2 of %3 tokens")
                   .arg(sharePercent(*here), countText(here->flipped), countText(here->tokens));
}

QRect FlipChart::pointRect(int point) const {
  const FlipSpot spot = spotOf(point);
  const FlipPoint* here = pointAt(m_data, spot);
  if (here == nullptr) {
    return {};
  }
  const QPointF at = frame().panel(spot.isMargin).pixelOf(*here);
  return QRectF(at.x() - 7, at.y() - 7, 14, 14).toAlignedRect();
}

void FlipChart::paintStill(QImage& picture) {
  QPainter painter(&picture);
  painter.setFont(font());
  paintFlips(painter, QRectF(rect()), m_data, m_current, theme());
}

void FlipChart::hoverAt(const QPointF& point) {
  const bool isInside = rect().contains(point.toPoint());
  const FlipSpot spot = isInside ? spotAt(m_data, frame(), point) : FlipSpot{};
  if (isInside && spot == m_hovered) {
    return;
  }
  m_hovered = spot;
  const FlipPoint* here = pointAt(m_data, spot);
  QString text;
  if (here != nullptr) {
    text =
        QStringLiteral("%1\n%2\n%3")
            .arg(m_data.lines[static_cast<std::size_t>(spot.line)].run,
                 placeText(spot),
                 tr("%1 flipped, %2 of %3 tokens")
                     .arg(sharePercent(*here), countText(here->flipped), countText(here->tokens)));
  }
  QToolTip::showText(mapToGlobal(point.toPoint()), text, this);
  const bool isLayer = here != nullptr && !spot.isMargin;
  Q_EMIT hovered(spot.line, isLayer ? static_cast<int>(here->x) : -1);
}

void FlipChart::pick(const FlipSpot& spot) {
  const FlipPoint* here = pointAt(m_data, spot);
  if (here != nullptr) {
    Q_EMIT picked(spot.line, spot.isMargin ? -1 : static_cast<int>(here->x));
  }
}

void FlipChart::clickAt(const QPointF& point) {
  pick(spotAt(m_data, frame(), point));
}

bool FlipChart::walk(const charts::ChartStep& step) {
  if (m_data.isEmpty() || step.pages != 0) {
    return false;
  }
  const int lines = static_cast<int>(m_data.lines.size());
  FlipSpot next = m_current;
  next.isMargin = false;
  next.line = std::clamp(std::max(0, next.line) + step.down, 0, lines - 1);
  const auto points =
      static_cast<int>(m_data.lines[static_cast<std::size_t>(next.line)].byLayer.size());
  next.point = std::clamp(std::max(0, next.point) + step.right, 0, std::max(0, points - 1));
  pick(next);
  return true;
}

}  // namespace ulp::views
