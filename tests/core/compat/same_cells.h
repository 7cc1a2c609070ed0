#pragma once

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/base/text/parse_number.h"
#include "tests/core/compat/expected_table.h"

namespace ulp::compat::test {

/// A norm of differences sums in another order than the original's BLAS: its last digits.
inline bool isSameSum(const std::string& left, const std::string& right) {
  const auto a = parseNumber<double>(left);
  const auto b = parseNumber<double>(right);
  constexpr double kDigits = 4 * std::numeric_limits<double>::epsilon();
  return a && b && std::abs(*a - *b) <= kDigits * std::abs(*b);
}

/// Names the first cell that differs; in the column EucDist the last digits may.
inline void expectSameCells(const Table& got, const Table& expected) {
  ASSERT_FALSE(expected.empty());
  ASSERT_FALSE(got.empty());
  ASSERT_EQ(got[0], expected[0]);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t row = 1; row < got.size(); ++row) {
    ASSERT_EQ(got[row].size(), expected[row].size()) << expected[row][1];
    for (std::size_t column = 0; column < got[row].size(); ++column) {
      const std::string& ours = got[row][column];
      const std::string& theirs = expected[row][column];
      const bool isSame =
          ours == theirs || (got[0][column] == "EucDist" && isSameSum(ours, theirs));
      ASSERT_TRUE(isSame) << "row " << row << ", " << expected[row][1] << ", " << got[0][column]
                          << ": got '" << ours << "', expected '" << theirs << "'";
    }
  }
}

}  // namespace ulp::compat::test
