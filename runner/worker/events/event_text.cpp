#include "runner/worker/events/event_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/format_number.h"
#include "core/report/model/report.h"

namespace ulp::worker {
namespace {

EventText describe(const StudyStarted& event) {
  return {"info",
          fmt::format("study {}: runs {}; folder {}",
                      event.resumed ? "resumed" : "started",
                      fmt::join(event.runs, ", "),
                      event.outputDir)};
}

EventText describe(const RunStarted& event) {
  const std::string sample =
      event.samples > 1 ? fmt::format(", sample {} of {}", event.sample + 1, event.samples) : "";
  return {"info",
          fmt::format("run {} of {}: {}{}", event.index + 1, event.total, event.run, sample)};
}

EventText describe(const Progress& event) {
  return {"info", event.phase + " " + event.site};
}

EventText describe(const RunFinished& event) {
  if (!event.error.empty()) {
    return {"error", fmt::format("{} {}: {}", event.run, event.status, event.error)};
  }
  if (event.status == report::toString(report::RunStatus::Skipped)) {
    return {"info", event.run + " skipped"};
  }
  return {"info",
          fmt::format("{} {}: loss {}, {}, peak {}",
                      event.run,
                      event.status,
                      formatExact(event.loss),
                      formatDuration(event.seconds),
                      formatBytes(event.peakBytes))};
}

EventText describe(const ReportUpdated& event) {
  return {"info", fmt::format("report written: {}", event.path)};
}

EventText describe(const Message& event) {
  return {event.level, event.text};
}

EventText describe(const StudyFinished& event) {
  const std::string text =
      fmt::format("study {} after {}", event.status, formatDuration(event.seconds));
  return event.error.empty() ? EventText{"info", text}
                             : EventText{"error", text + ": " + event.error};
}

}  // namespace

EventText describeEvent(const Event& event) {
  return std::visit([](const auto& each) { return describe(each); }, event);
}

}  // namespace ulp::worker
