#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "core/numerics/comparison/comparison_engine.h"
#include "core/numerics/comparison/worst_elements.h"

namespace ulp::numerics::detail {
namespace {

/// Chunks after which a 32-bit counter could overflow.
constexpr std::size_t kDrainChunks = (std::size_t{1} << 32) / Comparer::kChunkElements - 1;

/// Counters that are drained together.
constexpr std::size_t kGroup = 64;
constexpr std::size_t kGroups = (kCounters + kGroup - 1) / kGroup;

std::size_t binOf(std::size_t counter) {
  return counter < kZeroCounters ? 0 : 1 + (counter - kZeroCounters) / kBinCounters;
}

void countNonFinite(NonFiniteCounts& counts, double value) {
  counts.nan += std::isnan(value) ? 1 : 0;
  counts.positiveInfinity += value == std::numeric_limits<double>::infinity() ? 1 : 0;
  counts.negativeInfinity += value == -std::numeric_limits<double>::infinity() ? 1 : 0;
}

void add(NonFiniteCounts& total, const NonFiniteCounts& counts) {
  total.nan += counts.nan;
  total.positiveInfinity += counts.positiveInfinity;
  total.negativeInfinity += counts.negativeInfinity;
}

}  // namespace

void inspectStep(KernelState& state, StepValues& values, std::uint64_t position) {
  for (std::size_t i = 0; i < kStep; ++i) {
    state.tally->inspect(values.reference[i], values.candidate[i], position + i);
  }
}

Tally::Tally() : m_counters(kGroups * kGroup) {
  m_state.histogram = m_counters.data();
  m_state.tally = this;
}

void Tally::begin(const Moments& known, DType format, std::size_t worstCount) {
  // At least one, which is how the largest |d| is found.
  m_capacity = std::max<std::size_t>(worstCount, 1);
  // Here, since what a team runs must not throw.
  m_worst.reserve(m_capacity);
  m_drained.reserve(kHistogramBins);
  m_state.ulp = ulpScaleOf(format);
  m_state.maxUlp = known.maxUlp;
  m_maxRelative = known.maxRelativeDifference;
  setRelativeBound();
  const bool full = !known.worst.empty() && known.worst.size() >= m_capacity;
  m_state.worstBound = full ? magnitudeOf(known.worst.back()) : 0;
  if (worstCount == 0) {
    m_state.worstBound = known.maxAbsoluteDifference;
  }
}

void Tally::endChunk() {
  if (++m_chunksCounted == kDrainChunks) {
    m_drained.resize(kHistogramBins);
    drainCounters(m_drained);
  }
}

void Tally::drainCounters(std::vector<std::uint64_t>& histogram) {
  for (std::size_t first = 0; first < m_counters.size(); first += kGroup) {
    const std::span counters = std::span(m_counters).subspan(first, kGroup);
    // Nearly all are zero, and small tensors are many.
    if (std::accumulate(counters.begin(), counters.end(), 0U, std::bit_or<>()) == 0) {
      continue;
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
      if (counters[i] != 0) {
        histogram[binOf(first + i)] += counters[i];
      }
    }
    std::fill(counters.begin(), counters.end(), 0);
  }
  m_chunksCounted = 0;
}

void Tally::mergeInto(Moments& total) {
  const std::uint64_t zerosBefore = total.differenceHistogram[0];
  drainCounters(total.differenceHistogram);
  for (std::size_t bin = 0; bin < m_drained.size(); ++bin) {
    total.differenceHistogram[bin] += m_drained[bin];
  }
  total.differenceHistogram[0] -= m_state.zeroed;
  total.equal += total.differenceHistogram[0] - zerosBefore + m_equalNonFinite;
  total.compared -= m_excluded;
  total.maxRelativeDifference = std::max(total.maxRelativeDifference, m_maxRelative);
  total.maxUlp = std::max(total.maxUlp, m_state.maxUlp);
  add(total.reference, m_reference);
  add(total.candidate, m_candidate);
  addWorst(total, m_worst);

  m_drained.clear();
  m_state.zeroed = 0;
  m_excluded = 0;
  m_equalNonFinite = 0;
  m_reference = {};
  m_candidate = {};
  m_worst.clear();
}

void Tally::inspect(double& reference, double& candidate, std::uint64_t position) {
  if (!std::isfinite(reference) || !std::isfinite(candidate)) {
    exclude(reference, candidate);
    reference = 0;
    candidate = 0;
    return;
  }
  const double magnitude = std::abs(candidate - reference);
  if (reference != 0 && magnitude >= m_state.relativeBound * std::abs(reference)) {
    const double relative = magnitude / std::abs(reference);
    if (relative > m_maxRelative) {
      m_maxRelative = relative;
      setRelativeBound();
    }
  }
  if (magnitude > m_state.worstBound) {
    offer({position, reference, candidate}, magnitude);
  }
}

void Tally::exclude(double reference, double candidate) {
  countNonFinite(m_reference, reference);
  countNonFinite(m_candidate, candidate);
  const bool bothNan = std::isnan(reference) && std::isnan(candidate);
  m_equalNonFinite += bothNan || reference == candidate ? 1 : 0;
  ++m_excluded;
  ++m_state.zeroed;
}

void Tally::offer(const WorstElement& element, double magnitude) {
  const auto place = std::upper_bound(
      m_worst.begin(), m_worst.end(), magnitude, [](double value, const WorstElement& e) {
        return value > magnitudeOf(e);
      });
  if (m_worst.size() < m_capacity) {
    m_worst.insert(place, element);
  } else if (place != m_worst.end()) {
    std::move_backward(place, m_worst.end() - 1, m_worst.end());
    *place = element;
  }
  if (m_worst.size() == m_capacity) {
    // Finite, so that every infinite difference is inspected: it may come from an infinite element.
    m_state.worstBound = std::min(magnitudeOf(m_worst.back()), std::numeric_limits<double>::max());
  }
}

/// A kernel compares |d| with the rounded product bound * |r|. When |d| / |r| exceeds the maximum,
/// |d| must exceed that product: certain where the product is exact, and else with a bound lower by
/// a few units in the last place.
void Tally::setRelativeBound() {
  int exponent = 0;
  const bool exact = std::frexp(m_maxRelative, &exponent) == 0.5;
  m_state.relativeBound = exact ? m_maxRelative : m_maxRelative * (1 - 0x1p-50);
}

}  // namespace ulp::numerics::detail
