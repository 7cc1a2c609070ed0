#include "core/dumps/model/dump.h"

#include <limits>

#include <gtest/gtest.h>

namespace ulp::dumps {
namespace {

TEST(DumpRowTest, IsATensorByWhateverIsKnownOfIt) {
  EXPECT_FALSE(isTensor({.name = "none"}));
  EXPECT_FALSE(isTensor({.name = "eps", .dtype = "float", .value = "1e-6"}));
  EXPECT_TRUE(isTensor({.name = "x", .dtype = "torch.float32"}));
  EXPECT_TRUE(isTensor({.name = "x", .shape = {2}}));
  DumpRow recorded{.name = "x"};
  recorded.statistics.max = 0;
  EXPECT_TRUE(isTensor(recorded));
  EXPECT_TRUE(isTensor({.name = "x", .checksum = "ab"}));
  EXPECT_TRUE(isTensor({.name = "a file that nobody can read", .hasElements = true}));
}

TEST(StatisticsTest, AreTheSameWhereAllNumbersAreOrLack) {
  Statistics left;
  left.max = 1;
  left.norm = std::numeric_limits<double>::quiet_NaN();
  Statistics right = left;
  EXPECT_TRUE(isSame(left, right)) << "NaN equals NaN";
  right.norm = 1;
  EXPECT_FALSE(isSame(left, right));
  right.norm = left.norm;
  right.min = 0;
  EXPECT_FALSE(isSame(left, right));
}

}  // namespace
}  // namespace ulp::dumps
