#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <sys/time.h>

#include <gtest/gtest.h>

namespace ulp {
namespace {

bool isAskedFor() {
  const char* preloaded = std::getenv("LD_PRELOAD");  // NOLINT(concurrency-mt-unsafe)
  return preloaded != nullptr &&
         std::string_view(preloaded).find("clock_jumps") != std::string_view::npos;
}

/// Without it, the tests that run beside it would show nothing.
TEST(JumpingClock, JumpsWhereItIsAskedFor) {
  constexpr std::time_t kHour = 3600;
  const std::time_t first = std::time(nullptr);
  const std::time_t second = std::time(nullptr);
  EXPECT_EQ(std::abs(second - first) > kHour, isAskedFor());
  timeval before{};
  timeval after{};
  ::gettimeofday(&before, nullptr);
  ::gettimeofday(&after, nullptr);
  EXPECT_EQ(std::abs(after.tv_sec - before.tv_sec) > kHour, isAskedFor());
  const auto now = std::chrono::system_clock::now();
  const auto then = std::chrono::system_clock::now();
  EXPECT_EQ(std::chrono::abs(then - now) > std::chrono::hours(1), isAskedFor());
}

TEST(JumpingClock, LeavesDurationsAlone) {
  auto last = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) {
    const auto now = std::chrono::steady_clock::now();
    EXPECT_GE(now, last);
    EXPECT_LT(now - last, std::chrono::hours(1));
    last = now;
  }
}

}  // namespace
}  // namespace ulp
