#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ulp::views::charts {

/// Values by row and column, row-major. Made once, then shared and only read.
struct RasterGrid {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;  ///< NaN and infinities are data; anything where a cell is missing
  /// For cells that stand for many elements: how many of them are not numbers. Empty: a cell is one
  /// element.
  std::vector<std::uint64_t> nonFinite;
  std::vector<std::uint8_t> missing;  ///< 1: there is no such cell. Empty: all are there

  [[nodiscard]] bool isEmpty() const { return rows == 0 || columns == 0; }
  [[nodiscard]] std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  [[nodiscard]] double value(int row, int column) const { return values[at(row, column)]; }
  [[nodiscard]] bool isMissing(std::size_t cell) const {
    return !missing.empty() && missing[cell] != 0;
  }
  [[nodiscard]] bool isMissing(int row, int column) const { return isMissing(at(row, column)); }
  /// Some of its elements are not numbers, or it has no finite value.
  [[nodiscard]] bool isBroken(std::size_t cell) const {
    return (!nonFinite.empty() && nonFinite[cell] != 0) || !std::isfinite(values[cell]);
  }
};

using RasterGridPtr = std::shared_ptr<const RasterGrid>;

}  // namespace ulp::views::charts
