#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/depth_frame.h"
#include "views/framework/metric_text.h"
#include "views/framework/site_text.h"
#include "views/framework/table_tools.h"
#include "views/framework/variant_painter.h"

namespace ulp::views::charts {
namespace {

constexpr double kGap = 8;
constexpr double kSampleWidth = 18;
constexpr double kMarkerSize = 5.5;
constexpr std::size_t kMaxReadoutRows = 16;

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::DepthChart", text);
}

QString passCaption(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return translate("Forward →");
    case Pass::Backward:
      return translate("Backward →");
    case Pass::ParameterGradient:
      return translate("Parameter gradients");
  }
  return {};
}

void drawGrid(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  for (const Tick& tick : frame.yTicks) {
    const double y = std::round(frame.map.pixelY(tick.position)) + 0.5;
    painter.setPen(QPen(tick.strong ? theme.gridStrong : theme.grid, 0));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  }
}

void drawYLabels(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  const double height = metrics.height();
  painter.setPen(theme.axisText);
  for (const Tick& tick : frame.yTicks) {
    const double y = frame.map.pixelY(tick.position);
    painter.drawText(QRectF(0, y - height / 2, plot.left() - kGap, height),
                     Qt::AlignRight | Qt::AlignVCenter,
                     tick.label);
  }
  painter.setPen(theme.reference);
  for (const Tick& tick : frame.referenceTicks) {
    const double y = frame.referenceMap.pixelY(tick.position);
    painter.drawText(QRectF(plot.right() + kGap / 2, y - height / 2, 200, height),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     tick.label);
  }
}

void drawTitles(QPainter& painter,
                const DepthFrame& frame,
                const DepthData& data,
                const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  const QRectF line(kGap, kGap / 2, plot.right() - kGap, metrics.height());
  painter.setPen(theme.palette.color(QPalette::Text));
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metricHeader(data.metric));
  if (!frame.reference.empty()) {
    const QString title = translate("RMS of the reference");
    const double width = metrics.horizontalAdvance(title);
    const QRectF place(plot.right() - width, line.top(), width, line.height());
    painter.setPen(theme.reference);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, title);
    painter.setPen(QPen(theme.reference, 1));
    const double y = place.center().y();
    painter.drawLine(QPointF(place.left() - kSampleWidth - 4, y), QPointF(place.left() - 6, y));
  }
}

