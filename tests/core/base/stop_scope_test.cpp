#include "core/base/stop_scope.h"

#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/threads.h"

namespace ulp {
namespace {

TEST(StopScopeTest, TheInnermostCountsAndOutsideOfAllNothingStops) {
  EXPECT_FALSE(currentStop().stop_possible());
  std::stop_source outer;
  const StopScope scope(outer.get_token());
  {
    std::stop_source inner;
    const StopScope within(inner.get_token());
    inner.request_stop();
    EXPECT_TRUE(currentStop().stop_requested());
  }
  EXPECT_FALSE(currentStop().stop_requested());
  outer.request_stop();
  EXPECT_TRUE(currentStop().stop_requested());
}

TEST(StopScopeTest, ThreadsOfOneWorkStopTogetherAndOthersDoNot) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  source.request_stop();
  std::array<bool, 3> stopped{};
  ASSERT_TRUE(runOnThreads(
      3, [&](std::size_t thread) { stopped.at(thread) = currentStop().stop_requested(); }));
  EXPECT_EQ(stopped, (std::array{true, true, true}));
  bool isOther = true;
  std::thread([&] { isOther = currentStop().stop_requested(); }).join();
  EXPECT_FALSE(isOther);
}

}  // namespace
}  // namespace ulp
