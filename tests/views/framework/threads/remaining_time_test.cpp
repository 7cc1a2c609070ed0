#include "views/framework/threads/remaining_time.h"

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

using std::chrono::seconds;

constexpr RemainingTime::Clock::time_point kStart{};

TEST(RemainingTime, WhatCameBeforeTheFirstProgressDoesNotCount) {
  RemainingTime time;
  time.progressed(0, kStart);
  EXPECT_FALSE(time.secondsLeft(kStart + seconds(60)));
  time.progressed(0.25, kStart + seconds(60));
  EXPECT_FALSE(time.secondsLeft(kStart + seconds(60))) << "nothing is known of how fast it is";
  time.progressed(0.5, kStart + seconds(61));
  const auto left = time.secondsLeft(kStart + seconds(61));
  ASSERT_TRUE(left);
  EXPECT_DOUBLE_EQ(*left, 2) << "a quarter a second, and a half is left";
}

TEST(RemainingTime, GoesOnWhereNothingIsToldAndEndsWhereItIsOverdue) {
  RemainingTime time;
  time.progressed(0.25, kStart);
  time.progressed(0.5, kStart + seconds(10));
  time.progressed(0.5, kStart + seconds(14));
  const auto left = time.secondsLeft(kStart + seconds(15));
  ASSERT_TRUE(left);
  EXPECT_DOUBLE_EQ(*left, 15) << "20 seconds from the last progress on";
  EXPECT_FALSE(time.secondsLeft(kStart + seconds(31)));
}

TEST(RemainingTime, TooLittleTellsNothing) {
  RemainingTime time;
  time.progressed(0.25, kStart);
  time.progressed(0.26, kStart + seconds(1));
  EXPECT_FALSE(time.secondsLeft(kStart + seconds(1)));
}

}  // namespace
}  // namespace ulp::views
