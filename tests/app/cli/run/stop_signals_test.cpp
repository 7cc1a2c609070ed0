#include "app/cli/stop_signals.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

bool waitForStop(const std::stop_token& token) {
  for (int i = 0; i < 30'000 && !token.stop_requested(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return token.stop_requested();
}

TEST(StopSignals, TheFirstSignalAsksForAStop) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto signals = *StopSignals::install();
    EXPECT_FALSE(signals->token().stop_requested());
    ::kill(::getpid(), signal);
    EXPECT_TRUE(waitForStop(signals->token())) << signal;
  }
}

TEST(StopSignals, ReachThreadsThatWereStartedMeanwhileNeither) {
  const auto signals = *StopSignals::install();
  const auto token = signals->token();
  std::thread other([&] { waitForStop(token); });
  ::kill(::getpid(), SIGINT);
  other.join();
  EXPECT_TRUE(token.stop_requested());
}

TEST(StopSignalsDeathTest, TheSecondSignalEndsTheProcessAtOnce) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto signals = *StopSignals::install();
        ::kill(::getpid(), SIGINT);
        waitForStop(signals->token());
        ::kill(::getpid(), SIGINT);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::ExitedWithCode(130),
      "stopped at once");
}

TEST(StopSignalsDeathTest, ExpendableWorkThatDoesNotStopIsEndedAfterASecond) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EXIT(
      {
        const auto signals = *StopSignals::install();
        const ExpendableWork work(*signals);
        ::kill(::getpid(), SIGINT);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::ExitedWithCode(130),
      "stopped at once");
  EXPECT_GE(std::chrono::steady_clock::now() - start, StopSignals::kPatience);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(StopSignalsDeathTest, WhatIsKeptIsWaitedFor) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto signals = *StopSignals::install();
        { const ExpendableWork before(*signals); }
        ::kill(::getpid(), SIGINT);
        std::this_thread::sleep_for(StopSignals::kPatience + std::chrono::milliseconds(300));
        ::_exit(7);
      },
      testing::ExitedWithCode(7),
      "");
}

TEST(StopSignalsDeathTest, TheUsualDispositionComesBack) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        { const auto signals = *StopSignals::install(); }
        ::kill(::getpid(), SIGTERM);
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      testing::KilledBySignal(SIGTERM),
      "");
}

}  // namespace
}  // namespace ulp::cli
