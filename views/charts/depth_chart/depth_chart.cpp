#include "views/charts/depth_chart/depth_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QtCore/QLocale>
#include <QtCore/QStringList>
#include <QtGui/QPainter>

#include "views/charts/depth/depth_intervals.h"
#include "views/charts/depth/depth_marks.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {
namespace {

constexpr float kCurveBandOpacity = 0.15F;
/// In pixels: rows that are narrower cannot be told apart, and how wide they are made then.
constexpr double kNarrowestSlot = 3;
constexpr double kWideSlot = 12;

}  // namespace

DepthChart::DepthChart(QWidget* parent) : ZoomedChart(Upwards::Grows, kCurveBandOpacity, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMinimumSize(240, 140);
  setAccessibleName(tr("Error by depth"));
}

void DepthChart::setData(DepthData data) {
  const bool sameCurves = data.curves.size() == m_data.curves.size();
  m_data = std::move(data);
  if (m_data.logarithmic) {
    keepLogs(m_data);
  }
  if (!sameCurves || m_options.visible.size() != m_data.curves.size()) {
    m_options.visible.assign(m_data.curves.size(), true);
  }
  m_hoveredSlot = -1;
  if (m_options.pinnedSlot >= m_data.axis.size()) {
    m_options.pinnedSlot = -1;
  }
  refit();
  announcePointsReplaced(*this);
}

void DepthChart::setOptions(DepthOptions options) {
  options.visible.resize(m_data.curves.size(), true);
  const bool sameCurves = options.visible == m_options.visible;
  m_options = std::move(options);
  if (sameCurves) {
    layOut();
  } else {
    refit();
  }
}

void DepthChart::setCurrent(int slot, int curve, const QString& inSlot) {
  m_options.currentSlot = slot;
  m_options.currentCurve = curve;
  m_options.inCurrentSlot = inSlot;
  layOut();
  announceCurrentPoint(*this);
}

double DepthChart::positionAt(int slot, int curve) const {
  return curve < 0 ? std::numeric_limits<double>::quiet_NaN()
                   : m_scale.position(m_data.curve(curve).values[static_cast<std::size_t>(slot)]);
}

bool DepthChart::isInSight(int slot, int curve) const {
  const double position = positionAt(slot, curve);
  return m_viewport.x().contains(slot) &&
         (std::isnan(position) || m_viewport.y().contains(position));
}

bool DepthChart::bringIntoSight(int slot, int curve) {
  Range x = m_viewport.x();
  const double pixels = frame().map.plot.width();
  const bool isNarrow = pixels > 0 && pixels < x.span() * kNarrowestSlot;
  if (isNarrow || !x.contains(slot)) {
    const double half = (isNarrow ? pixels / kWideSlot : x.span()) / 2;
    x = {slot - half, slot + half};
  }
  Range y = m_viewport.y();
  if (const double position = positionAt(slot, curve); !std::isnan(position)) {
    y = {std::min(y.low, position), std::max(y.high, position)};
  }
  if (x != m_viewport.x() || y != m_viewport.y()) {
    m_viewport.zoomTo(x, y);
    zoomed();
  }
  return isNarrow;
}

void DepthChart::setHoveredSlot(int slot) {
  if (slot != m_hoveredSlot) {
    m_hoveredSlot = slot;
    update();
  }
}

void DepthChart::setSamples(int curve, std::vector<SampleCurve> samples) {
  m_data.sampledCurve = curve;
  m_data.samples = std::move(samples);
  refit();
}

void DepthChart::setPinnedSlot(int slot) {
  m_options.pinnedSlot = slot;
  update();
  Q_EMIT pinChanged(slot);
}

void DepthChart::togglePin() {
  const int slot = m_hoveredSlot >= 0 ? m_hoveredSlot : m_options.currentSlot;
  setPinnedSlot(slot == m_options.pinnedSlot ? -1 : slot);
}

void DepthChart::setLeastExtent(const std::optional<Range>& y) {
  if (y != m_leastExtent) {
    m_leastExtent = y;
    refit();
  }
}

