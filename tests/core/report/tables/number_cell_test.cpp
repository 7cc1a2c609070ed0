#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/report/tables/data_table.h"

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

}  // namespace
}  // namespace ulp::report
