#include "views/charts/depth/depth_exhibit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPaintEngine>
#include <QtGui/QPainter>

#include "core/report/tables/data_table.h"
#include "views/charts/depth/depth_intervals.h"
#include "views/charts/plot/painting.h"
#include "views/charts/plot/wrapped_legend.h"
#include "views/framework/exports/figure.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {
namespace {

/// Points of a line that are stroked at once in pixels: the time of a stroke grows by the square of
/// what lies in one row of them.
constexpr qsizetype kStrokePoints = 64;
constexpr int kMaxNamesInTitle = 4;
constexpr QSizeF kSize(760, 420);

struct DepthExhibitWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthChart)
};

/// What the legend below the chart lists: nothing where lines have their names beside them.
std::vector<DrawnEntry> legendEntries(const DepthData& data, const std::vector<int>& curves) {
  std::vector<DrawnEntry> entries;
  if (curves.size() > kMaxDirectLabels) {
    for (const int curve : curves) {
      entries.push_back({data.nameOf(curve), data.curve(curve).style});
    }
  }
  return entries;
}

double lengthOf(const QPointF* points, qsizetype count) {
  double length = 0;
  for (qsizetype i = 1; i < count; ++i) {
    length += std::hypot(points[i].x() - points[i - 1].x(), points[i].y() - points[i - 1].y());
  }
  return length;
}

/// As one line, or in strokes that each take up the dashes where the one before left off.
void strokeLine(QPainter& painter, const QList<QPointF>& line) {
  const bool isWhole = painter.paintEngine()->type() != QPaintEngine::Raster;
  const qsizetype step = isWhole ? line.size() : kStrokePoints;
  const QPen pen = painter.pen();
  QPen stroke = pen;
  double offset = pen.dashOffset();
  for (qsizetype from = 0; from + 1 < line.size(); from += step) {
    const qsizetype count = std::min(step + 1, line.size() - from);
    painter.drawPolyline(line.constData() + from, static_cast<int>(count));
    if (pen.style() == Qt::CustomDashLine && from + step + 1 < line.size()) {
      offset += lengthOf(line.constData() + from, count) / pen.widthF();
      stroke.setDashOffset(offset);
      painter.setPen(stroke);
    }
  }
  painter.setPen(pen);
}

void paintLine(QPainter& painter, const QList<QPointF>& points, const PlotMap& map) {
  for (const QList<QPointF>& piece : clipLine(pixelsOf(points, map), map.plot)) {
    strokeLine(painter, piece);
  }
}

QString titleOf(const DepthData& data, const std::vector<int>& curves) {
  QStringList names;
  for (const int curve : curves) {
    names << data.curve(curve).name;
  }
  const bool few = names.size() <= kMaxNamesInTitle;
  const QString who = few ? names.join(QStringLiteral(", "))
                          : DepthExhibitWords::tr("%1 variants").arg(names.size());
  return DepthExhibitWords::tr("%1 along the depth of the model: %2").arg(data.metric.label, who);
}

bool hasNonFinite(const DepthCurve& curve) {
  return std::ranges::any_of(curve.nonFinite, [](std::uint64_t count) { return count > 0; });
}

bool hasJumps(const DepthCurve& curve) {
  return std::ranges::any_of(curve.jumps, [](double factor) { return factor > 0; });
}

/// A column of the table, with what stands in it at a slot. Reads the data when it is asked.
struct ChartColumn {
  report::DataColumn heading;
  std::function<report::DataCell(std::size_t slot)> cell;
};

/// Columns of the chart's values; those of intervals, elements and jumps of the curves that have
/// such.
std::vector<ChartColumn> columnsOf(const DepthData& data, const DepthOptions& options) {
  using report::numberCell;
  std::vector<ChartColumn> columns;
  const std::string metric = data.metric.label.toStdString();
  const std::string unit = unitText(data.metric.unit).toStdString();
  const auto add =
      [&](const QString& title, const std::string& in, const std::string& group, auto cell) {
        columns.push_back({{title.toStdString(), in, group}, std::move(cell)});
      };
  const auto addOfCurves = [&](const std::string& in, const auto& group, auto isShown, auto cell) {
    for (const int curve : visibleCurves(options.visible)) {
      const DepthCurve& drawn = data.curve(curve);
      if (isShown(drawn)) {
        add(drawn.name, in, group, [&drawn, cell](std::size_t at) { return cell(drawn, at); });
      }
    }
  };
  const std::vector<DepthSlot>& slots = data.axis.positions;
  const auto inMetric = [&data](double value, bool isNonFinite = false) {
    return numberCell(inUnit(value, data.metric), isNonFinite);
  };
  add(DepthExhibitWords::tr("Tensor"), "", "", [&slots](std::size_t at) {
    return slots[at].name.toStdString();
  });
  add(DepthExhibitWords::tr("Pass"), "", "", [&slots](std::size_t at) {
    return passText(slots[at].pass).toStdString();
  });
  add(DepthExhibitWords::tr("Layer"), "", "", [&slots](std::size_t at) {
    return numberCell(slots[at].layer < 0 ? std::nan("") : slots[at].layer);
  });
  addOfCurves(
      unit,
      metric,
      [](const DepthCurve&) { return true; },
      [inMetric](const DepthCurve& drawn, std::size_t at) {
        return inMetric(drawn.values[at], drawn.nonFinite[at] > 0);
      });
  addOfCurves(
      unit,
      metric + " ±",
      [](const DepthCurve& drawn) { return !drawn.halves.empty(); },
      [inMetric](const DepthCurve& drawn, std::size_t at) { return inMetric(drawn.halves[at]); });
  addOfCurves("",
              DepthExhibitWords::tr("Elements not finite").toStdString(),
              hasNonFinite,
              [](const DepthCurve& drawn, std::size_t at) {
                return static_cast<double>(drawn.nonFinite[at]);
              });
  addOfCurves("",
              DepthExhibitWords::tr("Jump").toStdString(),
              hasJumps,
              [](const DepthCurve& drawn, std::size_t at) {
                return numberCell(drawn.jumps[at] > 0 ? drawn.jumps[at] : std::nan(""));
              });
  if (options.referenceShown && !data.referenceScale.empty()) {
    add(data.scaleTitle(), "", "", [&data](std::size_t at) {
      return numberCell(data.referenceScale[at]);
    });
  }
  if (!data.noise.empty()) {
    add(data.noiseName, unit, metric, [&data, inMetric](std::size_t at) {
      return inMetric(data.noise[at]);
    });
  }
  for (const SampleCurve& sample : data.shownSamples(options.visible)) {
    add(DepthExhibitWords::tr("%1, sample %2")
            .arg(data.curve(data.sampledCurve).name, QString::number(sample.sample)),
        unit,
        metric,
        [&sample, inMetric](std::size_t at) { return inMetric(sample.values[at]); });
  }
  return columns;
}

}  // namespace

