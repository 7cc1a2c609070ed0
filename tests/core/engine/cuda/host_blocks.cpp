#include "tests/core/engine/cuda/host_blocks.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/lane_pass.h"
#include "core/engine/cuda/worst_search.h"

namespace ulp::engine::cuda::testing {
namespace {

using numerics::TensorView;

constexpr int kThreads = kRunsOfChunk * kLanes;

struct Results {
  Totals totals{};
  std::vector<Sums> sums;
  std::vector<double> largest;
};

double elementOrZero(const TensorView& tensor, std::uint64_t place) {
  return place < tensor.count() ? numerics::elementAt(tensor, place) : 0;
}

/// One lane after the other through a row, row by row, as the device does at the same time.
template <bool kWide>
void passChunk(const TensorView& reference,
               const TensorView& candidate,
               std::uint64_t begin,
               int turn,
               ThreadOrder order,
               std::vector<LanePass<kWide>>& passes,
               std::vector<Sums>& sums,
               BlockFindings& findings) {
  for (int row = 0; row < kRun / kLanes; ++row) {
    for (int step = 0; step < kThreads; ++step) {
      const int thread = order == ThreadOrder::Ascending ? step : kThreads - 1 - step;
      const auto place = begin + static_cast<std::uint64_t>(thread / kLanes * kRun + row * kLanes +
                                                            thread % kLanes);
      LanePass<kWide>& pass = passes[static_cast<std::size_t>(thread)];
      pass.refresh(findings, turn);
      pass.add(elementOrZero(reference, place),
               elementOrZero(candidate, place),
               sums[static_cast<std::size_t>(thread)],
               findings,
               turn);
    }
  }
}

Sums foldChunk(const std::vector<Sums>& ofLanes) {
  double result[kSums];
  for (int sum = 0; sum < kSums; ++sum) {
    double lanes[kLanes] = {};
    for (int thread = 0; thread < kThreads; ++thread) {
      double values[kSums];
      memcpy(values, &ofLanes[static_cast<std::size_t>(thread)], sizeof values);
      lanes[thread % kLanes] += values[sum];
    }
    result[sum] = numerics::detail::sumOf(lanes);
  }
  Sums sums;
  memcpy(&sums, result, sizeof sums);
  return sums;
}

template <bool kWide>
void passBlock(const TensorView& reference,
               const TensorView& candidate,
               std::uint64_t block,
               std::uint64_t blocks,
               ThreadOrder order,
               Results& results) {
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(reference.dtype, candidate.dtype));
  auto findings = std::make_unique<BlockFindings>();
  std::vector<LanePass<kWide>> passes(kThreads, LanePass<kWide>(scale));
  int turn = 0;
  for (std::uint64_t chunk = block; chunk < results.sums.size(); chunk += blocks) {
    std::vector<Sums> sums(kThreads);
    passChunk(reference, candidate, chunk * kChunk, turn, order, passes, sums, *findings);
    results.sums[chunk] = foldChunk(sums);
    results.largest[chunk] = std::exchange(findings->largestOfChunk[turn], 0);
    turn = 1 - turn;
  }
  for (std::size_t bin = 0; bin < numerics::kHistogramBins; ++bin) {
    results.totals.histogram[bin] += findings->histogram[bin];
  }
  for (int pair = 0; pair < kPairKinds; ++pair) {
    results.totals.excluded[pair] += findings->excluded[pair];
  }
  raise(results.totals.largestRelative, findings->largestRelative);
  raise(results.totals.largestUlp, findings->largestUlp);
}

/// The worst of the chunk that has the largest |d| after `rank` others.
std::vector<numerics::WorstElement> worstOfChunk(const TensorView& reference,
                                                 const TensorView& candidate,
                                                 const std::vector<double>& largest,
                                                 std::size_t rank,
                                                 std::size_t wanted) {
  const auto largestOf = [&](std::uint64_t chunk) { return largest[chunk]; };
  Ranked chunk = bestAfter(nullptr, 0, 1, largest.size(), largestOf);
  for (std::size_t i = 0; i < rank && chunk.value > 0; ++i) {
    chunk = bestAfter(&chunk, 0, 1, largest.size(), largestOf);
  }
  std::vector<numerics::WorstElement> worst;
  if (chunk.value <= 0) {
    return worst;
  }
  const std::uint64_t begin = chunk.place * kChunk;
  const auto magnitudeAt = [&](std::uint64_t place) {
    return comparedMagnitude(numerics::elementAt(reference, begin + place),
                             numerics::elementAt(candidate, begin + place));
  };
  const std::uint64_t count = std::min<std::uint64_t>(kChunk, reference.count() - begin);
  Ranked found = bestAfter(nullptr, 0, 1, count, magnitudeAt);
  while (worst.size() + rank < wanted && found.value > 0) {
    const std::uint64_t flat = begin + found.place;
    worst.push_back(
        {flat, numerics::elementAt(reference, flat), numerics::elementAt(candidate, flat)});
    found = bestAfter(&found, 0, 1, count, magnitudeAt);
  }
  return worst;
}

}  // namespace

numerics::Moments compareOnHost(const TensorView& reference,
                                const TensorView& candidate,
                                std::uint64_t blocks,
                                ThreadOrder order,
                                std::size_t worstCount,
                                numerics::Moments total) {
  Results results;
  results.sums.resize(chunksOf(reference.count()));
  results.largest.resize(results.sums.size());
  const bool wide = reference.dtype == DType::Float64 || candidate.dtype == DType::Float64;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    if (wide) {
      passBlock<true>(reference, candidate, block, blocks, order, results);
    } else {
      passBlock<false>(reference, candidate, block, blocks, order, results);
    }
  }
  const std::size_t wanted = std::max<std::size_t>(worstCount, 1);
  std::vector<numerics::WorstElement> worst;
  for (std::size_t rank = 0; rank < wanted; ++rank) {
    const auto found = worstOfChunk(reference, candidate, results.largest, rank, wanted);
    worst.insert(worst.end(), found.begin(), found.end());
  }
  addResult(total, {reference.count(), &results.totals, results.sums.data(), worst}, worstCount);
  return total;
}

}  // namespace ulp::engine::cuda::testing
