#include "core/analysis/depth/run_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "core/analysis/depth/divergence_origin.h"
#include "core/analysis/depth/recorded_inputs.h"
#include "core/analysis/depth/site_inputs.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"

namespace ulp::analysis {
namespace {

/// Tensors behind the first difference that are among the consequences, before layers.
constexpr std::size_t kNextRows = 6;
/// Positions at which errors of angles are told, beside the last one of the run.
constexpr std::array<std::int64_t, 2> kPositions{127, 2047};

std::vector<AngleError> angleErrors(const report::Report& report,
                                    const report::Run& run,
                                    const report::Comparison& row) {
  const double step = metricOf(report, row, "max_diff");
  if (!row.site.name.ends_with("rotary_emb.inv_freq") || !(step > 0)) {
    return {};
  }
  std::vector<std::int64_t> positions(kPositions.begin(), kPositions.end());
  const report::Comparison* table = findRow(run, "model.rotary_emb.cos", Pass::Forward);
  if (table != nullptr && table->shape.size() == 3) {
    positions.push_back(table->shape[1] - 1);
  }
  std::ranges::sort(positions);
  positions.erase(std::ranges::unique(positions).begin(), positions.end());
  return listOf(positions, [step](std::int64_t position) {
    return AngleError{position, step * static_cast<double>(position)};
  });
}

void addInputs(const report::Report& report, const report::Run& run, FirstUnequal& first) {
  const Site& site = run.comparisons[first.row].site;
  const bool isRecorded = run.graph.find(site.pass, site.name) != nullptr;
  const report::Run* baseline = report.referenceOf(run);
  const bool isBeside = isRecorded && baseline != nullptr && !baseline->graph.isEmpty();
  const auto inputs =
      isBeside     ? RecordedInputs(run).readBeside(site, baseline->graph).rows
      : isRecorded ? RecordedInputs(run).readBy(site)
                   : SiteInputs(listOf(run.comparisons, &report::Comparison::site)).readBy(site);
  for (const auto& [name, pass] : inputs) {
    const report::Comparison* row = findRow(run, name, pass);
    (isEqual(report, *row) ? first.equalInputs : first.differentInputs).push_back(row->site);
  }
}

std::vector<std::size_t> consequencesOf(const report::Report& report,
                                        const report::Run& run,
                                        const PassDifference& pass) {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> layers;
  const auto first = std::ranges::find(pass.rows, *pass.first);
  for (const std::size_t index : std::span(first + 1, pass.rows.end())) {
    const report::Comparison& row = run.comparisons[index];
    if (isEqual(report, row)) {
      continue;
    }
    if (shown.size() < kNextRows) {
      shown.push_back(index);
    } else if (row.site.level == Level::Layer) {
      layers.push_back(index);
    }
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const int layer = run.comparisons[layers[i]].site.layer;
    const bool isInner = i > 0 && i + 1 < layers.size() && layer >= 0;
    // Every fourth layer is enough to see an error grow.
    if (!isInner || layer % 4 == 0) {
      shown.push_back(layers[i]);
    }
  }
  return shown;
}

FirstUnequal describe(const report::Report& report,
                      const report::Run& run,
                      const PassDifference& pass) {
  FirstUnequal first{.row = *pass.first};
  bool isBehind = false;
  for (const std::size_t index : pass.rows) {
    isBehind = isBehind || index == first.row;
    if (isEqual(report, run.comparisons[index])) {
      (isBehind ? first.equalBehind : first.equalBefore).push_back(index);
    }
  }
  first.angles = angleErrors(report, run, run.comparisons[first.row]);
  if (!isOfParameters(pass.pass)) {
    first.consequences = consequencesOf(report, run, pass);
  }
  addInputs(report, run, first);
  DivergenceOrigin origin = originOf(report, run, run.comparisons[first.row]);
  first.operations = std::move(origin.operations);
  first.baselineOperations = std::move(origin.baselineOperations);
  return first;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

}  // namespace

Result<RunDifference> runDifference(const report::Report& report, const report::Run& run) {
  RunDifference difference{.divergence = ULP_TRY(exactDivergence(report, run))};
  for (const PassDifference& pass : difference.divergence.passes) {
    difference.firsts.push_back(pass.first ? std::optional(describe(report, run, pass))
                                           : std::nullopt);
  }
  difference.sampled =
      static_cast<std::size_t>(std::ranges::count_if(run.comparisons, isOfSamples));
  if (const report::Run* baseline = report.referenceOf(run)) {
    std::ranges::set_symmetric_difference(sorted(baseline->missingGradients),
                                          sorted(run.missingGradients),
                                          std::back_inserter(difference.loneGradients));
  }
  return difference;
}

const report::Comparison* findRow(const report::Run& run, std::string_view name, Pass pass) {
  const auto found = std::ranges::find_if(run.comparisons, [&](const report::Comparison& row) {
    return row.site.name == name && row.site.pass == pass;
  });
  return found == run.comparisons.end() ? nullptr : &*found;
}

double metricOf(const report::Report& report, const report::Comparison& row, std::string_view id) {
  const int column = report.metricIndex(id);
  return column < 0 ? std::numeric_limits<double>::quiet_NaN()
                    : row.metrics.at(static_cast<std::size_t>(column));
}

DifferenceNumbers numbersOf(const report::Report& report, const report::Comparison& row) {
  return {.equal = metricOf(report, row, "equal_fraction"),
          .rms = metricOf(report, row, "rms_rel"),
          .maxRel = metricOf(report, row, "max_rel"),
          .meanDiff = metricOf(report, row, "mean_abs_diff"),
          .maxDiff = metricOf(report, row, "max_diff")};
}

bool isOfSamples(const report::Comparison& row) {
  const std::uint64_t lost = row.referenceNonFinite.total() + row.variantNonFinite.total();
  return row.compared + lost < row.count;
}

std::string ratioText(double ratio) {
  return std::isfinite(ratio) ? formatPercent(ratio) + " %" : formatSignificant(ratio);
}

std::string equalShareText(double share) {
  return std::isfinite(share) ? equalPercentText(share) + " %" : formatSignificant(share);
}

std::string equalPercentText(double share) {
  const std::string text = formatPercent(share);
  if (share < 1 && text.starts_with("100")) {
    return "< 100";
  }
  return share == 1 ? "100" : text;
}

}  // namespace ulp::analysis
