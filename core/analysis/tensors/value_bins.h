#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

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

  [[nodiscard]] static Fate fateOf(double magnitude, DType format);
  static void count(Fate fate, std::uint64_t times, FormatFit& fit);
  void addMixed(double value);

  std::vector<Fates> m_fates;           ///< one a bin of positive values
  std::vector<std::uint8_t> m_isMixed;  ///< 1: the values of the bin are looked at one by one
  std::array<FormatFit, kNarrowFormats.size()> m_mixed;
};

}  // namespace ulp::analysis
