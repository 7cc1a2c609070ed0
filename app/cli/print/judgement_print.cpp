#include "app/cli/print/judgement_print.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::cli {
namespace {

using analysis::Judgement;
using analysis::RowVerdict;
using analysis::RuleTally;
using analysis::RunJudgement;
using analysis::VerdictRule;
using report::Comparison;
using report::Run;
using report::TextTable;

std::string wordOf(Judgement judgement) {
  constexpr std::array<std::string_view, 4> kWords{"pass", "warning", "FAIL", "not judged"};
  return std::string(kWords.at(static_cast<std::size_t>(judgement)));
}

/// Calls `use(run, judgement)` for every run that was compared, or was to be.
template <class Use>
void forEachRun(const JudgedReport& judged, Use use) {
  for (std::size_t i = 0; i < judged.report.runs.size(); ++i) {
    const Run& run = judged.report.runs[i];
    if (run.name != judged.report.reference && run.role != report::RunRole::Floor) {
      use(run, judged.judgement.runs[i]);
    }
  }
}

TextTable runTable(const JudgedReport& judged) {
  TextTable table{.title = "Rules: " + judged.origin,
                  .columns = {{"run"},
                              {"verdict"},
                              {"pass", true},
                              {"warning", true},
                              {"fail", true},
                              {"not judged", true},
                              {"first"}},
                  .rows = {}};
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    const auto count = [&](Judgement of) { return std::to_string(judgement.count(of)); };
    table.rows.push_back(
        {run.name,
         wordOf(judgement.overall()),
         count(Judgement::Passed),
         count(Judgement::Warned),
         count(Judgement::Failed),
         count(Judgement::NotJudged),
         judgement.first ? analysis::placeText(run.comparisons[*judgement.first].site) : "–"});
  });
  return table;
}

std::string outcomeOf(const VerdictRule& rule, const RuleTally& tally) {
  if (rule.isOfUncompared()) {
    return "not judged: a report holds compared rows alone; ask compare --rules";
  }
  if (tally.broken > 0) {
    const bool isError = rule.severity == analysis::RuleSeverity::Error;
    return fmt::format("{} at {} of {}{}",
                       isError ? "FAILS" : "warns",
                       tally.broken,
                       tally.asked,
                       rule.isAllclose() && tally.unasked > 0
                           ? fmt::format(", not judged at {}", tally.unasked)
                           : "");
  }
  if (rule.isAllclose() && tally.unasked > 0) {
    return fmt::format("not judged at {} of {}: their elements are not at hand",
                       tally.unasked,
                       tally.asked + tally.unasked);
  }
  return tally.asked == 0 ? "nothing to ask" : fmt::format("holds for {}", tally.asked);
}

TextTable ruleTable(const JudgedReport& judged) {
  TextTable table{.title = "Rules, one by one", .columns = {{"rule"}, {"outcome"}}, .rows = {}};
  for (std::size_t i = 0; i < judged.rules.all().size(); ++i) {
    const VerdictRule& rule = judged.rules.all()[i];
    const RuleTally& tally = judged.judgement.rules[i];
    if (!rule.isImplied || tally.asked > 0) {
      table.rows.push_back({describe(rule) + (rule.isImplied ? " (no rule says otherwise)" : ""),
                            outcomeOf(rule, tally)});
    }
  }
  return table;
}

TextTable brokenTable(const JudgedReport& judged, std::size_t longest) {
  TextTable table{.title = "Rows that break a rule",
                  .columns = {{"run"}, {"row"}, {"pass"}, {"verdict"}, {"why"}},
                  .rows = {}};
  bool isCut = false;
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    std::size_t broken = 0;
    for (std::size_t i = 0; i < judgement.rows.size(); ++i) {
      const RowVerdict& row = judgement.rows[i];
      if (row.broken > 0 && ++broken <= longest) {
        const Site& site = run.comparisons[i].site;
        table.rows.push_back({run.name,
                              site.name,
                              std::string(toString(site.pass)),
                              wordOf(row.judgement),
                              reasonOf(row, judged.rules).text()});
      }
    }
    isCut = isCut || broken > longest;
  });
  if (isCut) {
    table.note =
        fmt::format("The first {} of each run; --format csv, json or xlsx has all.", longest);
  }
  return table;
}

}  // namespace

std::vector<TextTable> judgementTables(const JudgedReport& judged, std::size_t longest) {
  std::vector<TextTable> tables{ruleTable(judged)};
  if (TextTable broken = brokenTable(judged, longest); !broken.rows.empty()) {
    tables.push_back(std::move(broken));
  }
  tables.push_back(runTable(judged));
  return tables;
}

report::DataTable judgementData(const JudgedReport& judged) {
  report::DataTable table{
      .title = "Rules: " + judged.origin,
      .columns = report::columnsOf("run; row; pass; verdict; rules asked; rules broken; why"),
      .rows = {}};
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    for (std::size_t i = 0; i < judgement.rows.size(); ++i) {
      const RowVerdict& row = judgement.rows[i];
      const Site& site = run.comparisons[i].site;
      table.rows.push_back({run.name,
                            site.name,
                            std::string(toString(site.pass)),
                            row.judgement == Judgement::Failed ? "fail" : wordOf(row.judgement),
                            static_cast<double>(row.asked),
                            static_cast<double>(row.broken),
                            reasonOf(row, judged.rules).text()});
    }
  });
  return table;
}

}  // namespace ulp::cli
