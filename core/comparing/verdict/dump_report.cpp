#include "core/comparing/verdict/dump_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/undefined.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/row_statistics.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/dumps/model/tensor_recipe.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

constexpr std::array kRecordedMetrics{"recorded.largest",
                                      "recorded.norm",
                                      "recorded.max",
                                      "recorded.min",
                                      "recorded.mean",
                                      "recorded.nan",
                                      "recorded.inf"};

double largestOf(const dumps::Statistics& numbers) {
  if (!numbers.max || !numbers.min || std::isnan(*numbers.max) || std::isnan(*numbers.min)) {
    return kUndefined;
  }
  return std::max(std::abs(*numbers.max), std::abs(*numbers.min));
}

report::Comparison rowOf(const dumps::DumpRow& row, const RowStatistics& known, const Site& site) {
  report::Comparison result{.site = site, .shape = row.shape};
  result.count = dumps::elementCount(row.shape);
  result.variantDType = elementTypeName(row);
  result.variantNonFinite = known.nonFinite;
  const std::uint64_t broken = known.nonFinite.total();
  if (known.isCounted) {
    result.compared = result.count - std::min(broken, result.count);
  } else {
    // Nobody knows how many of them are finite: what is undefined then is NaN, not missing.
    result.compared = broken > 0 || !known.isKnown() ? 0 : result.count;
  }
  const dumps::Statistics& numbers = known.numbers;
  const auto counted = [&](std::uint64_t number) {
    return known.isCounted ? static_cast<double>(number) : kUndefined;
  };
  const numerics::NonFiniteCounts& counts = known.nonFinite;
  // In the order of kRecordedMetrics.
  result.metrics = {largestOf(numbers),
                    numbers.norm.value_or(kUndefined),
                    numbers.max.value_or(kUndefined),
                    numbers.min.value_or(kUndefined),
                    numbers.mean.value_or(kUndefined),
                    counted(counts.nan),
                    counted(counts.positiveInfinity + counts.negativeInfinity)};
  return result;
}

Finiteness finitenessOf(const dumps::DumpRow& row, const RowStatistics& known) {
  return known.isRead ? Finiteness{.isKnown = true,
                                   .hasNan = known.nonFinite.nan > 0,
                                   .hasPositive = known.nonFinite.positiveInfinity > 0,
                                   .hasNegative = known.nonFinite.negativeInfinity > 0,
                                   .min = known.numbers.min,
                                   .max = known.numbers.max}
                      : analysis::finitenessOf(row);
}

Result<UnitContents> contentsOf(const dumps::Dump& dump,
                                std::size_t index,
                                const DumpReadOptions& options,
                                const std::stop_token& stop,
                                const dumps::Progress& progress) {
  const auto unit = ULP_TRY(dump.openUnit(index, stop));
  auto statistics = ULP_TRY(statisticsOf(
      *unit, {.readsElements = options.readsElements, .threads = options.threads}, stop, progress));
  const auto placed = ULP_TRY(tensorsInOrder(*unit));
  UnitFiniteness finiteness;
  for (std::size_t row = 0; row < unit->rows.size(); ++row) {
    finiteness.rows.push_back(finitenessOf(unit->rows[row], statistics.rows[row]));
  }
  UnitContents contents{.run = {.name = unitNameOf(unit->axes, dumpNameOf(dump.path)),
                                .status = report::RunStatus::Finished,
                                .loss = kUndefined,
                                .hasLoss = false},
                        .overflow = findOverflow(*unit, finiteness),
                        .problems = std::move(statistics.problems),
                        .notes = unit->notes};
  if (!unit->axes.isEmpty()) {
    contents.run.axes = unit->axes;
  }
  const OverflowOrigin* first =
      contents.overflow.origins.empty() ? nullptr : &contents.overflow.origins.front();
  for (const PlacedTensor& tensor : placed) {
    const dumps::DumpRow& row = unit->rows[tensor.row];
    contents.run.comparisons.push_back(rowOf(row, statistics.rows[tensor.row], tensor.site));
    if (first != nullptr && tensor.entry == first->entry && row.name == first->rowName) {
      contents.origin = tensor.site;
    }
  }
  return contents;
}

