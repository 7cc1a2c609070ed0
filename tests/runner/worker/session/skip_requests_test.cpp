#include "runner/worker/session/skip_requests.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

TEST(SkipRequests, AreTakenOnceInTheirOrder) {
  SkipRequests skips;
  skips.ask("b");
  skips.ask("a");
  skips.ask("b");
  EXPECT_EQ(skips.takeNew(), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(skips.takeNew().empty());
  EXPECT_TRUE(skips.isAsked("a"));
  EXPECT_FALSE(skips.isAsked("c"));
}

TEST(SkipRequests, StopTheRunThatGoesOnAndNoOther) {
  SkipRequests skips;
  std::stop_source first;
  skips.runBegins("a", first);
  skips.ask("b");
  EXPECT_FALSE(first.stop_requested());
  skips.ask("a");
  EXPECT_TRUE(first.stop_requested());
  skips.runEnds();
  std::stop_source second;
  skips.runBegins("b", second);
  EXPECT_TRUE(second.stop_requested()) << "it was asked for before it began";
  skips.runEnds();
  std::stop_source third;
  skips.runBegins("c", third);
  skips.runEnds();
  skips.ask("c");
  EXPECT_FALSE(third.stop_requested());
}

}  // namespace
}  // namespace ulp::worker
