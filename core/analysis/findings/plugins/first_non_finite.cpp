#include <algorithm>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;

struct FirstNonFinite {
  const Comparison* row = nullptr;
  std::size_t tensors = 0;  ///< of the run that are affected
};

/// Infinities of a narrow exponent range end where the range is wider.
std::map<std::string, std::string> suggestionFor(const RuleInput& input,
                                                 const Comparison& row,
                                                 const std::string& run) {
  const bool overflows =
      row.variantNonFinite.positiveInfinity + row.variantNonFinite.negativeInfinity > 0;
  if (!overflows || input.effective(run, "precision.compute_dtype") != "float16") {
    return {};
  }
  return {{"precision.compute_dtype", "bfloat16"}};
}

/// The sentences where elements were counted.
void tellCounts(Finding& finding,
                const FirstNonFinite& found,
                const std::vector<std::string>& runs) {
  const Comparison& row = *found.row;
  const numerics::NonFiniteCounts& counts = row.variantNonFinite;
  finding.title = {ULP_TR_NOOP("Not finite from %2: %3 of %4 elements (%1)"),
                   {namesText(runs),
                    placeText(row.site),
                    std::to_string(counts.total()),
                    std::to_string(row.count)}};
  finding.explanation = {
      ULP_TR_NOOP("The first tensor in order of execution with more NaN and infinite elements than "
                  "the reference's: %1 NaN, %2 +Inf, %3 −Inf; the reference has %4. %5 tensors of "
                  "the variant are affected in all."),
      {std::to_string(counts.nan),
       std::to_string(counts.positiveInfinity),
       std::to_string(counts.negativeInfinity),
       std::to_string(row.referenceNonFinite.total()),
       std::to_string(found.tensors)}};
  finding.numbers = {{ULP_TR_NOOP("NaN"), static_cast<double>(counts.nan)},
                     {ULP_TR_NOOP("+Inf"), static_cast<double>(counts.positiveInfinity)},
                     {ULP_TR_NOOP("−Inf"), static_cast<double>(counts.negativeInfinity)},
                     {ULP_TR_NOOP("elements"), static_cast<double>(row.count)},
                     {ULP_TR_NOOP("tensors affected"), static_cast<double>(found.tensors)}};
}

/// The sentences where statistics alone were recorded.
void tellRecorded(Finding& finding,
                  const FirstNonFinite& found,
                  const std::vector<std::string>& runs) {
  finding.title = {ULP_TR_NOOP("Not finite from %2, by the recorded statistics (%1)"),
                   {namesText(runs), placeText(found.row->site)}};
  finding.explanation = {
      ULP_TR_NOOP("The first tensor in order of execution whose recorded maximum, minimum or norm "
                  "is not finite where the reference's is. How many elements that are was not "
                  "recorded. %1 tensors of the variant are affected in all."),
      {std::to_string(found.tensors)}};
  finding.numbers = {{ULP_TR_NOOP("tensors affected"), static_cast<double>(found.tensors)}};
}

std::vector<Finding> findFirstNonFinite(const RuleInput& input) {
  std::vector<std::pair<std::string, FirstNonFinite>> all;
  for (const report::Run* run : input.variants()) {
    if (const auto first = firstNonFinite(*run)) {
      all.push_back(
          {run->name,
           {&run->comparisons[*first],
            static_cast<std::size_t>(std::ranges::count_if(run->comparisons, losesFinite))}});
    }
  }
  return mergedFindings(
      all,
      [](const FirstNonFinite& item) { return item.row->site; },
      [&](const auto& found, const auto& runs) {
        const Comparison& row = *found.row;
        Finding finding;
        finding.severity = report::FindingSeverity::Broken;
        finding.sites = {row.site};
        isRecorded(row) ? tellRecorded(finding, found, runs) : tellCounts(finding, found, runs);
        finding.overrides = suggestionFor(input, row, runs.front());
        return finding;
      });
}

}  // namespace

void registerFirstNonFinite(FindingRuleRegistry& registry) {
  registry.add({.id = "first_non_finite",
                .title = ULP_TR_NOOP("First non-finite tensor"),
                .order = 5,
                .isPinned = true,
                .find = findFirstNonFinite});
}

}  // namespace ulp::analysis
