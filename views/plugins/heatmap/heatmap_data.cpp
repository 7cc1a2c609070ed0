#include "views/plugins/heatmap/heatmap_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <QtCore/QCoreApplication>

#include "views/plugins/heatmap/heatmap_positions.h"
#include "views/plugins/heatmap/heatmap_units.h"

namespace ulp::views {
namespace {

struct HeatmapDataWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

/// Rows of mode Modules: modules below a layer, the layer itself under the empty name.
struct ModuleRows {
  std::vector<QString> names;
  std::map<QString, int> places;

  void add(const QString& name) {
    if (places.emplace(name, static_cast<int>(names.size())).second) {
      names.push_back(name);
    }
  }
};

ModuleRows moduleRows(const ReportDocument& document, PassFilter shown) {
  ModuleRows rows;
  bool hasLayers = false;
  for (const Site& site : document.sites()) {
    if (site.layer < 0 || !accepts(shown, site.pass)) {
      continue;
    }
    const QString module = charts::moduleBelowLayer(site);
    if (module.isEmpty()) {
      hasLayers = true;
    } else {
      rows.add(module);
    }
  }
  if (hasLayers) {
    rows.add({});
  }
  return rows;
}

/// One column a layer, forward from the first to the last, then back.
charts::DepthAxis layerColumns(const ReportDocument& document, PassFilter shown) {
  charts::DepthAxis axis;
  for (const Pass pass : kPasses) {
    std::vector<int> layers;
    for (const Site& site : document.sites()) {
      if (accepts(shown, pass) && site.pass == pass && site.layer >= 0) {
        layers.push_back(site.layer);
      }
    }
    std::ranges::sort(layers);
    layers.erase(std::ranges::unique(layers).begin(), layers.end());
    if (pass == Pass::Backward) {
      std::ranges::reverse(layers);
    }
    for (const int layer : layers) {
      axis.positions.push_back({.site = -1,
                                .pass = pass,
                                .layer = layer,
                                .name = HeatmapDataWords::tr("layer %1").arg(layer),
                                .label = QString::number(layer)});
    }
    if (pass == Pass::Forward) {
      axis.fold = axis.size();
    }
  }
  return axis;
}

/// Column of each (pass, layer).
std::map<std::pair<Pass, int>, int> columnsByLayer(const charts::DepthAxis& axis) {
  std::map<std::pair<Pass, int>, int> places;
  for (int column = 0; column < axis.size(); ++column) {
    places.emplace(std::pair(axis.at(column).pass, axis.at(column).layer), column);
  }
  return places;
}

/// Adds a row whose cells are those of the columns' tensors; `valueAt`: of a site, the value and
/// the elements that are no numbers.
template <class ValueAt>
void addRow(Heatmap& heatmap, GridBuilder& grid, HeatmapRow row, const ValueAt& valueAt) {
  const int place = heatmap.rowCount();
  heatmap.rows.push_back(std::move(row));
  for (int column = 0; column < heatmap.columns.size(); ++column) {
    const int site = heatmap.columns.at(column).site;
    const auto [value, nonFinite] = valueAt(site);
    heatmap.sites.push_back(site);
    grid.set(place, column, value, nonFinite);
    addToExtent(heatmap, value);
  }
}

QString partName(HeatmapMode mode, int part, std::int64_t batchTokens) {
  if (mode == HeatmapMode::Heads) {
    return HeatmapDataWords::tr("head %1").arg(part);
  }
  if (batchTokens <= 0) {
    return HeatmapDataWords::tr("token %1").arg(part);
  }
  return HeatmapDataWords::tr("sequence %1, token %2")
      .arg(part / batchTokens)
      .arg(part % batchTokens);
}

QString partLabel(HeatmapMode mode, int part, std::int64_t batchTokens) {
  return mode == HeatmapMode::Heads || batchTokens <= 0
             ? QString::number(part)
             : QStringLiteral("%1:%2").arg(part / batchTokens).arg(part % batchTokens);
}

}  // namespace

GridBuilder::GridBuilder(int rows, int columns) : m_grid(std::make_shared<charts::RasterGrid>()) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  m_grid->rows = rows;
  m_grid->columns = columns;
  m_grid->values.assign(count, std::numeric_limits<double>::quiet_NaN());
  m_grid->nonFinite.assign(count, 0);
  m_grid->missing.assign(count, 1);
}

void GridBuilder::set(int row, int column, double value, std::uint64_t nonFinite) {
  const std::size_t at = m_grid->at(row, column);
  m_grid->values[at] = value;
  m_grid->nonFinite[at] = nonFinite;
  m_grid->missing[at] = std::isnan(value) && nonFinite == 0 ? 1 : 0;
}

