#pragma once

#include <cstddef>
#include <vector>

/// Matrices of small whole numbers, whose products and sums are exact in any order.
namespace ulp::test {

using Matrix = std::vector<std::vector<float>>;

inline std::vector<float> flat(const Matrix& matrix) {
  std::vector<float> all;
  for (const auto& row : matrix) {
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

inline Matrix product(const Matrix& a, const Matrix& b, bool isTransposed) {
  const std::size_t columns = isTransposed ? b.size() : b.front().size();
  Matrix result(a.size(), std::vector<float>(columns));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = 0; k < a[i].size(); ++k) {
        result[i][j] += a[i][k] * (isTransposed ? b[j][k] : b[k][j]);
      }
    }
  }
  return result;
}

inline Matrix transposed(const Matrix& a) {
  Matrix result(a.front().size(), std::vector<float>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j) {
      result[j][i] = a[i][j];
    }
  }
  return result;
}

inline Matrix counted(std::size_t rows, std::size_t columns, int seed) {
  Matrix result(rows, std::vector<float>(columns));
  for (std::size_t i = 0; i < rows * columns; ++i) {
    // Small whole numbers, so that every sum is exact.
    result[i / columns][i % columns] =
        static_cast<float>((i * 7 + static_cast<std::size_t>(seed) * 5) % 11) - 5;
  }
  return result;
}

/// Columns [first, first + count).
inline Matrix columnsOf(const Matrix& a, std::size_t first, std::size_t count) {
  Matrix result;
  for (const auto& row : a) {
    const auto begin = row.begin() + static_cast<std::ptrdiff_t>(first);
    result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return result;
}
inline Matrix rowsOf(const Matrix& a, std::size_t first, std::size_t count) {
  const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace ulp::test
