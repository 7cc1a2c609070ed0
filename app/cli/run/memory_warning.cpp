#include "app/cli/run/memory_warning.h"

#include <fmt/format.h>

#include "core/analysis/studies/memory/device_memory.h"
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
  worker::MemoryForecast forecast{.runs = analysis::deviceMemory(*model, study, freeBytes),
                                  .warning = {}};
  const auto most = analysis::largestOf(forecast.runs);
  if (most && most->memory.total() > freeBytes) {
    forecast.warning = fmt::format(
        "{} are free, but the run {} is going to take {} and may run out of memory; a shorter "
        "sequence (input.sequence_length), a smaller micro-batch (input.micro_batch_size) or the "
        "forward pass alone (capture.backward: false) takes less",
        formatBytes(freeBytes),
        most->run,
        describe(most->memory));
  }
  return forecast;
}

}  // namespace ulp::cli
