#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

struct NonFiniteReference {
  const Comparison* first = nullptr;
  std::size_t tensors = 0;  ///< of the run that are affected
};

/// Nothing but -infinity among finite numbers: dumps hold masks, too.
bool isLikeMask(const Comparison& row) {
  const numerics::NonFiniteCounts& counts = row.referenceNonFinite;
  return counts.nan == 0 && counts.positiveInfinity == 0 && counts.negativeInfinity < row.count;
}

NonFiniteReference foundIn(const report::Run& run, bool isOfDump) {
  NonFiniteReference found;
  for (const Comparison& row : run.comparisons) {
    if (row.referenceNonFinite.total() > 0 && !(isOfDump && isLikeMask(row))) {
      found.first = found.first == nullptr ? &row : found.first;
      ++found.tensors;
    }
  }
  return found;
}

report::Sentence titleOf(const Comparison& row) {
  if (isRecorded(row)) {
    return {ULP_TR_NOOP("The reference itself is not finite from %1, by the recorded statistics"),
            {placeText(row.site)}};
  }
  return {ULP_TR_NOOP("The reference itself is not finite from %1: %2 of %3 elements"),
          {placeText(row.site),
           std::to_string(row.referenceNonFinite.total()),
           std::to_string(row.count)}};
}

report::Sentence explanationOf(const NonFiniteReference& found, bool isOfDump) {
  if (isOfDump) {
    return {ULP_TR_NOOP("%1 tensors of the baseline hold NaN or infinite elements. Metrics are "
                        "over the elements that are finite in both runs, so errors from here on "
                        "rest on fewer elements."),
            {std::to_string(found.tensors)}};
  }
  return {
      ULP_TR_NOOP(
          "%1 tensors of the reference hold NaN or infinite elements. Metrics are over the "
          "elements that are finite in both runs, so errors from here on rest on fewer elements, "
          "and the cause lies in the model or its input rather than in a variant's precision."),
      {std::to_string(found.tensors)}};
}

Finding findingOf(const NonFiniteReference& found, bool isOfDump) {
  Finding finding;
  finding.severity = report::FindingSeverity::Broken;
  finding.sites = {found.first->site};
  finding.title = titleOf(*found.first);
  finding.explanation = explanationOf(found, isOfDump);
  if (!isRecorded(*found.first)) {
    finding.numbers = {
        {ULP_TR_NOOP("not finite"), static_cast<double>(found.first->referenceNonFinite.total())},
        {ULP_TR_NOOP("elements"), static_cast<double>(found.first->count)}};
  }
  finding.numbers.push_back({ULP_TR_NOOP("tensors affected"), static_cast<double>(found.tensors)});
  return finding;
}

/// Every variant of a study is compared with the same reference: the first that has rows tells.
/// Every unit of a dump has a baseline of its own.
std::vector<Finding> findNonFiniteReferences(const RuleInput& input) {
  const bool isOfDump = input.report().dumps.has_value();
  std::vector<std::pair<std::string, NonFiniteReference>> all;
  for (const report::Run* run : input.variants()) {
    const bool isKnown = !all.empty() && !isOfDump;
    NonFiniteReference found = isKnown ? all.front().second : foundIn(*run, isOfDump);
    if (found.first != nullptr) {
      all.emplace_back(run->name, found);
    } else if (!isOfDump) {
      return {};
    }
  }
  return mergedFindings(
      all,
      [](const NonFiniteReference& item) { return item.first->site; },
      [&](const auto& found, const auto& /*runs*/) { return findingOf(found, isOfDump); });
}

}  // namespace

void registerReferenceNonFinite(FindingRuleRegistry& registry) {
  registry.add({.id = "reference_non_finite",
                .title = ULP_TR_NOOP("Reference not finite"),
                .order = 1,
                .isPinned = true,
                .find = findNonFiniteReferences});
}

}  // namespace ulp::analysis
