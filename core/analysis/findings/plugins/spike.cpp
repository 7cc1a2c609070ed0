#include "core/analysis/steps/spike.h"

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/format_number.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {

namespace {

using report::Finding;

constexpr int kDigits = 4;  ///< of a norm

/// As numbers in sentences, and all of the digits in front of the point.
std::string normText(double norm) {
  return norm == std::round(norm) ? numberText(norm) : formatSignificant(norm, kDigits);
}

/// The tensors of one pass that leave what they were at one step, the first of them, and whether
/// they are finite.
struct FoundSpikes {
  const TensorSpike* first = nullptr;
  std::size_t tensors = 0;
};

Finding spikeFinding(const RuleInput& input, const FoundSpikes& found) {
  const Spike& spike = found.first->spike;
  const report::Run& run = input.report().runs[found.first->run];
  const Site& site = run.comparisons[found.first->row].site;
  const auto others = static_cast<double>(found.tensors - 1);
  Finding finding;
  finding.sites = {site};
  finding.runs = {run.name};
  if (spike.isNonFinite) {
    finding.severity = report::FindingSeverity::Broken;
    finding.title = {ULP_TR_NOOP("Not finite from step %1 on: first %2"),
                     {std::to_string(found.first->step), placeText(site)}};
    finding.explanation = {
        ULP_TR_NOOP("Of the tensors that were finite at every step before, the first in order of "
                    "execution. %1 more begin at the same step in this pass."),
        {numberText(others)}};
    return finding;
  }
  finding.title = {
      ULP_TR_NOOP("A spike begins at step %1: the norm of %2 is %3, %4 times what it was"),
      {std::to_string(found.first->step),
       placeText(site),
       normText(spike.value),
       numberText(spike.value / spike.median)}};
  finding.explanation = {
      ULP_TR_NOOP("The norm is more than %1 times the median of the steps before, %2. It is the "
                  "first such tensor in order of execution; %3 more begin at the same step in this "
                  "pass."),
      {numberText(input.threshold("spike.factor")), normText(spike.median), numberText(others)}};
  finding.numbers = {{ULP_TR_NOOP("norm"), spike.value, false},
                     {ULP_TR_NOOP("median before"), spike.median, false},
                     {ULP_TR_NOOP("tensors"), static_cast<double>(found.tensors), false}};
  return finding;
}

/// Of these another finding says where NaN and infinity start, and what else is not finite follows.
std::set<std::string> runsWithOrigin(const report::Report& report) {
  std::set<std::string> runs;
  for (const Finding& finding : report::readFindings(report).value_or(std::vector<Finding>())) {
    if (finding.rule == report::kOverflowRule) {
      runs.insert(finding.runs.begin(), finding.runs.end());
    }
  }
  return runs;
}

std::vector<Finding> findStepSpikes(const RuleInput& input) {
  const std::set<std::string> known = runsWithOrigin(input.report());
  const std::vector<TensorSpike> spikes =
      findSpikes(input.report(), "recorded.norm", {.factor = input.threshold("spike.factor")});
  using Key = std::tuple<std::size_t, Pass, bool>;
  std::map<Key, FoundSpikes> found;
  std::vector<Key> order;
  for (const TensorSpike& spike : spikes) {
    const report::Run& run = input.report().runs[spike.run];
    if (spike.spike.isNonFinite && known.contains(run.name)) {
      continue;
    }
    const Site& site = run.comparisons[spike.row].site;
    const Key key{spike.run, site.pass, spike.spike.isNonFinite};
    FoundSpikes& group = found[key];
    if (group.tensors++ == 0) {
      group.first = &spike;
      order.push_back(key);
    }
  }
  std::vector<Finding> findings;
  for (const Key& key : order) {
    findings.push_back(spikeFinding(input, found[key]));
  }
  return findings;
}

}  // namespace

void registerSpike(FindingRuleRegistry& registry) {
  registry.add({.id = "spike",
                .title = ULP_TR_NOOP("Spike over the steps"),
                .order = 15,
                .isForOneDump = true,
                .thresholds = {{.id = "spike.factor",
                                .label = ULP_TR_NOOP("Norm over the median of the steps before"),
                                .help = ULP_TR_NOOP("Norms of healthy runs go up and down by a "
                                                    "factor of two or three between batches"),
                                .value = SpikeLimits().factor,
                                .minimum = 1.1,
                                .maximum = 1e6}},
                .find = findStepSpikes});
}

}  // namespace ulp::analysis
