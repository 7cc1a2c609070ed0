#include "core/analysis/rules/row_judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/depth/divergence.h"

namespace ulp::analysis {
namespace {

using Kind = RuleAnswer::Kind;

std::optional<std::size_t> columnOf(std::span<const report::MetricColumn> metrics,
                                    std::string_view id) {
  const auto found = std::ranges::find(metrics, id, &report::MetricColumn::id);
  return found == metrics.end() ? std::nullopt
                                : std::optional<std::size_t>(found - metrics.begin());
}

/// The gravest kind of answer first: an error, what may be one, a warning, what may be one.
/// Nothing: it decides nothing.
std::optional<std::size_t> gravenessOf(const VerdictRule& rule, Kind kind) {
  const std::size_t grave = rule.severity == RuleSeverity::Error ? 0 : 2;
  const bool mayBeBroken = kind == Kind::Unknown && rule.isAllclose();
  return kind == Kind::Broken ? std::optional(grave)
         : mayBeBroken        ? std::optional(grave + 1)
                              : std::nullopt;
}

/// Quotients of sizes: undefined where a side is nothing but zeros.
bool isQuotient(std::string_view metric) {
  constexpr std::array<std::string_view, 5> kQuotients{
      "rms_rel", "max_rel", "cosine", "sqnr_db", "symmetric_diff"};
  return std::ranges::find(kQuotients, metric) != kQuotients.end();
}

}  // namespace

RowJudge::RowJudge(const VerdictRules& rules, std::span<const report::MetricColumn> metrics)
    : m_rules(rules), m_maxDiff(columnOf(metrics, "max_diff")) {
  for (const VerdictRule& rule : rules.all()) {
    m_columns.push_back(columnOf(metrics, rule.metric));
  }
}

Result<std::vector<RuleAnswer>> RowJudge::ask(const report::Comparison& row,
                                              const TensorPair* pair,
                                              const std::stop_token& stop) const {
  std::vector<RuleAnswer> answers;
  bool asksForFinite = false;
  for (std::size_t i = 0; i < m_rules.all().size(); ++i) {
    const VerdictRule& rule = m_rules.all()[i];
    if (rule.isOfUncompared() || (rule.isImplied && asksForFinite)) {
      continue;
    }
    const bool isMeant = ULP_TRY(m_rules.concerns(i, row));
    if (isMeant) {
      answers.push_back(answerOf(i, row, pair, stop));
      asksForFinite = asksForFinite || rule.metric == "non_finite";
    }
  }
  return answers;
}

RuleAnswer RowJudge::answerOf(std::size_t rule,
                              const report::Comparison& row,
                              const TensorPair* pair,
                              const std::stop_token& stop) const {
  const VerdictRule& asked = m_rules.all()[rule];
  if (asked.isAllclose()) {
    return closenessAnswer(rule, row, pair, stop);
  }
  RuleAnswer answer{.rule = rule};
  if (asked.metric == "non_finite") {
    answer.value = static_cast<double>(addedNonFinite(row));
  } else if (m_columns[rule]) {
    answer.value = row.metrics[*m_columns[rule]];
  }
  if (!std::isnan(answer.value)) {
    answer.kind = asked.holdsFor(answer.value) ? Kind::Holds : Kind::Broken;
  } else if (isQuotient(asked.metric) && row.compared > 0 && m_maxDiff) {
    // Zeros beside other numbers are as far off as can be.
    const double apart = row.metrics[*m_maxDiff];
    answer.kind = apart > 0 ? Kind::Broken : apart == 0 ? Kind::Holds : Kind::Unknown;
  }
  return answer;
}

RuleAnswer RowJudge::closenessAnswer(std::size_t rule,
                                     const report::Comparison& row,
                                     const TensorPair* pair,
                                     const std::stop_token& stop) const {
  const Tolerances& tolerances = m_rules.all()[rule].tolerances;
  auto closeness = closenessOf(row, m_maxDiff ? row.metrics[*m_maxDiff] : kUndefined, tolerances);
  if (!closeness && pair != nullptr) {
    closeness = closenessOf(*pair, tolerances, stop);
    // What was kept is one step of several: another one may be off.
    if (closeness && closeness->isClose && pair->count() < row.count) {
      closeness.reset();
    }
  }
  return closeness
             ? RuleAnswer{rule, closeness->isClose ? Kind::Holds : Kind::Broken, closeness->excess}
             : RuleAnswer{.rule = rule};
}

RowVerdict RowJudge::verdictOf(std::span<const RuleAnswer> answers) const {
  RowVerdict verdict;
  bool isPassed = false;
  std::array<const RuleAnswer*, 4> first{};  // by how grave they are
  for (const RuleAnswer& answer : answers) {
    const VerdictRule& rule = m_rules.all()[answer.rule];
    ++(answer.kind == Kind::Unknown ? verdict.unasked : verdict.asked);
    if (answer.kind == Kind::Broken) {
      ++verdict.broken;
    }
    isPassed = isPassed || (answer.kind == Kind::Holds && !rule.isImplied);
    const auto grave = gravenessOf(rule, answer.kind);
    if (grave && first.at(*grave) == nullptr) {
      first.at(*grave) = &answer;
    }
  }
  const auto* const decisive =
      std::ranges::find_if(first, [](const RuleAnswer* answer) { return answer != nullptr; });
  if (decisive == first.end()) {
    verdict.judgement = isPassed ? Judgement::Passed : Judgement::NotJudged;
    return verdict;
  }
  constexpr std::array kJudgements{
      Judgement::Failed, Judgement::NotJudged, Judgement::Warned, Judgement::NotJudged};
  verdict.judgement = kJudgements.at(static_cast<std::size_t>(decisive - first.begin()));
  verdict.rule = static_cast<std::int32_t>((*decisive)->rule);
  verdict.value = (*decisive)->value;
  return verdict;
}

}  // namespace ulp::analysis
