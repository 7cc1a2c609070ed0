#include "core/numerics/thread_team.h"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace ulp::numerics::detail {
namespace {

TEST(ThreadTeam, RunsEveryJobAtLeastOnceAndHelpersAtMostOnceEach) {
  ThreadTeam team(3);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> runs = 0;
    team.run([&] { ++runs; });
    EXPECT_GE(runs, 1);
    EXPECT_LE(runs, 4);
  }
}

TEST(ThreadTeam, ReturnsOnlyWhenAllWhoTookPartAreDone) {
  ThreadTeam team(3);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> inside = 0;
    team.run([&] {
      ++inside;
      std::this_thread::yield();
      --inside;
    });
    EXPECT_EQ(inside, 0);
  }
}

TEST(ThreadTeam, WakesItsHelpers) {
  ThreadTeam team(1);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<bool> both = false;
  team.run([&] {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
      both = threads.size() == 2;
    }
    while (!both) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(threads.size(), 2);
}

TEST(ThreadTeam, WithoutHelpersRunsInTheCaller) {
  ThreadTeam team(0);
  std::thread::id ran;
  team.run([&] { ran = std::this_thread::get_id(); });
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST(ThreadTeam, EndsWhileItsHelpersSleep) {
  for (int round = 0; round < 50; ++round) {
    const ThreadTeam team(2);
  }
}

}  // namespace
}  // namespace ulp::numerics::detail
