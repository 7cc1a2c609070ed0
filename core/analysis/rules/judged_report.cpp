#include "core/analysis/rules/judged_report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/list_of.h"
#include "core/report/contents/report_tables.h"

namespace ulp::analysis {
namespace {

/// Rows that break a rule, of each run, that documents list.
constexpr std::size_t kBrokenShown = 12;

using report::Run;
using report::TextTable;

std::string wordOf(Judgement judgement) {
  constexpr std::array<std::string_view, 4> kWords{"pass", "warning", "FAIL", "not judged"};
  return std::string(kWords.at(static_cast<std::size_t>(judgement)));
}

/// Calls `use(run, judgement)` for every run that was compared, or was to be.
template <class Use>
void forEachRun(const JudgedReport& judged, Use use) {
  const report::Report& report = *judged.report;
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    const Run& run = report.runs[i];
    if (run.name != report.reference && run.role != report::RunRole::Floor) {
      use(run, judged.judgement.runs[i]);
    }
  }
}

std::string titleOf(const JudgedReport& judged) {
  return judged.asked.origin.empty() ? "Rules" : "Rules: " + judged.asked.origin;
}

TextTable runTable(const JudgedReport& judged) {
  TextTable table{.title = titleOf(judged),
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
    table.rows.push_back({run.name,
                          wordOf(judgement.overall()),
                          count(Judgement::Passed),
                          count(Judgement::Warned),
                          count(Judgement::Failed),
                          count(Judgement::NotJudged),
                          judgement.isUnfinished ? unfinishedText(run)
                          : judgement.first      ? placeText(run.comparisons[*judgement.first].site)
                                                 : "–"});
  });
  return table;
}

std::string outcomeOf(const VerdictRule& rule, const RuleTally& tally) {
  if (rule.isOfUncompared()) {
    return "not judged: a report holds compared rows alone; ask compare --rules";
  }
  if (tally.broken > 0) {
    const bool isError = rule.severity == RuleSeverity::Error;
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
  for (std::size_t i = 0; i < judged.asked.rules.all().size(); ++i) {
    const VerdictRule& rule = judged.asked.rules.all()[i];
    const RuleTally& tally = judged.judgement.rules[i];
    if (!rule.isImplied || tally.asked > 0) {
      table.rows.push_back({describe(rule) + (rule.isImplied ? " (no rule says otherwise)" : ""),
                            outcomeOf(rule, tally)});
    }
  }
  return table;
}

TextTable brokenTable(const JudgedReport& judged) {
  TextTable table{.title = "Rows that break a rule",
                  .columns = {{"run"}, {"row"}, {"pass"}, {"verdict"}, {"why"}},
                  .rows = {}};
  bool isCut = false;
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    std::size_t broken = 0;
    for (std::size_t i = 0; i < judgement.rows.size(); ++i) {
      const RowVerdict& row = judgement.rows[i];
      if (row.broken > 0 && ++broken <= kBrokenShown) {
        const Site& site = run.comparisons[i].site;
        table.rows.push_back({run.name,
                              site.name,
                              std::string(toString(site.pass)),
                              wordOf(row.judgement),
                              reasonOf(row, judged.asked.rules).text()});
      }
    }
    isCut = isCut || broken > kBrokenShown;
  });
  if (isCut) {
    table.note = fmt::format(
        "The first {} of each run; ulpscope-cli report --rules with --format csv has all.",
        kBrokenShown);
  }
  return table;
}

/// The report with the rows alone that the options choose.
Result<report::ReportPtr> chosenRows(const report::Report& report,
                                     const report::ExportOptions& options) {
  const auto selection = ULP_TRY(report::selectForExport(report, options));
  auto chosen = std::make_shared<report::Report>(report);
  std::erase_if(chosen->runs, [&](const Run& run) {
    return run.name != report.reference &&
           std::ranges::find(selection.runs, run.name, &Run::name) == selection.runs.end();
  });
  for (Run& run : chosen->runs) {
    std::erase_if(run.comparisons,
                  [&](const report::Comparison& row) { return !selection.hasPass(row.site.pass); });
  }
  return chosen;
}

int gravityOf(Judgement judgement) {
  return judgement == Judgement::Failed ? 2 : judgement == Judgement::Warned ? 1 : 0;
}

}  // namespace

Result<JudgedReport> judgeChosen(const report::Report& report,
                                 const report::ExportOptions& options,
                                 const AskedRules& asked,
                                 const PairReader& read,
                                 const std::stop_token& stop) {
  JudgedReport judged{.report = ULP_TRY(chosenRows(report, options)),
                      .asked = {asked.rules.withFiniteImplied(), asked.origin},
                      .judgement = {}};
  judged.judgement = ULP_TRY(judgeReport(*judged.report, judged.asked.rules, stop));
  ULP_TRY(decideByElements(*judged.report, judged.asked.rules, judged.judgement, read, stop));
  return judged;
}

std::string unfinishedText(const Run& run) {
  const std::string reason = failureOf(run);
  return fmt::format(
      "did not finish: {}{}{}", toString(run.status), reason.empty() ? "" : ": ", reason);
}

report::DocumentJudgement judgementOf(const JudgedReport& judged) {
  report::DocumentJudgement parts{.tables = {runTable(judged), ruleTable(judged)}};
  if (TextTable broken = brokenTable(judged); !broken.rows.empty()) {
    parts.tables.push_back(std::move(broken));
  }
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    parts.rows.emplace(run.name, listOf(judgement.rows, [](const RowVerdict& row) {
                         return report::RowMark{wordOf(row.judgement), gravityOf(row.judgement)};
                       }));
  });
  return parts;
}

Result<report::DataTable> judgementData(const JudgedReport& judged,
                                        const std::vector<std::string>& metrics) {
  report::DataTable table{
      .title = titleOf(judged),
      .columns = report::columnsOf("run; row; pass; verdict; rules asked; rules broken; why"),
      .rows = {}};
  std::vector<report::SelectedMetric> shown;
  if (!metrics.empty()) {
    shown = ULP_TRY(report::selectForExport(*judged.report, {.metrics = metrics})).metrics;
  }
  for (const report::SelectedMetric& metric : shown) {
    table.columns.push_back(report::metricColumn(metric));
  }
  forEachRun(judged, [&](const Run& run, const RunJudgement& judgement) {
    if (judgement.isUnfinished) {
      table.rows.push_back({run.name, "", "", "fail", 0.0, 0.0, unfinishedText(run)});
      table.rows.back().resize(table.columns.size());
    }
    for (std::size_t i = 0; i < judgement.rows.size(); ++i) {
      const RowVerdict& row = judgement.rows[i];
      const Site& site = run.comparisons[i].site;
      table.rows.push_back({run.name,
                            site.name,
                            std::string(toString(site.pass)),
                            row.judgement == Judgement::Failed ? "fail" : wordOf(row.judgement),
                            static_cast<double>(row.asked),
                            static_cast<double>(row.broken),
                            reasonOf(row, judged.asked.rules).text()});
      for (const report::SelectedMetric& metric : shown) {
        table.rows.back().push_back(report::metricCell(metric, run.comparisons[i]));
      }
    }
  });
  return table;
}

}  // namespace ulp::analysis