void DepthChart::refit() {
  const DepthExtent extent = extentOf(m_data, m_options.visible);
  m_scale = extent.scale;
  m_extent = extent.y;
  Range full = extent.y;
  if (m_leastExtent) {
    full = {std::min(full.low, m_leastExtent->low), std::max(full.high, m_leastExtent->high)};
  }
  m_viewport.setFull({-0.6, std::max(m_data.axis.size(), 1) - 0.4}, full);
  layOut();
}

void DepthChart::layOut() {
  m_frameIsStale = true;
  redraw();
}

const DepthFrame& DepthChart::frame() const {
  if (m_frameIsStale) {
    m_frameIsStale = false;
    m_frame = makeFrame(m_data, m_options, m_viewport, m_scale, QSizeF(size()), font());
  }
  return m_frame;
}

Exhibit DepthChart::exhibit(PaintPicture paint) const {
  Exhibit made = depthExhibit(picture(), paint);
  made.paint = [paintChart = std::move(made.paint)](
                   QPainter& painter, const QRectF& area, const Theme& theme) {
    painter.fillRect(area, theme.chartBackground);
    paintChart(painter, area, theme);
  };
  return made;
}

void DepthChart::paintStill(QImage& picture) {
  {
    QPainter painter(&picture);
    painter.fillRect(rect(), theme().chartBackground);
    painter.setFont(font());
    paintBelow(painter, drawing());
    paintIntervals(painter, drawing());
  }
  m_raster.paint(
      picture, drawing(), isPanning() ? CurveRaster::Detail::Swift : CurveRaster::Detail::Fine);
  QPainter painter(&picture);
  painter.setFont(font());
  paintMarks(painter, drawing());
}

void DepthChart::paintHover(QPainter& painter) {
  // Without the mouse values are read at the selection while a cursor is pinned.
  const bool readsSelection = m_hoveredSlot < 0 && m_options.pinnedSlot >= 0;
  charts::paintHover(painter, drawing(), readsSelection ? m_options.currentSlot : m_hoveredSlot);
}

int DepthChart::slotAt(const QPointF& point) const {
  if (m_data.axis.size() == 0 || !frame().map.plot.adjusted(-8, -8, 8, 24).contains(point)) {
    return -1;
  }
  const int slot = static_cast<int>(std::lround(frame().map.valueX(point.x())));
  return std::clamp(slot, 0, m_data.axis.size() - 1);
}

int DepthChart::curveAt(int slot, const QPointF& point) const {
  return slot < 0 ? -1
                  : nearestCurve(
                        m_data, m_options.visible, m_scale, slot, frame().map.valueY(point.y()));
}

void DepthChart::hoverAt(const QPointF& point) {
  const int slot = slotAt(point);
  setHoveredSlot(slot);
  Q_EMIT hovered(slot, curveAt(slot, point));
}

void DepthChart::clickAt(const QPointF& point) {
  const int label = labelAt(frame(), point, fontMetrics().height());
  if (label >= 0) {
    Q_EMIT labelClicked(label);
  } else if (const int slot = slotAt(point); slot >= 0) {
    Q_EMIT picked(slot, curveAt(slot, point));
  }
}

void DepthChart::stepCurve(int direction) {
  const int count = static_cast<int>(m_data.curves.size());
  int curve = m_options.currentCurve;
  for (int i = 0; i < count; ++i) {
    curve = (curve + direction + count) % count;
    if (m_options.visible[static_cast<std::size_t>(curve)]) {
      Q_EMIT picked(std::max(0, m_options.currentSlot), curve);
      return;
    }
  }
}

bool DepthChart::walk(const ChartStep& step) {
  if (step.down != 0) {
    stepCurve(step.down);
  } else if (step.right != 0 && m_data.axis.size() > 0) {
    Q_EMIT picked(std::clamp(m_options.currentSlot + step.right, 0, m_data.axis.size() - 1),
                  m_options.currentCurve);
  }
  return step.pages == 0;
}

bool DepthChart::press(int key) {
  if (key == Qt::Key_X) {
    togglePin();
    return true;
  }
  return ZoomedChart::press(key);
}

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
    QString text = std::isnan(row.value) ? tr("%1: no value").arg(curve.name)
                                         : QStringLiteral("%1: %2 %3")
                                               .arg(m_data.nameOf(row.curve),
                                                    m_data.metric.label,
                                                    meanText(m_data, row.curve, point));
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
