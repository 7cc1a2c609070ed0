#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {

namespace {

using report::Comparison;
using report::Finding;
using report::Run;

/// What of a run differs from the reference, of which nothing but the company differs.
struct BatchEffect {
  const Comparison* first = nullptr;  ///< in order of execution; null: nothing differs
  std::size_t tensors = 0;
  std::size_t differing = 0;
  double largestRelative = 0;
  std::optional<double> logits;  ///< largest difference
  std::uint64_t positions = 0;   ///< with a most likely token that is known in both
  std::uint64_t changed = 0;     ///< of these: with another one
};

BatchEffect effectOn(const RuleInput& input, const Run& run) {
  BatchEffect effect{.tensors = run.comparisons.size()};
  for (const Comparison& row : run.comparisons) {
    if (input.isEqual(row)) {
      continue;
    }
    ++effect.differing;
    effect.first = effect.first == nullptr ? &row : effect.first;
    if (std::isfinite(input.relative(row))) {
      effect.largestRelative = std::max(effect.largestRelative, input.relative(row));
    }
  }
  if (const Comparison* logits = forwardRow(run, "logits")) {
    effect.logits = input.largest(*logits);
  }
  if (run.logProbabilities) {
    effect.positions = run.logProbabilities->positions;
    effect.changed = effect.positions - run.logProbabilities->sameTop;
  }
  return effect;
}

double logitsApart(const BatchEffect& effect) {
  return effect.logits.value_or(0);
}

report::Sentence explanationOf(const FoundInRuns<BatchEffect>& found) {
  const std::string relative = found.percents(&BatchEffect::largestRelative);
  const BatchEffect& first = found.first();
  if (!first.logits || first.positions == 0) {
    return {ULP_TR_NOOP(
                "Formats, chosen kernels and the compared sequences are the reference's. What is "
                "computed beside them differs: other sequences, padding, or pieces. Another shape "
                "takes another kernel or divides its sums otherwise, and additions come in another "
                "order. The largest relative error is %1."),
            {relative}};
  }
  return {ULP_TR_NOOP(
              "Formats, chosen kernels and the compared sequences are the reference's. What is "
              "computed beside them differs: other sequences, padding, or pieces. Another shape "
              "takes another kernel or divides its sums otherwise, and additions come in another "
              "order. The largest relative error is %1; logits differ by up to %2, and at %3 of %4 "
              "positions another token is the most likely."),
          {relative,
           found.numbers(logitsApart),
           found.numbers(&BatchEffect::changed),
           found.numbers(&BatchEffect::positions)}};
}

Finding dependence(const FoundInRuns<BatchEffect>& found) {
  const BatchEffect& first = found.first();
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {first.first->site};
  finding.title = {ULP_TR_NOOP("Depends on the batch from %2 on: %3 of %4 tensors differ (%1)"),
                   {found.names(),
                    placeText(first.first->site),
                    found.numbers(&BatchEffect::differing),
                    found.numbers(&BatchEffect::tensors)}};
  finding.explanation = explanationOf(found);
  found.tell(finding, ULP_TR_NOOP("tensors that differ"), &BatchEffect::differing);
  found.tell(finding, ULP_TR_NOOP("largest relative error"), &BatchEffect::largestRelative, true);
  if (first.logits) {
    found.tell(finding, ULP_TR_NOOP("largest difference of the logits"), logitsApart);
  }
  if (first.positions > 0) {
    found.tell(finding, ULP_TR_NOOP("positions with another token"), &BatchEffect::changed);
  }
  return finding;
}

Finding invariance(const FoundInRuns<BatchEffect>& found) {
  Finding finding;
  finding.severity = report::FindingSeverity::Note;
  finding.title = {ULP_TR_NOOP("Does not depend on the batch: all %2 tensors are equal (%1)"),
                   {found.names(), found.numbers(&BatchEffect::tensors)}};
  finding.explanation = {
      ULP_TR_NOOP("Every number is the reference's, bit for bit but for the sign of zeros, "
                  "whatever was computed beside the compared sequences."),
      {}};
  return finding;
}

/// Of a run in which nothing at all is set otherwise than in the reference.
Finding unrepeated(const FoundInRuns<BatchEffect>& found) {
  const BatchEffect& first = found.first();
  Finding finding;
  finding.severity = report::FindingSeverity::Look;
  finding.sites = {first.first->site};
  finding.title = {ULP_TR_NOOP("The reference does not repeat its numbers from %2 on (%1)"),
                   {found.names(), placeText(first.first->site)}};
  finding.explanation = {
      ULP_TR_NOOP("Nothing is set otherwise, and %1 of %2 tensors differ. What differs with the "
                  "batch as well may be this and not the batch: runtime.deterministic takes "
                  "kernels that repeat their numbers."),
      {found.numbers(&BatchEffect::differing), found.numbers(&BatchEffect::tensors)}};
  found.tell(finding, ULP_TR_NOOP("tensors that differ"), &BatchEffect::differing);
  return finding;
}

/// Whether a key of the batch changes anything beside the others of the run.
bool isEffective(const RuleInput& input, const Run& run, const std::string& key) {
  const auto isSet = [&](const char* other) {
    const std::string value = input.effective(run.name, other);
    return !value.empty() && value != "0";
  };
  return key == "batch.padding_side"                   ? isSet("batch.padding")
         : key == "batch.seed" || key == "batch.place" ? isSet("batch.among")
         : key == "batch.generated"                    ? !run.positions.rows.empty()
                                                       : true;
}

std::vector<Finding> findBatchDependence(const RuleInput& input) {
  using Effects = std::vector<std::pair<std::string, BatchEffect>>;
  Effects repeats;
  Effects batches;
  for (const Run* run : input.variants()) {
    const Run* reference = input.report().referenceOf(*run);
    auto keys =
        reference == nullptr ? std::nullopt : input.differingKeys(reference->name, run->name);
    if (run->status == report::RunStatus::Finished && keys && areBatchKeys(*keys)) {
      std::erase_if(*keys, [&](const std::string& key) { return !isEffective(input, *run, key); });
      (keys->empty() ? repeats : batches).emplace_back(run->name, effectOn(input, *run));
    }
  }
  if (batches.empty()) {
    return {};
  }
  std::erase_if(repeats, [](const auto& repeat) { return repeat.second.differing == 0; });
  const auto placeOf = [](const BatchEffect& effect) {
    return effect.first == nullptr ? std::optional<Site>() : std::optional(effect.first->site);
  };
  std::vector<Finding> findings = mergedFindings(repeats, placeOf, unrepeated);
  std::ranges::move(mergedFindings(batches,
                                   placeOf,
                                   [](const FoundInRuns<BatchEffect>& found) {
                                     return found.first().differing == 0 ? invariance(found)
                                                                         : dependence(found);
                                   }),
                    std::back_inserter(findings));
  return findings;
}

}  // namespace

void registerBatchDependence(FindingRuleRegistry& registry) {
  registry.add({.id = "batch_dependence",
                .title = ULP_TR_NOOP("Batch invariance"),
                .order = 44,
                .isForDumps = false,
                .isOfDivergence = true,
                .find = findBatchDependence});
}

}  // namespace ulp::analysis
