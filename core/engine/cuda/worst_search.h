#pragma once

#include <cstdint>

#include "core/engine/cuda/pair_arithmetic.h"

/// Finding the largest numbers of a sequence one after the other, of equal ones the first first.
namespace ulp::engine::cuda {

/// A number and its place. `value` 0: none.
struct Ranked {
  double value = 0;
  std::int32_t place = 0x7FFFFFFF;
};

/// Comes before all numbers.
ULP_HOST_DEVICE inline Ranked beforeAll() {
  return {doubleOf(0x7FF0000000000000ULL), -1};
}

/// Whether `a` comes before `b`.
ULP_HOST_DEVICE inline bool isBefore(const Ranked& a, const Ranked& b) {
  return a.value > b.value || (a.value == b.value && a.place < b.place);
}

/// The first of places first, first + stride … below `count` that comes after `last`.
/// `valueAt(place)` is not negative and not NaN; zeros are none.
template <class ValueAt>
ULP_HOST_DEVICE Ranked bestAfter(const Ranked last,
                                 std::int32_t first,
                                 std::int32_t stride,
                                 std::int32_t count,
                                 const ValueAt& valueAt) {
  // Values that are asked for before the first is looked at, since memory answers late.
  constexpr std::int32_t kAtOnce = 8;
  Ranked best;
  for (std::int32_t place = first; place < count; place += kAtOnce * stride) {
    double values[kAtOnce];
    for (std::int32_t i = 0; i < kAtOnce; ++i) {
      const std::int32_t at = place + i * stride;
      values[i] = at < count ? valueAt(at) : 0;
    }
    for (std::int32_t i = 0; i < kAtOnce; ++i) {
      const Ranked here{values[i], place + i * stride};
      const bool counts = here.value > 0 && isBefore(last, here) && isBefore(here, best);
      best.value = counts ? here.value : best.value;
      best.place = counts ? here.place : best.place;
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
