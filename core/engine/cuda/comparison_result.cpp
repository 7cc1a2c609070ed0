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

void addCounts(numerics::Moments& moments, const Totals& totals) {
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
  moments.compared = moments.count - excluded;
  moments.differenceHistogram.assign(std::begin(totals.histogram), std::end(totals.histogram));
  // Counted as 0, 0: what is not finite, and what fills the last chunk up.
  const std::uint64_t padding = chunksOf(moments.count) * kChunk - moments.count;
  moments.differenceHistogram[0] -= excluded + padding;
  moments.equal = moments.differenceHistogram[0] + equal;
}

bool isWorse(const numerics::WorstElement& a, const numerics::WorstElement& b) {
  const double left = magnitudeOf(a.candidate - a.reference);
  const double right = magnitudeOf(b.candidate - b.reference);
  return left > right || (left == right && a.flat < b.flat);
}

}  // namespace

numerics::Moments toMoments(ComparisonResult result, std::size_t worstCount) {
  numerics::Moments moments;
  moments.count = result.count;
  for (std::uint64_t chunk = 0; chunk < chunksOf(result.count); ++chunk) {
    addSums(moments, result.sumsOfChunks[chunk]);
  }
  addCounts(moments, *result.totals);
  moments.maxRelativeDifference = result.totals->largestRelative;
  moments.maxUlp = result.totals->largestUlp;
  std::sort(result.worst.begin(), result.worst.end(), isWorse);
  if (!result.worst.empty()) {
    moments.maxAbsoluteDifference =
        magnitudeOf(result.worst.front().candidate - result.worst.front().reference);
  }
  result.worst.resize(std::min(result.worst.size(), worstCount));
  moments.worst = std::move(result.worst);
  return moments;
}

}  // namespace ulp::engine::cuda
