#include "views/charts/depth_picture.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/framework/metric_text.h"
#include "views/framework/site_text.h"
#include "views/framework/variant_painter.h"

namespace ulp::views::charts {
namespace {

constexpr double kLineWidth = 1.6;
constexpr double kCurrentLineWidth = 2.6;
constexpr double kGap = 8;
constexpr double kSampleWidth = 22;

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::DepthChart", text);
}

void drawSegments(QPainter& painter, const PlotMap& map, const std::vector<QList<QPointF>>& lines) {
  for (const QList<QPointF>& points : lines) {
    QPolygonF line;
    for (const QPointF& point : points) {
      line << QPointF(map.pixelX(point.x()), map.pixelY(point.y()));
    }
    painter.drawPolyline(line);
  }
}

std::size_t visibleCount(const DepthOptions& options) {
  return static_cast<std::size_t>(std::count(options.visible.begin(), options.visible.end(), true));
}

/// An empty cell where there is no number.
void addCell(std::vector<report::DataCell>& row, double value, bool isKnown) {
  if (isKnown) {
    row.emplace_back(value);
  } else {
    row.emplace_back(std::monostate{});
  }
}

/// Names with samples in as many lines as they need; returns the height that they take.
double paintLegend(QPainter* painter,
                   const QRectF& area,
                   const QFontMetricsF& metrics,
                   const DepthData& data,
                   const DepthOptions& options,
                   const Theme& theme) {
  double x = area.left() + kGap;
  double y = area.top();
  const double line = metrics.height() + 2;
  for (std::size_t i = 0; i < data.curves.size(); ++i) {
    if (!options.visible[i]) {
      continue;
    }
    const double width =
        kSampleWidth + 4 + metrics.horizontalAdvance(data.curves[i].name) + 2 * kGap;
    if (x + width > area.right() && x > area.left() + kGap) {
      x = area.left() + kGap;
      y += line;
    }
    if (painter != nullptr) {
      drawSample(*painter, theme.variantStyle(data.curves[i].style), {x, y, kSampleWidth, line});
      painter->setPen(theme.palette.color(QPalette::Text));
      painter->drawText(QRectF(x + kSampleWidth + 4, y, width, line),
                        Qt::AlignLeft | Qt::AlignVCenter,
                        data.curves[i].name);
    }
    x += width;
  }
  return y + line - area.top();
}

}  // namespace

void paintCurves(QPainter& painter,
                 const DepthFrame& frame,
                 const DepthData& data,
                 const DepthOptions& options,
                 const Theme& theme) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(frame.map.plot, Qt::IntersectClip);
  painter.setBrush(Qt::NoBrush);
  QColor neutral = theme.reference;
  neutral.setAlphaF(0.55F);
  painter.setPen(QPen(neutral, 1));
  drawSegments(painter, frame.referenceMap, frame.reference);
  for (const SceneCurve& curve : frame.scene.curves) {
    const int style = data.curves[static_cast<std::size_t>(curve.curve)].style;
    const bool isCurrent = curve.curve == options.currentCurve;
    painter.setPen(
        variantPen(theme.variantStyle(style), isCurrent ? kCurrentLineWidth : kLineWidth));
    drawSegments(painter, frame.map, curve.segments);
  }
  painter.restore();
}

DepthPicture pictureOf(const DepthChart& chart) {
  return {.data = chart.data(),
          .options = chart.options(),
          .viewport = chart.viewRange(),
          .scale = chart.frame().scale};
}

void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme) {
  const auto& [data, options, viewport, scale] = picture;
  painter.save();
  painter.fillRect(area, theme.chartBackground);
  const bool needsLegend =
      !options.directLabels || visibleCount(options) > static_cast<std::size_t>(kMaxDirectLabels);
  const QFontMetricsF metrics(painter.font(), painter.device());
  const double legend =
      needsLegend ? paintLegend(nullptr, area, metrics, data, options, theme) + kGap : 0;
  const QSizeF size(area.width(), std::max(10.0, area.height() - legend));
  const DepthFrame frame = makeFrame(data, options, viewport, scale, size, painter.font());
  painter.translate(area.topLeft());
  paintBelow(painter, frame, data, options, theme);
  paintCurves(painter, frame, data, options, theme);
  paintAbove(painter, frame, data, options, theme);
  if (needsLegend) {
    paintLegend(&painter, {0, size.height(), area.width(), legend}, metrics, data, options, theme);
  }
  painter.restore();
}

report::DataTable depthTable(const QString& title,
                             const DepthData& data,
                             const DepthOptions& options) {
  report::DataTable table{.title = title.toStdString(), .columns = {}, .rows = {}};
  const auto column = [&](const QString& name, const QString& group) {
    table.columns.push_back(
        {.title = name.toStdString(), .unit = {}, .group = group.toStdString()});
  };
  column(translate("tensor"), {});
  column(translate("pass"), {});
  if (!data.referenceScale.empty()) {
    column(translate("RMS of the reference"), {});
  }
  for (std::size_t i = 0; i < data.curves.size(); ++i) {
    if (options.visible[i]) {
      column(data.metric.label, data.curves[i].name);
      column(translate("not finite"), data.curves[i].name);
      column(translate("jump"), data.curves[i].name);
    }
  }
  for (int slot = 0; slot < data.axis.size(); ++slot) {
    const auto at = static_cast<std::size_t>(slot);
    const DepthSlot& here = data.axis.at(slot);
    std::vector<report::DataCell> row{here.name.toStdString(), std::string(toString(here.pass))};
    if (!data.referenceScale.empty()) {
      addCell(row, data.referenceScale[at], !std::isnan(data.referenceScale[at]));
    }
    for (std::size_t i = 0; i < data.curves.size(); ++i) {
      if (!options.visible[i]) {
        continue;
      }
      const DepthCurve& curve = data.curves[i];
      addCell(row, curve.values[at], !std::isnan(curve.values[at]));
      row.emplace_back(static_cast<double>(curve.nonFinite[at]));
      const double jump = at < curve.jumps.size() ? curve.jumps[at] : 0;
      addCell(row, jump, jump > 0);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Exhibit depthExhibit(const DepthChart& chart, PaintPicture paint) {
  const QString title = translate("Error by depth: %1").arg(chart.data().metric.label);
  DepthPicture picture = pictureOf(chart);
  picture.options.currentSlot = -1;
  picture.options.currentCurve = -1;
  Exhibit exhibit{.id = QStringLiteral("depth"), .title = title, .size = QSizeF(960, 420)};
  exhibit.paint = [picture, paint](QPainter& painter, const QRectF& area, const Theme& theme) {
    paint(painter, area, picture, theme);
  };
  exhibit.table = [picture, title] { return depthTable(title, picture.data, picture.options); };
  return exhibit;
}

}  // namespace ulp::views::charts
