#include "views/plugins/heatmap/heatmap_positions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/token_texts.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

struct HeatmapPositionsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

using report::PositionError;
using report::PositionErrors;
using report::PositionRow;

/// Moments of so many elements with the RMS of a token, and nothing else.
numerics::Moments momentsOf(const report::TokenError& tokens, std::uint64_t count = 1) {
  const auto elements = static_cast<double>(count);
  numerics::Moments moments{.count = count, .compared = count};
  moments.sumSquaredDifference = elements * tokens.rmsDiff * tokens.rmsDiff;
  moments.sumSquaredReference = elements * tokens.refScale * tokens.refScale;
  return moments;
}

/// All else differs between two of another `count`, so that a metric that is the same of both rests
/// on the RMS alone.
numerics::Moments fullMoments(const report::TokenError& tokens, std::uint64_t count) {
  const auto elements = static_cast<double>(count);
  numerics::Moments moments = momentsOf(tokens, count);
  moments.equal = count / 3;
  moments.sumSquaredCandidate = elements * elements;
  moments.sumProduct = elements * elements / 2;
  moments.sumAbsoluteDifference = elements * elements / 4;
  moments.maxAbsoluteDifference = elements;
  moments.maxRelativeDifference = elements / 2;
  moments.sumUlp = elements * elements;
  moments.maxUlp = elements;
  moments.candidate.nan = count / 3;
  moments.differenceHistogram.assign(numerics::kHistogramBins, 0);
  moments.differenceHistogram[100 * count] = count;
  return moments;
}

using MetricValue = double (*)(const numerics::Moments& moments);

/// How a metric is computed; null: this version does not know it.
MetricValue valueOf(const QString& id) {
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto index = registry.indexOf(id.toStdString());
  return index ? registry.all()[*index].value : nullptr;
}

bool restsOnRms(MetricValue value) {
  const report::TokenError tokens{.tokens = 1, .rmsDiff = 0.25, .refScale = 2};
  const double one = value(fullMoments(tokens, 1));
  const double other = value(fullMoments(tokens, 4));
  return std::abs(one - other) <= 1e-12 * std::abs(one);
}

double valueAt(const PositionError& error, MetricValue value) {
  return error.tokens.tokens == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : value(momentsOf(error.tokens));
}

/// The forward rows of level layer of which a variant tells positions.
charts::DepthAxis positionColumns(const ReportDocument& document, const PositionErrors& positions) {
  charts::DepthAxis axis =
      charts::makeDepthAxis(document, charts::layerRowsId(), PassFilter::Forward);
  std::erase_if(axis.positions, [&](const charts::DepthSlot& slot) {
    return slot.site < 0 ||
           positions.find(document.sites()[static_cast<std::size_t>(slot.site)].name) == nullptr;
  });
  axis.fold = axis.size();
  return axis;
}

/// What is given at each position; empty where that is not known.
std::vector<std::string> tokensOf(const ReportDocument& document, int variant) {
  const auto origin = document.captureOrigin(document.variantName(variant), {});
  return origin && !origin->dumps ? report::tokensByPosition(origin->folder)
                                  : std::vector<std::string>();
}

HeatmapRow positionRow(const PositionErrors& positions,
                       std::size_t place,
                       const std::vector<std::string>& tokens) {
  const auto position = static_cast<std::int64_t>(positions.first + place);
  return {.label = QString::number(position),
          .description = positions.isGenerated(place)
                             ? HeatmapPositionsWords::tr("position %1, generated").arg(position)
                             : HeatmapPositionsWords::tr("position %1, prompt").arg(position),
          .unit = position,
          .token = static_cast<std::size_t>(position) < tokens.size()
                       ? QString::fromStdString(tokens[static_cast<std::size_t>(position)])
                       : QString(),
          .part = positions.isGenerated(place) ? HeatmapPositionsWords::tr("generated")
                                               : HeatmapPositionsWords::tr("prompt")};
}

void addAllToExtent(Heatmap& heatmap,
                    const ReportDocument& document,
                    MetricValue metric,
                    const MetricInfo& info) {
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    for (const PositionRow& row : document.variant(variant).positions.rows) {
      for (const PositionError& error : row.errors) {
        addToExtent(heatmap, asDrawn(valueAt(error, metric), info));
      }
    }
  }
}