void paintCurves(QPainter& painter, const DepthDrawing& drawing, const CurveWidths& widths) {
  const auto& [frame, data, options, theme] = drawing;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(translucent(theme.reference, kReferenceAlpha), 1));
  for (const QList<QPointF>& points : frame.reference) {
    paintLine(painter, points, frame.referenceMap);
  }
  for (const SceneCurve& curve : frame.scene.curves) {
    const int style = data.curve(curve.curve).style;
    const double width = curve.curve == options.currentCurve ? widths.current : widths.plain;
    painter.setPen(variantPen(theme.variantStyle(style), width));
    for (const QList<QPointF>& points : curve.segments) {
      paintLine(painter, points, frame.map);
    }
  }
  painter.restore();
}

void paintDepthPlot(QPainter& painter, const DepthDrawing& drawing) {
  paintBelow(painter, drawing);
  paintIntervals(painter, drawing);
  paintCurves(painter, drawing);
  paintAbove(painter, drawing);
}

DepthPicture wholePicture(const DepthData& data) {
  DepthPicture whole{.data = data, .options = {}, .viewport = {}};
  whole.options.visible.assign(data.curves.size(), true);
  whole.viewport.setFull({-0.6, std::max(data.axis.size(), 1) - 0.4},
                         extentOf(data, whole.options.visible).y);
  return whole;
}

void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme) {
  const auto& [data, options, viewport] = picture;
  const std::vector<int> curves = visibleCurves(options.visible);
  const QFontMetricsF metrics(painter.font());
  const std::vector<DrawnEntry> entries = legendEntries(data, curves);
  const LegendLayout legend = legendLayout(entries, area.width() - 2 * kGap, metrics);
  DepthOptions shown = options;
  shown.directLabels = legend.rows == 0;
  shown.currentSlot = -1;
  shown.currentCurve = -1;
  const QSizeF size(area.width(), std::max(60.0, area.height() - legend.height()));
  const DepthExtent extent = extentOf(data, shown.visible);
  const DepthFrame frame = makeFrame(data, shown, viewport, extent.scale, size, painter.font());
  painter.save();
  painter.translate(area.topLeft());
  paintDepthPlot(painter, {frame, data, shown, theme});
  if (legend.rows > 0) {
    paintLegend(painter,
                QRectF(kGap, size.height() + kGap, area.width() - 2 * kGap, legend.height()),
                legend,
                entries,
                theme);
  }
  painter.restore();
}

report::DataTable depthTable(const DepthPicture& picture) {
  const auto& [data, options, viewport] = picture;
  const std::vector<ChartColumn> columns = columnsOf(data, options);
  report::DataTable table{titleOf(data, visibleCurves(options.visible)).toStdString(), {}, {}};
  for (const ChartColumn& column : columns) {
    table.columns.push_back(column.heading);
  }
  for (int slot = 0; slot < data.axis.size(); ++slot) {
    if (viewport.x().contains(slot)) {
      std::vector<report::DataCell>& row = table.rows.emplace_back();
      for (const ChartColumn& column : columns) {
        row.push_back(column.cell(static_cast<std::size_t>(slot)));
      }
    }
  }
  return table;
}

Exhibit depthExhibit(DepthPicture picture, PaintPicture paint) {
  picture.options.currentSlot = -1;
  picture.options.currentCurve = -1;
  const auto kept = std::make_shared<const DepthPicture>(std::move(picture));
  const std::vector<int> curves = visibleCurves(kept->options.visible);
  const QFontMetricsF metrics{figureFont()};
  const double legend =
      legendLayout(legendEntries(kept->data, curves), kSize.width() - 2 * kGap, metrics).height();
  return {.id = QStringLiteral("depth"),
          .title = titleOf(kept->data, curves),
          .size = {kSize.width(), kSize.height() + legend},
          .paint = [kept, paint](QPainter& painter,
                                 const QRectF& area,
                                 const Theme& theme) { paint(painter, area, *kept, theme); },
          .table = [kept] { return depthTable(*kept); }};
}

}  // namespace ulp::views::charts
