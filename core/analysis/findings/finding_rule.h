#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/model/finding.h"

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

/// All rules, sorted by `order`. A value that programs and tests make and pass on.
class FindingRuleRegistry {
 public:
  void add(FindingRule rule);
  [[nodiscard]] const std::vector<FindingRule>& all() const { return m_rules; }
  [[nodiscard]] const FindingRule* find(std::string_view id) const;

 private:
  std::vector<FindingRule> m_rules;
};

/// Defined by the build from the files of findings/plugins.
void registerBuiltin(FindingRuleRegistry& registry);
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

}  // namespace ulp::analysis
