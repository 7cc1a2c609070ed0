#include "views/charts/depth_chart/depth_panels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views::charts {
namespace {

/// A panel is best this many times as wide as high.
constexpr double kBestShape = 2.2;
constexpr int kPanelLines = 10;  ///< of text that a panel is at least high
constexpr double kPanelSampleWidth = 22;

/// Of a grid, which has a panel at least.
int rowsOf(int count, int columns) {
  return (std::max(1, count) + columns - 1) / columns;
}

QRectF gridRect(int panel, int count, const QSizeF& size) {
  const int columns = panelColumns(count, size);
  const double width = size.width() / columns;
  const double height = size.height() / rowsOf(count, columns);
  const int row = panel / columns;
  return {width * (panel % columns), height * row, width, height};
}

double titleHeight(const QFont& font) {
  return QFontMetricsF(font).height() + kGap / 2;
}

DepthOptions panelOptions(const DepthPicture& picture, int curve) {
  DepthOptions options = picture.options;
  options.visible.assign(picture.data.curves.size(), false);
  options.visible[static_cast<std::size_t>(curve)] = true;
  options.directLabels = false;
  options.titlesShown = false;
  return options;
}

DepthFrame panelFrame(const DepthPicture& picture,
                      const DepthScale& scale,
                      int curve,
                      const QSizeF& panel,
                      const QFont& font) {
  return makeFrame(picture.data,
                   panelOptions(picture, curve),
                   picture.viewport,
                   scale,
                   panel - QSizeF(0, titleHeight(font)),
                   font);
}

/// The variant's name, and the metric where there is room for it.
void paintPanelTitle(
    QPainter& painter, const DepthPicture& picture, int index, double right, const Theme& theme) {
  const DepthCurve& curve = picture.data.curve(index);
  const QFont plain = painter.font();
  QFont title = plain;
  title.setBold(index == picture.options.currentCurve);
  const QFontMetricsF metrics(title);
  const double line = metrics.height();
  drawSample(
      painter, theme.variantStyle(curve.style), QRectF(kGap, kGap / 2, kPanelSampleWidth, line));
  painter.setFont(title);
  painter.setPen(theme.palette.color(QPalette::Text));
  const double left = kGap + kPanelSampleWidth + 4;
  const double room = right - left;
  QStringList names;
  for (const DepthCurve& each : picture.data.curves) {
    names << each.name;
  }
  painter.drawText(QRectF(left, kGap / 2, room, line),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   elidedNames(names, metrics, room).at(index));
  painter.setFont(plain);
  const QString metric = metricHeader(picture.data.metric);
  const double used = metrics.horizontalAdvance(curve.name) + metrics.horizontalAdvance(metric);
  if (used + 3 * kGap < room) {
    painter.setPen(theme.dimText);
    painter.drawText(QRectF(left, kGap / 2, room, line), Qt::AlignRight | Qt::AlignVCenter, metric);
  }
}

}  // namespace

int panelColumns(int count, const QSizeF& size) {
  int best = 1;
  double nearest = INFINITY;
  for (int columns = 1; columns <= std::max(1, count); ++columns) {
    const double height = size.height() / rowsOf(count, columns);
    const double shape = (size.width() / columns) / std::max(1.0, height);
    const double distance = std::abs(std::log(std::max(shape, 1e-3) / kBestShape));
    if (distance < nearest) {
      nearest = distance;
      best = columns;
    }
  }
  return best;
}

void paintDepthPanels(QPainter& painter,
                      const QRectF& area,
                      const DepthPicture& picture,
                      const Theme& theme) {
  const std::vector<int> curves = visibleCurves(picture.options.visible);
  const DepthScale scale = extentOf(picture.data, picture.options.visible).scale;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const QRectF rect = gridRect(static_cast<int>(i), static_cast<int>(curves.size()), area.size());
    const DepthOptions options = panelOptions(picture, curves[i]);
    const DepthFrame frame = panelFrame(picture, scale, curves[i], rect.size(), painter.font());
    painter.save();
    painter.translate(area.topLeft() + rect.topLeft());
    paintPanelTitle(painter, picture, curves[i], frame.map.plot.right(), theme);
    painter.translate(0, titleHeight(painter.font()));
    paintDepthPlot(painter, {frame, picture.data, options, theme});
    painter.restore();
  }
}

DepthPanels::DepthPanels(QWidget* parent) : ChartWidget(parent) {
  setAccessibleName(tr("Error by depth, one panel for each variant"));
}

void DepthPanels::setPicture(DepthPicture picture) {
  m_picture = std::move(picture);
  m_curves = visibleCurves(m_picture.options.visible);
  m_scale = extentOf(m_picture.data, m_picture.options.visible).scale;
  const int count = static_cast<int>(m_curves.size());
  const int rows = count == 0 ? 0 : rowsOf(count, panelColumns(count, size()));
  setMinimumHeight(rows * kPanelLines * fontMetrics().height());
  redraw();
}

