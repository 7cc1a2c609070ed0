#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/list_of.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;
using report::Run;

bool areSame(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

bool areSame(const Comparison& a, const Comparison& b) {
  return a.site == b.site && a.variantNonFinite == b.variantNonFinite &&
         std::ranges::equal(a.metrics, b.metrics, [](double x, double y) { return areSame(x, y); });
}

bool areSame(const Run& a, const Run& b) {
  const auto areRowsSame = [](const Comparison& x, const Comparison& y) { return areSame(x, y); };
  return areSame(a.loss, b.loss) && std::ranges::equal(a.comparisons, b.comparisons, areRowsSame);
}

/// Nothing differs from the reference, anywhere.
bool isReference(const RuleInput& input, const Run& run) {
  return run.missingGradients.empty() &&
         std::ranges::all_of(run.comparisons,
                             [&](const Comparison& row) { return input.isEqual(row); });
}

/// That the company of a sequence changes nothing is what one hopes for (rule batch_dependence).
bool differInMoreThanTheBatch(const RuleInput& input, const std::string& a, const std::string& b) {
  const auto keys = input.differingKeys(a, b);
  return !keys || !areBatchKeys(*keys);
}

Finding findingOf(std::vector<std::string> runs, report::Sentence title) {
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.title = std::move(title);
  finding.explanation = {
      ULP_TR_NOOP("The loss and every metric of every tensor are equal bit for bit. What the "
                  "configurations differ in had no effect on this model and input, or the setting "
                  "did not reach the computation: see the configurations side by side."),
      {}};
  finding.runs = std::move(runs);
  return finding;
}

std::vector<Finding> findIdenticalVariants(const RuleInput& input) {
  std::vector<std::vector<const Run*>> classes;
  std::vector<Finding> findings;
  for (const Run* run : input.variants()) {
    if (run->status != report::RunStatus::Finished) {
      continue;
    }
    const Run* reference = input.report().referenceOf(*run);
    if (reference != nullptr && !differInMoreThanTheBatch(input, reference->name, run->name)) {
      continue;
    }
    if (isReference(input, *run)) {
      findings.push_back(
          findingOf({run->name}, {ULP_TR_NOOP("%1 is identical to the reference"), {run->name}}));
      continue;
    }
    const auto same = std::ranges::find_if(classes, [&](const auto& members) {
      return areSame(*members.front(), *run) &&
             differInMoreThanTheBatch(input, members.front()->name, run->name);
    });
    if (same == classes.end()) {
      classes.push_back({run});
    } else {
      same->push_back(run);
    }
  }
  for (const std::vector<const Run*>& members : classes) {
    if (members.size() < 2) {
      continue;
    }
    std::vector<std::string> names = listOf(members, &Run::name);
    const std::vector<std::string> others(names.begin() + 1, names.end());
    report::Sentence title{members.size() == 2 ? ULP_TR_NOOP("%2 is identical to %1")
                                               : ULP_TR_NOOP("%2 are identical to %1"),
                           {names.front(), namesText(others)}};
    findings.push_back(findingOf(std::move(names), std::move(title)));
  }
  return findings;
}

}  // namespace

void registerIdenticalVariant(FindingRuleRegistry& registry) {
  registry.add({.id = "identical_variant",
                .title = ULP_TR_NOOP("Identical variants"),
                .order = 70,
                .isForDumps = false,
                .find = findIdenticalVariants});
}

}  // namespace ulp::analysis
