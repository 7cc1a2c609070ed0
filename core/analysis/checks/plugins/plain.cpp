#include <fmt/format.h>
#include <string>

#include "core/analysis/checks/check_format.h"

namespace ulp::analysis {
namespace {

/// For a terminal and the log of a pipeline: a line for each run that did not finish, each row that
/// fails or warns, and each rule that is about nothing.
std::string plain(const Check& check) {
  std::string out;
  for (const UnfinishedRun& run : check.unfinished) {
    out += fmt::format("FAIL {}: {}\n", run.run, run.reason);
  }
  for (const CheckedRow& row : check.rows) {
    if (row.judgement == Judgement::Failed || row.judgement == Judgement::Warned) {
      out += fmt::format("{}{} {}: {}{}\n",
                         row.judgement == Judgement::Failed ? "FAIL" : "warning",
                         row.isKnown ? " (known)" : "",
                         placeText(row),
                         row.reason,
                         row.isKnown && row.before != row.reason ? "; was " + row.before : "");
    }
  }
  for (const CheckedRow& row : check.fixed) {
    out += fmt::format("fixed {}: was {}\n", placeText(row), row.reason);
  }
  for (const IdleRule& idle : check.idle) {
    out += fmt::format("{} {}: {}\n", idle.fails ? "FAIL" : "rule", idle.rule, kNothingToAsk);
  }
  return out + summaryText(check) + "\n";
}

}  // namespace

void registerPlain(CheckFormatRegistry& registry) {
  registry.add({.id = "text", .extension = ".txt", .write = plain});
}

}  // namespace ulp::analysis
