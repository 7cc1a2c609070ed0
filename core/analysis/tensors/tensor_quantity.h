#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/dtype.h"

namespace ulp::analysis {

/// What is looked at of a pair of elements: a of the reference, b of the variant.
enum class Quantity : std::uint8_t {
  Reference,
  Variant,
  Difference,          ///< a − b
  AbsoluteDifference,  ///< |a − b|
  RelativeDifference,  ///< |a − b| / |a|; 0 where both are 0, undefined (NaN) where only a is
  Ulp                  ///< |a − b| in units of the last place of a, see numerics::ulpOf()
};

inline constexpr std::array kQuantities{Quantity::Reference,
                                        Quantity::Variant,
                                        Quantity::Difference,
                                        Quantity::AbsoluteDifference,
                                        Quantity::RelativeDifference,
                                        Quantity::Ulp};

/// Has values on both sides of zero, so that zero is a place of its own.
[[nodiscard]] constexpr bool isSigned(Quantity quantity) {
  return quantity <= Quantity::Difference;
}
/// Is an error: nothing below zero, and best looked at in decades.
[[nodiscard]] constexpr bool isError(Quantity quantity) {
  return quantity >= Quantity::AbsoluteDifference;
}

/// numerics::ulpOf() of one format for a great many values.
class UlpSpacing {
 public:
  explicit UlpSpacing(DType format);
  /// `value` is finite.
  [[nodiscard]] double at(double value) const;

 private:
  double m_least;
  double m_ofOne;
  bool m_isConstant;
};

/// Computes one quantity of pairs of elements.
class QuantityReader {
 public:
  QuantityReader(const TensorPair& pair, Quantity quantity)
      : m_pair(pair), m_quantity(quantity), m_spacing(pair.ulpFormat) {}

  /// Computes the quantity of elements `first`, `first + step`, … of both tensors, at most kBlock
  /// of them. A value is NaN or infinite where an element is, and NaN where the quantity is
  /// undefined; `nonFinite` tells the first (not 0) from the second.
  void read(std::int64_t first,
            std::int64_t step,
            std::span<double> values,
            std::span<std::uint8_t> nonFinite) const;
  /// Computes the quantity of one pair of elements.
  [[nodiscard]] double valueOf(double reference, double variant) const;

  static constexpr std::size_t kBlock = 4096;

 private:
  const TensorPair& m_pair;
  Quantity m_quantity;
  UlpSpacing m_spacing;
};

}  // namespace ulp::analysis
