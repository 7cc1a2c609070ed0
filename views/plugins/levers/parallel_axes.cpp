#include "views/plugins/levers/parallel_axes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/report/summary/summary.h"
#include "core/report/tables/data_table.h"
#include "core/study/schema/schema.h"
#include "views/framework/look/theme.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/term_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

/// Of the room that a setting has.
constexpr double kWidestBundle = 0.6;
/// Between neighbouring lines of a setting, as a part of the axis.
constexpr double kLineGap = 0.02;
/// Where the smallest value stands on an axis that holds zero, which has no logarithm.
constexpr double kAboveZero = 0.2;

struct ParallelAxesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Levers)
};

/// Position on the axis of a metric, before it is stretched to 0 … 1; NaN: not on the axis.
double positionOf(double value, const MetricInfo& metric) {
  if (!std::isfinite(value)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (metric.scale == numerics::MetricScale::Linear) {
    return value;
  }
  // No error at all has no logarithm: it stands at the bottom, below every other.
  return value > 0 ? std::log10(value) : -std::numeric_limits<double>::infinity();
}

/// From the smallest to the largest position, and the values there.
struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double lowValue = 0;
  double highValue = 0;
  bool hasZero = false;  ///< on a logarithmic axis

  void add(double value, const MetricInfo& metric) {
    const double position = positionOf(value, metric);
    hasZero = hasZero || std::isinf(position);
    if (!std::isfinite(position)) {
      return;
    }
    if (position < low) {
      low = position;
      lowValue = value;
    }
    if (position > high) {
      high = position;
      highValue = value;
    }
  }
  [[nodiscard]] double placeOf(double position) const {
    if (std::isinf(position)) {
      return 0;
    }
    if (low >= high) {
      return 0.5;
    }
    const double foot = hasZero ? kAboveZero : 0;
    return foot + (1 - foot) * std::clamp((position - low) / (high - low), 0.0, 1.0);
  }
};

std::vector<Span> spansOf(const analysis::LeverTable& table,
                          const MetricInfo& metric,
                          bool oneScale) {
  std::vector<Span> spans(report::summaryColumns().size());
  Span all;
  for (const auto& cells : table.errors) {
    for (std::size_t i = 0; i < spans.size(); ++i) {
      spans[i].add(cells[i].value, metric);
      all.add(cells[i].value, metric);
    }
  }
  if (oneScale) {
    std::ranges::fill(spans, all);
  }
  return spans;
}

std::vector<AxisTick> ticksOf(const Span& span, const MetricInfo& metric) {
  std::vector<AxisTick> ticks;
  if (span.hasZero) {
    ticks.push_back({0, QStringLiteral("0")});
  }
  if (span.low <= span.high) {
    ticks.push_back({span.placeOf(span.low), metricText(span.lowValue, metric)});
  }
  if (span.low < span.high) {
    ticks.push_back({1, metricText(span.highValue, metric)});
  }
  return ticks;
}

/// "precision.residual_dtype" -> "residual_dtype": the group says the rest.
QString shortKey(const QString& key) {
  return key.mid(key.lastIndexOf(QLatin1Char('.')) + 1);
}

double settingPlace(std::size_t setting, std::size_t settings) {
  // The first setting, which most variants share, stands on top.
  return 1 - (static_cast<double>(setting) + 0.5) / static_cast<double>(settings);
}

ParallelAxis leverAxis(const analysis::Lever& lever) {
  const QString key = QString::fromStdString(lever.key);
  ParallelAxis axis{.title = shortKey(key),
                    .group = ParallelAxesWords::tr("Settings"),
                    .toolTip = key,
                    .isLever = true};
  if (const study::Key* known = study::findKey(lever.key)) {
    axis.toolTip += QLatin1Char('\n') + utf8Text(known->help);
  }
  for (std::size_t i = 0; i < lever.values.size(); ++i) {
    axis.ticks.push_back({.place = settingPlace(i, lever.values.size()),
                          .text = QString::fromStdString(lever.values[i])});
  }
  return axis;
}

AxisPoint leverPoint(const analysis::Lever& lever, std::size_t variant) {
  const int setting = lever.settings[variant];
  if (setting < 0) {
    return {.text = missingText()};
  }
  const auto place = static_cast<std::size_t>(setting);
  return {.kind = AxisPoint::Kind::Value,
          .place = settingPlace(place, lever.values.size()),
          .text = QString::fromStdString(lever.values[place])};
}

/// Lines of one setting side by side, so that each can be followed; its word above them.
void spreadSettings(ParallelData& data, std::size_t axis) {
  std::vector<AxisTick>& ticks = data.axes[axis].ticks;
  const auto settings = static_cast<double>(ticks.size());
  for (AxisTick& tick : ticks) {
    std::vector<AxisPoint*> bundle;
    for (ParallelLine& line : data.lines) {
      AxisPoint& point = line.points[axis];
      if (point.kind == AxisPoint::Kind::Value && point.place == tick.place) {
        bundle.push_back(&point);
      }
    }
    const auto count = static_cast<double>(bundle.size());
    const double width = std::min(kWidestBundle / settings, kLineGap * count);
    for (std::size_t i = 0; i < bundle.size(); ++i) {
      bundle[i]->place += (0.5 - (static_cast<double>(i) + 0.5) / count) * width;
    }
    tick.lift = width / 2;
  }
}

