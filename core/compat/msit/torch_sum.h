#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

/// Sums in the order in which PyTorch adds on a CPU with AVX2 and one thread (ATen's SumKernel.cpp:
/// pairwise over four levels, four vectors of 32 bytes at a time), so that float32 results are
/// equal to the last bit. Above 32,768 elements PyTorch splits the work by its threads.
namespace ulp::compat::msit {

namespace detail {

constexpr std::size_t kLevels = 4;
constexpr std::size_t kRows = 4;

template <class T>
using Lanes = std::array<T, 32 / sizeof(T)>;

template <class T>
void addTo(Lanes<T>& sum, const Lanes<T>& term) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += term[i];
  }
}

template <class T>
void moveUp(std::array<Lanes<T>, kRows>& sums, std::array<Lanes<T>, kRows>& terms) {
  for (std::size_t row = 0; row < kRows; ++row) {
    addTo<T>(sums[row], terms[row]);
    terms[row] = {};
  }
}

/// kRows vectors at a time; `load(i)` gives vector i of kRows * count.
template <class T, class Load>
std::array<Lanes<T>, kRows> sumRows(std::size_t count, const Load& load) {
  std::array<std::array<Lanes<T>, kRows>, kLevels> sums{};
  const auto ceilLog2 = static_cast<std::size_t>(count < 2 ? 0 : std::bit_width(count - 1));
  const std::size_t power = std::max<std::size_t>(4, ceilLog2 / kLevels);
  const std::size_t step = std::size_t{1} << power;
  std::size_t i = 0;
  while (i + step <= count) {
    for (std::size_t j = 0; j < step; ++j, ++i) {
      for (std::size_t row = 0; row < kRows; ++row) {
        addTo<T>(sums[0][row], load(i * kRows + row));
      }
    }
    for (std::size_t level = 1; level < kLevels; ++level) {
      moveUp<T>(sums[level], sums[level - 1]);
      if ((i & ((step - 1) << (level * power))) != 0) {
        break;
      }
    }
  }
  for (; i < count; ++i) {
    for (std::size_t row = 0; row < kRows; ++row) {
      addTo<T>(sums[0][row], load(i * kRows + row));
    }
  }
  for (std::size_t level = 1; level < kLevels; ++level) {
    moveUp<T>(sums[0], sums[level]);
  }
  return sums[0];
}

/// Fewer than a vector holds.
template <class T, class At>
T sumFew(std::size_t count, const At& at) {
  std::array<T, kRows> rows{};
  const std::size_t whole = count / kRows * kRows;
  for (std::size_t i = 0; i < count; ++i) {
    rows[i < whole ? i % kRows : 0] += at(i);
  }
  return rows[0] + rows[1] + rows[2] + rows[3];
}

}  // namespace detail

/// `at(i)` is element i of `count`. `halves`: elements are of 16 bits, of which PyTorch loads twice
/// as many at a time and adds their upper to their lower half.
template <class T, class At>
[[nodiscard]] T torchSum(std::size_t count, const At& at, bool halves = false) {
  using Vector = detail::Lanes<T>;
  constexpr std::size_t kLanes = std::tuple_size_v<Vector>;
  const std::size_t width = halves ? 2 * kLanes : kLanes;
  if (count < width) {
    return detail::sumFew<T>(count, at);
  }
  const auto load = [&](std::size_t vector) {
    Vector lanes{};
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t first = vector * width + i;
      lanes[i] = halves ? at(first) + at(first + kLanes) : at(first);
    }
    return lanes;
  };
  const std::size_t vectors = count / width;
  auto rows = detail::sumRows<T>(vectors / detail::kRows, load);
  for (std::size_t i = vectors / detail::kRows * detail::kRows; i < vectors; ++i) {
    detail::addTo<T>(rows[0], load(i));
  }
  for (std::size_t row = 1; row < detail::kRows; ++row) {
    detail::addTo<T>(rows[0], rows[row]);
  }
  T sum = 0;
  for (std::size_t i = vectors * width; i < count; ++i) {
    sum += at(i);
  }
  for (const T lane : rows[0]) {
    sum += lane;
  }
  return sum;
}

}  // namespace ulp::compat::msit
