#include "views/charts/depth_panels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>

#include "views/charts/depth_picture.h"
#include "views/framework/metric_text.h"
#include "views/framework/variant_painter.h"

namespace ulp::views::charts {
namespace {

/// A panel is best this many times as wide as high.
constexpr double kBestShape = 2.2;
constexpr int kPanelLines = 10;  ///< of text that a panel is at least high
constexpr double kSampleWidth = 22;
constexpr double kGap = 8;

}  // namespace

DepthPanels::DepthPanels(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Error by depth, one panel for each variant"));
}

void DepthPanels::setTheme(const Theme& theme) {
  m_theme = theme;
  redraw();
}

void DepthPanels::setContent(DepthData content,
                             DepthOptions options,
                             const Viewport& viewport,
                             const DepthScale& scale) {
  m_data = std::move(content);
  m_options = std::move(options);
  m_viewport = viewport;
  m_scale = scale;
  m_curves.clear();
  for (std::size_t i = 0; i < m_options.visible.size(); ++i) {
    if (m_options.visible[i]) {
      m_curves.push_back(static_cast<int>(i));
    }
  }
  const int count = static_cast<int>(m_curves.size());
  const int columns = columnsFor(count, size());
  const int rows = count == 0 ? 0 : (count + columns - 1) / columns;
  setMinimumHeight(rows * kPanelLines * fontMetrics().height());
  redraw();
}

void DepthPanels::setCurrent(int slot, int curve) {
  m_options.currentSlot = slot;
  m_options.currentCurve = curve;
  redraw();
}

void DepthPanels::setHoveredSlot(int slot) {
  if (slot != m_hoveredSlot) {
    m_hoveredSlot = slot;
    update();
  }
}

void DepthPanels::redraw() {
  m_stillIsStale = true;
  update();
}

int DepthPanels::columnsFor(int count, const QSizeF& size) {
  int best = 1;
  double nearest = INFINITY;
  for (int columns = 1; columns <= std::max(1, count); ++columns) {
    const int rows = (std::max(1, count) + columns - 1) / columns;
    const double shape = (size.width() / columns) / std::max(1.0, size.height() / rows);
    const double distance = std::abs(std::log(std::max(shape, 1e-3) / kBestShape));
    if (distance < nearest) {
      nearest = distance;
      best = columns;
    }
  }
  return best;
}

QRectF DepthPanels::panelRect(int panel) const {
  const int count = static_cast<int>(m_curves.size());
  const int columns = columnsFor(count, size());
  const int rows = (std::max(1, count) + columns - 1) / columns;
  const double width = static_cast<double>(this->width()) / columns;
  const double height = static_cast<double>(this->height()) / rows;
  return {width * (panel % columns), height * (panel / columns), width, height};
}

DepthOptions DepthPanels::optionsOf(int panel) const {
  DepthOptions options = m_options;
  options.visible.assign(m_data.curves.size(), false);
  options.visible[static_cast<std::size_t>(m_curves[static_cast<std::size_t>(panel)])] = true;
  options.directLabels = false;
  options.titlesShown = false;
  return options;
}

DepthFrame DepthPanels::frameOf(int panel) const {
  const double title = fontMetrics().height() + kGap / 2;
  const QSizeF size = panelRect(panel).size() - QSizeF(0, title);
  return makeFrame(m_data, optionsOf(panel), m_viewport, m_scale, size, font());
}

void DepthPanels::paintPanel(QPainter& painter, int panel) const {
  const QRectF rect = panelRect(panel);
  const DepthOptions options = optionsOf(panel);
  const DepthFrame frame = frameOf(panel);
  const int index = m_curves[static_cast<std::size_t>(panel)];
  const DepthCurve& curve = m_data.curves[static_cast<std::size_t>(index)];
  const double line = fontMetrics().height();
  painter.save();
  painter.translate(rect.topLeft());
  drawSample(
      painter, m_theme.variantStyle(curve.style), QRectF(kGap, kGap / 2, kSampleWidth, line));
  QFont title = font();
  title.setBold(index == m_options.currentCurve);
  painter.setFont(title);
  painter.setPen(m_theme.palette.color(QPalette::Text));
  const double room = rect.width() - 3 * kGap - kSampleWidth;
  painter.drawText(QRectF(kGap + kSampleWidth + 4, kGap / 2, room, line),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(title).elidedText(curve.name, Qt::ElideMiddle, room));
  painter.setFont(font());
  const QString metric = metricHeader(m_data.metric);
  const double used = QFontMetricsF(title).horizontalAdvance(curve.name);
  if (used + 3 * kGap + fontMetrics().horizontalAdvance(metric) < room) {
    painter.setPen(m_theme.dimText);
    painter.drawText(QRectF(0, kGap / 2, frame.map.plot.right(), line),
                     Qt::AlignRight | Qt::AlignVCenter,
                     metric);
  }
  painter.translate(0, line + kGap / 2);
  paintBelow(painter, frame, m_data, options, m_theme);
  paintCurves(painter, frame, m_data, options, m_theme);
  paintAbove(painter, frame, m_data, options, m_theme);
  painter.restore();
}

void DepthPanels::paintHovered(QPainter& painter, int panel) const {
  const DepthOptions options = optionsOf(panel);
  const DepthFrame frame = frameOf(panel);
  painter.save();
  painter.translate(panelRect(panel).topLeft() + QPointF(0, fontMetrics().height() + kGap / 2));
  if (panel == m_hoveredPanel || m_hoveredSlot < 0) {
    paintHover(painter, frame, m_data, options, m_theme, m_hoveredSlot);
  } else if (frame.map.x.contains(m_hoveredSlot)) {
    paintHover(painter, frame, m_data, options, m_theme, -1);
    painter.setPen(QPen(m_theme.axisText, 0, Qt::DashLine));
    const double x = std::round(frame.map.pixelX(m_hoveredSlot)) + 0.5;
    painter.drawLine(QPointF(x, frame.map.plot.top()), QPointF(x, frame.map.plot.bottom()));
  }
  painter.restore();
}

void DepthPanels::paintEvent(QPaintEvent* /*event*/) {
  const qreal ratio = devicePixelRatioF();
  const int count = static_cast<int>(m_curves.size());
  if (m_stillIsStale || m_still.size() != size() * ratio) {
    m_still = QPixmap(size() * ratio);
    m_still.setDevicePixelRatio(ratio);
    m_still.fill(m_theme.chartBackground);
    QPainter painter(&m_still);
    painter.setFont(font());
    for (int panel = 0; panel < count; ++panel) {
      paintPanel(painter, panel);
    }
    m_stillIsStale = false;
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, m_still);
  painter.setFont(font());
  for (int panel = 0; panel < count; ++panel) {
    paintHovered(painter, panel);
  }
  if (hasFocus()) {
    painter.setPen(QPen(m_theme.palette.color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
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
  if (panel < 0 || m_data.axis.size() == 0) {
    return -1;
  }
  const double x = point.x() - panelRect(panel).left();
  const int slot = static_cast<int>(std::lround(frameOf(panel).map.valueX(x)));
  return std::clamp(slot, 0, m_data.axis.size() - 1);
}

void DepthPanels::mouseMoveEvent(QMouseEvent* event) {
  m_hoveredPanel = panelAt(event->position());
  const int slot = slotAt(m_hoveredPanel, event->position());
  setHoveredSlot(slot);
  update();
  Q_EMIT hovered(slot,
                 m_hoveredPanel < 0 ? -1 : m_curves[static_cast<std::size_t>(m_hoveredPanel)]);
}

void DepthPanels::mouseReleaseEvent(QMouseEvent* event) {
  const int panel = panelAt(event->position());
  if (event->button() == Qt::LeftButton && panel >= 0) {
    Q_EMIT picked(slotAt(panel, event->position()), m_curves[static_cast<std::size_t>(panel)]);
  }
}

void DepthPanels::leaveEvent(QEvent* event) {
  m_hoveredPanel = -1;
  setHoveredSlot(-1);
  Q_EMIT hovered(-1, -1);
  QWidget::leaveEvent(event);
}

void DepthPanels::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  redraw();
}

void DepthPanels::keyPressEvent(QKeyEvent* event) {
  const auto at = std::find(m_curves.begin(), m_curves.end(), m_options.currentCurve);
  const int count = static_cast<int>(m_curves.size());
  const int panel = at == m_curves.end() ? 0 : static_cast<int>(at - m_curves.begin());
  const auto pick = [&](int slot, int to) {
    if (count > 0 && m_data.axis.size() > 0) {
      Q_EMIT picked(std::clamp(slot, 0, m_data.axis.size() - 1),
                    m_curves[static_cast<std::size_t>((to + count) % count)]);
    }
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return pick(m_options.currentSlot - 1, panel);
    case Qt::Key_Right:
      return pick(m_options.currentSlot + 1, panel);
    case Qt::Key_Up:
      return pick(m_options.currentSlot, panel - 1);
    case Qt::Key_Down:
      return pick(m_options.currentSlot, panel + 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT activated();
      return;
    default:
      event->ignore();
  }
}

}  // namespace ulp::views::charts