/// Drops the metrics that no row has.
void dropUnused(report::Report& report) {
  std::vector<std::size_t> used;
  for (std::size_t metric = 0; metric < kRecordedMetrics.size(); ++metric) {
    const bool isUsed = std::ranges::any_of(report.runs, [metric](const report::Run& run) {
      return std::ranges::any_of(run.comparisons, [metric](const report::Comparison& row) {
        return !std::isnan(row.metrics[metric]);
      });
    });
    if (isUsed) {
      used.push_back(metric);
      report.metrics.push_back({kRecordedMetrics.at(metric)});
    }
  }
  if (used.size() == kRecordedMetrics.size()) {
    return;
  }
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      std::vector<double> kept;
      for (const std::size_t metric : used) {
        kept.push_back(row.metrics[metric]);
      }
      row.metrics = std::move(kept);
    }
  }
}

}  // namespace

const UnitContents* DumpContents::firstBroken() const {
  const auto found = std::ranges::find_if(
      units, [](const UnitContents& unit) { return !unit.overflow.origins.empty(); });
  return found == units.end() ? nullptr : &*found;
}

std::string unitNameOf(const UnitAxes& axes, const std::string& dumpName) {
  std::string label = describe(axes);
  return label.empty() ? dumpName : label;
}

Result<DumpContents> readContents(const dumps::Dump& dump,
                                  const DumpReadOptions& options,
                                  const std::stop_token& stop,
                                  const dumps::Progress& progress) {
  DumpContents contents{.name = dumpNameOf(dump.path), .format = dump.format, .notes = dump.notes};
  const std::size_t count = dump.units.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto unitProgress = [&](std::uint64_t done, std::uint64_t total) {
      constexpr std::uint64_t kScale = 10000;
      if (progress && total > 0) {
        progress(i * kScale + done * kScale / total, count * kScale);
      }
    };
    auto unit = contentsOf(dump, i, options, stop, unitProgress);
    unitProgress(1, 1);
    if (unit) {
      contents.units.push_back(std::move(*unit));
      if (options.soFar) {
        options.soFar(contents);
      }
    } else if (unit.error().endsWork()) {
      if (options.stopped && !contents.units.empty()) {
        options.stopped(contents);
      }
      return tl::unexpected<Error>(std::move(unit.error()));
    } else {
      contents.failures.push_back(std::move(unit.error()));
    }
  }
  if (contents.units.empty() && !contents.failures.empty()) {
    return tl::unexpected<Error>(std::move(contents.failures.front()));
  }
  return contents;
}

std::optional<report::Finding> overflowFinding(const UnitContents& unit) {
  if (unit.overflow.origins.empty()) {
    return std::nullopt;
  }
  const OverflowOrigin& origin = unit.overflow.origins.front();
  report::Finding finding{
      .rule = std::string(report::kOverflowRule),
      .severity = report::FindingSeverity::Broken,
      .title = origin.kind == OverflowKind::Given
                   ? report::Sentence{ULP_TR_NOOP("Not finite from %1 on, which %2 reads and "
                                                  "nothing recorded made"),
                                      {origin.rowName, origin.name}}
                   : report::Sentence{ULP_TR_NOOP("Not finite from %1 on"), {origin.name}},
      .explanation = {ULP_TR_NOOP("%1: %2; %3 of %4 tensors hold NaN or infinity"),
                      {origin.name,
                       origin.reason,
                       std::to_string(unit.overflow.brokenTensors),
                       std::to_string(unit.overflow.knownTensors)}},
      .numbers = {{ULP_TR_NOOP("tensors not finite"),
                   static_cast<double>(unit.overflow.brokenTensors),
                   false}},
      .sites = {unit.origin.value_or(origin.site)},
      .runs = {unit.run.name}};
  if (origin.largestInput) {
    finding.numbers.push_back({ULP_TR_NOOP("largest input"), *origin.largestInput, false});
  }
  return finding;
}

report::Report toReport(DumpContents contents, std::optional<report::DumpOrigin> origin) {
  report::Report report;
  report.dumps = std::move(origin);
  report.model.name = contents.name;
  report.provenance.input = fmt::format("{} ({})", contents.name, contents.format);
  std::vector<report::Finding> findings;
  for (UnitContents& unit : contents.units) {
    if (auto finding = overflowFinding(unit)) {
      findings.push_back(std::move(*finding));
    }
    for (const report::Comparison& row : unit.run.comparisons) {
      report.model.layers = std::max(report.model.layers, row.site.layer + 1);
    }
    report.runs.push_back(std::move(unit.run));
  }
  dropUnused(report);
  setFindings(report, findings);
  return report;
}

}  // namespace ulp::analysis
