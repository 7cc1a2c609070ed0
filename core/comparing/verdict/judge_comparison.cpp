#include "core/comparing/verdict/judge_comparison.h"

#include <algorithm>
#include <utility>

#include "core/analysis/rules/row_judge.h"
#include "core/base/list_of.h"
#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {
namespace {

/// Rows that are no comparison: what of them is known is their name and pass.
report::Comparison named(const UncomparedRow& uncompared) {
  report::Comparison row;
  row.site.name = uncompared.name;
  row.site.module = uncompared.name;
  row.site.pass = uncompared.pass;
  return row;
}

/// Says something of the numbers of a tensor.
bool asksForNumbers(const VerdictRule& rule) {
  return !rule.isOfUncompared() && rule.metric != "non_finite";
}

/// A comparison that is no report yet has every metric.
std::vector<report::MetricColumn> allMetrics() {
  return listOf(numerics::builtinMetrics().all(),
                [](const numerics::Metric& metric) { return report::MetricColumn{metric.id}; });
}

class ComparisonJudge {
 public:
  ComparisonJudge(const VerdictRules& rules,
                  const DumpComparison& comparison,
                  const UnitPairReader& read)
      : m_rules(rules), m_comparison(comparison), m_read(read), m_judge(rules, m_metrics) {
    m_outcome.checked.resize(rules.all().size());
    m_outcome.undefined.resize(rules.all().size());
  }

  [[nodiscard]] Result<RuleOutcome> judge() && {
    for (std::size_t unit = 0; unit < m_comparison.units.size(); ++unit) {
      ULP_TRY(judgeUnit(unit));
    }
    return std::move(m_outcome);
  }

 private:
  Result<> judgeUnit(std::size_t unit) {
    const UnitOutcome& outcome = m_comparison.units[unit];
    for (const report::Comparison& row : outcome.run.comparisons) {
      const auto answers = ULP_TRY(answersOf(unit, row));
      for (const RuleAnswer& answer : answers) {
        m_outcome.checked[answer.rule] += 1;
        if (answer.kind == RuleAnswer::Kind::Unknown) {
          m_outcome.undefined[answer.rule] += 1;
        } else if (answer.kind == RuleAnswer::Kind::Broken) {
          m_outcome.failures.push_back(
              {answer.rule, unit, row.site.name, row.site.pass, answer.value});
        }
      }
      if (isUnjudged(row, answers)) {
        m_outcome.unjudged.push_back({unit, row.site.name, row.site.pass});
      }
    }
    for (const Site& site : outcome.notCompared) {
      ULP_TRY(addIfMeant(unit, site));
    }
    for (std::size_t rule = 0; rule < m_rules.all().size(); ++rule) {
      const std::string& metric = m_rules.all()[rule].metric;
      if (metric == "shape") {
        ULP_TRY(askOf(rule, unit, outcome.shapesDiffer));
      } else if (metric == "present") {
        ULP_TRY(askOf(rule, unit, outcome.onlyBaseline));
        ULP_TRY(askOf(rule, unit, outcome.onlyCandidate));
      }
    }
    return {};
  }

  [[nodiscard]] bool isUnjudged(const report::Comparison& row,
                                const std::vector<RuleAnswer>& answers) const {
    bool isAsked = false;
    for (const RuleAnswer& answer : answers) {
      const bool isOfNumbers = asksForNumbers(m_rules.all()[answer.rule]);
      if (isOfNumbers && answer.kind != RuleAnswer::Kind::Unknown) {
        return false;
      }
      isAsked = isAsked || isOfNumbers;
    }
    const auto isOne = [&](std::string_view metric) {
      const auto found = std::ranges::find(m_metrics, metric, &report::MetricColumn::id);
      return found != m_metrics.end() &&
             row.metrics[static_cast<std::size_t>(found - m_metrics.begin())] == 1;
    };
    return isAsked && row.count > 0 && row.compared == 0 && !isOne("equal_fraction") &&
           !isOne("checksum_equal");
  }

  /// Of what type such a tensor is matters to no rule: there are no numbers of it.
  Result<> addIfMeant(std::size_t unit, const Site& site) {
    for (std::size_t i = 0; i < m_rules.all().size(); ++i) {
      const VerdictRule& rule = m_rules.all()[i];
      report::Comparison row;
      row.site = site;
      row.variantDType = rule.dtype ? std::string(toString(*rule.dtype)) : "";
      const bool isMeant = asksForNumbers(rule) && ULP_TRY(m_rules.concerns(i, row));
      if (isMeant) {
        m_outcome.unjudged.push_back({unit, site.name, site.pass});
        return {};
      }
    }
    return {};
  }

  Result<std::vector<RuleAnswer>> answersOf(std::size_t unit, const report::Comparison& row) {
    auto answers = ULP_TRY(m_judge.ask(row));
    const bool needsElements = std::ranges::any_of(answers, [&](const RuleAnswer& answer) {
      return answer.kind == RuleAnswer::Kind::Unknown && m_rules.all()[answer.rule].isAllclose();
    });
    const Result<TensorPairPtr> pair = needsElements && m_read ? m_read(unit, row) : nullptr;
    if (pair && *pair != nullptr) {
      answers = ULP_TRY(m_judge.ask(row, pair->get()));
    }
    const auto intact = pair && *pair != nullptr ? checkIntact(**pair) : Result<>();
    if ((!pair || !intact) && !m_outcome.unread) {
      m_outcome.unread = pair ? intact.error() : pair.error();
    }
    return answers;
  }

  Result<> askOf(std::size_t rule, std::size_t unit, const std::vector<UncomparedRow>& rows) {
    for (const UncomparedRow& uncompared : rows) {
      const report::Comparison row = named(uncompared);
      const bool isMeant = ULP_TRY(m_rules.concerns(rule, row));
      if (isMeant) {
        m_outcome.checked[rule] += 1;
        if (!m_rules.all()[rule].holdsFor(1)) {
          m_outcome.failures.push_back({rule, unit, row.site.name, row.site.pass, 1});
        }
      }
    }
    return {};
  }

  const VerdictRules& m_rules;
  const DumpComparison& m_comparison;
  const UnitPairReader& m_read;
  std::vector<report::MetricColumn> m_metrics = allMetrics();
  RowJudge m_judge;
  RuleOutcome m_outcome;
};

}  // namespace

bool RuleOutcome::hasErrors(const VerdictRules& rules) const {
  return std::ranges::any_of(failures, [&](const RuleFailure& failure) {
    return rules.all()[failure.rule].severity == RuleSeverity::Error;
  });
}

bool RuleOutcome::isUndecided(const VerdictRules& rules) const {
  for (std::size_t rule = 0; rule < rules.all().size(); ++rule) {
    const VerdictRule& asked = rules.all()[rule];
    if (asked.isAllclose() && asked.severity == RuleSeverity::Error && undefined[rule] > 0) {
      return true;
    }
  }
  return false;
}

Result<RuleOutcome> applyRules(const VerdictRules& rules,
                               const DumpComparison& comparison,
                               const UnitPairReader& read) {
  return ComparisonJudge(rules, comparison, read).judge();
}

}  // namespace ulp::analysis
