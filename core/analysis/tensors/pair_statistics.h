#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/analysis/tensors/tensor_pyramid.h"
#include "core/base/dtype.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::analysis {

/// Exact counts of values by sign and magnitude, four bins an octave over all of float64, so that
/// no range has to be known beforehand. Bin of a value: its sign, its exponent, and the two highest
/// bits of its mantissa.
struct ValueBins {
  static constexpr int kShift = 50;
  static constexpr std::size_t kSize = std::size_t{1} << (64 - kShift);
  static constexpr std::size_t kNegative = kSize / 2;  ///< bins from here on are below zero
  static constexpr int kBinsPerOctave = 4;

  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(kSize);
  std::uint64_t zeros = 0;  ///< of both signs; not in `counts`
  numerics::NonFiniteCounts nonFinite;

  void add(double value);
  void add(const ValueBins& other);
  /// Finite values, zeros included.
  [[nodiscard]] std::uint64_t finite() const;
  /// Values other than zero with 2^exponent <= |value| < 2^(exponent + 1).
  [[nodiscard]] std::uint64_t ofExponent(int exponent) const;
  /// Lowest and highest exponent that occurs; low > high when no value is finite and not zero.
  struct Exponents {
    int low = 1;
    int high = 0;
    [[nodiscard]] bool isEmpty() const { return low > high; }
  };
  [[nodiscard]] Exponents exponents() const;

  [[nodiscard]] static std::size_t binOf(double value) {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value) >> kShift);
  }
  /// Smallest magnitude of a bin, with its sign.
  [[nodiscard]] static double edgeOf(std::size_t bin) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(bin) << kShift);
  }
};

/// The formats that a tensor might be kept in.
inline constexpr std::array kNarrowFormats{
    DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2};

/// What becomes of values when they are rounded to a narrower format, to the nearest number.
struct FormatFit {
  DType format = DType::Float16;
  std::uint64_t overflow = 0;   ///< become infinite, or NaN where the format has no infinity
  std::uint64_t underflow = 0;  ///< are not zero and become zero
  std::uint64_t subnormal = 0;  ///< stay other than zero, with fewer digits than the format has
};

/// Exponents between which a format has numbers of full precision, and below which its subnormal
/// numbers end.
struct FormatRange {
  int lowestSubnormal = 0;
  int lowestNormal = 0;
  int highest = 0;
};
[[nodiscard]] FormatRange rangeOf(DType narrowFormat);

/// Counts what becomes of a great many values, exactly: by bin where all values of a bin share one
/// fate, value by value in the few others.
class FormatCounter {
 public:
  FormatCounter();
  /// Notes a finite value other than zero that falls on a bin of several fates.
  void add(double value) {
    if (m_isMixed[ValueBins::binOf(value) % ValueBins::kNegative] != 0) {
      addMixed(value);
    }
  }
  /// Adds what another one noted.
  void add(const FormatCounter& other);
  /// Says how all values fit that are in `bins` and were also given to add().
  [[nodiscard]] std::array<FormatFit, kNarrowFormats.size()> fits(const ValueBins& bins) const;

 private:
  enum class Fate : std::uint8_t { Underflow, Subnormal, Normal, Overflow, Mixed };
  using Fates = std::array<Fate, kNarrowFormats.size()>;

  /// `format`: in kNarrowFormats.
  [[nodiscard]] static Fate fateOf(double magnitude, std::size_t format);
  static void count(Fate fate, std::uint64_t times, FormatFit& fit);
  void addMixed(double value);

  std::vector<Fates> m_fates;           ///< one a bin of positive values
  std::vector<std::uint8_t> m_isMixed;  ///< 1: the values of the bin are looked at one by one
  std::array<FormatFit, kNarrowFormats.size()> m_mixed;
};

/// How reference and variant lie to each other: counts over a square of both values. Both axes run
/// from -limit to limit on a scale that is linear near zero, so that the diagonal is where both are
/// equal.
struct DensityGrid {
  static constexpr int kSide = 128;

  double limit = 0;   ///< largest magnitude of either tensor; 0: nothing but zeros, or no pair
  double linear = 0;  ///< magnitude up to which the axes are linear
  std::vector<std::uint64_t> counts;  ///< [variant][reference], lowest values first; empty: no pair

  [[nodiscard]] std::uint64_t at(int variant, int reference) const {
    return counts[static_cast<std::size_t>(variant) * kSide + static_cast<std::size_t>(reference)];
  }
  /// Position of a value on an axis, -1 … 1: linear near zero, logarithmic far from it. The edges
  /// of the counts are rounded to 1/64 octave.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] double valueAt(double position) const;
};

/// Everything about a pair that needs all its elements. Immutable once made.
struct PairStatistics {
  numerics::Moments moments;  ///< `worst` holds kWorstElements elements
  ValueBins reference;
  ValueBins variant;
  ValueBins difference;  ///< b − a where both are finite
  std::array<FormatFit, kNarrowFormats.size()> referenceFits;
  std::array<FormatFit, kNarrowFormats.size()> variantFits;
  DensityGrid density;
};

using PairStatisticsPtr = std::shared_ptr<const PairStatistics>;
inline constexpr std::size_t kWorstElements = 100;

/// Reads both tensors three times, piece by piece, with a thread a core; the result does not depend
/// on how many there are. `progress` counts elements. Errors: Cancelled (within
/// some milliseconds of the request), InvalidArgument (a tensor without elements).
[[nodiscard]] Result<PairStatisticsPtr> computePairStatistics(const TensorPair& pair,
                                                              const std::stop_token& stop,
                                                              Progress* progress = nullptr);

}  // namespace ulp::analysis
