#include "core/analysis/rules/report_judgement.h"

#include <algorithm>
#include <cmath>

#include "core/base/stop_pace.h"
#include "core/base/text/format_number.h"

namespace ulp::analysis {
namespace {

using report::Comparison;
using report::Run;

/// Left over by "allclose", the only rule that is named without having been broken.
bool isUndecidedRow(const RowVerdict& verdict) {
  return verdict.judgement == Judgement::NotJudged && verdict.rule != RowVerdict::kNoRule;
}

/// Adds what `answers` say to the tallies, or takes it away.
void tally(std::vector<RuleTally>& tallies, std::span<const RuleAnswer> answers, bool isAdded) {
  const std::size_t change = isAdded ? 1 : -std::size_t{1};
  for (const RuleAnswer& answer : answers) {
    RuleTally& rule = tallies[answer.rule];
    (answer.kind == RuleAnswer::Kind::Unknown ? rule.unasked : rule.asked) += change;
    rule.broken += answer.kind == RuleAnswer::Kind::Broken ? change : 0;
  }
}

/// A number that broke a rule, with the digits that tell it from the rule's bound.
std::string numberBeside(double value, const VerdictRule& rule) {
  constexpr int kFewDigits = 3;
  constexpr int kMostDigits = 9;
  if (value == std::floor(value)) {
    return formatExact(value);
  }
  const double bound = rule.isAllclose() ? rule.tolerances.atol : rule.value;
  int digits = kFewDigits;
  while (digits < kMostDigits &&
         formatSignificant(value, digits) == formatSignificant(bound, digits)) {
    ++digits;
  }
  return formatSignificant(value, digits);
}

void sumUp(RunJudgement& run) {
  run.counts = {};
  for (const RowVerdict& row : run.rows) {
    ++run.counts.at(static_cast<std::size_t>(row.judgement));
  }
  const Judgement gravest =
      run.count(Judgement::Failed) > 0 ? Judgement::Failed : Judgement::Warned;
  const auto found = std::ranges::find(run.rows, gravest, &RowVerdict::judgement);
  run.first =
      found == run.rows.end() ? std::nullopt : std::optional<std::size_t>(found - run.rows.begin());
}

}  // namespace

Judgement RunJudgement::overall() const {
  if (isUnfinished) {
    return Judgement::Failed;
  }
  for (const Judgement gravest : {Judgement::Failed, Judgement::Warned, Judgement::NotJudged}) {
    if (count(gravest) > 0) {
      return gravest;
    }
  }
  return count(Judgement::Passed) > 0 ? Judgement::Passed : Judgement::NotJudged;
}

bool ReportJudgement::hasFailed() const {
  return std::ranges::any_of(runs, [](const RunJudgement& run) {
    return run.isUnfinished || run.count(Judgement::Failed) > 0;
  });
}

bool ReportJudgement::isUndecided(const VerdictRules& asked) const {
  return std::ranges::any_of(runs, [&](const RunJudgement& run) {
    return std::ranges::any_of(run.rows, [&](const RowVerdict& row) {
      return isUndecidedRow(row) &&
             asked.all()[static_cast<std::size_t>(row.rule)].severity == RuleSeverity::Error;
    });
  });
}

Result<ReportJudgement> judgeReport(const report::Report& report,
                                    const VerdictRules& rules,
                                    const std::stop_token& stop) {
  const RowJudge judge(rules, report.metrics);
  ReportJudgement judgement{.runs = std::vector<RunJudgement>(report.runs.size()),
                            .rules = std::vector<RuleTally>(rules.all().size())};
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    if (report.runs[i].role == report::RunRole::Floor) {
      continue;
    }
    RunJudgement& run = judgement.runs[i];
    run.isUnfinished = report.runs[i].name != report.reference &&
                       report.runs[i].status != report::RunStatus::Finished;
    run.rows.reserve(report.runs[i].comparisons.size());
    for (const Comparison& row : report.runs[i].comparisons) {
      if (stop.stop_requested()) {
        return stopped();
      }
      const auto answers = ULP_TRY(judge.ask(row));
      tally(judgement.rules, answers, true);
      run.rows.push_back(judge.verdictOf(answers));
    }
    sumUp(run);
  }
  return judgement;
}

Result<> decideByElements(const report::Report& report,
                          const VerdictRules& rules,
                          ReportJudgement& judgement,
                          const PairReader& read,
                          const std::stop_token& stop) {
  const RowJudge judge(rules, report.metrics);
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    RunJudgement& run = judgement.runs[i];
    for (std::size_t at = 0; at < run.rows.size(); ++at) {
      if (!isUndecidedRow(run.rows[at])) {
        continue;
      }
      if (stop.stop_requested()) {
        return stopped();
      }
      const Comparison& row = report.runs[i].comparisons[at];
      const Result<TensorPairPtr> pair = read(report.runs[i], row);
      if (!pair && !judgement.unread) {
        judgement.unread = pair.error();
      }
      if (!pair || *pair == nullptr) {
        continue;
      }
      tally(judgement.rules, ULP_TRY(judge.ask(row)), false);
      const auto answers = ULP_TRY(judge.ask(row, pair->get(), stop));
      const auto intact = checkIntact(**pair);
      if (!intact && !judgement.unread) {
        judgement.unread = intact.error();
      }
      tally(judgement.rules, answers, true);
      run.rows[at] = judge.verdictOf(answers);
    }
    sumUp(run);
  }
  return {};
}

report::Sentence reasonOf(const RowVerdict& verdict, const VerdictRules& rules) {
  const auto rule = [&] { return signText(rules.all()[static_cast<std::size_t>(verdict.rule)]); };
  if (verdict.judgement == Judgement::NotJudged) {
    if (verdict.rule != RowVerdict::kNoRule) {
      return {ULP_TR_NOOP("%1 needs the elements of both sides"), {rule()}};
    }
    return verdict.unasked > 0
               ? report::Sentence{ULP_TR_NOOP("The row holds nothing that the rules ask for"), {}}
               : report::Sentence{ULP_TR_NOOP("No rule is about the row"), {}};
  }
  if (verdict.rule != RowVerdict::kNoRule) {
    if (std::isnan(verdict.value)) {
      return {ULP_TR_NOOP("%1 does not hold: NaN, or infinity on one side alone"), {rule()}};
    }
    return {
        ULP_TR_NOOP("%1 does not hold: %2"),
        {rule(), numberBeside(verdict.value, rules.all()[static_cast<std::size_t>(verdict.rule)])}};
  }
  if (verdict.unasked > 0) {
    return {ULP_TR_NOOP("Of %1 rules %2 could not be asked: the row does not hold their metric"),
            {std::to_string(verdict.asked + verdict.unasked), std::to_string(verdict.unasked)}};
  }
  return {};
}

}  // namespace ulp::analysis
