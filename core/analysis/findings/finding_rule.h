#pragma once

#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/analysis/depth/depth_curve.h"
#include "core/base/registry.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

class RuleInput;

/// A number that a rule compares with. Users may change it.
struct Threshold {
  std::string id;     ///< "first_divergence.excess"
  std::string label;  ///< English, a few words
  std::string help;   ///< English, one sentence
  double value = 0;   ///< default
  double minimum = 0;
  double maximum = 0;
};

/// Values that differ from the defaults, by id.
using ThresholdValues = std::map<std::string, double, std::less<>>;

/// A rule of the analysis: a pure function from a report to what it finds there.
struct FindingRule {
  std::string id;         ///< key in reports: "first_divergence"
  std::string title;      ///< English, a few words: "First divergence"
  int order = 0;          ///< among findings at the same place
  bool isPinned = false;  ///< its findings stand above all others
  /// False: it compares the runs of a study with each other, or takes the order of its rows for its
  /// graph. Of a comparison of dumps, whose runs are steps and ranks, it would say what does not
  /// hold.
  bool isForDumps = true;
  std::vector<Threshold> thresholds{};
  std::vector<report::Finding> (*find)(const RuleInput& input) = nullptr;
};

/// Rules: a value that programs and tests make and pass on.
using FindingRuleRegistry = Registry<FindingRule>;

/// Defined by the build from the files of findings/plugins.
void registerBuiltin(FindingRuleRegistry& registry);
/// Makes all rules, sorted by `order`.
[[nodiscard]] FindingRuleRegistry builtinFindingRules();

/// Runs all rules, and gives their findings in order of execution of the first site: pinned rules
/// first, findings about whole runs last. `changed`: thresholds in place of the defaults; unknown
/// ids and values out of range are ignored. Empty when it was stopped, which happens between rules.
[[nodiscard]] std::vector<report::Finding> findFindings(const report::Report& report,
                                                        const FindingRuleRegistry& rules,
                                                        const ThresholdValues& changed = {},
                                                        const std::stop_token& stop = {});
/// Runs the rules of this build with their default thresholds.
[[nodiscard]] std::vector<report::Finding> findFindings(const report::Report& report);

/// A format that tensors are kept in, with what it can hold.
struct FormatLimits {
  std::string_view name;  ///< as torch names it
  double roundOff = 0;    ///< unit round-off: half the spacing at 1
  double largest = 0;     ///< largest finite value
};
/// Null for formats that are not floating point or unknown.
[[nodiscard]] const FormatLimits* formatLimits(std::string_view dtype);

/// What rules look at of a report, gathered once for all of them.
class RuleInput {
 public:
  RuleInput(const report::Report& report, const ThresholdValues& thresholds);

  [[nodiscard]] const report::Report& report() const { return m_report; }
  /// Runs with comparisons, in report order.
  [[nodiscard]] const std::vector<const report::Run*>& variants() const { return m_variants; }
  /// The value of a threshold; it must be one of the rules'.
  [[nodiscard]] double threshold(std::string_view id) const;

  /// The metrics rms_rel, rms_diff, max_diff and ref_scale of a row; NaN: it has none.
  [[nodiscard]] double relative(const report::Comparison& row) const {
    return metricAt(row, m_relative);
  }
  [[nodiscard]] double difference(const report::Comparison& row) const {
    return metricAt(row, m_difference);
  }
  [[nodiscard]] double largest(const report::Comparison& row) const {
    return metricAt(row, m_largest);
  }
  [[nodiscard]] double scale(const report::Comparison& row) const { return metricAt(row, m_scale); }

  /// True for an operation between modules (level op) whose error its inputs and the format account
  /// for, and for what an optimizer makes of gradients: what is to be said of it is said of them.
  [[nodiscard]] bool isDerived(const report::Comparison& row) const;

  /// The coarsest floating-point format among the tensors of a run; null: the report names none.
  [[nodiscard]] static const FormatLimits* coarsestFormat(const report::Run& run);
  /// Gives the value that `run` used for `key`; empty: the report does not say.
  [[nodiscard]] std::string effective(std::string_view run, std::string_view key) const;
  /// Suggests float32 for a setting in which `run` used something narrower; else nothing.
  [[nodiscard]] std::map<std::string, std::string> widened(std::string_view run,
                                                           const std::string& key) const;

 private:
  void collectDerived(const report::Run& run);

  const report::Report& m_report;
  const ThresholdValues& m_thresholds;
  std::vector<const report::Run*> m_variants;
  std::map<std::string, report::EffectiveKeys, std::less<>> m_effective;
  std::unordered_set<const report::Comparison*> m_derived;
  int m_relative;
  int m_difference;
  int m_largest;
  int m_scale;
};

/// Counts of elements that are not finite come from recorded statistics (comparisons of dumps
/// without elements): they tell that there are some, not how many.
[[nodiscard]] bool isRecorded(const report::Comparison& row);
/// The row of the forward pass that is called `name`; null: the run has none.
[[nodiscard]] const report::Comparison* forwardRow(const report::Run& run, std::string_view name);
/// The place to look of what concerns the tokens of a run or its loss: the logits; empty where the
/// run has none.
[[nodiscard]] std::vector<Site> logitsOf(const report::Run& run);
/// Percentages and numbers as sentences show them: "1.25 %", "0.0039".
[[nodiscard]] std::string percentText(double ratio);
[[nodiscard]] std::string numberText(double value);
/// "decoder.11, forward".
[[nodiscard]] std::string placeText(const Site& site);
/// Writes up to three names, then how many more there are.
[[nodiscard]] std::string namesText(const std::vector<std::string>& names);

/// Makes one finding of what several runs have alike: items are alike when their keys are equal,
/// and the first of them stays. `findingOf(item, runs)` fills in all but the runs of the finding.
template <class Item, class Key, class FindingOf>
[[nodiscard]] std::vector<report::Finding> mergedFindings(
    const std::vector<std::pair<std::string, Item>>& found, Key&& keyOf, FindingOf&& findingOf) {
  std::vector<std::pair<const Item*, std::vector<std::string>>> merged;
  std::map<decltype(keyOf(found.front().second)), std::size_t> index;
  for (const auto& [run, item] : found) {
    const auto [place, isNew] = index.try_emplace(keyOf(item), merged.size());
    if (isNew) {
      merged.push_back({&item, {}});
    }
    merged[place->second].second.push_back(run);
  }
  std::vector<report::Finding> findings;
  for (auto& [item, runs] : merged) {
    findings.push_back(findingOf(*item, runs));
    findings.back().runs = std::move(runs);
  }
  return findings;
}

}  // namespace ulp::analysis
