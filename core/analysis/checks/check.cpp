#include "core/analysis/checks/check.h"

#include <algorithm>
#include <map>
#include <utility>

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

using CheckedPlace = std::pair<std::string, Site>;

CheckedPlace checkedPlace(const CheckedRow& row) {
  return {row.run, {.name = row.site.name, .pass = row.site.pass}};
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

Check checkOf(const JudgedReport& judged, const JudgedReport* baseline) {
  Check check{.model = judged.report->model.name, .rows = checkedRows(judged)};
  if (baseline == nullptr) {
    return check;
  }
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
