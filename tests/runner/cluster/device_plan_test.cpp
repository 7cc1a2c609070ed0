#include "runner/cluster/device_plan.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::cluster {
namespace {

using testing::ElementsAre;

Task task(std::vector<std::string> runs,
          std::uint64_t first,
          std::uint64_t samples,
          bool keepsReference,
          std::string device) {
  return {.runs = std::move(runs),
          .firstSample = first,
          .samples = samples,
          .keepsReference = keepsReference,
          .device = std::move(device)};
}

TEST(DevicePlan, DealsRunsOutInTurn) {
  const auto tasks =
      shareOut({.devices = {"cuda:0", "cuda:1"}, .runs = {{"a"}, {"b"}, {"c"}}, .samples = 4});
  EXPECT_THAT(
      tasks,
      ElementsAre(task({"a", "c"}, 0, 4, true, "cuda:0"), task({"b"}, 0, 4, false, "cuda:1")));
}

TEST(DevicePlan, SharesSamplesWhereThereAreMoreDevicesThanRuns) {
  const std::vector<std::string> devices{"cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4"};
  const auto tasks = shareOut({.devices = devices, .runs = {{"a"}, {"b"}}, .samples = 7});
  EXPECT_THAT(tasks,
              ElementsAre(task({"a"}, 0, 2, true, "cuda:0"),
                          task({"a"}, 2, 2, true, "cuda:2"),
                          task({"a"}, 4, 3, true, "cuda:4"),
                          task({"b"}, 0, 3, false, "cuda:1"),
                          task({"b"}, 3, 4, false, "cuda:3")));
  EXPECT_THAT(shareOut({.devices = devices, .runs = {{"a"}}, .samples = 1}),
              ElementsAre(task({"a"}, 0, 1, true, "cuda:0")));
}

TEST(DevicePlan, MakesWhatIsMissing) {
  EXPECT_THAT(shareOut({.devices = {"cpu", "cpu"},
                        .runs = {{"a", 3}, {"b", 5}, {"c", 2}},
                        .firstOfReference = 8,
                        .samples = 8}),
              ElementsAre(task({"a", "c"}, 2, 6, false, "cpu"), task({"b"}, 5, 3, false, "cpu")));
  EXPECT_THAT(shareOut({.devices = {"cpu", "cpu"}, .firstOfReference = 1, .samples = 3}),
              ElementsAre(task({}, 1, 2, true, "cpu")));
}

}  // namespace
}  // namespace ulp::cluster
