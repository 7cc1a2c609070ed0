#include "views/charts/raster/range_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QtGui/QAccessible>
#include <QtGui/QFontMetricsF>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

#include "core/base/text/format_number.h"
#include "views/charts/raster/scale_bar.h"

namespace ulp::views::charts {
namespace {

constexpr double kMargin = 10;  ///< left and right, for half a handle and half a label
constexpr double kScaleHeight = 8;
constexpr double kHandleWidth = 9;
constexpr double kHistogramHeight = 28;
constexpr double kDomainMargin = 0.06;   ///< beyond the values and the range, to drag into
constexpr double kSmallestRange = 0.01;  ///< of the domain
constexpr double kKeyStep = 0.01;
constexpr double kRangeLabelGap = 14;

}  // namespace

RangeBar::RangeBar(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Colour range"));
  setToolTip(
      tr("Drag an end to choose which values the colours tell apart; double click shows "
         "them all. Keys: left and right move the active end, up and down choose it."));
  m_text = [](double value) { return QString::fromStdString(formatSignificant(value)); };
  fitDomain();
}

void RangeBar::setTheme(const Theme& theme) {
  m_theme = theme;
  update();
}

void RangeBar::setDistribution(const ValueDistribution& distribution) {
  m_distribution = distribution;
  fitDomain();
  update();
}

void RangeBar::setScale(const ColorScale& scale) {
  m_scale = scale;
  if (!m_drag) {
    fitDomain();
  }
  describe();
  update();
}

void RangeBar::setUnit(double factor, std::function<QString(double)> text) {
  m_factor = factor;
  m_text = std::move(text);
  describe();
  update();
}

void RangeBar::fitDomain() {
  Range domain = m_scale.positions();
  if (!m_distribution.isEmpty() && m_distribution.kind == m_scale.kind) {
    domain.low = std::min(domain.low, m_scale.position(m_distribution.extent.low));
    domain.high = std::max(domain.high, m_scale.position(m_distribution.extent.high));
  }
  const double margin = domain.span() * kDomainMargin;
  m_domain = {domain.low - margin, domain.high + margin};
}

void RangeBar::describe() {
  setAccessibleDescription(tr("From %1 to %2; %3 is active.")
                               .arg(m_text(m_scale.range.low),
                                    m_text(m_scale.range.high),
                                    m_active == End::Low ? tr("the low end") : tr("the high end")));
}

QSize RangeBar::sizeHint() const {
  const double height = 4 + kHistogramHeight + kScaleHeight + 4 + fontMetrics().height() + 2;
  return {320, static_cast<int>(std::ceil(height))};
}

QSize RangeBar::minimumSizeHint() const {
  return {140, sizeHint().height()};
}

QRectF RangeBar::barArea() const {
  return {kMargin, 4, std::max(1.0, width() - 2 * kMargin), kHistogramHeight + kScaleHeight};
}

double RangeBar::pixelOf(End end) const {
  const Range ends = m_scale.positions();
  return map().pixelX(end == End::Low ? ends.low : ends.high);
}

void RangeBar::setRange(const Range& range) {
  m_scale.range = range;
  describe();
  update();
  Q_EMIT rangeEdited(m_scale.range);
}

void RangeBar::moveEnd(double position) {
  setEnd(m_scale.valueAt(std::clamp(position, m_domain.low, m_domain.high)));
}

void RangeBar::setEnd(double value) {
  const Range ends = m_scale.positions();
  const double gap = m_domain.span() * kSmallestRange;
  Range range = m_scale.range;
  if (m_scale.kind == ScaleKind::Symmetric) {
    const double reach = std::max(m_active == End::Low ? -value : value, gap / 2);
    range = {-reach, reach};
  } else if (m_active == End::Low) {
    range.low = std::min(value, m_scale.valueAt(ends.high - gap));
  } else {
    range.high = std::max(value, m_scale.valueAt(ends.low + gap));
  }
  setRange(range);
}

void RangeBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const ScaleColors colors = scaleColors(m_scale, m_theme);
  const PlotMap map = this->map();
  const QRectF& area = map.plot;
  paintHistogram(painter, area.adjusted(0, 0, 0, -kScaleHeight), colors);
  paintScale(painter,
             QRectF(area.left(), area.bottom() - kScaleHeight, area.width(), kScaleHeight),
             colors);
  const QFontMetricsF metrics(font());
  painter.setPen(m_theme.axisText);
  double free = 0;
  for (const Tick& tick : scaleTicks(m_scale.kind, m_domain, area.width(), m_factor)) {
    const double width = metrics.horizontalAdvance(tick.label);
    const double left = std::clamp(
        map.pixelX(tick.position) - width / 2, 0.0, std::max(0.0, this->width() - width));
    if (tick.label.isEmpty() || left < free) {
      continue;
    }
    painter.drawText(QRectF(left - 2, area.bottom() + 4, width + 4, metrics.height()),
                     Qt::AlignCenter,
                     tick.label);
    free = left + width + kRangeLabelGap;
  }
  paintEnds(painter);
}

