#include "runner/cluster/device_plan.h"

#include <algorithm>

namespace ulp::cluster {

std::vector<Task> shareOut(const DeviceRequest& request) {
  const std::size_t devices = request.devices.size();
  const bool keeps = request.firstOfReference < request.samples;
  if (request.runs.empty()) {
    return {{.firstSample = request.firstOfReference,
             .samples = request.samples - request.firstOfReference,
             .keepsReference = true,
             .device = request.devices.front()}};
  }
  const std::size_t groups = std::min(devices, request.runs.size());
  std::vector<Task> tasks;
  for (std::size_t group = 0; group < groups; ++group) {
    Task all{.firstSample = request.samples, .keepsReference = group == 0 && keeps};
    for (std::size_t run = group; run < request.runs.size(); run += groups) {
      all.runs.push_back(request.runs[run].name);
      all.firstSample = std::min(all.firstSample, request.runs[run].firstSample);
    }
    const std::uint64_t left = request.samples - all.firstSample;
    const std::uint64_t shares =
        std::min<std::uint64_t>((devices - group + groups - 1) / groups, left);
    for (std::uint64_t share = 0; share < shares; ++share) {
      Task task = all;
      task.firstSample = all.firstSample + left * share / shares;
      task.samples = all.firstSample + left * (share + 1) / shares - task.firstSample;
      task.device = request.devices[group + groups * share];
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

}  // namespace ulp::cluster
