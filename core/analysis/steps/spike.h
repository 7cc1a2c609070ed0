#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/site.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// A number at one step.
struct StepValue {
  double value = 0;       ///< NaN: not known
  bool isBroken = false;  ///< some elements are NaN or infinite
};

/// When a series counts as having a spike. The norms of a layer, and of its gradient, go up and
/// down by a factor of two or three from batch to batch in healthy runs; five lies beyond that and
/// well below the tenfold of a run that breaks. A slow rise is none, since the median moves along.
struct SpikeLimits {
  double factor = 5;        ///< over the median of the steps before
  std::size_t least = 2;    ///< steps before that must be known
  std::size_t window = 16;  ///< of the known steps before, so many of the last
};

/// Where a series leaves what it was.
struct Spike {
  std::size_t at = 0;        ///< in the series
  double value = 0;          ///< there; NaN or infinite where isNonFinite
  double median = 0;         ///< of the steps before
  bool isNonFinite = false;  ///< the first one that is not finite, of a series that was
};

/// Finds the first value that is more than `factor` times the median of the known values before it,
/// or not finite while all known ones before it are. Where the median is 0 (gradients before a
/// first update) no factor says anything, and the value is no spike. Values are magnitudes.
[[nodiscard]] std::optional<Spike> findSpike(std::span<const StepValue> series,
                                             const SpikeLimits& limits = {});

/// A spike of a tensor over the steps of a dump.
struct TensorSpike {
  std::size_t run = 0;  ///< in Report::runs: the step where it begins
  std::size_t row = 0;  ///< in Run::comparisons
  std::int64_t step = 0;
  Spike spike{};
};

/// The spikes of a metric at all tensors of a report whose runs are steps (Run::axes); ranks and
/// tokens are series of their own. By step, then in the order of the rows. Empty when it was
/// stopped, and where there are no several steps.
[[nodiscard]] std::vector<TensorSpike> findSpikes(const report::Report& report,
                                                  std::string_view metric,
                                                  const SpikeLimits& limits = {},
                                                  const std::stop_token& stop = {});

}  // namespace ulp::analysis
