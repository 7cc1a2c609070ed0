#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ulp::analysis {

/// Counts of numbers in bins of equal width, the same for several sets of them. The width is 1, 2
/// or 5 times a power of ten, and the edges are its multiples, so that zero is one of them.
struct DifferenceHistogram {
  double width = 1;
  std::int64_t firstEdge = 0;                      ///< of the first bin, in widths
  std::vector<std::vector<std::uint64_t>> counts;  ///< [set][bin]

  [[nodiscard]] std::size_t bins() const { return counts.empty() ? 0 : counts.front().size(); }
  /// Lower edge; that of bins() is the upper edge of the last one.
  [[nodiscard]] double edge(std::size_t bin) const {
    return width * static_cast<double>(firstEdge + static_cast<std::int64_t>(bin));
  }
  /// The bin that counts a finite number, the nearest one for numbers beyond the edges. There must
  /// be a bin.
  [[nodiscard]] std::size_t binOf(double value) const;
  [[nodiscard]] std::uint64_t largestCount() const;
};

/// Counts the finite numbers of each set, in about `bins` bins; no bins without a finite number.
[[nodiscard]] DifferenceHistogram differenceHistogram(std::span<const std::span<const double>> sets,
                                                      std::size_t bins = 80);

}  // namespace ulp::analysis
