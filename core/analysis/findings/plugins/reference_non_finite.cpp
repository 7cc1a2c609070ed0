#include "core/analysis/depth/divergence.h"
#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

struct NonFiniteReference {
  const Comparison* first = nullptr;
  std::size_t tensors = 0;  ///< of the run that are affected
};

NonFiniteReference foundIn(const report::Run& run) {
  NonFiniteReference found;
  for (const Comparison& row : run.comparisons) {
    if (row.referenceNonFinite.total() > 0 && !isLikeMask(row)) {
      found.first = found.first == nullptr ? &row : found.first;
      ++found.tensors;
    }
  }
  return found;
}

using FoundReferences = FoundInRuns<NonFiniteReference>;

std::uint64_t nonFiniteIn(const NonFiniteReference& found) {
  return found.first->referenceNonFinite.total();
}
std::uint64_t elementsIn(const NonFiniteReference& found) {
  return found.first->count;
}

report::Sentence titleOf(const FoundReferences& found) {
  const Comparison& row = *found.first().first;
  if (isRecorded(row)) {
    return {ULP_TR_NOOP("The reference itself is not finite from %1, by the recorded statistics"),
            {placeText(row.site)}};
  }
  return {ULP_TR_NOOP("The reference itself is not finite from %1: %2 of %3 elements"),
          {placeText(row.site), found.numbers(nonFiniteIn), found.numbers(elementsIn)}};
}

report::Sentence explanationOf(const FoundReferences& found, bool isOfDump) {
  const std::string tensors = found.numbers(&NonFiniteReference::tensors);
  if (isOfDump) {
    return {ULP_TR_NOOP("%1 tensors of the baseline hold NaN or infinite elements. Metrics are "
                        "over the elements that are finite in both runs, so errors from here on "
                        "rest on fewer elements."),
            {tensors}};
  }
  return {
      ULP_TR_NOOP(
          "%1 tensors of the reference hold NaN or infinite elements. Metrics are over the "
          "elements that are finite in both runs, so errors from here on rest on fewer elements, "
          "and the cause lies in the model or its input rather than in a variant's precision."),
      {tensors}};
}

/// `found`: of a study once, since all of its variants have the same reference.
Finding findingOf(const FoundReferences& found, bool isOfDump) {
  Finding finding;
  finding.severity = report::FindingSeverity::Broken;
  finding.sites = {found.first().first->site};
  finding.title = titleOf(found);
  finding.explanation = explanationOf(found, isOfDump);
  if (!isRecorded(*found.first().first)) {
    found.tell(finding, ULP_TR_NOOP("not finite"), nonFiniteIn);
    found.tell(finding, ULP_TR_NOOP("elements"), elementsIn);
  }
  found.tell(finding, ULP_TR_NOOP("tensors affected"), &NonFiniteReference::tensors);
  return finding;
}

/// Every variant of a study is compared with the same reference: the first that has rows tells.
/// Every unit of a dump has a baseline of its own.
std::vector<Finding> findNonFiniteReferences(const RuleInput& input) {
  const bool isOfDump = input.report().dumps.has_value();
  std::vector<std::pair<std::string, NonFiniteReference>> all;
  for (const report::Run* run : input.variants()) {
    const bool isKnown = !all.empty() && !isOfDump;
    NonFiniteReference found = isKnown ? all.front().second : foundIn(*run);
    if (found.first != nullptr) {
      all.emplace_back(run->name, found);
    } else if (!isOfDump) {
      return {};
    }
  }
  return mergedFindings(
      all,
      [](const NonFiniteReference& item) {
        return std::pair(item.first->site, isRecorded(*item.first));
      },
      [&](const FoundReferences& found) {
        FoundReferences told = found;
        if (!isOfDump) {
          told = {};
          told.add(found.runs().front(), found.first());
        }
        return findingOf(told, isOfDump);
      });
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
