#include "core/engine/cuda/comparison_result.h"

#include <algorithm>

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

void addCounts(numerics::Moments& moments, const Totals& totals, std::uint64_t count) {
  std::uint64_t excluded = 0;
  std::uint64_t equal = 0;
  for (int reference = 0; reference < kElementKinds; ++reference) {
    for (int candidate = 0; candidate < kElementKinds; ++candidate) {
      const std::uint64_t pairs = totals.excluded[reference * kElementKinds + candidate];
      add(moments.reference, reference, pairs);
      add(moments.candidate, candidate, pairs);
      excluded += pairs;
      equal += reference == candidate ? pairs : 0;
    }
  }
  moments.count += count;
  moments.compared += count - excluded;
  // Counted as 0, 0: what is not finite, and what fills the last chunk up.
  const std::uint64_t padding = chunksOf(count) * kChunk - count;
  const std::uint64_t zeros = totals.histogram[0] - excluded - padding;
  moments.equal += zeros + equal;
  moments.differenceHistogram.resize(numerics::kHistogramBins);
  moments.differenceHistogram[0] += zeros;
  for (std::size_t bin = 1; bin < numerics::kHistogramBins; ++bin) {
    moments.differenceHistogram[bin] += totals.histogram[bin];
  }
}

double differenceOf(const numerics::WorstElement& element) {
  return magnitudeOf(element.candidate - element.reference);
}

bool isWorse(const numerics::WorstElement& a, const numerics::WorstElement& b) {
  const double left = differenceOf(a);
  const double right = differenceOf(b);
  return left > right || (left == right && a.flat < b.flat);
}

}  // namespace

void addResult(numerics::Moments& total, ComparisonResult result, std::size_t worstCount) {
  for (numerics::WorstElement& element : result.worst) {
    element.flat += total.count;
  }
  for (std::uint64_t chunk = 0; chunk < chunksOf(result.count); ++chunk) {
    addSums(total, result.sumsOfChunks[chunk]);
  }
  addCounts(total, *result.totals, result.count);
  total.maxRelativeDifference =
      std::max(total.maxRelativeDifference, result.totals->largestRelative);
  total.maxUlp = std::max(total.maxUlp, result.totals->largestUlp);
  total.worst.insert(total.worst.end(), result.worst.begin(), result.worst.end());
  std::sort(total.worst.begin(), total.worst.end(), isWorse);
  if (!total.worst.empty()) {
    total.maxAbsoluteDifference =
        std::max(total.maxAbsoluteDifference, differenceOf(total.worst.front()));
  }
  total.worst.resize(std::min(total.worst.size(), worstCount));
}

}  // namespace ulp::engine::cuda
