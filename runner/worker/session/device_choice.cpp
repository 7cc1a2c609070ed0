#include "runner/worker/session/device_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"

namespace ulp::worker {
namespace {

using Devices = std::vector<engine::DeviceInfo>;

/// The engine also lists that there is no CUDA, and why, as a device without memory.
bool exists(const engine::DeviceInfo& device) {
  return device.id == "cpu" || device.memoryBytes > 0;
}

std::string shown(const engine::DeviceInfo& device) {
  return device.note.empty() ? device.id : fmt::format("{} ({})", device.id, device.note);
}

tl::unexpected<Error> notFound(const Devices& devices, std::string_view wanted) {
  return fail(ErrorCode::NotFound,
              fmt::format("device: '{}' cannot be used here; known are {}; choose another with "
                          "--device",
                          wanted,
                          fmt::join(listOf(devices, shown), ", ")));
}

Result<DeviceChoice> chooseAutomatically(const Devices& devices) {
  DeviceChoice choice;
  for (const engine::DeviceInfo& device : devices) {
    if (isCuda(device.id) && exists(device)) {
      if (device.note.empty()) {
        return DeviceChoice{device, {}};
      }
      choice.warning = fmt::format("{} is not used: {}", device.id, device.note);
    }
  }
  const auto cpu = std::ranges::find(devices, "cpu", &engine::DeviceInfo::id);
  if (cpu == devices.end()) {
    return notFound(devices, "auto");
  }
  choice.device = *cpu;
  return choice;
}

}  // namespace

bool isCuda(std::string_view device) {
  return device.starts_with("cuda");
}

Result<DeviceChoice> chooseDevice(const Devices& devices, std::string_view wanted) {
  if (wanted == "auto" || wanted.empty()) {
    return chooseAutomatically(devices);
  }
  const auto found = std::ranges::find_if(devices, [wanted](const auto& device) {
    return wanted == "cuda" ? isCuda(device.id) : device.id == wanted;
  });
  if (found == devices.end() || !exists(*found)) {
    return notFound(devices, wanted);
  }
  return DeviceChoice{*found, {}};
}

}  // namespace ulp::worker
