#include "views/plugins/heatmap/heatmap_content.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/charts/raster/scale_bar.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/plugins/heatmap/heatmap_positions.h"

namespace ulp::views {
namespace {

using charts::kGap;

struct HeatmapContentWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

/// Name of the tensor behind a cell; of its column where there is none.
QString tensorName(const Heatmap& heatmap, const ReportDocument& document, int row, int column) {
  const int site = heatmap.siteAt(row, column);
  return site < 0 ? heatmap.columns.at(column).name
                  : QString::fromStdString(document.sites()[static_cast<std::size_t>(site)].name);
}

QString variantName(const Heatmap& heatmap, const ReportDocument& document, int row, int column) {
  const int variant = heatmap.variantAt(row, column);
  return variant < 0 ? QString() : document.variantName(variant);
}

/// "NaN", "+Inf": what a cell without any number holds.
QString nonFiniteText(const Heatmap& heatmap, const ReportDocument& document, int row, int column) {
  const bool isWhole = heatmap.mode == HeatmapMode::Variants ||
                       heatmap.mode == HeatmapMode::Modules || isOfUnits(heatmap.mode);
  const report::Comparison* const found =
      isWhole ? document.comparison(heatmap.variantAt(row, column), heatmap.siteAt(row, column))
              : nullptr;
  if (found == nullptr) {
    return QStringLiteral("NaN/Inf");
  }
  if (found->variantNonFinite.nan > 0) {
    return QStringLiteral("NaN");
  }
  return found->variantNonFinite.positiveInfinity > 0 ? QStringLiteral("+Inf")
                                                      : QStringLiteral("−Inf");
}

QString cellText(const Heatmap& heatmap, const ReportDocument& document, int row, int column) {
  if (heatmap.grid->isMissing(row, column)) {
    return {};
  }
  const double value = heatmap.grid->value(row, column);
  if (std::isnan(value)) {
    return nonFiniteText(heatmap, document, row, column);
  }
  return metricText(value, heatmap.metric);
}

charts::RasterReadout readoutOf(const Heatmap& heatmap,
                                const ReportDocument& document,
                                int row,
                                int column) {
  const Pass pass = heatmap.columns.at(column).pass;
  charts::RasterReadout readout;
  const QString variant = variantName(heatmap, document, row, column);
  const QString place =
      QStringLiteral("%1 · %2").arg(passText(pass), tensorName(heatmap, document, row, column));
  readout.title = variant.isEmpty() ? place : QStringLiteral("%1 · %2").arg(variant, place);
  if (const QString part = infoOf(heatmap.mode).part; !part.isEmpty()) {
    readout.lines.emplace_back(part, heatmap.row(row).label);
  }
  if (heatmap.mode == HeatmapMode::Positions) {
    const HeatmapRow& position = heatmap.row(row);
    readout.lines.emplace_back(HeatmapContentWords::tr("Token"),
                               position.token.isEmpty()
                                   ? position.part
                                   : QStringLiteral("%1 (%2)").arg(position.token, position.part));
  }
  if (const int units = heatmap.row(row).unitCount; units > 1) {
    readout.lines.emplace_back(HeatmapContentWords::tr("Worst of"),
                               HeatmapContentWords::tr("%1 of %2 units")
                                   .arg(heatmap.counted[heatmap.grid->at(row, column)])
                                   .arg(units));
  }
  if (heatmap.grid->isMissing(row, column)) {
    readout.lines.emplace_back(heatmap.metric.label, HeatmapContentWords::tr("missing"));
    return readout;
  }
  const double value = heatmap.grid->value(row, column);
  readout.lines.emplace_back(heatmap.metric.label,
                             std::isnan(value) ? nonFiniteText(heatmap, document, row, column)
                                               : metricTextWithUnit(value, heatmap.metric));
  if (!heatmap.spikes.empty() && heatmap.spikes[heatmap.grid->at(row, column)] != 0) {
    readout.lines.emplace_back(HeatmapContentWords::tr("Spike"),
                               HeatmapContentWords::tr("begins at this step"));
  }
  if (const QString tops = topsText(heatmap, row, column); !tops.isEmpty()) {
    readout.lines.emplace_back(HeatmapContentWords::tr("Most likely token"), tops);
  }
  if (const std::uint64_t count = heatmap.grid->nonFinite[heatmap.grid->at(row, column)];
      count > 0) {
    readout.lines.emplace_back(HeatmapContentWords::tr("Not finite"), countText(count));
  }
  return readout;
}

std::vector<charts::RasterSpan> spansOf(const charts::DepthAxis& axis) {
  std::vector<charts::RasterSpan> spans;
  const auto add = [&](int from, int to) {
    if (from < to) {
      spans.push_back({from, to, passCaption(axis.at(from).pass)});
    }
  };
  add(0, axis.fold);
  add(axis.fold, axis.size());
  return spans;
}

charts::RasterAxis columnAxis(const HeatmapPtr& heatmap) {
  charts::RasterAxis axis;
  axis.title = HeatmapContentWords::tr("Layer");
  axis.label = [heatmap](int column) { return heatmap->columns.at(column).label; };
  axis.description = [heatmap](int column) {
    const charts::DepthSlot& slot = heatmap->columns.at(column);
    return QStringLiteral("%1 · %2").arg(passText(slot.pass), slot.name);
  };
  axis.ticks = [heatmap](const charts::Range& visible,
                         double pixelsPerCell,
                         const charts::RasterAxis::WidthOf& widthOf) {
    // Slots of the depth axis stand at their index, cells of a raster reach from there to the next.
    std::vector<charts::Tick> ticks = charts::slotTicks(
        heatmap->columns, {visible.low - 0.5, visible.high - 0.5}, pixelsPerCell, widthOf);
    for (charts::Tick& tick : ticks) {
      tick.position += 0.5;
    }
    return ticks;
  };
  return axis;
}

}  // namespace

QString heatmapTitle(const Heatmap& heatmap, const ReportDocument& document) {
  const QString mode = infoOf(heatmap.mode).title;
  const QString title = QStringLiteral("%1 · %2").arg(
      metricHeader(heatmap.metric),
      heatmap.variant < 0 ? mode : mode.arg(document.variantName(heatmap.variant)));
  return heatmap.units.isEmpty() ? title : QStringLiteral("%1 · %2").arg(title, heatmap.units);
}

charts::RasterContent heatmapContent(const HeatmapPtr& heatmap,
                                     const DocumentPtr& document,
                                     double tallestCell) {
  charts::RasterContent content;
  content.grid = heatmap->grid;
  content.title = heatmapTitle(*heatmap, *document);
  content.rows.label = [heatmap](int row) { return heatmap->row(row).label; };
  content.rows.description = [heatmap](int row) { return heatmap->row(row).description; };
  content.columns = columnAxis(heatmap);
  content.spans = spansOf(heatmap->columns);
  content.prefer = heatmap->metric.better == numerics::Better::Lower ? charts::Prefer::Largest
                                                                     : charts::Prefer::Smallest;
  content.tallestCell = tallestCell;
  content.marks = heatmap->mode == HeatmapMode::Positions ? flipMarks(*heatmap) : heatmap->spikes;
  content.rowBoundary = heatmap->generatedFrom;
  content.cellText = [heatmap, document](int row, int column) {
    return cellText(*heatmap, *document, row, column);
  };
  content.readout = [heatmap, document](int row, int column) {
    return readoutOf(*heatmap, *document, row, column);
  };
  return content;
}

charts::ColorScale fittedScale(const Heatmap& heatmap, charts::ColorMap map) {
  using charts::ScaleKind;
  const bool logarithmic = heatmap.metric.scale == numerics::MetricScale::Logarithmic;
  charts::ValueDistribution values;
  values.kind = logarithmic ? ScaleKind::Logarithmic : ScaleKind::Linear;
  const bool hasPlace =
      heatmap.hasValues() && (!logarithmic || std::isfinite(heatmap.smallestAboveZero));
  if (hasPlace) {
    values.extent = {logarithmic ? heatmap.smallestAboveZero : heatmap.smallest, heatmap.largest};
    values.bins = {1};
  }
  return {.kind = values.kind,
          .map = map,
          .range = charts::fittedRange(values),
          .reversed = heatmap.metric.better == numerics::Better::Higher};
}

report::DataTable heatmapTable(const Heatmap& heatmap, const ReportDocument& document) {
  const QString part = infoOf(heatmap.mode).part;
  report::DataTable table{heatmapTitle(heatmap, document).toStdString(), {}, {}};
  const auto column = [&table](const QString& title, const QString& unit = {}) {
    table.columns.push_back({title.toStdString(), unit.toStdString(), {}});
  };
  column(HeatmapContentWords::tr("Variant"));
  column(HeatmapContentWords::tr("Pass"));
  column(HeatmapContentWords::tr("Tensor"));
  if (!part.isEmpty()) {
    column(part);
  }
  const bool isOfPositions = heatmap.mode == HeatmapMode::Positions;
  if (isOfPositions) {
    column(HeatmapContentWords::tr("Part"));
    column(HeatmapContentWords::tr("Token"));
  }
  const bool percent = heatmap.metric.unit == numerics::MetricUnit::Percent;
  column(heatmap.metric.label, percent ? QStringLiteral("%") : QString());
  column(HeatmapContentWords::tr("Not finite"));
  for (int row = 0; row < heatmap.rowCount(); ++row) {
    for (int i = 0; i < heatmap.columns.size(); ++i) {
      if (heatmap.siteAt(row, i) < 0) {
        continue;  // Such a module does not exist in this layer.
      }
      std::vector<report::DataCell> cells{variantName(heatmap, document, row, i).toStdString(),
                                          passText(heatmap.columns.at(i).pass).toStdString(),
                                          tensorName(heatmap, document, row, i).toStdString()};
      if (!part.isEmpty()) {
        cells.emplace_back(heatmap.row(row).label.toStdString());
      }
      if (isOfPositions) {
        const HeatmapRow& position = heatmap.row(row);
        cells.emplace_back(position.part.toStdString());
        cells.push_back(position.token.isEmpty() ? report::DataCell()
                                                 : report::DataCell(position.token.toStdString()));
      }
      const std::size_t at = heatmap.grid->at(row, i);
      const bool missing = heatmap.grid->missing[at] != 0;
      if (missing) {
        cells.resize(cells.size() + 2);
      } else {
        cells.emplace_back(inUnit(heatmap.grid->values[at], heatmap.metric));
        cells.emplace_back(static_cast<double>(heatmap.grid->nonFinite[at]));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Exhibit heatmapExhibit(const HeatmapPtr& heatmap,
                       const DocumentPtr& document,
                       const charts::ColorScale& scale) {
  // Each row has room for its label, and all of them a page.
  const int rows = std::min(heatmap->rowCount(), 48);
  const double height = 140 + (rows <= 24 ? 20.0 : 16.0) * rows;
  return {
      .id = QStringLiteral("heatmap"),
      .title = heatmapTitle(*heatmap, *document),
      .size = {760, height},
      .paint =
          [heatmap, document, scale](QPainter& painter, const QRectF& area, const Theme& theme) {
            const double legend = charts::scaleBarHeight(painter);
            painter.fillRect(area, theme.chartBackground);
            charts::RasterContent content = heatmapContent(heatmap, document, 0);
            content.title.clear();  // the figure has the same one
            charts::paintWholeRaster(
                painter, area.adjusted(0, 0, 0, -legend - 2 * kGap), content, scale, theme);
            const QRectF bar(
                area.left() + kGap, area.bottom() - legend, area.width() - 2 * kGap, legend);
            charts::paintScaleBar(painter,
                                  bar,
                                  scale,
                                  charts::countClasses(*heatmap->grid, scale),
                                  inUnit(1, heatmap->metric),
                                  theme);
          },
      .table = [heatmap, document] { return heatmapTable(*heatmap, *document); }};
}

QStringList heatmapSubjects() {
  QStringList subjects;
  for (const HeatmapModeInfo& mode : heatmapModes()) {
    if (!mode.subject.isEmpty()) {
      subjects << mode.subject;
    }
  }
  return subjects;
}

Result<Exhibit> drawHeatmap(const DrawRequest& request) {
  report::LoadedReport loaded = request.document->loaded();
  loaded.report = request.chosen;
  const DocumentPtr document = ReportDocument::build(std::move(loaded));
  if (document->variantCount() == 0) {
    return fail(ErrorCode::NotFound, "the report has no variant to draw");
  }
  const std::vector<HeatmapModeInfo> modes = heatmapModes();
  const auto mode = std::ranges::find(modes, request.what, &HeatmapModeInfo::subject);
  auto made = ULP_TRY(makeHeatmap(
      *document,
      {.mode = mode == modes.end() ? HeatmapMode::Variants : mode->mode,
       .variant = std::max(0, document->findVariant(QString::fromStdString(request.variant))),
       .shown = request.shown,
       .metric = document->findMetric(request.metric)}));
  const auto heatmap = std::make_shared<const Heatmap>(std::move(made));
  if (heatmap->isEmpty()) {
    return fail(ErrorCode::NotFound, "the report has no such tensors in these passes");
  }
  if (request.isOnPage && heatmap->mode == HeatmapMode::Variants && heatmap->rowCount() == 1) {
    return fail(ErrorCode::NotFound,
                "the curve of one variant says all that a row of colours does");
  }
  Exhibit exhibit =
      heatmapExhibit(heatmap, document, fittedScale(*heatmap, charts::ColorMap::Cividis));
  exhibit.id = request.what;
  return exhibit;
}

}  // namespace ulp::views
