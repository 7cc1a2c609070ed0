#include "core/analysis/findings/finding_rule.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "core/analysis/findings/rule_input.h"

namespace ulp::analysis {
namespace {

constexpr std::size_t kAfterAll = std::numeric_limits<std::size_t>::max();

ThresholdValues valuesOf(const FindingRuleRegistry& rules, const ThresholdValues& changed) {
  ThresholdValues values;
  for (const FindingRule& rule : rules.all()) {
    for (const Threshold& threshold : rule.thresholds) {
      const auto wanted = changed.find(threshold.id);
      const bool isUsable = wanted != changed.end() && wanted->second >= threshold.minimum &&
                            wanted->second <= threshold.maximum;
      values[threshold.id] = isUsable ? wanted->second : threshold.value;
    }
  }
  return values;
}

/// Where in the course of the computation a site lies: pass by pass, each in order of first
/// appearance.
class ExecutionOrder {
 public:
  explicit ExecutionOrder(const report::Report& report) {
    for (const report::Run& run : report.runs) {
      std::size_t place = 0;
      for (const report::Comparison& row : run.comparisons) {
        m_places[static_cast<std::size_t>(row.site.pass)].try_emplace(row.site.name, place++);
      }
    }
  }

  [[nodiscard]] std::pair<std::size_t, std::size_t> placeOf(const report::Finding& finding) const {
    if (finding.sites.empty()) {
      return {kAfterAll, kAfterAll};
    }
    const Site& site = finding.sites.front();
    const auto pass = static_cast<std::size_t>(site.pass);
    const auto found = m_places.at(pass).find(site.name);
    return {pass, found == m_places.at(pass).end() ? kAfterAll : found->second};
  }

 private:
  std::array<std::unordered_map<std::string_view, std::size_t>, kPasses.size()> m_places;
};

bool isFloor(const report::Run& run) {
  return run.role == report::RunRole::Floor;
}

/// Rules tell of what the study asks about, which runs of its noise floor are not.
report::Report withoutFloor(report::Report report) {
  std::erase_if(report.runs, isFloor);
  return report;
}

}  // namespace

void FindingRuleRegistry::add(FindingRule rule) {
  const auto place = std::ranges::upper_bound(
      m_rules, rule, [](const FindingRule& a, const FindingRule& b) { return a.order < b.order; });
  m_rules.insert(place, std::move(rule));
}

const FindingRule* FindingRuleRegistry::find(std::string_view id) const {
  const auto found = std::ranges::find(m_rules, id, &FindingRule::id);
  return found == m_rules.end() ? nullptr : &*found;
}

FindingRuleRegistry builtinFindingRules() {
  FindingRuleRegistry registry;
  registerBuiltin(registry);
  return registry;
}

std::vector<report::Finding> findFindings(const report::Report& report,
                                          const FindingRuleRegistry& rules,
                                          const ThresholdValues& changed,
                                          const std::stop_token& stop) {
  if (std::ranges::any_of(report.runs, isFloor)) {
    return findFindings(withoutFloor(report), rules, changed, stop);
  }
  using Key = std::tuple<bool, std::pair<std::size_t, std::size_t>, int>;
  const ThresholdValues thresholds = valuesOf(rules, changed);
  const RuleInput input(report, thresholds);
  const ExecutionOrder order(report);
  std::vector<std::pair<Key, report::Finding>> found;
  for (const FindingRule& rule : rules.all()) {
    if (stop.stop_requested()) {
      return {};
    }
    if (report.dumps && !rule.isForDumps) {
      continue;
    }
    for (report::Finding& finding : rule.find(input)) {
      finding.rule = rule.id;
      const Key key{!rule.isPinned, order.placeOf(finding), rule.order};
      found.emplace_back(key, std::move(finding));
    }
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<report::Finding> findings;
  findings.reserve(found.size());
  for (auto& [key, finding] : found) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<report::Finding> findFindings(const report::Report& report) {
  return findFindings(report, builtinFindingRules());
}

}  // namespace ulp::analysis
