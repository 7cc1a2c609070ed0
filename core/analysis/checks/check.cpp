#include "core/analysis/checks/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "core/analysis/verdict/verdict_words.h"
#include "core/report/model/finding.h"
#include "core/report/summary/told_apart.h"

namespace ulp::analysis {
namespace {

bool breaksRule(Judgement judgement) {
  return judgement == Judgement::Failed || judgement == Judgement::Warned;
}

std::vector<CheckedRow> checkedRows(const JudgedReport& judged) {
  std::vector<CheckedRow> rows;
  for (std::size_t i = 0; i < judged.judgement.runs.size(); ++i) {
    const report::Run& run = judged.report->runs[i];
    const std::vector<RowVerdict>& verdicts = judged.judgement.runs[i].rows;
    for (std::size_t row = 0; row < verdicts.size(); ++row) {
      const RowVerdict& verdict = verdicts[row];
      const bool hasRule = verdict.rule != RowVerdict::kNoRule;
      rows.push_back(
          {.run = run.name,
           .site = run.comparisons[row].site,
           .judgement = verdict.judgement,
           .rule = hasRule
                       ? signText(judged.asked.rules.all()[static_cast<std::size_t>(verdict.rule)])
                       : "",
           .reason = reasonOf(verdict, judged.asked.rules).text()});
    }
  }
  return rows;
}

/// What a report of dumps says of rows that it does not hold: parameters without a gradient, and
/// tensors that could not be compared.
Result<> addUncompared(const JudgedReport& judged, Check& check) {
  const auto findings = ULP_TRY(report::readFindings(*judged.report));
  const auto eachRule = [&](const Site& site, const auto& use) -> Result<> {
    report::Comparison row;
    row.site = site;
    for (std::size_t i = 0; i < judged.asked.rules.all().size(); ++i) {
      const VerdictRule& rule = judged.asked.rules.all()[i];
      row.variantDType = rule.dtype ? std::string(toString(*rule.dtype)) : "";
      const bool isMeant = !rule.isImplied && ULP_TRY(judged.asked.rules.concerns(i, row));
      if (isMeant) {
        use(rule);
      }
    }
    return {};
  };
  for (const report::Run& run : judged.report->runs) {
    for (const std::string& name : run.missingGradients) {
      const Site site{.name = name, .module = name, .pass = Pass::ParameterGradient};
      ULP_TRY(eachRule(site, [&](const VerdictRule& rule) {
        if (rule.metric == "present" && !rule.holdsFor(1)) {
          const bool isError = rule.severity == RuleSeverity::Error;
          check.rows.push_back({.run = run.name,
                                .site = site,
                                .judgement = isError ? Judgement::Failed : Judgement::Warned,
                                .rule = signText(rule),
                                .reason = signText(rule) + " does not hold: 1"});
        }
      }));
    }
    for (const report::Finding& finding : findings) {
      if (finding.rule != kNotComparedRule || !finding.isAbout(run.name)) {
        continue;
      }
      for (const Site& site : finding.sites) {
        bool isAsked = false;
        ULP_TRY(eachRule(site, [&](const VerdictRule& rule) {
          isAsked = isAsked || !rule.isOfUncompared();
          check.isIncomplete = check.isIncomplete ||
                               (!rule.isOfUncompared() && rule.severity == RuleSeverity::Error);
        }));
        if (isAsked) {
          check.rows.push_back(
              {.run = run.name, .site = site, .reason = "there was nothing to compare"});
        }
      }
    }
  }
  return {};
}

std::vector<UnfinishedRun> unfinishedRuns(const JudgedReport& judged) {
  std::vector<UnfinishedRun> unfinished;
  for (std::size_t i = 0; i < judged.judgement.runs.size(); ++i) {
    if (judged.judgement.runs[i].isUnfinished) {
      const report::Run& run = judged.report->runs[i];
      unfinished.push_back({run.name, unfinishedText(run)});
    }
  }
  return unfinished;
}

using CheckedPlace = std::pair<std::string, Site>;

CheckedPlace checkedPlace(const CheckedRow& row) {
  return {row.run, {.name = row.site.name, .pass = row.site.pass}};
}

/// Whether the expression of a rule is found in any row, whatever else the rule asks of it.
Result<bool> isFoundAnywhere(const JudgedReport& judged, std::size_t index) {
  const VerdictRule& rule = judged.asked.rules.all()[index];
  for (const report::Run& run : judged.report->runs) {
    for (const report::Comparison& row : run.comparisons) {
      report::Comparison named;
      named.site = row.site;
      named.site.pass = rule.pass.value_or(row.site.pass);
      named.variantDType = rule.dtype ? std::string(toString(*rule.dtype)) : row.variantDType;
      const bool isFound = ULP_TRY(judged.asked.rules.concerns(index, named));
      if (isFound) {
        return true;
      }
    }
  }
  return false;
}

Result<std::vector<IdleRule>> idleRules(const JudgedReport& judged) {
  const std::vector<VerdictRule>& rules = judged.asked.rules.all();
  std::vector<std::size_t> unasked;
  bool isAnyAsked = false;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const RuleTally& tally = judged.judgement.rules[i];
    // What is not judged for lack of elements is told as that.
    const bool isAsked = tally.asked > 0 || (rules[i].isAllclose() && tally.unasked > 0);
    if (rules[i].isImplied || rules[i].isOfUncompared()) {
      continue;
    }
    isAnyAsked = isAnyAsked || isAsked;
    if (!isAsked) {
      unasked.push_back(i);
    }
  }
  std::vector<IdleRule> idle;
  for (const std::size_t i : unasked) {
    const bool isFound = isAnyAsked && ULP_TRY(isFoundAnywhere(judged, i));
    idle.push_back({describe(rules[i]), !isFound && rules[i].severity == RuleSeverity::Error});
  }
  return idle;
}

std::vector<std::string> doubtsOf(const report::Report& now, const report::Report& before) {
  // A comparison of dumps is called after them, not after the model.
  if (now.dumps || before.dumps) {
    return {};
  }
  std::vector<std::string> doubts;
  if (report::areToldApart(now.model.name, before.model.name)) {
    doubts.push_back(fmt::format("the baseline is of another model: {}, and the report of {}",
                                 before.model.name,
                                 now.model.name));
  }
  if (report::areToldApart(now.provenance.tokenDigest, before.provenance.tokenDigest)) {
    const auto inputOf = [](const report::Provenance& of) {
      constexpr std::size_t kShown = 12;
      return fmt::format(
          "{} ({})", of.input.empty() ? "tokens" : of.input, of.tokenDigest.substr(0, kShown));
    };
    doubts.push_back(fmt::format("the baseline is of other input: {}, and the report of {}",
                                 inputOf(before.provenance),
                                 inputOf(now.provenance)));
  }
  return doubts;
}

}  // namespace

