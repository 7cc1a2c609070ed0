#include "runner/worker/session/device_choice.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"
#include "core/base/text/split.h"

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
    if (isCuda(device.id) && (exists(device) || device.hasDriver)) {
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

Result<engine::DeviceInfo> named(const Devices& devices, std::string_view wanted) {
  const auto found = std::ranges::find_if(devices, [wanted](const auto& device) {
    return wanted == "cuda" ? isCuda(device.id) : device.id == wanted;
  });
  if (found == devices.end() || !exists(*found)) {
    return notFound(devices, wanted);
  }
  return *found;
}

/// Appends what is not there yet.
void appendOnce(std::string& list, std::string_view separator, std::string_view text) {
  if (list.find(text) == std::string::npos) {
    list += (list.empty() ? "" : std::string(separator)) + std::string(text);
  }
}

/// Those that have the layers of a model, as one device.
engine::DeviceInfo together(const Devices& devices) {
  engine::DeviceInfo all;
  for (const engine::DeviceInfo& device : devices) {
    all.id += (all.id.empty() ? "" : "+") + device.id;
    all.memoryBytes += device.memoryBytes;
    appendOnce(all.name, " and ", device.name);
    appendOnce(all.note, "; ", device.note);
    for (const auto& [fact, value] : device.facts) {
      appendOnce(all.facts[fact], ", ", value);
    }
  }
  if (devices.size() > 1 && all.name == devices.front().name) {
    all.name = fmt::format("{} x {}", devices.size(), all.name);
  }
  return all;
}

}  // namespace

bool isCuda(std::string_view device) {
  return device.find("cuda") != std::string_view::npos;
}

bool isOnCpu(std::string_view device) {
  const auto parts = split(device, '+');
  return std::ranges::find(parts, "cpu") != parts.end();
}

std::vector<std::string> cudaUuids(const Devices& devices) {
  std::vector<std::string> uuids;
  for (const engine::DeviceInfo& device : devices) {
    if (isCuda(device.id)) {
      uuids.push_back(device.uuid);
    }
  }
  return std::ranges::count(uuids, "") == 0 ? uuids : std::vector<std::string>();
}

Result<DeviceChoice> chooseDevice(const Devices& devices, std::string_view wanted) {
  if (wanted == "auto" || wanted.empty()) {
    return chooseAutomatically(devices);
  }
  Devices chosen;
  for (const std::string_view part : split(wanted, '+')) {
    chosen.push_back(ULP_TRY(named(devices, part)));
  }
  return DeviceChoice{together(chosen), {}};
}

}  // namespace ulp::worker
