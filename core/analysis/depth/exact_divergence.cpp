#include "core/analysis/depth/exact_divergence.h"

#include <fmt/format.h>

namespace ulp::analysis {
namespace {

constexpr std::string_view kEqual = "equal_fraction";

}  // namespace

std::size_t ExactDivergence::tensors() const {
  std::size_t count = 0;
  for (const PassDifference& pass : passes) {
    count += pass.rows.size();
  }
  return count;
}

std::size_t ExactDivergence::equal() const {
  std::size_t count = 0;
  for (const PassDifference& pass : passes) {
    count += pass.equal;
  }
  return count;
}

bool isEqual(const report::Report& report, const report::Comparison& row) {
  const double share = row.metrics.at(static_cast<std::size_t>(report.metricIndex(kEqual)));
  return share == 1 && row.referenceNonFinite == row.variantNonFinite;
}

Result<ExactDivergence> exactDivergence(const report::Report& report, const report::Run& run) {
  if (report.metricIndex(kEqual) < 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the report does not hold the metric '{}', from which equality is told",
                            kEqual));
  }
  if (run.comparisons.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' holds no tensor that was compared", run.name));
  }
  ExactDivergence divergence;
  for (std::size_t p = 0; p < kPasses.size(); ++p) {
    PassDifference& pass = divergence.passes[p];
    pass.pass = kPasses[p];
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      const report::Comparison& row = run.comparisons[i];
      if (row.site.pass != pass.pass) {
        continue;
      }
      pass.rows.push_back(i);
      if (isEqual(report, row)) {
        ++pass.equal;
      } else if (!pass.first) {
        pass.first = i;
      }
    }
    if (!divergence.first) {
      divergence.first = pass.first;
    }
  }
  return divergence;
}

}  // namespace ulp::analysis
