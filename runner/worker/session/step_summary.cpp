#include "runner/worker/session/step_summary.h"

#include <algorithm>
#include <vector>

namespace ulp::worker {
namespace {

using engine::ClipDecisions;

template <class Value>
std::uint64_t differing(const std::vector<Value>& a, const std::vector<Value>& b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    count += a[i] == b[i] ? 0 : 1;
  }
  return count;
}

report::ClipSummary clipsOf(const ClipDecisions& clips, const ClipDecisions* reference) {
  report::ClipSummary summary;
  summary.unit = clips.unit == ClipDecisions::Unit::Token ? "token" : "document";
  summary.count = clips.region.size();
  summary.below =
      static_cast<std::uint64_t>(std::count(clips.region.begin(), clips.region.end(), -1));
  summary.above =
      static_cast<std::uint64_t>(std::count(clips.region.begin(), clips.region.end(), 1));
  summary.stopped =
      static_cast<std::uint64_t>(std::count(clips.stopped.begin(), clips.stopped.end(), 1));
  if (reference != nullptr) {
    summary.flips = differing(clips.region, reference->region);
    summary.gradientFlips = differing(clips.stopped, reference->stopped);
  }
  return summary;
}

}  // namespace

report::StepSummary stepOf(const engine::RunOutcome& outcome,
                           std::span<const ClipDecisions> reference) {
  report::StepSummary step{.labels = static_cast<std::uint64_t>(outcome.labels),
                           .documents = static_cast<std::uint64_t>(outcome.documents),
                           .microBatches = static_cast<std::uint64_t>(outcome.microBatches)};
  for (std::size_t i = 0; i < outcome.terms.size(); ++i) {
    const engine::LossTermOutcome& term = outcome.terms[i];
    report::LossTermSummary summary{
        .type = term.term.type, .weight = term.term.weight, .value = term.value};
    for (const engine::LossMetric& metric : term.metrics) {
      summary.metrics.emplace_back(metric.name, metric.value);
    }
    if (term.clips.unit != ClipDecisions::Unit::None) {
      summary.clips = clipsOf(term.clips, i < reference.size() ? &reference[i] : nullptr);
    }
    step.terms.push_back(std::move(summary));
  }
  return step;
}

}  // namespace ulp::worker
