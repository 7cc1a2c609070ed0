#include "core/base/stop_pace.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(StopPace, LooksAgainBehindSoManySteps) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  StopPace pace(3);
  source.request_stop();
  for (int step = 0; step < 3; ++step) {
    EXPECT_FALSE(pace.isStopped()) << step << ": a short loop is done";
  }
  EXPECT_TRUE(pace.isStopped());
}

TEST(StopPace, StepsThatAreDoneAtOnceCountAsSoMany) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  StopPace pace(10);
  EXPECT_FALSE(pace.isStopped(8));
  source.request_stop();
  EXPECT_TRUE(pace.isStopped(8)) << "more than ten steps";
  EXPECT_TRUE(pace.isStopped(100)) << "one look for each that is larger than all";
}

TEST(StopPace, AtEachLookTheMeterOfTheWorkLearnsHowFarItIs) {
  WorkMeter meter;
  const MeterScope scope(meter);
  StopPace pace(10, 40);
  EXPECT_EQ(meter.fraction(), 0);
  for (int step = 0; step < 11; ++step) {
    EXPECT_FALSE(pace.isStopped());
  }
  EXPECT_DOUBLE_EQ(meter.fraction(), 0.25);
  EXPECT_FALSE(pace.isStopped(9));
  EXPECT_DOUBLE_EQ(meter.fraction(), 0.25);
  EXPECT_FALSE(pace.isStopped());
  EXPECT_DOUBLE_EQ(meter.fraction(), 0.5);
  EXPECT_FALSE(pace.isStopped(20));
  EXPECT_DOUBLE_EQ(meter.fraction(), 31.0 / 40.0) << "the one before, and ten of the twenty";
}

TEST(StopPace, OutsideOfAllWorkNothingStops) {
  StopPace pace(1);
  for (int step = 0; step < 100; ++step) {
    EXPECT_FALSE(pace.isStopped());
  }
}

TEST(StopPace, WhatWasStoppedIsCancelled) {
  const Result<> result = stopped();
  EXPECT_EQ(result.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp
