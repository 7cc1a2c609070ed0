#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command.h"
#include "app/cli/doctor/checks.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/engine/engine.h"
#include "core/engine/torch_folder.h"

namespace ulp::cli {
namespace {

std::string placeText(const engine::TorchPlace& place) {
  if (place.folder.empty()) {
    return fmt::format("none in {}", place.source);
  }
  return fmt::format("{} {} ({})",
                     place.version.empty() ? "no torch package:" : place.version,
                     place.folder.string(),
                     place.source);
}

Check torchCheck() {
  const std::vector<engine::TorchPlace> places = engine::findTorch();
  const auto chosen = std::ranges::find_if(places, &engine::TorchPlace::isFit);
  if (chosen != places.end()) {
    return {"LibTorch", CheckState::Fine, placeText(*chosen)};
  }
  return {
      "LibTorch",
      CheckState::Absent,
      fmt::format(
          "{}; studies need {}", fmt::join(listOf(places, placeText), ", "), engine::kTorchVersion),
      engine::torchInstallCommand()};
}

Check deviceCheck(const engine::DeviceInfo& device) {
  std::string found = device.name;
  if (device.memoryBytes != 0) {
    found += fmt::format(", {}", formatBytes(device.memoryBytes));
  }
  for (const auto& [fact, value] : device.facts) {
    found += fmt::format(", {} {}", fact, value);
  }
  if (device.note.empty()) {
    return {device.id, CheckState::Fine, found};
  }
  // Without a name there is no such device at all.
  return device.name.empty()
             ? Check{device.id, CheckState::Absent, device.note, "studies run on the CPU"}
             : Check{device.id, CheckState::Broken, found, device.note};
}

}  // namespace

std::vector<Check> engineChecks(const CommandContext& context) {
  std::vector<Check> checks{torchCheck()};
  if (checks.front().state != CheckState::Fine) {
    return checks;
  }
  const auto engine = context.openEngine();
  if (!engine) {
    checks.push_back(
        {"engine", CheckState::Broken, engine.error().message(), "install Ulpscope again"});
    return checks;
  }
  checks.push_back(
      {"engine", CheckState::Fine, fmt::format("uses LibTorch {}", (*engine)->torchVersion())});
  for (const engine::DeviceInfo& device : (*engine)->devices()) {
    checks.push_back(deviceCheck(device));
  }
  if (const std::string problem = (*engine)->cudaKernelsProblem(); !problem.empty()) {
    checks.push_back({"CUDA kernels", CheckState::Absent, problem, "comparisons run on the CPU"});
  }
  return checks;
}

}  // namespace ulp::cli
