#include "views/printing/report_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/report/contents/export_selection.h"
#include "core/report/contents/report_tables.h"
#include "core/report/summary/provenance_line.h"
#include "views/charts/depth/depth_exhibit.h"
#include "views/charts/depth/depth_marks.h"
#include "views/framework/exports/exhibit_export.h"
#include "views/framework/view/view_registry.h"
#include "views/printing/report_pages.h"

namespace ulp::views {
namespace {

using pictures::PictureRequest;

/// By which a depth chart on a page is lower than one alone: two of them and a heatmap fill it.
constexpr double kSavedHeight = 90;

Result<PassFilter> passFilter(const std::vector<Pass>& passes) {
  const auto has = [&](Pass pass) { return std::ranges::find(passes, pass) != passes.end(); };
  const auto ofParameters = std::ranges::find_if(passes, isOfParameters);
  if (ofParameters == passes.end()) {
    const bool forward = has(Pass::Forward);
    return forward == has(Pass::Backward) ? PassFilter::ForwardBackward
           : forward                      ? PassFilter::Forward
                                          : PassFilter::Backward;
  }
  if (std::ranges::count(passes, *ofParameters) != std::ssize(passes)) {
    return fail(ErrorCode::InvalidArgument,
                "a chart shows parameter gradients or the optimizer alone, not beside other "
                "passes; name one --pass");
  }
  return filterOf(*ofParameters);
}

/// `metric` must be in the report.
Result<Exhibit> depthOf(const ReportDocument& document,
                        const report::ExportOptions& options,
                        const std::string& metric) {
  const PassFilter shown = ULP_TRY(passFilter(options.passes));
  charts::DepthData data =
      charts::makeDepthData(document,
                            charts::makeDepthAxis(document, charts::layerRowsId(), shown),
                            QString::fromStdString(metric));
  if (data.axis.size() == 0 || data.curves.empty()) {
    return fail(ErrorCode::NotFound, "the report has no layer rows to draw in these passes");
  }
  const Selection selection{.noise = QString::fromStdString(options.noise)};
  if (!options.noise.empty() && document.findVariant(selection.noise) < 0) {
    return fail(ErrorCode::InvalidArgument,
                "the report has no variant '" + options.noise + "' that noise is measured by");
  }
  charts::addNoise(data, document, noiseRuns(document, selection));
  if (!options.runs.empty()) {
    std::erase_if(data.curves, [&](const charts::DepthCurve& curve) {
      return std::ranges::find(options.runs, curve.name.toStdString()) == options.runs.end();
    });
  }
  if (data.curves.empty()) {
    return fail(ErrorCode::InvalidArgument, "a depth chart shows variants; name one of them");
  }
  return charts::depthExhibit(charts::wholePicture(data));
}

/// The variants that were asked for, the reference and what its noise floor was measured by.
report::ReportPtr chosenRuns(const report::LoadedReport& loaded,
                             const std::vector<std::string>& runs) {
  if (runs.empty()) {
    return loaded.report;
  }
  report::Report chosen = *loaded.report;
  std::erase_if(chosen.runs, [&](const report::Run& run) {
    return run.name != chosen.reference && run.role == report::RunRole::Variant &&
           std::ranges::find(runs, run.name) == runs.end();
  });
  return std::make_shared<const report::Report>(std::move(chosen));
}

/// The variant that is shown where there is room for one: with the most elements that are not
/// finite, then with the largest error of a layer.
std::string worstVariant(const report::Report& report, const std::string& metric) {
  const int column = report.metricIndex(metric);
  const auto badness = [column](const report::Run& run) {
    std::pair<std::uint64_t, double> worst{0, 0};
    for (const report::Comparison& row : run.comparisons) {
      worst.first += row.variantNonFinite.total();
      const double value = column < 0 ? 0 : row.metrics.at(static_cast<std::size_t>(column));
      const bool counts = row.site.level == Level::Layer && std::isfinite(value);
      worst.second = std::max(worst.second, counts ? value : 0);
    }
    return worst;
  };
  std::string name;
  std::pair<std::uint64_t, double> worst{0, -1};
  for (const report::Run& run : report.runs) {
    if (run.comparisons.empty() || run.role != report::RunRole::Variant) {
      continue;
    }
    if (const auto its = badness(run); its > worst) {
      worst = its;
      name = run.name;
    }
  }
  return name;
}

/// What a view draws of a report.
Result<Exhibit> viewExhibit(const report::LoadedReport& loaded,
                            const PictureRequest& request,
                            const std::string& metric) {
  const ViewRegistry views = builtinViews();
  const QString subject = QString::fromStdString(request.what);
  const ViewDescriptor* view = views.findSubject(subject);
  if (view == nullptr) {
    QStringList subjects;
    for (const ViewDescriptor& each : views.all()) {
      subjects << each.subjects;
    }
    return fail(ErrorCode::InvalidArgument,
                "there is no picture or table of '" + request.what + "'; choose report, depth, " +
                    "summary, runs, table, " + subjects.join(QStringLiteral(", ")).toStdString());
  }
  const PassFilter shown = ULP_TRY(passFilter(request.options.passes));
  return view->draw({.what = subject,
                     .metric = QString::fromStdString(metric),
                     .shown = shown,
                     .document = ReportDocument::build(loaded),
                     .chosen = chosenRuns(loaded, request.options.runs)});
}

Exhibit tableExhibit(const QString& id, report::DataTable table) {
  auto kept = std::make_shared<const report::DataTable>(std::move(table));
  return {.id = id,
          .title = QString::fromStdString(kept->title),
          .table = [kept] { return *kept; },
          .isTableThreadSafe = true};
}

}  // namespace

Result<Exhibit> reportExhibit(const report::LoadedReport& loaded, const PictureRequest& request) {
  const auto selection = ULP_TRY(report::selectForExport(*loaded.report, request.options));
  const QString id = QString::fromStdString(request.what);
  if (request.what == "runs") {
    return tableExhibit(id, report::runsData(*loaded.report, selection));
  }
  if (request.what == "table") {
    return tableExhibit(id, report::tensorsData(*loaded.report, selection));
  }
  const std::vector<report::SelectedMetric> metrics = report::summaryMetrics(selection);
  if (metrics.empty()) {
    return fail(ErrorCode::NotFound, "the report holds no metric");
  }
  if (request.what == "summary") {
    return tableExhibit(id, report::summaryData(*loaded.report, selection, metrics.front()));
  }
  if (request.what == "depth") {
    return depthOf(*ReportDocument::build(loaded), request.options, metrics.front().id);
  }
  return viewExhibit(loaded, request, metrics.front().id);
}

Result<std::vector<Exhibit>> reportCharts(const report::LoadedReport& loaded,
                                          const report::ExportOptions& options) {
  const auto selection = ULP_TRY(report::selectForExport(*loaded.report, options));
  std::vector<Exhibit> charts;
  if (selection.variants.empty()) {
    return charts;
  }
  const auto document = ReportDocument::build(loaded);
  for (const report::SelectedMetric& metric : report::summaryMetrics(selection)) {
    // A report of parameters beside other passes has charts of the latter.
    report::ExportOptions drawn = options;
    std::erase_if(drawn.passes, isOfParameters);
    if (!options.passes.empty() && drawn.passes.empty()) {
      drawn.passes = {options.passes.front()};
    }
    Result<Exhibit> chart = depthOf(*document, drawn, metric.id);
    if (chart) {
      chart->size.rheight() -= kSavedHeight;
      charts.push_back(std::move(*chart));
    } else if (chart.error().code() != ErrorCode::NotFound) {
      return tl::unexpected<Error>(std::move(chart.error()));
    }
  }
  return charts;
}

Result<std::vector<Exhibit>> viewExhibits(const DocumentPtr& document,
                                          const report::ExportOptions& options) {
  const report::ReportPtr chosen = chosenRuns(document->loaded(), options.runs);
  const std::string worst = worstVariant(*chosen, document->defaultMetric().toStdString());
  const ViewRegistry views = builtinViews();
  std::vector<Exhibit> exhibits;
  for (const ViewDescriptor& view : views.all()) {
    for (const QString& what : view.printed) {
      auto exhibit = view.draw({.what = what,
                                .metric = document->defaultMetric(),
                                .document = document,
                                .chosen = chosen,
                                .variant = worst,
                                .isOnPage = true});
      if (exhibit) {
        exhibits.push_back(*std::move(exhibit));
      } else if (exhibit.error().code() != ErrorCode::NotFound) {
        return tl::unexpected<Error>(std::move(exhibit.error()));
      }
    }
  }
  return exhibits;
}

Result<std::string> drawPicture(const report::LoadedReport& loaded, const PictureRequest& request) {
  if (request.what == "report") {
    const auto more = ULP_TRY(viewExhibits(ReportDocument::build(loaded), request.options));
    return reportPages(loaded, request.format, request.options, more, request.judgement);
  }
  const Exhibit exhibit = ULP_TRY(reportExhibit(loaded, request));
  QSizeF size;
  if (request.width > 0 || request.height > 0) {
    size = {request.width > 0 ? request.width : exhibit.size.width(),
            request.height > 0 ? request.height : exhibit.size.height()};
  }
  const QString provenance = QString::fromStdString(report::provenanceLine(*loaded.report));
  return TakenExhibit::take(exhibit, provenance, size)
      .write(QString::fromStdString(request.format), request.scale);
}

}  // namespace ulp::views
