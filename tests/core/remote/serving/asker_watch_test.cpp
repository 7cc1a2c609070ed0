#include "core/remote/serving/asker_watch.h"

#include <array>
#include <chrono>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ulp::remote {
namespace {

/// Waits for as long as a slow machine may take.
bool isStoppedSoon(const std::stop_token& token) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!token.stop_requested() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return token.stop_requested();
}

struct Questions {
  std::array<int, 2> ends{-1, -1};
  Questions() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Questions() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
};

TEST(AskerWatch, WhoWaitsIsWaitedFor) {
  const Questions questions;
  const AskerWatch watch(questions.ends[0], [] {});
  EXPECT_FALSE(watch.givenUp().stop_requested());
}

TEST(AskerWatch, WhoAsksSomethingElseHasGivenUp) {
  const Questions questions;
  const AskerWatch watch(questions.ends[0], [] {});
  ASSERT_EQ(::write(questions.ends[1], "?", 1), 1);
  EXPECT_TRUE(isStoppedSoon(watch.givenUp()));
  char next = 0;
  EXPECT_EQ(::read(questions.ends[0], &next, 1), 1) << "the question is still there";
}

TEST(AskerWatch, WhoLeavesHasGivenUp) {
  Questions questions;
  const AskerWatch watch(questions.ends[0], [] {});
  ::close(questions.ends[1]);
  questions.ends[1] = -1;
  EXPECT_TRUE(isStoppedSoon(watch.givenUp()));
}

}  // namespace
}  // namespace ulp::remote