void drawXLabels(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  painter.setPen(theme.axisText);
  for (const Tick& tick : frame.xTicks) {
    const double x = frame.map.pixelX(tick.position);
    painter.drawText(QRectF(x - 100, plot.bottom() + kGap / 2, 200, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop,
                     tick.label);
  }
}

/// Captions of the passes below their part of the axis, and the mark between them.
void drawPasses(QPainter& painter,
                const DepthFrame& frame,
                const DepthAxis& axis,
                const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  const double top = plot.bottom() + kGap / 2 + metrics.height();
  const auto caption = [&](int from, int to, Pass pass) {
    const double left = std::clamp(frame.map.pixelX(from - 0.5), plot.left(), plot.right());
    const double right = std::clamp(frame.map.pixelX(to + 0.5), plot.left(), plot.right());
    const QString text = passCaption(pass);
    if (right - left > metrics.horizontalAdvance(text)) {
      painter.setPen(theme.dimText);
      painter.drawText(
          QRectF(left, top, right - left, metrics.height() + 2), Qt::AlignCenter, text);
    }
  };
  if (axis.fold > 0) {
    caption(0, axis.fold - 1, axis.at(0).pass);
  }
  if (axis.fold < axis.size()) {
    caption(axis.fold, axis.size() - 1, axis.at(axis.fold).pass);
  }
  if (axis.fold > 0 && axis.fold < axis.size()) {
    const double x = std::round(frame.map.pixelX(axis.fold - 0.5)) + 0.5;
    if (x > plot.left() && x < plot.right()) {
      painter.setPen(QPen(theme.gridStrong, 0));
      painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
  }
}

void drawCurrentSlot(QPainter& painter, const DepthFrame& frame, int slot, const Theme& theme) {
  if (slot < 0 || !frame.map.x.contains(slot)) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  const double width = std::max(4.0, frame.map.pixelX(1) - frame.map.pixelX(0));
  QColor color = theme.palette.color(QPalette::Highlight);
  color.setAlphaF(theme.dark ? 0.3F : 0.16F);
  const QRectF band(frame.map.pixelX(slot) - width / 2, plot.top(), width, plot.height());
  painter.fillRect(band & plot, color);
}

/// Magenta triangles at the top edge with the number of elements where there is room.
void drawNonFinite(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  const VariantStyle style{
      .color = theme.nonFinite, .marker = MarkerShape::TriangleDown, .dashes = {}};
  double free = plot.left();
  for (const NonFiniteMark& mark : frame.scene.nonFinite) {
    const double x = frame.map.pixelX(mark.slot);
    if (x < plot.left() - 1 || x > plot.right() + 1) {
      continue;
    }
    drawMarker(painter, style, QPointF(x, plot.top() + 3), 8, theme.nonFinite);
    const QString text = shortCount(mark.count);
    const double width = metrics.horizontalAdvance(text);
    if (x - width / 2 > free) {
      painter.setPen(theme.nonFinite);
      painter.drawText(
          QRectF(x - width, plot.top() + 8, 2 * width, metrics.height()), Qt::AlignCenter, text);
      free = x + width / 2 + 4;
    }
  }
}

void drawLabels(QPainter& painter,
                const DepthFrame& frame,
                const DepthData& data,
                const DepthOptions& options,
                const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QFont plain = painter.font();
  for (const DirectLabel& label : frame.labels) {
    const VariantStyle style =
        theme.variantStyle(data.curves[static_cast<std::size_t>(label.curve)].style);
    const QRectF sample(
        frame.labelLeft, label.labelY - metrics.height() / 2, kSampleWidth, metrics.height());
    drawSample(painter, style, sample);
    QFont font = plain;
    font.setBold(label.curve == options.currentCurve);
    painter.setFont(font);
    painter.setPen(theme.palette.color(QPalette::Text));
    painter.drawText(
        QPointF(sample.right() + 4, label.labelY + (metrics.ascent() - metrics.descent()) / 2),
        label.text);
  }
  painter.setFont(plain);
}

struct ReadoutLine {
  QString name;
  QString value;
  int curve = -1;
  bool nonFinite = false;
};

std::vector<ReadoutLine> readoutLines(const DepthData& data,
                                      const DepthOptions& options,
                                      int slot) {
  std::vector<ReadoutLine> lines;
  const std::vector<ReadoutRow> rows = readoutAt(data, options.visible, slot);
  for (const ReadoutRow& row : rows) {
    if (lines.size() == kMaxReadoutRows) {
      lines.push_back(
          {translate("… and %1 more").arg(static_cast<qulonglong>(rows.size() - kMaxReadoutRows)),
           {}});
      break;
    }
    QString value = metricTextWithUnit(row.value, data.metric);
    if (row.nonFinite > 0) {
      value += QStringLiteral("  ") +
               translate("%1 not finite").arg(static_cast<qulonglong>(row.nonFinite));
    }
    lines.push_back({data.curves[static_cast<std::size_t>(row.curve)].name,
                     value,
                     row.curve,
                     row.nonFinite > 0});
  }
  const auto at = static_cast<std::size_t>(slot);
  if (options.referenceShown && at < data.referenceScale.size()) {
    const double scale = data.referenceScale[at];
    lines.push_back({translate("RMS of the reference"),
                     std::isnan(scale) ? missingText() : exactText(scale).left(12)});
  }
  return lines;
}

/// Beside the crosshair, on the side with more room.
QRectF readoutPlace(const DepthFrame& frame, double x, const QSizeF& size) {
  const QRectF& plot = frame.map.plot;
  const bool right = x < plot.center().x();
  const double left = right ? x + 12 : x - 12 - size.width();
  return {{std::max(0.0, left), plot.top() + 12}, size};
}

void drawReadout(QPainter& painter,
                 const DepthFrame& frame,
                 const DepthData& data,
                 const DepthOptions& options,
                 const Theme& theme,
                 int slot) {
  const DepthSlot& here = data.axis.at(slot);
  const QString title = QStringLiteral("%1 · %2").arg(here.name, passText(here.pass));
  const std::vector<ReadoutLine> lines = readoutLines(data, options, slot);
  const QFont plain = painter.font();
  const QFont fixed = fixedFont(plain);
  const QFontMetricsF metrics(plain);
  const QFontMetricsF fixedMetrics(fixed);
  QFont bold = plain;
  bold.setBold(true);
  double names = 0;
  double values = 0;
  for (const ReadoutLine& line : lines) {
    names = std::max(names, metrics.horizontalAdvance(line.name));
    values = std::max(values, fixedMetrics.horizontalAdvance(line.value));
  }
  const double lineHeight = metrics.height() + 2;
  const double width = std::max(QFontMetricsF(bold).horizontalAdvance(title),
                                kSampleWidth + 6 + names + 16 + values);
  const QRectF box =
      readoutPlace(frame,
                   frame.map.pixelX(slot),
                   {width + 2 * kGap, lineHeight * (static_cast<double>(lines.size()) + 1) + kGap});
  painter.setPen(QPen(theme.gridStrong, 1));
  QColor background = theme.palette.color(QPalette::ToolTipBase);
  background.setAlphaF(0.96F);
  painter.setBrush(background);
  painter.drawRoundedRect(box, 3, 3);
  double y = box.top() + kGap / 2;
  const auto row = [&](double left) {
    return QRectF(left, y, box.right() - kGap - left, lineHeight);
  };
  painter.setPen(theme.palette.color(QPalette::ToolTipText));
  painter.setFont(bold);
  painter.drawText(row(box.left() + kGap), Qt::AlignLeft | Qt::AlignVCenter, title);
  for (const ReadoutLine& line : lines) {
    y += lineHeight;
    const double left = box.left() + kGap;
    if (line.curve >= 0) {
      const int style = data.curves[static_cast<std::size_t>(line.curve)].style;
      drawSample(painter, theme.variantStyle(style), QRectF(left, y, kSampleWidth, lineHeight));
    }
    painter.setPen(line.curve < 0 ? theme.reference : theme.palette.color(QPalette::ToolTipText));
    painter.setFont(plain);
    painter.drawText(row(left + kSampleWidth + 6), Qt::AlignLeft | Qt::AlignVCenter, line.name);
    painter.setFont(fixed);
    if (line.nonFinite) {
      painter.setPen(theme.nonFinite);
    }
    painter.drawText(row(left), Qt::AlignRight | Qt::AlignVCenter, line.value);
  }
  painter.setFont(plain);
}

}  // namespace

void paintBelow(QPainter& painter,
                const DepthFrame& frame,
                const DepthData& data,
                const DepthOptions& options,
                const Theme& theme) {
  drawCurrentSlot(painter, frame, options.currentSlot, theme);
  drawGrid(painter, frame, theme);
  drawYLabels(painter, frame, theme);
  drawTitles(painter, frame, data, theme);
  drawXLabels(painter, frame, theme);
  drawPasses(painter, frame, data.axis, theme);
}

void paintAbove(QPainter& painter,
                const DepthFrame& frame,
                const DepthData& data,
                const DepthOptions& options,
                const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF room = frame.map.plot.adjusted(-6, -6, 6, 6);
  painter.setClipRect(room);
  for (const SceneCurve& curve : frame.scene.curves) {
    const VariantStyle style =
        theme.variantStyle(data.curves[static_cast<std::size_t>(curve.curve)].style);
    const double size = curve.curve == options.currentCurve ? kMarkerSize + 1.5 : kMarkerSize;
    for (const SceneMarker& marker : curve.markers) {
      const QPointF place(frame.map.pixelX(marker.place.x()), frame.map.pixelY(marker.place.y()));
      // Not every device clips.
      if (room.contains(place)) {
        drawMarker(painter, style, place, size, marker.zero ? theme.chartBackground : style.color);
      }
    }
  }
  painter.setClipping(false);
  drawNonFinite(painter, frame, theme);
  drawLabels(painter, frame, data, options, theme);
  painter.restore();
}

void paintHover(QPainter& painter,
                const DepthFrame& frame,
                const DepthData& data,
                const DepthOptions& options,
                const Theme& theme,
                int slot) {
  if (slot < 0 || slot >= data.axis.size() || !frame.map.x.contains(slot)) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  painter.save();
  painter.setPen(QPen(theme.axisText, 0, Qt::DashLine));
  const double x = std::round(frame.map.pixelX(slot)) + 0.5;
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  for (const ReadoutRow& row : readoutAt(data, options.visible, slot)) {
    const double position = frame.scale.position(row.value);
    if (!std::isnan(position) && frame.map.y.contains(position)) {
      const int style = data.curves[static_cast<std::size_t>(row.curve)].style;
      drawMarker(painter,
                 theme.variantStyle(style),
                 QPointF(frame.map.pixelX(slot), frame.map.pixelY(position)),
                 9,
                 theme.chartBackground);
    }
  }
  drawReadout(painter, frame, data, options, theme, slot);
  painter.restore();
}

}  // namespace ulp::views::charts
