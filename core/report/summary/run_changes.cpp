#include "core/report/summary/run_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "core/report/summary/noise_floor.h"

namespace ulp::report {

std::string changesOf(const Run& run) {
  if (run.role == RunRole::Floor && run.overrides.empty()) {
    return floorLabel(run.name);
  }
  std::vector<std::string> changes;
  changes.reserve(run.overrides.size());
  for (const auto& [path, value] : run.overrides) {
    changes.push_back(fmt::format("{}: {}", path, value));
  }
  return fmt::format("{}", fmt::join(changes, ", "));
}

}  // namespace ulp::report