AxisPoint errorPoint(const report::SummaryCell& cell, const Span& span, const MetricInfo& metric) {
  const double position = positionOf(cell.value, metric);
  if (std::isnan(position)) {
    // An infinite error is a value that exists, just as one of NaN elements.
    const bool isThere = cell.nonFinite > 0 || std::isinf(cell.value);
    return {.kind = isThere ? AxisPoint::Kind::NonFinite : AxisPoint::Kind::Missing,
            .place = kNonFinitePlace,
            .text = isThere ? ParallelAxesWords::tr("not finite") : missingText(),
            .site = cell.site,
            .nonFinite = cell.nonFinite};
  }
  return {.kind = AxisPoint::Kind::Value,
          .place = span.placeOf(position),
          .text = metricTextWithUnit(cell.value, metric),
          .site = cell.site,
          .nonFinite = cell.nonFinite};
}

}  // namespace

report::DataColumn summaryDataColumn(std::size_t column, const QString& unit) {
  const report::SummaryColumn& summary = report::summaryColumns()[column];
  return {.title = summaryTitle(summary).toStdString(),
          .unit = unit.toStdString(),
          .group = passName(summary.pass).toStdString()};
}

ParallelData makeParallelData(const ReportDocument& document,
                              const analysis::LeverTable& table,
                              const MetricInfo& metric,
                              bool oneScale) {
  ParallelData data{.metric = metric};
  for (const analysis::Lever& lever : table.levers) {
    data.axes.push_back(leverAxis(lever));
  }
  const std::vector<Span> spans = spansOf(table, metric, oneScale);
  const auto& columns = report::summaryColumns();
  const std::vector<std::size_t> shown = report::shownColumns(table.errors, std::identity{});
  for (const std::size_t i : shown) {
    data.axes.push_back({.title = summaryTitle(columns[i]),
                         .group = passName(columns[i].pass),
                         .toolTip = metricHelp(metric),
                         .ticks = ticksOf(spans[i], metric)});
  }
  for (std::size_t v = 0; v < table.variants.size(); ++v) {
    const QString run = QString::fromStdString(table.variants[v]);
    const int variant = document.findVariant(run);
    ParallelLine line{.run = run,
                      .style = variant < 0 ? kReferenceStyle : document.styleOf(variant)};
    for (const analysis::Lever& lever : table.levers) {
      line.points.push_back(leverPoint(lever, v));
    }
    for (const std::size_t i : shown) {
      line.points.push_back(errorPoint(table.errors[v][i], spans[i], metric));
    }
    data.lines.push_back(std::move(line));
  }
  for (std::size_t i = 0; i < table.levers.size(); ++i) {
    spreadSettings(data, i);
  }
  return data;
}

report::DataTable parallelTable(const QString& title,
                                const analysis::LeverTable& table,
                                const MetricInfo& metric) {
  report::DataTable data{.title = title.toStdString(),
                         .columns = {{.title = ParallelAxesWords::tr("Variant").toStdString()}}};
  for (const analysis::Lever& lever : table.levers) {
    data.columns.push_back(
        {.title = lever.key, .group = ParallelAxesWords::tr("Settings").toStdString()});
  }
  const std::vector<std::size_t> shown = report::shownColumns(table.errors, std::identity{});
  for (const std::size_t i : shown) {
    data.columns.push_back(summaryDataColumn(i, unitText(metric.unit)));
  }
  for (std::size_t v = 0; v < table.variants.size(); ++v) {
    std::vector<report::DataCell> row{table.variants[v]};
    for (const analysis::Lever& lever : table.levers) {
      const int setting = lever.settings[v];
      row.push_back(setting < 0
                        ? report::DataCell()
                        : report::DataCell(lever.values[static_cast<std::size_t>(setting)]));
    }
    for (const std::size_t i : shown) {
      const report::SummaryCell& cell = table.errors[v][i];
      row.push_back(report::numberCell(inUnit(cell.value, metric), cell.nonFinite > 0));
    }
    data.rows.push_back(std::move(row));
  }
  return data;
}

std::vector<bool> brushedLines(const ParallelData& data, const AxisBrushes& brushes) {
  std::vector<bool> inside;
  for (const ParallelLine& line : data.lines) {
    bool crosses = true;
    for (std::size_t i = 0; i < brushes.size() && i < line.points.size(); ++i) {
      const AxisPoint& point = line.points[i];
      crosses = crosses && (!brushes[i] || (point.kind != AxisPoint::Kind::Missing &&
                                            brushes[i]->contains(point.place)));
    }
    inside.push_back(crosses);
  }
  return inside;
}

}  // namespace ulp::views
