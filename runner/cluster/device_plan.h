#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/cluster/task_plan.h"

namespace ulp::cluster {

/// A run of which samples are missing.
struct MissingRun {
  std::string name;
  std::uint64_t firstSample = 0;  ///< that is missing; those behind it are, too
};

struct DeviceRequest {
  std::vector<std::string> devices;
  std::vector<MissingRun> runs{};  ///< beside the reference, in order
  std::uint64_t firstOfReference = 0;
  std::uint64_t samples = 1;
};

/// Shares runs out over devices, a task for each: in turn, and where there are more devices than
/// runs, each run's samples among several. Devices that would have nothing to do get no task. Where
/// the reference lacks samples, the first run's tasks keep it.
[[nodiscard]] std::vector<Task> shareOut(const DeviceRequest& request);

}  // namespace ulp::cluster
