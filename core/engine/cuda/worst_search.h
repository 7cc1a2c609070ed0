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

/// The best of neighbours of a sequence, places first, first + stride …, after `last`: whichever of
/// them comes before `best`.
template <int kCount>
ULP_HOST_DEVICE Ranked bestOf(const double (&values)[kCount],
                              Ranked last,
                              std::int32_t first,
                              std::int32_t stride,
                              Ranked best) {
  for (std::int32_t i = 0; i < kCount; ++i) {
    const Ranked here{values[i], first + i * stride};
    const bool counts = here.value > 0 && isBefore(last, here) && isBefore(here, best);
    best.value = counts ? here.value : best.value;
    best.place = counts ? here.place : best.place;
  }
  return best;
}

/// Values at places first, first + stride …, zeros from `count` on. All are asked for before the
/// first is looked at, since memory answers late.
template <int kCount, class ValueAt>
ULP_HOST_DEVICE void readValues(double (&values)[kCount],
                                std::int32_t first,
                                std::int32_t stride,
                                std::int32_t count,
                                const ValueAt& valueAt) {
  for (std::int32_t i = 0; i < kCount; ++i) {
    const std::int32_t at = first + i * stride;
    values[i] = at < count ? valueAt(at) : 0;
  }
}

/// The first of places first, first + stride … below `count` that comes after `last`.
/// `valueAt(place)` is not negative and not NaN; zeros are none.
template <class ValueAt>
ULP_HOST_DEVICE Ranked bestAfter(const Ranked last,
                                 std::int32_t first,
                                 std::int32_t stride,
                                 std::int32_t count,
                                 const ValueAt& valueAt) {
  constexpr std::int32_t kAtOnce = 8;
  Ranked best;
  for (std::int32_t place = first; place < count; place += kAtOnce * stride) {
    double values[kAtOnce];
    readValues(values, place, stride, count, valueAt);
    best = bestOf(values, last, place, stride, best);
  }
  return best;
}

}  // namespace ulp::engine::cuda
