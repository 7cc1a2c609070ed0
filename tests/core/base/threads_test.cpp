#include "core/base/threads.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Threads, AreNoMoreThanPiecesNorThanTheMachineHasNorLessThanOne) {
  const std::size_t machine = std::max(1U, std::thread::hardware_concurrency());
  EXPECT_EQ(threadsFor(0), 1U);
  EXPECT_EQ(threadsFor(1), 1U);
  EXPECT_EQ(threadsFor(100'000), machine);
  EXPECT_EQ(threadsFor(100'000, 7), 7U);
  EXPECT_EQ(threadsFor(3, 7), 3U);
}

TEST(Threads, EachNumberRunsOnceAndTheFirstOnTheCallingThread) {
  std::vector<std::atomic<int>> runs(4);
  std::vector<std::thread::id> ids(4);
  ASSERT_TRUE(runOnThreads(4, [&](std::size_t number) {
    ++runs[number];
    ids[number] = std::this_thread::get_id();
  }));
  for (const std::atomic<int>& count : runs) {
    EXPECT_EQ(count, 1);
  }
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::count(ids.begin(), ids.end(), ids[0]), 1);
}

TEST(Threads, AnExceptionOfAnyThreadIsTheErrorWhenTheOthersHaveReturned) {
  for (const std::size_t thrower : {0, 2}) {
    std::atomic<int> returned = 0;
    const auto done = runOnThreads(3, [&](std::size_t number) {
      if (number == thrower) {
        throw std::runtime_error("of one of them");
      }
      ++returned;
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message(), "of one of them");
    EXPECT_EQ(returned, 2);
  }
}

TEST(Threads, OthersSeeThatOneHasFailed) {
  std::atomic<bool> isFailed = false;
  const auto work = [&](std::size_t number) {
    if (number == 1) {
      throw std::runtime_error("of one of them");
    }
    while (!isFailed) {
      std::this_thread::yield();
    }
  };
  EXPECT_FALSE(runOnThreads(2, work, &isFailed));
}

TEST(Threads, MemoryThatIsNotThereIsSaidAsSuch) {
  const auto done = runOnThreads(2, [](std::size_t number) {
    if (number == 1) {
      throw std::bad_alloc();
    }
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace ulp
