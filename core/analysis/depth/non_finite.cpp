#include "core/analysis/depth/non_finite.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ulp::analysis {
namespace {

/// Units of dumps come one after the other: what is not finite in one step spoils all later ones.
bool isBefore(const NonFiniteOrigin& left,
              const NonFiniteOrigin& right,
              const report::Report& report) {
  const auto place = [&](const NonFiniteOrigin& origin) {
    const UnitAxes axes = report.runs[origin.run].axes.value_or(UnitAxes());
    return std::tuple(axes.step, axes.token, origin.comparison);
  };
  return place(left) < place(right);
}

}  // namespace

bool losesFinite(const report::Comparison& row) {
  return row.variantNonFinite.total() > row.referenceNonFinite.total();
}

std::optional<std::size_t> firstNonFinite(const report::Run& run) {
  const auto found = std::ranges::find_if(run.comparisons, losesFinite);
  if (found == run.comparisons.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::distance(run.comparisons.begin(), found));
}

std::optional<NonFiniteOrigin> firstNonFinite(const report::Report& report) {
  std::optional<NonFiniteOrigin> origin;
  std::size_t runs = 0;
  for (std::size_t run = 0; run < report.runs.size(); ++run) {
    if (report.runs[run].role == report::RunRole::Floor) {
      continue;
    }
    if (const auto comparison = firstNonFinite(report.runs[run])) {
      ++runs;
      const NonFiniteOrigin its{run, *comparison, 0};
      if (!origin || isBefore(its, *origin, report)) {
        origin = its;
      }
    }
  }
  if (origin) {
    origin->runs = runs;
  }
  return origin;
}

}  // namespace ulp::analysis
