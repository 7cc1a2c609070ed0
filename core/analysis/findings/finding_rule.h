#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/analysis/depth/depth_curve.h"
#include "core/base/list_of.h"
#include "core/base/registry.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"
#include "core/report/summary/noise_floor.h"

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
  /// Its findings say where a run leaves another one, those with a site: what in the configuration
  /// makes it do so can be proved by runs in which one difference is taken back
  /// (analysis/studies/proof.h).
  bool isOfDivergence = false;
  /// It is about what a dump recorded, and not about errors: of a report of one dump no other rule
  /// has anything to say, and it has nothing to say of others.
  bool isForOneDump = false;
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

/// A format of numbers, with what it can hold; of numbers with a common scale beside that.
struct FormatLimits {
  std::string_view name;      ///< as torch names it
  double roundOff = 0;        ///< unit round-off: half the spacing at 1
  double largest = 0;         ///< largest finite value
  double smallestNormal = 0;  ///< below it digits are lost
};
/// Null for formats that are not floating point or unknown.
[[nodiscard]] const FormatLimits* formatLimits(std::string_view dtype);

/// What rules look at of a report, gathered once for all of them.
class RuleInput {
 public:
  /// `floor`: the noise floor of the report, of whose runs rules know nothing else.
  RuleInput(const report::Report& report,
            const ThresholdValues& thresholds,
            report::NoiseFloor floor = {});

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
  /// Every number is the same one, also where there is none. A report of another version may not
  /// say it directly.
  [[nodiscard]] bool isEqual(const report::Comparison& row) const;
  /// Whether the relative error of a row is no larger than the noise floor's.
  [[nodiscard]] bool isNoise(const report::Comparison& row) const {
    return m_relative >= 0 &&
           m_floor.covers(row.site, static_cast<std::size_t>(m_relative), relative(row));
  }
  /// What the report proves of the largest |value|: those of the elements of largest difference,
  /// and the RMS of the reference. The true maximum may be larger.
  [[nodiscard]] double largestKnown(const report::Comparison& row) const;

  /// True for an operation between modules (level op) whose error its inputs and the format account
  /// for, and for what an optimizer makes of gradients: what is to be said of it is said of them.
  [[nodiscard]] bool isDerived(const report::Comparison& row) const;

  /// The coarsest floating-point format that a run or its reference rounds to: of their tensors
  /// and, since formats that are simulated lie in wider tensors, of their settings, the run's
  /// overrides and what `config` says of both. Null: the report names none.
  [[nodiscard]] static const FormatLimits* coarsestFormat(const report::Report& report,
                                                          const report::Run& run,
                                                          const report::EffectiveConfig& config);
  [[nodiscard]] const FormatLimits* coarsestFormat(const report::Run& run) const {
    return coarsestFormat(m_report, run, m_effective);
  }
  /// Gives what `run` used for each key; empty: the report does not say.
  [[nodiscard]] const report::EffectiveKeys& effective(std::string_view run) const {
    return report::keysOf(m_effective, run);
  }
  /// Gives the value that `run` used for `key`; empty: the report does not say.
  [[nodiscard]] std::string effective(std::string_view run, std::string_view key) const;
  /// Lists the keys that two runs used with different values; nothing: the report does not say.
  [[nodiscard]] std::optional<std::vector<std::string>> differingKeys(std::string_view a,
                                                                      std::string_view b) const;
  /// Suggests float32 for a setting in which `run` used something narrower; else nothing.
  [[nodiscard]] std::map<std::string, std::string> widened(std::string_view run,
                                                           const std::string& key) const;

 private:
  void collectDerived(const report::Run& run);

  const report::Report& m_report;
  const ThresholdValues& m_thresholds;
  report::NoiseFloor m_floor;
  std::vector<const report::Run*> m_variants;
  report::EffectiveConfig m_effective;
  std::unordered_set<const report::Comparison*> m_derived;
  int m_relative;
  int m_difference;
  int m_largest;
  int m_scale;
  int m_equal;
};

