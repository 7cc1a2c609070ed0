#include "views/plugins/heatmap/heatmap_units.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/model/one_dump.h"

namespace ulp::views {
namespace {

struct HeatmapUnitsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

using UnitNumber = std::optional<std::int64_t>;

UnitNumber numberOf(const UnitAxes& axes, HeatmapMode mode) {
  return mode == HeatmapMode::Steps ? axes.step : axes.rank;
}

/// The axes that the rows do not show.
UnitAxes restOf(UnitAxes axes, HeatmapMode mode) {
  (mode == HeatmapMode::Steps ? axes.step : axes.rank).reset();
  return axes;
}

bool isBefore(const UnitAxes& a, const UnitAxes& b) {
  return std::tie(a.run, a.step, a.rank, a.token) < std::tie(b.run, b.step, b.rank, b.token);
}

/// "run=bf16,rank=0"
QString idOf(const UnitAxes& rest) {
  QStringList parts;
  const auto add = [&parts](const char* name, const UnitNumber& number) {
    if (number) {
      parts << QStringLiteral("%1=%2").arg(QLatin1String(name)).arg(*number);
    }
  };
  if (!rest.run.empty()) {
    parts << QStringLiteral("run=") + QString::fromStdString(rest.run);
  }
  add("step", rest.step);
  add("rank", rest.rank);
  add("token", rest.token);
  // An empty one is not that of all units.
  return parts.isEmpty() ? QStringLiteral("none") : parts.join(QLatin1Char(','));
}

QString textOf(const UnitAxes& rest) {
  QStringList parts;
  if (!rest.run.empty()) {
    parts << HeatmapUnitsWords::tr("run %1").arg(QString::fromStdString(rest.run));
  }
  if (rest.step) {
    parts << HeatmapUnitsWords::tr("step %1").arg(*rest.step);
  }
  if (rest.rank) {
    parts << HeatmapUnitsWords::tr("rank %1").arg(*rest.rank);
  }
  if (rest.token) {
    parts << HeatmapUnitsWords::tr("token %1").arg(*rest.token);
  }
  return parts.isEmpty() ? QStringLiteral("–") : parts.join(QStringLiteral(", "));
}

/// Of the units that differ in one axis alone, or in several.
QString worstText(const std::vector<UnitAxes>& rests) {
  const auto differ = [&rests](auto member) {
    return std::ranges::count(rests, rests.front().*member, member) != std::ssize(rests);
  };
  const bool runs = differ(&UnitAxes::run);
  const bool steps = differ(&UnitAxes::step);
  const bool ranks = differ(&UnitAxes::rank);
  const bool tokens = differ(&UnitAxes::token);
  if (ranks && !runs && !steps && !tokens) {
    return HeatmapUnitsWords::tr("worst of all ranks");
  }
  return steps && !runs && !ranks && !tokens ? HeatmapUnitsWords::tr("worst of all steps")
                                             : HeatmapUnitsWords::tr("worst of all units");
}

struct Unit {
  int variant = -1;
  std::int64_t number = 0;
  UnitAxes rest;
};

std::vector<Unit> unitsOf(const ReportDocument& document, HeatmapMode mode) {
  std::vector<Unit> units;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const std::optional<UnitAxes>& axes = document.variant(variant).axes;
    if (const UnitNumber number = axes ? numberOf(*axes, mode) : std::nullopt) {
      units.push_back({variant, *number, restOf(*axes, mode)});
    }
  }
  return units;
}

std::vector<UnitAxes> restsOf(const std::vector<Unit>& units) {
  std::vector<UnitAxes> rests;
  std::ranges::transform(units, std::back_inserter(rests), &Unit::rest);
  std::ranges::sort(rests, isBefore);
  rests.erase(std::ranges::unique(rests).begin(), rests.end());
  return rests;
}

/// The worst of some units at one tensor.
class WorstUnit {
 public:
  WorstUnit(const ReportDocument& document, int site, int metric)
      : m_document(document), m_site(site), m_metric(metric) {}

  void add(int variant, bool largestIsWorst) {
    const double value = shownValue(m_document, variant, m_site, m_metric);
    const std::uint64_t nonFinite = nonFiniteAt(m_document, variant, m_site);
    const bool isKnown = !std::isnan(value) || nonFinite > 0;
    m_counted += isKnown ? 1 : 0;
    // A number is worse than none, an element that is no number worse than any. An infinite number
    // keeps its place among the others: of a metric of which more is better it is the best one.
    const Rank rank{nonFinite > 0 ? 2
                    : isKnown     ? 1
                                  : 0,
                    std::isnan(value) ? 0 : (largestIsWorst ? value : -value)};
    if (m_variant < 0 || rank > m_rank) {
      m_rank = rank;
      m_variant = variant;
      m_value = value;
      m_nonFinite = nonFinite;
    }
  }

  [[nodiscard]] int variant() const { return m_variant; }
  [[nodiscard]] int counted() const { return m_counted; }
  [[nodiscard]] double value() const { return m_value; }
  [[nodiscard]] std::uint64_t nonFinite() const { return m_nonFinite; }

 private:
  using Rank = std::pair<int, double>;