bool isLogitsColumn(const Heatmap& heatmap, int column) {
  return heatmap.columns.at(column).name == QLatin1StringView("logits");
}

}  // namespace

bool hasPositions(const ReportDocument& document) {
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    if (!document.variant(variant).positions.isEmpty()) {
      return true;
    }
  }
  return false;
}

bool isKnownByPosition(const MetricInfo& metric) {
  const MetricValue value = valueOf(metric.id);
  return value != nullptr && restsOnRms(value);
}

std::vector<MetricInfo> metricsByPosition(const ReportDocument& document) {
  std::vector<MetricInfo> known;
  std::ranges::copy_if(document.metrics(), std::back_inserter(known), isKnownByPosition);
  return known;
}

Result<Heatmap> positionsByLayer(const ReportDocument& document, const HeatmapRequest& request) {
  const MetricInfo info = metricInfo(document, request.metric);
  if (!isKnownByPosition(info)) {
    std::vector<std::string> known;
    for (const MetricInfo& each : metricsByPosition(document)) {
      known.push_back(each.id.toStdString());
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is not known by position; known are {}",
                            info.id.toStdString(),
                            fmt::join(known, ", ")));
  }
  const MetricValue metric = valueOf(info.id);
  const PositionErrors& positions = document.variant(request.variant).positions;
  if (positions.isEmpty()) {
    return fail(ErrorCode::NotFound,
                document.variantName(request.variant).toStdString() +
                    ": the report has no errors by position");
  }
  Heatmap heatmap{
      .mode = HeatmapMode::Positions, .metric = asDrawn(info), .variant = request.variant};
  if (accepts(request.shown, Pass::Forward)) {
    heatmap.columns = positionColumns(document, positions);
  }
  const std::vector<std::string> tokens = tokensOf(document, request.variant);
  const std::size_t count = positions.count();
  GridBuilder grid(static_cast<int>(count), heatmap.columns.size());
  for (std::size_t place = 0; place < count; ++place) {
    if (positions.isGenerated(place) && heatmap.generatedFrom < 0) {
      heatmap.generatedFrom = static_cast<int>(place);
    }
    heatmap.rows.push_back(positionRow(positions, place, tokens));
    for (const charts::DepthSlot& slot : heatmap.columns.positions) {
      heatmap.sites.push_back(slot.site);
    }
  }
  for (int column = 0; column < heatmap.columns.size(); ++column) {
    const Site& site = document.sites()[static_cast<std::size_t>(heatmap.columns.at(column).site)];
    const std::vector<PositionError>& errors = positions.find(site.name)->errors;
    for (std::size_t place = 0; place < errors.size(); ++place) {
      grid.set(static_cast<int>(place),
               column,
               asDrawn(valueAt(errors[place], metric), info),
               errors[place].nonFinite);
    }
  }
  addAllToExtent(heatmap, document, metric, info);
  heatmap.tops = positions.tops;
  heatmap.tops.resize(count);
  heatmap.units = HeatmapPositionsWords::tr("generated from position %1 on").arg(positions.prompt);
  heatmap.grid = grid.take();
  return heatmap;
}

std::vector<std::uint8_t> flipMarks(const Heatmap& heatmap) {
  std::vector<std::uint8_t> marks;
  for (int column = 0; column < heatmap.columns.size(); ++column) {
    if (!isLogitsColumn(heatmap, column)) {
      continue;
    }
    for (std::size_t row = 0; row < heatmap.tops.size(); ++row) {
      if (heatmap.tops[row].flipped > 0) {
        marks.resize(heatmap.sites.size());
        marks[heatmap.grid->at(static_cast<int>(row), column)] = 1;
      }
    }
  }
  return marks;
}

QString topsText(const Heatmap& heatmap, int row, int column) {
  if (!isLogitsColumn(heatmap, column) || heatmap.tops.empty()) {
    return {};
  }
  const report::PositionTops& tops = heatmap.tops[static_cast<std::size_t>(row)];
  if (tops.tokens == 0) {
    return {};
  }
  return HeatmapPositionsWords::tr("another one in %1 of %2")
      .arg(countText(tops.flipped), countText(tops.tokens));
}

}  // namespace ulp::views
