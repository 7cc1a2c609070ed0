#include "core/compat/msprobe/pairs/statistic_difference.h"

#include <limits>

#include <gtest/gtest.h>

namespace ulp::compat::msprobe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(MsprobeNumbers, ReadAsPythonReadsThem) {
  EXPECT_EQ(pythonNumber(" +1.5 "), 1.5);
  EXPECT_EQ(pythonNumber("1,5"), std::nullopt);
  EXPECT_EQ(pythonNumber("1.5x"), std::nullopt);
}

TEST(MsprobeNumbers, BeyondDoubleAreInfiniteOrZero) {
  EXPECT_EQ(pythonNumber("1.5e400"), kInfinity);
  EXPECT_EQ(pythonNumber("-1.5e400"), -kInfinity);
  EXPECT_EQ(pythonNumber("1.5e-400"), 0);
}

}  // namespace
}  // namespace ulp::compat::msprobe