void addToExtent(Heatmap& heatmap, double value) {
  if (!std::isfinite(value)) {
    return;
  }
  heatmap.smallest = std::min(heatmap.smallest, value);
  heatmap.largest = std::max(heatmap.largest, value);
  if (value > 0) {
    heatmap.smallestAboveZero = std::min(heatmap.smallestAboveZero, value);
  }
}

std::uint64_t nonFiniteAt(const ReportDocument& document, int variant, int site) {
  const report::Comparison* const found = document.comparison(variant, site);
  return found == nullptr ? 0 : found->variantNonFinite.total();
}

MetricInfo metricInfo(const ReportDocument& document, int metric) {
  return metric < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(metric)];
}

double shownValue(const ReportDocument& document, int variant, int site, int metric) {
  const double value = document.value(variant, site, metric);
  return metric < 0 ? value : asDrawn(value, document.metrics()[static_cast<std::size_t>(metric)]);
}

int Heatmap::variantAt(int row, int column) const {
  if (!variants.empty()) {
    return variants[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size()) +
                    static_cast<std::size_t>(column)];
  }
  return mode == HeatmapMode::Variants ? rows[static_cast<std::size_t>(row)].variant : variant;
}

int Heatmap::columnOf(int site) const {
  const auto found = std::ranges::find(sites, site);
  return site < 0 || found == sites.end()
             ? -1
             : static_cast<int>(found - sites.begin()) % columns.size();
}

Heatmap variantsByLayer(const ReportDocument& document, const HeatmapRequest& request) {
  Heatmap heatmap{.mode = HeatmapMode::Variants,
                  .metric = asDrawn(metricInfo(document, request.metric)),
                  .columns = charts::makeDepthAxis(document, request.kind, request.shown)};
  GridBuilder grid(document.variantCount(), heatmap.columns.size());
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const QString name = document.variantName(variant);
    addRow(heatmap, grid, {.label = name, .description = name, .variant = variant}, [&](int site) {
      return std::pair(shownValue(document, variant, site, request.metric),
                       nonFiniteAt(document, variant, site));
    });
  }
  heatmap.grid = grid.take();
  return heatmap;
}

Heatmap modulesByLayer(const ReportDocument& document, const HeatmapRequest& request) {
  const int metric = request.metric;
  Heatmap heatmap{.mode = HeatmapMode::Modules,
                  .metric = asDrawn(metricInfo(document, metric)),
                  .variant = request.variant,
                  .columns = layerColumns(document, request.shown)};
  const ModuleRows rows = moduleRows(document, request.shown);
  for (const QString& name : rows.names) {
    const QString shownName = name.isEmpty() ? HeatmapDataWords::tr("layer output") : name;
    heatmap.rows.push_back({.label = shownName, .description = shownName});
  }
  const int columns = heatmap.columns.size();
  const std::map<std::pair<Pass, int>, int> places = columnsByLayer(heatmap.columns);
  heatmap.sites.assign(rows.names.size() * static_cast<std::size_t>(columns), -1);
  GridBuilder grid(heatmap.rowCount(), columns);
  for (std::size_t i = 0; i < document.sites().size(); ++i) {
    const Site& site = document.sites()[i];
    const auto column = places.find({site.pass, site.layer});
    if (site.layer < 0 || column == places.end()) {
      continue;
    }
    const auto row = rows.places.find(charts::moduleBelowLayer(site));
    if (row == rows.places.end()) {
      continue;
    }
    const int index = static_cast<int>(i);
    heatmap.sites[static_cast<std::size_t>(row->second) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column->second)] = index;
    grid.set(row->second,
             column->second,
             shownValue(document, request.variant, index, metric),
             nonFiniteAt(document, request.variant, index));
    for (int other = 0; other < document.variantCount(); ++other) {
      addToExtent(heatmap, shownValue(document, other, index, metric));
    }
  }
  heatmap.grid = grid.take();
  return heatmap;
}

