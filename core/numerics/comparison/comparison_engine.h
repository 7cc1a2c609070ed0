#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/comparison_kernels.h"
#include "core/numerics/comparison/comparison_tally.h"
#include "core/numerics/thread_team.h"

namespace ulp::numerics::detail {

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
