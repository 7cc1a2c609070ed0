#include "runner/worker/capture/progress_meter.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

using std::chrono::milliseconds;

std::vector<Site> tenSites() {
  std::vector<Site> sites;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "decoder." + std::to_string(i);
    sites.push_back({name, "model.layers." + std::to_string(i), i, Level::Layer, Pass::Forward});
  }
  return sites;
}

/// A meter with a clock that the test moves.
struct Bench {
  explicit Bench(int runs)
      : meter(
            runs,
            [this](const Event& event) { events.push_back(std::get<Progress>(event)); },
            [this] { return now; }) {}

  void run(const std::string& name, milliseconds perSite, bool finished = true) {
    meter.beginRun(name, tenSites());
    for (int i = 0; i < 10; ++i) {
      meter.at(Pass::Forward, "decoder." + std::to_string(i));
      now += perSite;
    }
    meter.endRun(finished);
  }

  ProgressMeter::Clock::time_point now{std::chrono::hours(1)};
  std::vector<Progress> events;
  ProgressMeter meter;
};

TEST(ProgressMeter, SpeaksAtMostTwentyTimesASecond) {
  Bench bench(2);
  bench.run("reference", milliseconds(1));
  bench.run("bf16", milliseconds(10));
  EXPECT_LE(bench.events.size(), 4U);
  EXPECT_GE(bench.events.size(), 2U);
}

TEST(ProgressMeter, MicroBatchesShareARun) {
  Bench bench(1);
  bench.meter.beginRun("reference", tenSites());
  for (std::size_t batch = 0; batch < 4; ++batch) {
    bench.meter.microBatch({batch, 4});
    for (int i = 0; i < 10; ++i) {
      bench.meter.at(Pass::Forward, "decoder." + std::to_string(i));
      bench.now += milliseconds(100);
    }
  }
  ASSERT_EQ(bench.events.size(), 40U);
  EXPECT_DOUBLE_EQ(bench.events[5].fraction, 0.125);
  EXPECT_DOUBLE_EQ(bench.events[10].fraction, 0.25);
  EXPECT_DOUBLE_EQ(bench.events[35].fraction, 0.875);
}

TEST(ProgressMeter, FractionGrowsFromNothingAndNeverFalls) {
  Bench bench(3);
  bench.run("reference", milliseconds(60));
  bench.run("slow", milliseconds(400));
  bench.run("fast", milliseconds(60));
  ASSERT_EQ(bench.events.size(), 30U);
  EXPECT_DOUBLE_EQ(bench.events.front().fraction, 0);
  for (std::size_t i = 1; i < bench.events.size(); ++i) {
    EXPECT_GE(bench.events[i].fraction, bench.events[i - 1].fraction) << i;
    EXPECT_LE(bench.events[i].fraction, 1) << i;
  }
  EXPECT_GT(bench.events.back().fraction, 0.85);
}

TEST(ProgressMeter, KnowsNoTimeLeftBeforeTheFirstRunWasTimed) {
  Bench bench(2);
  bench.run("reference", milliseconds(100));
  for (const Progress& event : bench.events) {
    EXPECT_FALSE(event.etaSeconds);
  }
  bench.meter.beginRun("bf16", tenSites());
  bench.meter.at(Pass::Forward, "decoder.0");
  ASSERT_TRUE(bench.events.back().etaSeconds);
  EXPECT_NEAR(*bench.events.back().etaSeconds, 1.0, 1e-9);
}

TEST(ProgressMeter, TimeLeftFollowsTheMeasuredSitesOfTheFirstRun) {
  Bench bench(2);
  bench.meter.beginRun("reference", tenSites());
  for (int i = 0; i < 10; ++i) {
    bench.meter.at(Pass::Forward, "decoder." + std::to_string(i));
    bench.now += milliseconds(i == 0 ? 910 : 10);
  }
  bench.meter.endRun(true);
  bench.meter.beginRun("bf16", tenSites());
  bench.meter.at(Pass::Forward, "decoder.1");
  EXPECT_NEAR(*bench.meter.etaSeconds(), 0.09, 1e-6);
}

TEST(ProgressMeter, TimeLeftIsRefinedByTheVariantsSoFar) {
  Bench bench(4);
  bench.run("reference", milliseconds(100));
  EXPECT_NEAR(*bench.meter.etaSeconds(), 3.0, 1e-6);
  bench.run("bf16", milliseconds(50));
  EXPECT_NEAR(*bench.meter.etaSeconds(), 1.0, 1e-6);
}