Heatmap partsByLayer(HeatmapMode mode,
                     const MetricInfo& metric,
                     int variant,
                     charts::DepthAxis axis,
                     const std::vector<PartColumn>& parts,
                     std::int64_t batchTokens) {
  Heatmap heatmap{
      .mode = mode, .metric = asDrawn(metric), .variant = variant, .columns = std::move(axis)};
  std::size_t most = 0;
  for (const PartColumn& column : parts) {
    most = std::max(most, column ? column->values.size() : 0);
  }
  const int rows = static_cast<int>(most);
  for (int row = 0; row < rows; ++row) {
    heatmap.rows.push_back({.label = partLabel(mode, row, batchTokens),
                            .description = partName(mode, row, batchTokens)});
    for (const charts::DepthSlot& slot : heatmap.columns.positions) {
      heatmap.sites.push_back(slot.site);
    }
  }
  GridBuilder grid(rows, heatmap.columns.size());
  for (std::size_t column = 0; column < parts.size(); ++column) {
    if (!parts[column]) {
      continue;
    }
    const analysis::PartErrors& errors = *parts[column];
    for (std::size_t row = 0; row < errors.values.size(); ++row) {
      const double value = asDrawn(errors.values[row], metric);
      grid.set(static_cast<int>(row), static_cast<int>(column), value, errors.nonFinite[row]);
      addToExtent(heatmap, value);
    }
  }
  heatmap.grid = grid.take();
  return heatmap;
}

Heatmap samplesByLayer(const ReportDocument& document,
                       const HeatmapRequest& request,
                       const SampleValues& values) {
  const MetricInfo metric = metricInfo(document, values.metric);
  Heatmap heatmap{.mode = HeatmapMode::Samples,
                  .metric = asDrawn(metric),
                  .variant = values.variant,
                  .columns = charts::makeDepthAxis(document, request.kind, request.shown)};
  GridBuilder grid(static_cast<int>(values.samples.size()), heatmap.columns.size());
  for (std::size_t row = 0; row < values.samples.size(); ++row) {
    const auto sample = static_cast<qulonglong>(values.samples[row]);
    addRow(heatmap,
           grid,
           {.label = QString::number(sample),
            .description = HeatmapDataWords::tr("sample %1").arg(sample)},
           [&](int site) {
             const double value = values.values[row][static_cast<std::size_t>(site)];
             return std::pair(asDrawn(value, metric), std::uint64_t{0});
           });
  }
  heatmap.grid = grid.take();
  return heatmap;
}

namespace {

Result<Heatmap> heatmapOf(const ReportDocument& document, const HeatmapRequest& request) {
  switch (request.mode) {
    case HeatmapMode::Modules:
      return modulesByLayer(document, request);
    case HeatmapMode::Samples: {
      auto values = ULP_TRY(readSampleValues(document, request.variant, request.metric));
      return samplesByLayer(document, request, values);
    }
    case HeatmapMode::Steps:
    case HeatmapMode::Ranks:
      if (!hasUnits(document, request.mode)) {
        return fail(ErrorCode::NotFound,
                    request.mode == HeatmapMode::Steps
                        ? "the runs of the report are no steps of a dump"
                        : "the runs of the report are no ranks of a dump");
      }
      return unitsByLayer(document, request);
    case HeatmapMode::Positions:
      return positionsByLayer(document, request);
    default:
      return variantsByLayer(document, request);
  }
}

}  // namespace

Result<Heatmap> makeHeatmap(const ReportDocument& document, const HeatmapRequest& request) {
  auto heatmap = heatmapOf(document, request);
  if (heatmap) {
    markSpikes(*heatmap, document, request);
  }
  return heatmap;
}

std::vector<HeadTensor> headTensors(const ReportDocument& document, PassFilter shown) {
  // The gradient of the output projection is that of its input, which is what the heads put out.
  const std::vector<HeadTensor> known{
      {QStringLiteral("output-gradient"),
       HeatmapDataWords::tr("Attention output, gradient"),
       QStringLiteral("self_attn.o_proj"),
       Pass::Backward},
      {QStringLiteral("queries"),
       HeatmapDataWords::tr("Queries"),
       QStringLiteral("self_attn.q_proj")},
      {QStringLiteral("keys"), HeatmapDataWords::tr("Keys"), QStringLiteral("self_attn.k_proj")},
      {QStringLiteral("values"),
       HeatmapDataWords::tr("Values"),
       QStringLiteral("self_attn.v_proj")}};
  std::vector<HeadTensor> found;
  for (const HeadTensor& tensor : known) {
    const bool exists = std::ranges::any_of(document.sites(), [&](const Site& site) {
      return site.pass == tensor.pass && charts::moduleBelowLayer(site) == tensor.module;
    });
    if (exists && accepts(shown, tensor.pass)) {
      found.push_back(tensor);
    }
  }
  return found;
}

std::optional<std::int64_t> headSize(const ReportDocument& document) {
  for (const Site& site : document.sites()) {
    if (site.pass != Pass::Forward || site.name.find("rotary_emb.cos") == std::string::npos) {
      continue;
    }
    const report::Comparison* const found =
        document.comparison(0, document.findSite(site.name, site.pass));
    if (found != nullptr && !found->shape.empty() && found->shape.back() > 0) {
      return found->shape.back();
    }
  }
  return std::nullopt;
}

}  // namespace ulp::views