/// Tells whether runs that differ in these keys alone compute the same sequences by the same
/// formats and kernels, in other company (section batch of a study). True of no key at all.
[[nodiscard]] bool areBatchKeys(const std::vector<std::string>& keys);
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
/// Title of a rule of findings. One of whoever made the report has an id alone: "first_token" reads
/// "First token".
[[nodiscard]] std::string ruleTitle(const std::string& id, const FindingRuleRegistry& rules);
/// "decoder.11, forward".
[[nodiscard]] std::string placeText(const Site& site);
/// What is between the smallest and the largest of several numbers: "0.50–1.25 %", "3–17"; one
/// where all read the same.
[[nodiscard]] std::string percentsText(const std::vector<double>& ratios);
[[nodiscard]] std::string numbersText(const std::vector<double>& values);
/// Why a run failed: the first line of its error, without its name.
[[nodiscard]] std::string failureOf(const report::Run& run);
/// Writes up to three names, then how many more there are.
[[nodiscard]] std::string namesText(const std::vector<std::string>& names);

/// What a rule found at one place, of every run in which it did, in report order: one finding,
/// which tells the numbers of each.
template <class Item>
class FoundInRuns {
 public:
  void add(const std::string& run, const Item& item) {
    m_runs.push_back(run);
    m_items.push_back(item);
  }
  /// That of the first run: what all have alike may be taken from it.
  [[nodiscard]] const Item& first() const { return m_items.front(); }
  [[nodiscard]] const std::vector<Item>& items() const { return m_items; }
  [[nodiscard]] const std::vector<std::string>& runs() const { return m_runs; }
  [[nodiscard]] std::string names() const { return namesText(m_runs); }

  /// percentsText() and numbersText() of what `of` gives for each item.
  template <class Of>
  [[nodiscard]] std::string percents(const Of& of) const {
    return percentsText(valuesOf(of));
  }
  template <class Of>
  [[nodiscard]] std::string numbers(const Of& of) const {
    return numbersText(valuesOf(of));
  }
  /// Adds the number of each run; without the run's name where there is one alone.
  template <class Of>
  void tell(report::Finding& finding, const char* name, const Of& of, bool isRatio = false) const {
    for (std::size_t i = 0; i < m_items.size(); ++i) {
      finding.numbers.push_back({.name = name,
                                 .value = static_cast<double>(std::invoke(of, m_items[i])),
                                 .isRatio = isRatio,
                                 .run = m_runs.size() > 1 ? m_runs[i] : std::string()});
    }
  }

 private:
  template <class Of>
  [[nodiscard]] std::vector<double> valuesOf(const Of& of) const {
    return listOf(m_items,
                  [&](const Item& item) { return static_cast<double>(std::invoke(of, item)); });
  }

  std::vector<std::string> m_runs;
  std::vector<Item> m_items;
};

/// Makes one finding of what several runs have at the same place: of items whose keys are equal.
/// `findingOf(FoundInRuns<Item>)` fills in all but the runs of the finding.
template <class Item, class Key, class FindingOf>
[[nodiscard]] std::vector<report::Finding> mergedFindings(
    const std::vector<std::pair<std::string, Item>>& found, Key&& keyOf, FindingOf&& findingOf) {
  std::vector<FoundInRuns<Item>> merged;
  std::map<decltype(keyOf(found.front().second)), std::size_t> index;
  for (const auto& [run, item] : found) {
    const auto [place, isNew] = index.try_emplace(keyOf(item), merged.size());
    if (isNew) {
      merged.emplace_back();
    }
    merged[place->second].add(run, item);
  }
  std::vector<report::Finding> findings;
  for (const FoundInRuns<Item>& one : merged) {
    findings.push_back(findingOf(one));
    findings.back().runs = one.runs();
  }
  return findings;
}

}  // namespace ulp::analysis
