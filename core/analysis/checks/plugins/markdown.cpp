#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/checks/check_format.h"
#include "core/report/formats/format.h"

namespace ulp::analysis {
namespace {

using report::escapedMarkdown;

/// Rows of a table; a comment under a pull request holds no more.
constexpr std::size_t kMostRows = 50;

std::string markdownTable(std::string_view title, const std::vector<const CheckedRow*>& rows) {
  if (rows.empty()) {
    return {};
  }
  std::string out =
      fmt::format("\n### {}\n\n| run | tensor | rule | before |\n|---|---|---|---|\n", title);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    const CheckedRow& row = *rows[i];
    out += fmt::format("| {} | {}, {} | {} | {} |\n",
                       escapedMarkdown(row.run),
                       escapedMarkdown(row.site.name),
                       escapedMarkdown(toString(row.site.pass)),
                       escapedMarkdown(row.reason),
                       escapedMarkdown(row.before));
  }
  if (rows.size() > kMostRows) {
    out += fmt::format("\n{} more are in the report.\n", rows.size() - kMostRows);
  }
  return out;
}

/// For a comment under a pull request: what is new first.
std::string markdown(const Check& check) {
  std::string out = fmt::format("## Ulpscope: {}\n\n{}: {} ({}).\n",
                                check.hasFailed() ? "failed" : "passed",
                                escapedMarkdown(check.model),
                                escapedMarkdown(summaryText(check)),
                                escapedMarkdown(check.rules));
  for (const std::string& doubt : check.doubts) {
    out += fmt::format("\n**Warning:** {}.\n", escapedMarkdown(doubt));
  }
  for (const UnfinishedRun& run : check.unfinished) {
    out += fmt::format(
        "\n**Failed:** {} {}.\n", escapedMarkdown(run.run), escapedMarkdown(run.reason));
  }
  for (const IdleRule& idle : check.idle) {
    out += fmt::format("\n{}{}: {}.\n",
                       idle.fails ? "**Failed:** " : "",
                       escapedMarkdown(idle.rule),
                       kNothingToAsk);
  }
  const auto chosen = [&](auto isChosen) {
    std::vector<const CheckedRow*> rows;
    for (const CheckedRow& row : check.rows) {
      if (isChosen(row)) {
        rows.push_back(&row);
      }
    }
    return rows;
  };
  const auto failing = [](bool isKnown) {
    return [isKnown](const CheckedRow& row) {
      return row.judgement == Judgement::Failed && row.isKnown == isKnown;
    };
  };
  std::vector<const CheckedRow*> fixed;
  for (const CheckedRow& row : check.fixed) {
    fixed.push_back(&row);
  }
  out += markdownTable(check.baseline.empty() ? "Fails" : "Fails now", chosen(failing(false)));
  out += markdownTable("Fails as before", chosen(failing(true)));
  out += markdownTable(
      "Warnings", chosen([](const CheckedRow& row) { return row.judgement == Judgement::Warned; }));
  out += markdownTable("Fixed", fixed);
  return out;
}

}  // namespace

void registerMarkdown(CheckFormatRegistry& registry) {
  registry.add({.id = "markdown", .extension = ".md", .write = markdown});
}

}  // namespace ulp::analysis