std::size_t Check::count(Judgement judgement) const {
  return static_cast<std::size_t>(std::ranges::count(rows, judgement, &CheckedRow::judgement));
}

std::size_t Check::newFailures() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, [](const CheckedRow& row) {
    return row.judgement == Judgement::Failed && !row.isKnown;
  }));
}

bool Check::hasFailed() const {
  return newFailures() > 0 || !unfinished.empty() || std::ranges::any_of(idle, &IdleRule::fails);
}

Result<Check> checkOf(const JudgedReport& judged, const JudgedReport* baseline) {
  Check check{.model = judged.report->model.name,
              .rows = checkedRows(judged),
              .idle = ULP_TRY(idleRules(judged)),
              .unfinished = unfinishedRuns(judged)};
  if (judged.report->dumps) {
    ULP_TRY(addUncompared(judged, check));
  }
  if (baseline == nullptr) {
    return check;
  }
  check.doubts = doubtsOf(*judged.report, *baseline->report);
  std::map<CheckedPlace, CheckedRow> before;
  for (CheckedRow& row : checkedRows(*baseline)) {
    before.insert_or_assign(checkedPlace(row), std::move(row));
  }
  for (CheckedRow& row : check.rows) {
    const auto found = before.find(checkedPlace(row));
    if (found == before.end()) {
      continue;
    }
    // A warning that became a failure is news.
    row.isKnown = breaksRule(row.judgement) && (found->second.judgement == row.judgement ||
                                                found->second.judgement == Judgement::Failed);
    row.before = breaksRule(found->second.judgement) ? found->second.reason : "";
    if (breaksRule(found->second.judgement) && row.judgement == Judgement::Passed) {
      check.fixed.push_back(found->second);
    }
    before.erase(found);
  }
  check.gone = before.size();
  return check;
}

}  // namespace ulp::analysis
