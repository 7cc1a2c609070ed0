#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

/// A row of 8.x's table before it is written.
struct Row8 {
  const dumps::msprobe::Record* target = nullptr;
  const dumps::msprobe::Record* golden = nullptr;  ///< null: unmatched
  std::array<Cell, 4> difference{};                ///< max, min, mean, norm; statistics only
  std::array<std::string, 4> relative{};
  Metrics metrics{};  ///< tensors only
  bool isGradConsistent = true;
  std::string result{};  ///< Result, or Accuracy Reached or Not
  std::string message{};
  Fill fill = Fill::None;

  /// "Max diff" or "MaxAbsErr"; nothing where that is no number.
  [[nodiscard]] std::optional<double> largestDifference(Mode mode) const;
};

/// Compares and judges one row; `tensors` is of its pair, null outside tensor dumps.
[[nodiscard]] Row8 makeRow8(const Sides& sides, const Pair& pair, const TensorComparison* tensors);
/// True for the word that the advisor looks for.
[[nodiscard]] bool isSuspect(const Row8& row, Mode mode);

}  // namespace ulp::compat::msprobe
