#include <gtest/gtest.h>

#include "core/report/summary/noise_floor.h"

namespace ulp::report {
namespace {

TEST(FloorMeaning, SaysWhatEachRunOfAFloorMeasures) {
  EXPECT_EQ(floorMeaning("floor.repeat"), "the same again");
  EXPECT_EQ(floorMeaning("floor.float64"), "rounding of the reference itself");
  EXPECT_EQ(floorMeaning("floor.threads"), "another number of threads");
  EXPECT_EQ(floorMeaning("floor.attention"), "another attention kernel");
  EXPECT_EQ(floorMeaning("floor.batch_order"), "sequences in reverse order");
}

TEST(FloorMeaning, IsEmptyForEveryOtherRun) {
  EXPECT_EQ(floorMeaning("bf16"), "");
  EXPECT_EQ(floorMeaning("floor.unknown"), "");
  EXPECT_EQ(floorMeaning(""), "");
}

}  // namespace
}  // namespace ulp::report
