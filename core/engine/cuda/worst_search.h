#pragma once

#include <cstdint>

#include "core/engine/cuda/pair_arithmetic.h"

/// Finding the largest numbers of a sequence one after the other, of equal ones the first first.
namespace ulp::engine::cuda {

/// A number and its place. `value` 0: none.
struct Ranked {
  double value = 0;
  std::uint64_t place = ~std::uint64_t{0};
};

/// Whether `a` comes before `b`.
ULP_HOST_DEVICE inline bool isBefore(const Ranked& a, const Ranked& b) {
  return a.value > b.value || (a.value == b.value && a.place < b.place);
}

/// The first of places first, first + stride … below `count` that comes after `last`, or of all
/// where `last` is null. `valueAt(place)` is not negative and not NaN; zeros are none.
template <class ValueAt>
ULP_HOST_DEVICE Ranked bestAfter(const Ranked* last,
                                 std::uint64_t first,
                                 std::uint64_t stride,
                                 std::uint64_t count,
                                 const ValueAt& valueAt) {
  Ranked best;
  for (std::uint64_t place = first; place < count; place += stride) {
    const Ranked here{valueAt(place), place};
    if (here.value > 0 && isBefore(here, best) && (last == nullptr || isBefore(*last, here))) {
      best = here;
    }
  }
  return best;
}

/// |d| of a pair, 0 where it is not compared.
ULP_HOST_DEVICE inline double comparedMagnitude(double reference, double candidate) {
  return isFiniteNumber(reference) && isFiniteNumber(candidate) ? magnitudeOf(candidate - reference)
                                                                : 0;
}

}  // namespace ulp::engine::cuda