  const ReportDocument& m_document;
  int m_site;
  int m_metric;
  Rank m_rank;
  int m_variant = -1;
  int m_counted = 0;
  double m_value = 0;
  std::uint64_t m_nonFinite = 0;
};

/// Variants of each row, by its number.
using UnitRows = std::map<std::int64_t, std::vector<int>>;

UnitRows rowsOf(const std::vector<Unit>& units, const QString& filter) {
  UnitRows rows;
  for (const Unit& unit : units) {
    std::vector<int>& row = rows[unit.number];
    if (filter.isEmpty() || idOf(unit.rest) == filter) {
      row.push_back(unit.variant);
    }
  }
  return rows;
}

QString filterText(const ReportDocument& document, HeatmapMode mode, const QString& filter) {
  const std::vector<UnitFilter> offered = unitFilters(document, mode);
  const auto found = std::ranges::find(offered, filter, &UnitFilter::id);
  return found == offered.end() ? filter : found->title;
}

}  // namespace

bool hasUnits(const ReportDocument& document, HeatmapMode mode) {
  return !unitsOf(document, mode).empty();
}

std::vector<UnitFilter> unitFilters(const ReportDocument& document, HeatmapMode mode) {
  const std::vector<UnitAxes> rests = restsOf(unitsOf(document, mode));
  if (rests.size() < 2) {
    return {UnitFilter{}};
  }
  std::vector<UnitFilter> filters{{.title = worstText(rests)}};
  for (const UnitAxes& rest : rests) {
    filters.push_back({.id = idOf(rest), .title = textOf(rest)});
  }
  return filters;
}

Heatmap unitsByLayer(const ReportDocument& document, const HeatmapRequest& request) {
  const HeatmapMode mode = request.mode;
  const int metric = request.metric;
  Heatmap heatmap{.mode = mode,
                  .metric = asDrawn(metricInfo(document, metric)),
                  .filter = request.units,
                  .units = filterText(document, mode, request.units),
                  .columns = charts::makeDepthAxis(document, request.kind, request.shown)};
  const bool largestIsWorst = heatmap.metric.better == numerics::Better::Lower;
  const std::vector<Unit> units = unitsOf(document, mode);
  const UnitRows rows = rowsOf(units, request.units);
  const int columns = heatmap.columns.size();
  GridBuilder grid(static_cast<int>(rows.size()), columns);
  for (const auto& [number, variants] : rows) {
    const int row = heatmap.rowCount();
    const QString name = mode == HeatmapMode::Steps ? HeatmapUnitsWords::tr("step %1")
                                                    : HeatmapUnitsWords::tr("rank %1");
    heatmap.rows.push_back({.label = QString::number(number),
                            .description = name.arg(number),
                            .unit = number,
                            .unitCount = static_cast<int>(variants.size())});
    for (int column = 0; column < columns; ++column) {
      const int site = heatmap.columns.at(column).site;
      WorstUnit worst(document, site, metric);
      for (const int variant : variants) {
        worst.add(variant, largestIsWorst);
      }
      heatmap.sites.push_back(site);
      heatmap.variants.push_back(worst.variant());
      heatmap.counted.push_back(worst.counted());
      if (worst.counted() > 0) {
        grid.set(row, column, worst.value(), worst.nonFinite());
      }
    }
  }
  // Over all units, so that the colours mean the same whichever are shown.
  for (const Unit& unit : units) {
    for (const charts::DepthSlot& slot : heatmap.columns.positions) {
      addToExtent(heatmap, shownValue(document, unit.variant, slot.site, metric));
    }
  }
  heatmap.grid = grid.take();
  return heatmap;
}

void markSpikes(Heatmap& heatmap, const ReportDocument& document, const HeatmapRequest& request) {
  const report::Report& report = document.report();
  const bool isOfRuns = heatmap.mode == HeatmapMode::Variants || isOfUnits(heatmap.mode);
  if (!isOfRuns || request.metric < 0 || !report::isOfOneDump(report)) {
    return;
  }
  std::set<std::pair<int, int>> spikes;  // variant and site
  const std::string id = report.metrics[static_cast<std::size_t>(request.metric)].id;
  for (const analysis::TensorSpike& spike :
       analysis::findSpikes(report, id, {.factor = request.spikeFactor})) {
    const report::Run& run = report.runs[spike.run];
    const Site& site = run.comparisons[spike.row].site;
    spikes.emplace(document.findVariant(QString::fromStdString(run.name)),
                   document.findSite(site.name, site.pass));
  }
  if (spikes.empty()) {
    return;
  }
  heatmap.spikes.assign(heatmap.sites.size(), 0);
  for (int row = 0; row < heatmap.rowCount(); ++row) {
    for (int column = 0; column < heatmap.columns.size(); ++column) {
      if (spikes.contains({heatmap.variantAt(row, column), heatmap.siteAt(row, column)})) {
        heatmap.spikes[heatmap.grid->at(row, column)] = 1;
      }
    }
  }
}

int unitRow(const Heatmap& heatmap, const ReportDocument& document, int variant) {
  if (variant < 0 || !document.variant(variant).axes) {
    return -1;
  }
  const UnitAxes& axes = *document.variant(variant).axes;
  const UnitNumber number = numberOf(axes, heatmap.mode);
  const bool isShown =
      heatmap.filter.isEmpty() || idOf(restOf(axes, heatmap.mode)) == heatmap.filter;
  return number && isShown ? heatmap.findRow(&HeatmapRow::unit, number) : -1;
}

}  // namespace ulp::views