void RangeBar::paintHistogram(QPainter& painter,
                              const QRectF& area,
                              const ScaleColors& colors) const {
  painter.setPen(QPen(m_theme.gridStrong, 1));
  const double base = std::round(area.bottom()) + 0.5;
  painter.drawLine(QPointF(area.left(), base), QPointF(area.right(), base));
  if (m_distribution.isEmpty() || m_distribution.kind != m_scale.kind) {
    return;
  }
  const std::uint64_t most =
      *std::max_element(m_distribution.bins.begin(), m_distribution.bins.end());
  const Range ends = m_scale.positions();
  const double first = m_scale.position(m_distribution.extent.low);
  const double span = m_scale.position(m_distribution.extent.high) - first;
  const auto count = static_cast<double>(m_distribution.bins.size());
  for (std::size_t bin = 0; bin < m_distribution.bins.size(); ++bin) {
    const std::uint64_t cells = m_distribution.bins[bin];
    if (cells == 0) {
      continue;
    }
    const double from = first + span * static_cast<double>(bin) / count;
    const double middle = from + span / count / 2;
    // A square root keeps a handful of outliers visible beside thousands of others.
    const double part = std::sqrt(static_cast<double>(cells) / static_cast<double>(most));
    const double height = std::max(2.0, std::round(part * (area.height() - 2)));
    const double left = map().pixelX(from);
    const double width = std::max(2.0, map().pixelX(from + span / count) - left);
    const bool inside = middle >= ends.low && middle <= ends.high;
    const QColor color =
        inside ? QColor(colors.inRange((middle - ends.low) / ends.span())) : m_theme.gridStrong;
    painter.fillRect(QRectF(left, area.bottom() - height, width, height), color);
  }
}

void RangeBar::paintScale(QPainter& painter, const QRectF& area, const ScaleColors& colors) const {
  const double low = std::clamp(pixelOf(End::Low), area.left(), area.right());
  const double high = std::clamp(pixelOf(End::High), area.left(), area.right());
  painter.fillRect(QRectF(area.left(), area.top(), low - area.left(), area.height()),
                   QColor(colors.below));
  painter.fillRect(QRectF(high, area.top(), area.right() - high, area.height()),
                   QColor(colors.above));
  paintColors(painter, QRectF(low, area.top(), high - low, area.height()), colors);
}

void RangeBar::paintEnds(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = barArea();
  for (const End end : {End::Low, End::High}) {
    const double x = std::round(pixelOf(end)) + 0.5;
    const bool isActive = hasFocus() && end == m_active;
    const QColor color = isActive ? m_theme.palette.color(QPalette::Highlight)
                                  : m_theme.palette.color(QPalette::Text);
    painter.setPen(QPen(color, isActive ? 2 : 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    QPainterPath handle;
    handle.moveTo(x, area.bottom() - 3);
    handle.lineTo(x + kHandleWidth / 2, area.bottom() + 3);
    handle.lineTo(x + kHandleWidth / 2, area.bottom() + 6);
    handle.lineTo(x - kHandleWidth / 2, area.bottom() + 6);
    handle.lineTo(x - kHandleWidth / 2, area.bottom() + 3);
    handle.closeSubpath();
    painter.setPen(QPen(m_theme.palette.color(QPalette::Window), 1));
    painter.setBrush(color);
    painter.drawPath(handle);
  }
}

void RangeBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    event->ignore();
    return;
  }
  const double x = event->position().x();
  const double low = pixelOf(End::Low);
  const double high = pixelOf(End::High);
  constexpr double kReach = kHandleWidth;
  const bool whole = m_scale.kind != ScaleKind::Symmetric && x > low + kReach && x < high - kReach;
  m_active = std::abs(x - low) < std::abs(x - high) ? End::Low : End::High;
  m_drag = Drag{.whole = whole, .start = map().valueX(x), .range = m_scale.positions()};
  describe();
  update();
}

void RangeBar::mouseMoveEvent(QMouseEvent* event) {
  if (!m_drag) {
    const double x = event->position().x();
    const bool atEnd =
        std::min(std::abs(x - pixelOf(End::Low)), std::abs(x - pixelOf(End::High))) < kHandleWidth;
    setCursor(atEnd ? Qt::SplitHCursor : Qt::ArrowCursor);
    return;
  }
  const double here = map().valueX(event->position().x());
  if (!m_drag->whole) {
    moveEnd(here);
    return;
  }
  const double shift = std::clamp(here - m_drag->start,
                                  std::min(0.0, m_domain.low - m_drag->range.low),
                                  std::max(0.0, m_domain.high - m_drag->range.high));
  setRange(
      {m_scale.valueAt(m_drag->range.low + shift), m_scale.valueAt(m_drag->range.high + shift)});
}

void RangeBar::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    m_drag.reset();
    update();
  }
}

void RangeBar::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    m_drag.reset();
    Q_EMIT fitRequested();
  }
}

void RangeBar::keyPressEvent(QKeyEvent* event) {
  const Range ends = m_scale.positions();
  const double here = m_active == End::Low ? ends.low : ends.high;
  const double step =
      m_domain.span() * kKeyStep * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1);
  switch (event->key()) {
    case Qt::Key_Left:
      return moveEnd(here - step);
    case Qt::Key_Right:
      return moveEnd(here + step);
    case Qt::Key_Home:
      return setEnd(m_distribution.isEmpty() ? m_scale.range.low : m_distribution.extent.low);
    case Qt::Key_End:
      return setEnd(m_distribution.isEmpty() ? m_scale.range.high : m_distribution.extent.high);
    case Qt::Key_Up:
    case Qt::Key_Down:
      m_active = event->key() == Qt::Key_Up ? End::High : End::Low;
      describe();
      update();
      return;
    default:
      event->ignore();
  }
}

void RangeBar::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void RangeBar::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

}  // namespace ulp::views::charts
