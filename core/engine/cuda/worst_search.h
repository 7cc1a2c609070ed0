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

/// The larger one, of equal ones the first. Member by member: a choice between two structures would
/// be one between two addresses.
ULP_HOST_DEVICE inline Ranked larger(const Ranked& first, const Ranked& second) {
  const bool isSecond = second.value > first.value;
  return {isSecond ? second.value : first.value, isSecond ? second.place : first.place};
}

/// Values at places first, first + stride … of a sequence of `count`, zeros behind its end.
/// `valueAt(place)` is not negative and not NaN; zeros are none. All values are asked for before
/// the first is looked at, since memory answers late.
template <int kCount>
class ValuesAhead {
 public:
  template <class ValueAt>
  ULP_HOST_DEVICE ValuesAhead(std::int32_t first,
                              std::int32_t stride,
                              std::int32_t count,
                              const ValueAt& valueAt)
      : m_first(first), m_stride(stride) {
    for (std::int32_t i = 0; i < kCount; ++i) {
      const std::int32_t at = first + i * stride;
      m_values[i] = at < count ? valueAt(at) : 0;
    }
  }

  /// Leaves out all that do not come after `last`.
  ULP_HOST_DEVICE void dropUpTo(const Ranked& last) {
    for (std::int32_t i = 0; i < kCount; ++i) {
      m_values[i] = isBefore(last, {m_values[i], m_first + i * m_stride}) ? m_values[i] : 0;
    }
  }

  ULP_HOST_DEVICE void drop(std::int32_t place) {
    for (std::int32_t i = 0; i < kCount; ++i) {
      m_values[i] = m_first + i * m_stride == place ? 0 : m_values[i];
    }
  }

  /// The first of them. Halves are compared, of which the first and the second are known in the
  /// same way: so the fewest steps wait for each other.
  [[nodiscard]] ULP_HOST_DEVICE Ranked first() const { return firstOf<0, kCount>(); }

 private:
  template <int kFrom, int kNumber>
  [[nodiscard]] ULP_HOST_DEVICE Ranked firstOf() const {
    if constexpr (kNumber == 1) {
      return {m_values[kFrom], m_first + kFrom * m_stride};
    } else {
      return larger(firstOf<kFrom, kNumber / 2>(),
                    firstOf<kFrom + kNumber / 2, kNumber - kNumber / 2>());
    }
  }

  double m_values[kCount];
  std::int32_t m_first;
  std::int32_t m_stride;
};

/// The first of places first, first + stride … below `count` that comes after `last`.
template <class ValueAt>
ULP_HOST_DEVICE Ranked bestAfter(const Ranked last,
                                 std::int32_t first,
                                 std::int32_t stride,
                                 std::int32_t count,
                                 const ValueAt& valueAt) {
  constexpr std::int32_t kAtOnce = 8;
  Ranked best;
  for (std::int32_t place = first; place < count; place += kAtOnce * stride) {
    ValuesAhead<kAtOnce> values(place, stride, count, valueAt);
    values.dropUpTo(last);
    best = larger(best, values.first());
  }
  return best;
}

}  // namespace ulp::engine::cuda
