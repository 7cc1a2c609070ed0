#include "core/analysis/reports/derived_report.h"

namespace ulp::analysis {

report::Run withoutComparisons(const report::Run& run) {
  report::Run copy;
  copy.name = run.name;
  copy.overrides = run.overrides;
  copy.status = run.status;
  copy.loss = run.loss;
  copy.seconds = run.seconds;
  copy.peakBytes = run.peakBytes;
  copy.error = run.error;
  copy.role = run.role;
  copy.samples = run.samples;
  copy.lossSpread = run.lossSpread;
  copy.axes = run.axes;
  copy.hasLoss = run.hasLoss;
  return copy;
}

report::Report derivedReport(const report::Report& report, const report::Run& reference) {
  report::Report derived;
  derived.provenance = report.provenance;
  derived.model = report.model;
  derived.studyYaml = report.studyYaml;
  derived.effectiveJson = report.effectiveJson;
  derived.metrics = report.metrics;
  derived.reference = reference.name;
  derived.runs.push_back(withoutComparisons(reference));
  return derived;
}

}  // namespace ulp::analysis
