#include "tests/core/engine/cuda/host_blocks.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/lane_pass.h"
#include "core/engine/cuda/worst_search.h"

namespace ulp::engine::cuda::testing {
namespace {

using numerics::TensorView;

constexpr int kThreadsOfRun = kLanes / kLanesOfThread;
constexpr int kThreads = kRunsOfChunk * kThreadsOfRun;

using ThreadSums = Sums[kLanesOfThread];

struct Results {
  Totals totals{};
  std::vector<Sums> sums;
  std::vector<double> largest;
};

double elementOrZero(const TensorView& tensor, std::uint64_t place) {
  return place < tensor.count() ? numerics::elementAt(tensor, place) : 0;
}

/// The elements of a thread, from one of its rows on.
struct Elements {
  const TensorView& reference;
  const TensorView& candidate;
  std::uint64_t first;

  void read(int row, double (&r)[kLanesOfThread], double (&v)[kLanesOfThread]) const {
    for (int lane = 0; lane < kLanesOfThread; ++lane) {
      read(row, lane, r[lane], v[lane]);
    }
  }
  void read(int row, int lane, double& r, double& v) const {
    const std::uint64_t place = first + static_cast<std::uint64_t>(row * kLanes + lane);
    r = elementOrZero(reference, place);
    v = elementOrZero(candidate, place);
  }
};

/// One block, chunk after chunk.
template <bool kWide>
class HostBlock {
 public:
  HostBlock(const TensorView& reference,
            const TensorView& candidate,
            ThreadOrder order,
            std::uint64_t (&histogram)[numerics::kHistogramBins])
      : m_reference(reference), m_candidate(candidate), m_order(order), m_histogram(histogram) {
    const auto scale =
        numerics::detail::ulpScaleOf(numerics::ulpFormat(reference.dtype, candidate.dtype));
    for (int thread = 0; thread < kThreads; ++thread) {
      m_passes.emplace_back(
          scale, *m_findings, DifferenceCounter<kWide>(*m_window, thread % kWarp, m_histogram));
    }
  }

  /// The sums of each thread. Threads take turns where those of the device run at the same time.
  std::vector<std::array<Sums, kLanesOfThread>> pass(std::uint64_t chunk) {
    std::vector<std::array<Sums, kLanesOfThread>> sums(kThreads);
    for (int row = 0; row < kRun / kLanes; row += kRowsAtOnce) {
      for (int step = 0; step < kThreads; ++step) {
        const int thread = m_order == ThreadOrder::Ascending ? step : kThreads - 1 - step;
        const auto index = static_cast<std::size_t>(thread);
        const int first =
            thread / kThreadsOfRun * kRun + row * kLanes + thread % kThreadsOfRun * kLanesOfThread;
        ThreadSums own;
        std::copy(sums[index].begin(), sums[index].end(), own);
        m_passes[index].add(
            Elements{m_reference, m_candidate, chunk * kChunk + static_cast<std::uint64_t>(first)},
            own);
        std::copy(own, own + kLanesOfThread, sums[index].begin());
      }
    }
    return sums;
  }

  /// Of the chunk that ends. Moves the window.
  double endChunk() {
    double largest = 0;
    for (LanePass<kWide>& pass : m_passes) {
      largest = std::max(largest, pass.takeLargest());
    }
    moveWindow(HistogramWindow::firstBinFor<kWide>(largest));
    return largest;
  }
  void moveWindow(std::uint32_t firstBin) {
    for (std::uint32_t row = 0; row < HistogramWindow::kBins; ++row) {
      m_window->moveRow(row, m_firstBin, m_histogram);
    }
    m_firstBin = firstBin;
    for (LanePass<kWide>& pass : m_passes) {
      pass.counter().moveTo(firstBin);
    }
  }
  [[nodiscard]] const BlockFindings& findings() const { return *m_findings; }

 private:
  const TensorView& m_reference;
  const TensorView& m_candidate;
  ThreadOrder m_order;
  std::uint64_t (&m_histogram)[numerics::kHistogramBins];
  std::unique_ptr<BlockFindings> m_findings = std::make_unique<BlockFindings>();
  std::unique_ptr<HistogramWindow> m_window = std::make_unique<HistogramWindow>();
  std::vector<LanePass<kWide>> m_passes;
  std::uint32_t m_firstBin = 1;
};

Sums foldChunk(const std::vector<std::array<Sums, kLanesOfThread>>& ofThreads) {
  double result[kSums];
  for (int sum = 0; sum < kSums; ++sum) {
    double lanes[kLanes] = {};
    for (int thread = 0; thread < kThreads; ++thread) {
      for (int lane = 0; lane < kLanesOfThread; ++lane) {
        double values[kSums];
        memcpy(values,
               &ofThreads[static_cast<std::size_t>(thread)][static_cast<std::size_t>(lane)],
               sizeof values);
        lanes[thread % kThreadsOfRun * kLanesOfThread + lane] += values[sum];
      }
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
  HostBlock<kWide> host(reference, candidate, order, results.totals.histogram);
  for (std::uint64_t chunk = block; chunk < results.sums.size(); chunk += blocks) {
    results.sums[chunk] = foldChunk(host.pass(chunk));
    results.largest[chunk] = host.endChunk();
  }
  const BlockFindings& findings = host.findings();
  for (int pair = 0; pair < kPairKinds; ++pair) {
    results.totals.excluded[pair] += findings.excluded[pair];
  }
  raise(results.totals.largestRelative, findings.largestRelative);
  raise(results.totals.largestUlp, findings.largestUlp);
}

/// The worst of the chunk that has the largest |d| after `rank` others.
std::vector<numerics::WorstElement> worstOfChunk(const TensorView& reference,
                                                 const TensorView& candidate,
                                                 const std::vector<double>& largest,
                                                 std::size_t rank,
                                                 std::size_t wanted) {
  const auto largestOf = [&](std::int32_t chunk) {
    return largest[static_cast<std::size_t>(chunk)];
  };
  const auto chunks = static_cast<std::int32_t>(largest.size());
  Ranked chunk = bestAfter(beforeAll(), 0, 1, chunks, largestOf);
  for (std::size_t i = 0; i < rank && chunk.value > 0; ++i) {
    chunk = bestAfter(chunk, 0, 1, chunks, largestOf);
  }
  std::vector<numerics::WorstElement> worst;
  if (chunk.value <= 0) {
    return worst;
  }
  const std::uint64_t begin = static_cast<std::uint64_t>(chunk.place) * kChunk;
  const auto magnitudeAt = [&](std::int32_t index) {
    const std::uint64_t place = begin + static_cast<std::uint64_t>(index);
    return comparedMagnitude(numerics::elementAt(reference, place),
                             numerics::elementAt(candidate, place));
  };
  const auto count =
      static_cast<std::int32_t>(std::min<std::uint64_t>(kChunk, reference.count() - begin));
  Ranked found = bestAfter(beforeAll(), 0, 1, count, magnitudeAt);
  while (worst.size() + rank < wanted && found.value > 0) {
    const std::uint64_t flat = begin + static_cast<std::uint64_t>(found.place);
    worst.push_back(
        {flat, numerics::elementAt(reference, flat), numerics::elementAt(candidate, flat)});
    found = bestAfter(found, 0, 1, count, magnitudeAt);
  }
  return worst;
}

}  // namespace

void accumulateOnHost(numerics::Moments& total,
                      const TensorView& reference,
                      const TensorView& candidate,
                      std::uint64_t blocks,
                      ThreadOrder order,
                      std::size_t worstCount) {
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
}

}  // namespace ulp::engine::cuda::testing
