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

  [[nodiscard]] const numerics::NonFiniteCounts& counts() const { return row->variantNonFinite; }
};

using FoundFirsts = FoundInRuns<FirstNonFinite>;

std::uint64_t nansOf(const FirstNonFinite& found) {
  return found.counts().nan;
}
std::uint64_t positivesOf(const FirstNonFinite& found) {
  return found.counts().positiveInfinity;
}
std::uint64_t negativesOf(const FirstNonFinite& found) {
  return found.counts().negativeInfinity;
}
std::uint64_t elementsOf(const FirstNonFinite& found) {
  return found.row->count;
}

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
void tellCounts(Finding& finding, const FoundFirsts& found) {
  finding.title = {ULP_TR_NOOP("Not finite from %2: %3 of %4 elements (%1)"),
                   {found.names(),
                    placeText(found.first().row->site),
                    found.numbers([](const FirstNonFinite& one) { return one.counts().total(); }),
                    found.numbers(elementsOf)}};
  finding.explanation = {
      ULP_TR_NOOP("The first tensor in order of execution with NaN or infinite elements that the "
                  "reference does not have: %1 NaN, %2 +Inf, %3 −Inf; the reference has %4. %5 "
                  "tensors of the variant are affected in all."),
      {found.numbers(nansOf),
       found.numbers(positivesOf),
       found.numbers(negativesOf),
       found.numbers([](const FirstNonFinite& one) { return one.row->referenceNonFinite.total(); }),
       found.numbers(&FirstNonFinite::tensors)}};
  found.tell(finding, ULP_TR_NOOP("NaN"), nansOf);
  found.tell(finding, ULP_TR_NOOP("+Inf"), positivesOf);
  found.tell(finding, ULP_TR_NOOP("−Inf"), negativesOf);
  found.tell(finding, ULP_TR_NOOP("elements"), elementsOf);
  found.tell(finding, ULP_TR_NOOP("tensors affected"), &FirstNonFinite::tensors);
}

/// The sentences where statistics alone were recorded.
void tellRecorded(Finding& finding, const FoundFirsts& found) {
  finding.title = {ULP_TR_NOOP("Not finite from %2, by the recorded statistics (%1)"),
                   {found.names(), placeText(found.first().row->site)}};
  finding.explanation = {
      ULP_TR_NOOP("The first tensor in order of execution whose recorded maximum, minimum or norm "
                  "is not finite where the reference's is. How many elements that are was not "
                  "recorded. %1 tensors of the variant are affected in all."),
      {found.numbers(&FirstNonFinite::tensors)}};
  found.tell(finding, ULP_TR_NOOP("tensors affected"), &FirstNonFinite::tensors);
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
      [](const FirstNonFinite& item) { return std::pair(item.row->site, isRecorded(*item.row)); },
      [&](const FoundFirsts& found) {
        const Comparison& row = *found.first().row;
        Finding finding;
        finding.severity = report::FindingSeverity::Broken;
        finding.sites = {row.site};
        isRecorded(row) ? tellRecorded(finding, found) : tellCounts(finding, found);
        finding.overrides = suggestionFor(input, row, found.runs().front());
        return finding;
      });
}

}  // namespace

void registerFirstNonFinite(FindingRuleRegistry& registry) {
  registry.add({.id = "first_non_finite",
                .title = ULP_TR_NOOP("First non-finite tensor"),
                .order = 5,
                .isPinned = true,
                .isOfDivergence = true,
                .find = findFirstNonFinite});
}

}  // namespace ulp::analysis
