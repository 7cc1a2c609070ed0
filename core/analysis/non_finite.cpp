#include "core/analysis/non_finite.h"

#include <algorithm>
#include <iterator>

namespace ulp::analysis {

std::optional<std::size_t> firstNonFinite(const report::Run& run) {
  const auto found = std::find_if(
      run.comparisons.begin(), run.comparisons.end(), [](const report::Comparison& comparison) {
        return comparison.variantNonFinite.total() > comparison.referenceNonFinite.total();
      });
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
      if (!origin || *comparison < origin->comparison) {
        origin = {run, *comparison, 0};
      }
    }
  }
  if (origin) {
    origin->runs = runs;
  }
  return origin;
}

}  // namespace ulp::analysis