TEST(ProgressMeter, AFailedRunTeachesNothing) {
  Bench bench(3);
  bench.run("reference", milliseconds(100));
  bench.run("broken", milliseconds(1), false);
  EXPECT_NEAR(*bench.meter.etaSeconds(), 1.0, 1e-6);
}

TEST(ProgressMeter, AModulePathIsAsGoodAsARowNameAndAnUnknownOneKeepsThePlace) {
  Bench bench(1);
  bench.meter.beginRun("reference", tenSites());
  bench.meter.at(Pass::Forward, "model.layers.5");
  EXPECT_DOUBLE_EQ(bench.meter.fraction(), 0.5);
  bench.now += milliseconds(60);
  bench.meter.at(Pass::Backward, "unheard.of");
  EXPECT_DOUBLE_EQ(bench.meter.fraction(), 0.5);
  EXPECT_EQ(bench.events.back().phase, "backward");
  EXPECT_EQ(bench.events.back().site, "unheard.of");
}

TEST(ProgressMeter, PhasesOutsideOfRunsAreReported) {
  Bench bench(1);
  bench.meter.phase("", "load");
  ASSERT_EQ(bench.events.size(), 1U);
  EXPECT_EQ(bench.events[0].phase, "load");
  EXPECT_DOUBLE_EQ(bench.events[0].fraction, 0);
}

TEST(ProgressMeter, ChoosingTokensCountsAsOneRunMore) {
  Bench bench(3);
  for (int chosen = 0; chosen <= 4; ++chosen) {
    bench.meter.choosing("reference", chosen, 4);
    bench.now += milliseconds(500);
  }
  ASSERT_EQ(bench.events.size(), 5U);
  EXPECT_EQ(bench.events[1].run, "reference");
  EXPECT_EQ(bench.events[1].phase, "choose");
  EXPECT_EQ(bench.events[1].site, "1/4");
  EXPECT_DOUBLE_EQ(bench.events[2].fraction, 0.125);
  EXPECT_DOUBLE_EQ(bench.events[2].runFraction.value_or(0), 0.5);
  EXPECT_FALSE(bench.events[0].runEtaSeconds);
  EXPECT_DOUBLE_EQ(bench.events[1].runEtaSeconds.value_or(0), 1.5);
  EXPECT_DOUBLE_EQ(bench.events[2].runEtaSeconds.value_or(0), 1);
  EXPECT_FALSE(bench.events[2].etaSeconds);
  EXPECT_DOUBLE_EQ(bench.meter.fraction(), 0.25);
  bench.run("reference", milliseconds(100));
  EXPECT_DOUBLE_EQ(bench.events.back().fraction, 0.475);
  bench.run("bf16", milliseconds(100));
  EXPECT_NEAR(bench.meter.fraction(), (2 + 1 + 0.9) / (2 + 3), 1e-9);
}

TEST(ProgressMeter, TellsOfTheRunItselfAsWell) {
  Bench bench(2);
  bench.run("reference", milliseconds(100));
  EXPECT_FALSE(bench.events.back().runEtaSeconds);
  EXPECT_NEAR(bench.events.back().runFraction.value_or(0), 0.9, 1e-9);
  bench.meter.beginRun("bf16", tenSites());
  bench.meter.at(Pass::Forward, "decoder.4");
  EXPECT_NEAR(bench.events.back().runFraction.value_or(0), 0.4, 1e-9);
  EXPECT_NEAR(bench.events.back().runEtaSeconds.value_or(0), 0.6, 1e-9);
}

TEST(ProgressMeter, ARunThatIsDroppedTakesItsTimeWithIt) {
  Bench bench(3);
  bench.run("reference", milliseconds(100));
  bench.meter.dropRuns(1);
  EXPECT_NEAR(bench.meter.etaSeconds().value_or(0), 1.0, 1e-9);
  bench.run("bf16", milliseconds(100));
  EXPECT_NEAR(bench.meter.etaSeconds().value_or(9), 0, 1e-9);
  bench.meter.dropRuns(1);
  EXPECT_NEAR(bench.meter.etaSeconds().value_or(9), 0, 1e-9) << "there is none left to drop";
}

}  // namespace
}  // namespace ulp::worker
