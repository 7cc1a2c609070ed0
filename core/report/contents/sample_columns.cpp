#include "core/report/contents/sample_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/stop_pace.h"

namespace ulp::report {

using numerics::MetricUnit;

bool hasGainError(const Run& run) {
  return std::ranges::any_of(run.comparisons,
                             [](const Comparison& row) { return !std::isnan(row.gainError); });
}

SampleColumns::SampleColumns(const Report& report, const ExportSelection& selection)
    : m_selection(selection),
      m_floor(report),
      m_hasSamples(
          std::ranges::any_of(report.runs, [](const Run& run) { return run.samples > 1; })),
      m_hasGain(m_hasSamples || std::ranges::any_of(report.runs, hasGainError)),
      m_hasRouters(
          std::ranges::any_of(report.runs, [](const Run& run) { return !run.routers.empty(); })) {
  const auto add = [this](std::string id, std::string label, MetricUnit unit) {
    m_columns.push_back({std::move(id), std::move(label), unit});
  };
  if (m_hasSamples) {
    add("samples", "samples", MetricUnit::None);
  }
  if (m_hasGain) {
    add("gain_error", "gain error", MetricUnit::Percent);
  }
  if (m_hasSamples) {
    add("gain_error_sd", "gain error sd", MetricUnit::Percent);
    add("gain_error_ci95", "gain error ±", MetricUnit::Percent);
    add("gain_error_systematic", "gain error systematic", MetricUnit::None);
  }
  if (m_floor.isKnown()) {
    add("is_noise_floor", "noise floor", MetricUnit::None);
  }
  if (m_hasRouters) {
    add("flipped_tokens", "flipped tokens", MetricUnit::Percent);
    add("reference_only_rows", "rows of the reference alone", MetricUnit::None);
    add("variant_only_rows", "rows of the variant alone", MetricUnit::None);
  }
  for (const SelectedMetric& metric : selection.metrics) {
    if (m_hasSamples) {
      add(metric.id + "_sd", metric.label + " sd", metric.unit);
      add(metric.id + "_ci95", metric.label + " ±", metric.unit);
    }
    if (m_floor.isKnown()) {
      add(metric.id + "_floor", metric.label + " floor", metric.unit);
      add(metric.id + "_within_floor", metric.label + " within floor", MetricUnit::None);
    }
  }
}

std::vector<double> SampleColumns::values(const Run& run, const Comparison& row) const {
  std::vector<double> values;
  if (m_hasSamples) {
    values.push_back(static_cast<double>(run.samples));
  }
  if (m_hasGain) {
    values.push_back(row.gainError);
  }
  if (m_hasSamples) {
    values.insert(values.end(),
                  {row.gainSpread.sd,
                   halfInterval(row.gainSpread, run.samples),
                   isSystematic(row.gainError, row.gainSpread, run.samples) ? 1.0 : 0.0});
  }
  const bool isFloor = run.role == RunRole::Floor;
  if (m_floor.isKnown()) {
    values.push_back(isFloor ? 1 : 0);
  }
  if (m_hasRouters) {
    values.insert(values.end(),
                  {flippedShareAt(run.routers, row.site),
                   static_cast<double>(row.onlyReference),
                   static_cast<double>(row.onlyVariant)});
  }
  for (const SelectedMetric& metric : m_selection.metrics) {
    if (m_hasSamples) {
      const Spread spread =
          metric.column < row.spread.size() ? row.spread[metric.column] : Spread{};
      values.push_back(spread.sd);
      values.push_back(halfInterval(spread, run.samples));
    }
    if (m_floor.isKnown()) {
      const bool isCovered =
          !isFloor && m_floor.covers(row.site, metric.column, row.metrics.at(metric.column));
      values.push_back(m_floor.at(row.site, metric.column));
      values.push_back(isCovered ? 1 : 0);
    }
  }
  return values;
}

TensorColumns::TensorColumns(const Report& report, const ExportSelection& selection)
    : m_selection(selection),
      m_samples(report, selection),
      m_columns{{"run", "run"},
                {"name", "tensor"},
                {"module", "module"},
                {"layer", "layer"},
                {"level", "level"},
                {"pass", "pass"},
                {"shape", "shape"},
                {"dtype_reference", "reference dtype"},
                {"dtype_variant", "variant dtype"},
                {"count", "elements", MetricUnit::None, true},
                {"compared", "compared", MetricUnit::None, true}} {
  for (const SelectedMetric& metric : selection.metrics) {
    m_columns.push_back({metric.id, metric.label, metric.unit});
  }
  for (const std::string run : {"reference", "variant"}) {
    m_columns.push_back({run + "_nan", run + " NaN", MetricUnit::None, true});
    m_columns.push_back({run + "_+inf", run + " +Inf", MetricUnit::None, true});
    m_columns.push_back({run + "_-inf", run + " -Inf", MetricUnit::None, true});
  }
  std::ranges::copy(m_samples.columns(), std::back_inserter(m_columns));
}

Result<> TensorColumns::forEachRow(
    const std::function<std::string(std::span<const std::int64_t>)>& shapeText,
    const std::function<void(const std::vector<DataCell>&)>& onRow) const {
  constexpr std::size_t kPacedRows = 256;
  std::size_t rows = 0;
  for (const Run* run : m_selection.variants) {
    rows += m_selection.rows(*run).size();
  }
  StopPace pace(kPacedRows, rows);
  std::vector<DataCell> cells;
  const auto addCount = [&cells](std::uint64_t count) {
    cells.emplace_back(static_cast<double>(count));
  };
  for (const Run* run : m_selection.variants) {
    for (const Comparison* row : m_selection.rows(*run)) {
      if (pace.isStopped()) {
        return stopped();
      }
      const Site& site = row->site;
      cells.clear();
      cells.emplace_back(run->name);
      cells.emplace_back(site.name);
      cells.emplace_back(site.module);
      cells.emplace_back(static_cast<double>(site.layer));
      cells.emplace_back(std::string(toString(site.level)));
      cells.emplace_back(std::string(toString(site.pass)));
      cells.emplace_back(shapeText(row->shape));
      cells.emplace_back(row->referenceDType);
      cells.emplace_back(row->variantDType);
      addCount(row->count);
      addCount(row->compared);
      for (const SelectedMetric& metric : m_selection.metrics) {
        cells.emplace_back(row->metrics.at(metric.column));
      }
      for (const auto& counts : {row->referenceNonFinite, row->variantNonFinite}) {
        addCount(counts.nan);
        addCount(counts.positiveInfinity);
        addCount(counts.negativeInfinity);
      }
      std::ranges::copy(m_samples.values(*run, *row), std::back_inserter(cells));
      onRow(cells);
    }
  }
  return {};
}

}  // namespace ulp::report
