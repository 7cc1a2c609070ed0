#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numerics/comparison/comparison.h"

namespace ulp::numerics::testing {

/// A tensor that owns its elements, at an address that is `misalignment` bytes off any alignment.
class OwnedTensor {
 public:
  OwnedTensor(DType dtype, std::span<const double> values, std::size_t misalignment = 0);

  [[nodiscard]] TensorView view() const;
  /// Elements [first, first + count) as a vector of that length.
  [[nodiscard]] TensorView slice(std::size_t first, std::size_t count) const;

 private:
  DType m_dtype;
  std::size_t m_count;
  std::size_t m_misalignment;
  std::vector<std::byte> m_bytes;
};

/// What a test pair consists of.
struct PairValues {
  std::vector<double> reference;
  std::vector<double> candidate;
};

/// Numbers of many magnitudes, candidates close to them, far from them and equal to them; with
/// `special`, also zeros, subnormal and non-finite numbers of either format.
[[nodiscard]] PairValues randomPair(std::size_t count,
                                    DType reference,
                                    DType candidate,
                                    bool special);

/// The definition of Moments, element by element in long double.
[[nodiscard]] Moments scalarComparison(const TensorView& reference,
                                       const TensorView& candidate,
                                       std::size_t worstCount);

/// Everything but the sums equal, the sums equal to 1e-13 of the sum of their magnitudes.
void expectSameMoments(const Moments& actual, const Moments& expected);
/// Every field equal, bit for bit.
void expectIdenticalMoments(const Moments& actual, const Moments& expected);

}  // namespace ulp::numerics::testing
