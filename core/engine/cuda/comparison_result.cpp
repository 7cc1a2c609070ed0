#include "core/engine/cuda/comparison_result.h"

#include <algorithm>
#include <utility>

#include "core/numerics/comparison/worst_elements.h"

namespace ulp::engine::cuda {
namespace {

void addSums(numerics::Moments& moments, const Sums& chunk) {
  moments.sumSquaredReference += chunk.squaredReference;
  moments.sumSquaredCandidate += chunk.squaredCandidate;
  moments.sumProduct += chunk.product;
  moments.sumSquaredDifference += chunk.squaredDifference;
  moments.sumAbsoluteDifference += chunk.absoluteDifference;
  moments.sumUlp += chunk.ulp;
}

void add(numerics::NonFiniteCounts& counts, int kind, std::uint64_t pairs) {
  counts.nan += kind == kNaN ? pairs : 0;
  counts.positiveInfinity += kind == kPositiveInfinity ? pairs : 0;
  counts.negativeInfinity += kind == kNegativeInfinity ? pairs : 0;
}

void addCounts(numerics::Moments& moments, std::uint64_t count, const Totals& totals) {
  std::uint64_t excluded = 0;
  std::uint64_t equalNonFinite = 0;
  for (int reference = 0; reference < kElementKinds; ++reference) {
    for (int candidate = 0; candidate < kElementKinds; ++candidate) {
      const std::uint64_t pairs = totals.excluded[reference * kElementKinds + candidate];
      add(moments.reference, reference, pairs);
      add(moments.candidate, candidate, pairs);
      excluded += pairs;
      equalNonFinite += reference == candidate ? pairs : 0;
    }
  }
  const std::uint64_t compared = count - excluded;
  std::uint64_t different = 0;
  moments.differenceHistogram.resize(numerics::kHistogramBins);
  for (std::size_t bin = 1; bin < numerics::kHistogramBins; ++bin) {
    moments.differenceHistogram[bin] += totals.histogram[bin];
    different += totals.histogram[bin];
  }
  moments.count += count;
  moments.compared += compared;
  moments.equal += compared - different + equalNonFinite;
  moments.differenceHistogram[0] += compared - different;
}

void addWorst(numerics::Moments& total,
              std::vector<numerics::WorstElement> worst,
              std::size_t worstCount) {
  for (numerics::WorstElement& element : worst) {
    element.flat += total.count;
  }
  std::sort(worst.begin(), worst.end(), numerics::detail::isWorse);
  numerics::detail::addWorst(total, worst);
  total.worst.resize(std::min(total.worst.size(), worstCount));
}

}  // namespace

void addResult(numerics::Moments& total, ComparisonResult result, std::size_t worstCount) {
  for (std::uint64_t chunk = 0; chunk < chunksOf(result.count); ++chunk) {
    addSums(total, result.sumsOfChunks[chunk]);
  }
  addWorst(total, std::move(result.worst), worstCount);
  addCounts(total, result.count, *result.totals);
  total.maxRelativeDifference =
      std::max(total.maxRelativeDifference, result.totals->largestRelative);
  total.maxUlp = std::max(total.maxUlp, result.totals->largestUlp);
}

}  // namespace ulp::engine::cuda
