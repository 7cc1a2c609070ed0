#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/comparison_kernels.h"
#include "core/numerics/thread_team.h"

namespace ulp::numerics::detail {

/// What one thread finds that does not depend on the order of the elements: extremes, counts,
/// histogram, worst elements. Used by one thread at a time; a thread must meet positions in
/// ascending order.
class Tally {
 public:
  Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  /// Before the elements that follow those of `known`. Nothing that could not enter `known` is
  /// collected.
  void begin(const Moments& known, DType format, std::size_t worstCount);
  [[nodiscard]] KernelState& state() { return m_state; }
  /// After at most kChunkElements elements each.
  void endChunk();
  /// Adds what was found since begin() to `total`, all but the sums.
  void mergeInto(Moments& total);

 private:
  friend void inspectStep(KernelState& state, StepValues& values, std::uint64_t position);

  void inspect(double& reference, double& candidate, std::uint64_t position);
  void exclude(double reference, double candidate);
  void offer(const WorstElement& element, double magnitude);
  void setRelativeBound();
  void drainCounters(std::vector<std::uint64_t>& histogram);

  KernelState m_state;
  std::vector<std::uint32_t> m_counters;  ///< of the histogram, see KernelState
  std::vector<std::uint64_t> m_drained;  ///< empty unless counters had to be drained before the end
  std::size_t m_chunksCounted = 0;
  double m_maxRelative = 0;
  std::uint64_t m_excluded = 0;
  std::uint64_t m_equalNonFinite = 0;
  NonFiniteCounts m_reference;
  NonFiniteCounts m_candidate;
  std::size_t m_capacity = 1;
  std::vector<WorstElement> m_worst;  ///< largest |d| first
};

/// Runs comparisons with one set of kernels and a team of threads: shares out the chunks, then adds
/// up in the order of the chunks.
class ComparisonEngine {
 public:
  ComparisonEngine(const KernelSet& kernels, const CompareOptions& options);

  /// Adds the pair to `total`; shapes and pointers have been checked.
  void accumulate(Moments& total, const TensorView& reference, const TensorView& candidate);

 private:
  /// Threads that take part, each with its own tally.
  [[nodiscard]] std::size_t membersFor(std::size_t pairs) const;
  void prepare(std::size_t members, const Moments& total, DType format);

  const KernelSet& m_kernels;
  std::size_t m_worstCount;
  std::size_t m_threads;
  std::vector<std::unique_ptr<Tally>> m_tallies;
  std::vector<SumLanes> m_chunkSums;
  std::unique_ptr<ThreadTeam> m_ownTeam;
  Team* m_team;  ///< null until it is needed
};

}  // namespace ulp::numerics::detail
