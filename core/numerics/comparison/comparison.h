#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/numerics/team.h"
#include "core/numerics/tensor_view.h"

namespace ulp::numerics {

namespace detail {
class ComparisonEngine;
}

/// Elements of one tensor that are not numbers.
struct NonFiniteCounts {
  std::uint64_t nan = 0;
  std::uint64_t positiveInfinity = 0;
  std::uint64_t negativeInfinity = 0;

  [[nodiscard]] std::uint64_t total() const { return nan + positiveInfinity + negativeInfinity; }
  friend bool operator==(const NonFiniteCounts&, const NonFiniteCounts&) = default;
};

/// An element pair, by row-major position.
struct WorstElement {
  std::uint64_t flat = 0;
  double reference = 0;
  double candidate = 0;
};

/// What the fused pass over a pair of tensors accumulates; every metric is a function of this alone
/// (metrics/plugins). All sums are float64 over the `compared` elements, those finite in both
/// tensors; with r the reference, v the candidate and d = v - r.
struct Moments {
  std::uint64_t count = 0;     ///< elements of the tensor
  std::uint64_t compared = 0;  ///< finite in both
  std::uint64_t equal = 0;     ///< of `count`: v == r as numbers, or the same non-finite value
  double sumSquaredReference = 0;
  double sumSquaredCandidate = 0;
  double sumProduct = 0;
  double sumSquaredDifference = 0;
  double sumAbsoluteDifference = 0;
  double maxAbsoluteDifference = 0;
  double maxRelativeDifference = 0;  ///< max |d| / |r| over r != 0
  double sumUlp = 0;                 ///< sum of |d| / ulp(r), see ulpOf()
  double maxUlp = 0;
  NonFiniteCounts reference;
  NonFiniteCounts candidate;
  /// Exact counts of |d| by magnitude: bin 0 holds d == 0, bin 1 + k holds
  /// [binLowerEdge(1 + k), binLowerEdge(2 + k)); eight bins an octave from 2^-160 to 2^160, the
  /// ends open. Quantiles are read from here, to 1/8 octave.
  std::vector<std::uint64_t> differenceHistogram;
  std::vector<WorstElement> worst;  ///< largest |d| first; ties: lower position first
};

/// Exponents of the lowest and of the highest finite edge of the histogram.
inline constexpr int kHistogramMinExponent = -160;
inline constexpr int kHistogramMaxExponent = 160;
inline constexpr std::size_t kHistogramBinsPerOctave = 8;
inline constexpr std::size_t kHistogramBins =
    1 + kHistogramBinsPerOctave * (kHistogramMaxExponent - kHistogramMinExponent);

/// Lower edge of bin 1 + k: 2^(k / 8 - 160) * (1 + k % 8 / 8); 0 for bin 0. Also the upper edge of
/// the bin before, for `bin` up to kHistogramBins.
[[nodiscard]] double binLowerEdge(std::size_t bin);

struct CompareOptions {
  /// How many elements of largest |d| to keep. Elements with d == 0 are never kept.
  std::size_t worstCount = 8;
  int threads = 0;  ///< 0: one a core
  /// Threads that exist already and outlive the comparison; null: own ones. At most `threads` of
  /// them take part.
  Team* team = nullptr;
};

/// One pass over both tensors with all threads, vectorised for the running CPU. Reads every
/// floating dtype directly; integers and bools (0, 1) are converted to float64. The result depends
/// neither on the number of threads nor on the CPU, bit for bit: the tensors are cut into chunks of
/// a fixed size, a chunk into a fixed number of lanes, and partial sums are added in order. Errors:
/// InvalidArgument when the shapes differ or there is no data. For many comparisons hold a
/// Comparer.
[[nodiscard]] Result<Moments> compare(const TensorView& reference,
                                      const TensorView& candidate,
                                      const CompareOptions& options = {});

/// Tells whether the shapes of two tensors allow a comparison. Errors: InvalidArgument.
[[nodiscard]] Result<> checkSameShape(const TensorView& reference, const TensorView& candidate);

/// compare() with threads and memory that stay for the next call. Own threads start with the first
/// pair that is large enough for them and sleep between calls. Used by one thread at a time.
class Comparer {
 public:
  /// Tensors are cut into pieces of this many elements, one thread each.
  static constexpr std::size_t kChunkElements = std::size_t{1} << 14;

  explicit Comparer(CompareOptions options = {});
  Comparer(Comparer&&) noexcept;
  Comparer& operator=(Comparer&&) noexcept;
  Comparer(const Comparer&) = delete;
  Comparer& operator=(const Comparer&) = delete;
  ~Comparer();

  [[nodiscard]] Result<Moments> compare(const TensorView& reference, const TensorView& candidate);
  /// Adds a pair whose elements follow those of `total`, flattened. `total` must have been made by
  /// this class with the same options or be empty; it is unchanged when an error is returned. Of a
  /// pair that was cut at multiples of kChunkElements, the pieces give what compare() gives of the
  /// whole, bit for bit.
  [[nodiscard]] Result<> accumulate(Moments& total,
                                    const TensorView& reference,
                                    const TensorView& candidate);

 private:
  std::unique_ptr<detail::ComparisonEngine> m_engine;
};

/// The format in which an error of this pair is counted in ULP: the coarser of the two, that with
/// fewer mantissa bits. Integers count as finer than any floating format.
[[nodiscard]] DType ulpFormat(DType reference, DType candidate);
/// Spacing of `format` at |value|: 2^(e - p + 1) for 2^e <= |value| < 2^(e+1) and precision p, with
/// e not below the exponent of the smallest normal (subnormal spacing) and not bounded above; 1 for
/// integers, NaN where `value` is not finite. Muller et al., Handbook of Floating-Point Arithmetic,
/// 2.3.2.
[[nodiscard]] double ulpOf(double value, DType format);

}  // namespace ulp::numerics
