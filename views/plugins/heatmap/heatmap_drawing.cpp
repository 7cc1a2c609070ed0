#include "views/plugins/heatmap/heatmap_drawing.h"

#include <memory>
#include <utility>

#include "views/framework/document/sample_values.h"
#include "views/plugins/heatmap/heatmap_content.h"
#include "views/plugins/heatmap/heatmap_units.h"

namespace ulp::views {
namespace {

QString variantsSubject() {
  return QStringLiteral("heatmap");
}
QString modulesSubject() {
  return QStringLiteral("heatmap-modules");
}
QString samplesSubject() {
  return QStringLiteral("heatmap-samples");
}
QString stepsSubject() {
  return QStringLiteral("heatmap-steps");
}
QString ranksSubject() {
  return QStringLiteral("heatmap-ranks");
}

Result<Heatmap> heatmapOfUnits(const ReportDocument& document,
                               HeatmapMode mode,
                               PassFilter shown,
                               int metric) {
  if (!hasUnits(document, mode)) {
    return fail(ErrorCode::NotFound,
                mode == HeatmapMode::Steps ? "the runs of the report are no steps of a dump"
                                           : "the runs of the report are no ranks of a dump");
  }
  return unitsByLayer(document, mode, {}, charts::layerRowsId(), shown, metric);
}

/// Of the first variant, where it shows one.
Result<Heatmap> heatmapOf(const ReportDocument& document, const DrawRequest& request) {
  const int metric = document.findMetric(request.metric);
  if (request.what == modulesSubject()) {
    return modulesByLayer(document, 0, request.shown, metric);
  }
  if (request.what == stepsSubject() || request.what == ranksSubject()) {
    return heatmapOfUnits(document,
                          request.what == stepsSubject() ? HeatmapMode::Steps : HeatmapMode::Ranks,
                          request.shown,
                          metric);
  }
  if (request.what != samplesSubject()) {
    return variantsByLayer(document, charts::layerRowsId(), request.shown, metric);
  }
  auto values = ULP_TRY(readSampleValues(document, 0, metric));
  return samplesByLayer(document, charts::layerRowsId(), request.shown, values);
}

}  // namespace

QStringList heatmapSubjects() {
  return {variantsSubject(), modulesSubject(), samplesSubject(), stepsSubject(), ranksSubject()};
}

Result<Exhibit> drawHeatmap(const DrawRequest& request) {
  report::LoadedReport loaded = request.document->loaded();
  loaded.report = request.chosen;
  const DocumentPtr document = ReportDocument::build(std::move(loaded));
  if (document->variantCount() == 0) {
    return fail(ErrorCode::NotFound, "the report has no variant to draw");
  }
  auto made = ULP_TRY(heatmapOf(*document, request));
  const auto heatmap = std::make_shared<const Heatmap>(std::move(made));
  if (heatmap->isEmpty()) {
    return fail(ErrorCode::NotFound, "the report has no such tensors in these passes");
  }
  Exhibit exhibit =
      heatmapExhibit(heatmap, document, fittedScale(*heatmap, charts::ColorMap::Cividis));
  exhibit.id = request.what;
  return exhibit;
}

}  // namespace ulp::views
