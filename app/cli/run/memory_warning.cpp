#include "app/cli/run/memory_warning.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analysis/studies/device_memory.h"
#include "core/base/text/format_number.h"

namespace ulp::cli {

worker::MemoryForecast forecastMemory(const study::Study& study, std::uint64_t freeBytes) {
  const auto path = study::resolveModelPath(study);
  if (!path) {
    return {};
  }
  const auto model = analysis::readModelOutline(*path, study.architectureJson);
  if (!model) {
    return {};
  }
  worker::MemoryForecast forecast{.runs = analysis::deviceMemoryOfRuns(*model, study),
                                  .warning = {}};
  const auto most = std::ranges::max_element(
      forecast.runs, {}, [](const auto& entry) { return entry.second.total(); });
  if (most == forecast.runs.end() || most->second.total() <= freeBytes) {
    return forecast;
  }
  const MemoryParts& need = most->second;
  forecast.warning = fmt::format(
      "{} are free, but a run takes about {} (weights {}, their gradients {}, activations {}, the "
      "rest {}) and may run out of memory; a shorter sequence (input.sequence_length), a smaller "
      "micro-batch (input.micro_batch_size) or the forward pass alone (capture.backward: false) "
      "takes less",
      formatBytes(freeBytes),
      formatBytes(need.total()),
      formatBytes(need.weights),
      formatBytes(need.gradients),
      formatBytes(need.activations),
      formatBytes(need.workspace));
  return forecast;
}

}  // namespace ulp::cli