void DepthPanels::setCurrent(int slot, int curve, const QString& inSlot) {
  m_picture.options.currentSlot = slot;
  m_picture.options.currentCurve = curve;
  m_picture.options.inCurrentSlot = inSlot;
  redraw();
}

QRect DepthPanels::currentRect() const {
  const auto at = std::ranges::find(m_curves, m_picture.options.currentCurve);
  const int slot = m_picture.options.currentSlot;
  if (at == m_curves.end() || slot < 0) {
    return {};
  }
  const int panel = static_cast<int>(at - m_curves.begin());
  const PlotMap map = frameOf(panel).map;
  const double width = std::max(4.0, map.pixelX(1) - map.pixelX(0));
  const QRectF band(map.pixelX(slot) - width / 2, map.plot.top(), width, map.plot.height());
  return (band & map.plot)
      .translated(panelRect(panel).topLeft() + QPointF(0, titleHeight(font())))
      .toAlignedRect();
}

void DepthPanels::setHoveredSlot(int slot) {
  if (slot != m_hoveredSlot) {
    m_hoveredSlot = slot;
    update();
  }
}

QRectF DepthPanels::panelRect(int panel) const {
  return gridRect(panel, static_cast<int>(m_curves.size()), size());
}

DepthFrame DepthPanels::frameOf(int panel) const {
  const int curve = m_curves[static_cast<std::size_t>(panel)];
  return panelFrame(m_picture, m_scale, curve, panelRect(panel).size(), font());
}

void DepthPanels::paintHovered(QPainter& painter, int panel) const {
  const DepthOptions options = panelOptions(m_picture, m_curves[static_cast<std::size_t>(panel)]);
  const DepthFrame frame = frameOf(panel);
  const bool isHere = panel == m_hoveredPanel || m_hoveredSlot < 0;
  painter.save();
  painter.translate(panelRect(panel).topLeft() + QPointF(0, titleHeight(font())));
  paintHover(painter, {frame, m_picture.data, options, theme()}, isHere ? m_hoveredSlot : -1);
  if (!isHere && frame.map.x.contains(m_hoveredSlot)) {
    painter.setPen(QPen(theme().axisText, 0, Qt::DashLine));
    drawVertical(painter, frame.map.plot, frame.map.pixelX(m_hoveredSlot));
  }
  painter.restore();
}

void DepthPanels::paintStill(QImage& picture) {
  QPainter painter(&picture);
  painter.fillRect(rect(), theme().chartBackground);
  painter.setFont(font());
  paintDepthPanels(painter, QRectF(rect()), m_picture, theme());
}

void DepthPanels::paintMoving(QPainter& painter) {
  for (int panel = 0; panel < static_cast<int>(m_curves.size()); ++panel) {
    paintHovered(painter, panel);
  }
}

int DepthPanels::panelAt(const QPointF& point) const {
  for (int panel = 0; panel < static_cast<int>(m_curves.size()); ++panel) {
    if (panelRect(panel).contains(point)) {
      return panel;
    }
  }
  return -1;
}

int DepthPanels::slotAt(int panel, const QPointF& point) const {
  if (panel < 0 || m_picture.data.axis.size() == 0) {
    return -1;
  }
  const double x = point.x() - panelRect(panel).left();
  const int slot = static_cast<int>(std::lround(frameOf(panel).map.valueX(x)));
  return std::clamp(slot, 0, m_picture.data.axis.size() - 1);
}

void DepthPanels::hoverAt(const QPointF& point) {
  m_hoveredPanel = panelAt(point);
  const int slot = slotAt(m_hoveredPanel, point);
  setHoveredSlot(slot);
  update();
  Q_EMIT hovered(slot,
                 m_hoveredPanel < 0 ? -1 : m_curves[static_cast<std::size_t>(m_hoveredPanel)]);
}

void DepthPanels::clickAt(const QPointF& point) {
  if (const int panel = panelAt(point); panel >= 0) {
    Q_EMIT picked(slotAt(panel, point), m_curves[static_cast<std::size_t>(panel)]);
  }
}

bool DepthPanels::walk(const ChartStep& step) {
  const auto at = std::ranges::find(m_curves, m_picture.options.currentCurve);
  const int count = static_cast<int>(m_curves.size());
  const int panel = at == m_curves.end() ? 0 : static_cast<int>(at - m_curves.begin());
  const int last = m_picture.data.axis.size() - 1;
  if (step.pages == 0 && count > 0 && last >= 0) {
    Q_EMIT picked(std::clamp(m_picture.options.currentSlot + step.right, 0, last),
                  m_curves[static_cast<std::size_t>((panel + step.down + count) % count)]);
  }
  return step.pages == 0;
}

}  // namespace ulp::views::charts
