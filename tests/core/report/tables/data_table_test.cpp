#include "core/report/tables/data_table.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::report {
namespace {

TEST(NumberCell, HoldsEveryNumberButNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(numberCell(0.25), DataCell(0.25));
  EXPECT_EQ(numberCell(-0.0), DataCell(0.0));
  EXPECT_EQ(numberCell(-infinity), DataCell(-infinity));
  EXPECT_EQ(numberCell(std::nan("")), DataCell());
}

TEST(NumberCell, HoldsTheNaNOfElementsThatAreNotFinite) {
  const DataCell cell = numberCell(std::nan(""), true);
  ASSERT_TRUE(std::holds_alternative<double>(cell));
  EXPECT_TRUE(std::isnan(std::get<double>(cell)));
  EXPECT_EQ(numberCell(0.25, true), DataCell(0.25));
}

TEST(ExactNumber, WritesWholeNumbersWithoutAnExponentAndKeepsAllDigitsOfOthers) {
  EXPECT_EQ(exactNumber(100'000), "100000");
  EXPECT_EQ(exactNumber(-123'456'789), "-123456789");
  EXPECT_EQ(exactNumber(0.1), "0.1");
  EXPECT_EQ(exactNumber(1e-5), "1e-05");
  EXPECT_EQ(exactNumber(1e300), "1e+300");
  EXPECT_EQ(exactNumber(-std::numeric_limits<double>::infinity()), "-Infinity");
}

}  // namespace
}  // namespace ulp::report
