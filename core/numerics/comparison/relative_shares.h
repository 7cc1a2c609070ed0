#pragma once

#include <cstdint>

#include "core/numerics/tensor_view.h"

namespace ulp::numerics {

/// How many elements lie close to the reference, relative to it: the shares that msprobe reports.
/// Of r = 0 those with d = 0 count. Elements that are not finite in both are left out.
struct RelativeShares {
  std::uint64_t compared = 0;
  std::uint64_t withinThousandth = 0;       ///< |d| < 0.001 |r|
  std::uint64_t withinFiveThousandths = 0;  ///< |d| < 0.005 |r|

  void add(const RelativeShares& more) {
    compared += more.compared;
    withinThousandth += more.withinThousandth;
    withinFiveThousandths += more.withinFiveThousandths;
  }
};

/// Adds the elements of two tensors of equal count, of any types, in float64.
void addRelativeShares(RelativeShares& total,
                       const TensorView& reference,
                       const TensorView& candidate);

}  // namespace ulp::numerics
