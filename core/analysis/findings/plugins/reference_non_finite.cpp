#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/findings/rule_input.h"

namespace ulp::analysis {

void registerReferenceNonFinite(FindingRuleRegistry& registry);

namespace {

using report::Comparison;
using report::Finding;

/// Every variant is compared with the same reference: the first that has rows tells.
std::vector<Finding> find(const RuleInput& input) {
  if (input.variants().empty()) {
    return {};
  }
  const report::Run& run = *input.variants().front();
  const Comparison* first = nullptr;
  std::size_t tensors = 0;
  for (const Comparison& row : run.comparisons) {
    if (row.referenceNonFinite.total() > 0) {
      first = first == nullptr ? &row : first;
      ++tensors;
    }
  }
  if (first == nullptr) {
    return {};
  }
  Finding finding;
  finding.severity = report::FindingSeverity::Broken;
  finding.sites = {first->site};
  finding.title = {
      ULP_TRANSLATE_NOOP("ulp::Findings",
                         "The reference itself is not finite from %1: %2 of %3 elements"),
      {placeText(first->site),
       std::to_string(first->referenceNonFinite.total()),
       std::to_string(first->count)}};
  finding.explanation = {
      ULP_TRANSLATE_NOOP(
          "ulp::Findings",
          "%1 tensors of the reference hold NaN or infinite elements. Metrics are over "
          "the elements that are finite in both runs, so errors from here on rest on "
          "fewer elements, and the cause lies in the model or its input rather than "
          "in a variant's precision."),
      {std::to_string(tensors)}};
  finding.numbers = {
      {ULP_TRANSLATE_NOOP("ulp::Findings", "not finite"),
       static_cast<double>(first->referenceNonFinite.total())},
      {ULP_TRANSLATE_NOOP("ulp::Findings", "elements"), static_cast<double>(first->count)},
      {ULP_TRANSLATE_NOOP("ulp::Findings", "tensors affected"), static_cast<double>(tensors)}};
  for (const report::Run* variant : input.variants()) {
    finding.runs.push_back(variant->name);
  }
  return {finding};
}

}  // namespace

void registerReferenceNonFinite(FindingRuleRegistry& registry) {
  registry.add({.id = "reference_non_finite",
                .title = ULP_TRANSLATE_NOOP("ulp::Findings", "Reference not finite"),
                .order = 1,
                .isPinned = true,
                .find = find});
}

}  // namespace ulp::analysis
