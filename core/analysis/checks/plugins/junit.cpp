#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/checks/check_format.h"
#include "core/base/site.h"
#include "core/base/text/visible_text.h"

namespace ulp::analysis {
namespace {

std::string testOutcome(const CheckedRow& row) {
  const std::string reason = escapedMarkup(row.reason);
  if (row.judgement == Judgement::Failed && !row.isKnown) {
    return fmt::format(R"(<failure type="{}" message="{}"/>)", escapedMarkup(row.rule), reason);
  }
  switch (row.judgement) {
    case Judgement::Passed:
      return {};
    case Judgement::Failed:
      return fmt::format("<skipped message=\"known: {}\"/>", reason);
    case Judgement::Warned:
      return fmt::format("<system-out>warning: {}</system-out>", reason);
    case Judgement::NotJudged:
      break;
  }
  return fmt::format("<skipped message=\"not judged{}{}\"/>", reason.empty() ? "" : ": ", reason);
}

struct JunitSuite {
  std::string name;
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;

  void add(std::string_view className, std::string_view test, const std::string& outcome) {
    tests += 1;
    failures += outcome.starts_with("<failure") ? 1 : 0;
    skipped += outcome.starts_with("<skipped") ? 1 : 0;
    cases += fmt::format(
        R"(    <testcase classname="{}" name="{}")", escapedMarkup(className), escapedMarkup(test));
    cases += outcome.empty() ? "/>\n" : fmt::format(">{}</testcase>\n", outcome);
  }
};

/// A run is a suite, a row a test of it; so are the runs that did not finish, and the rules that
/// are about nothing.
std::string junit(const Check& check) {
  std::vector<JunitSuite> suites;
  for (const CheckedRow& row : check.rows) {
    if (suites.empty() || suites.back().name != row.run) {
      suites.push_back({.name = row.run, .cases = {}});
    }
    suites.back().add(
        fmt::format("{}.{}", row.run, toString(row.site.pass)), row.site.name, testOutcome(row));
  }
  if (!check.unfinished.empty()) {
    suites.push_back({.name = "runs", .cases = {}});
  }
  for (const UnfinishedRun& run : check.unfinished) {
    suites.back().add(
        "runs", run.run, fmt::format("<failure message=\"{}\"/>", escapedMarkup(run.reason)));
  }
  if (!check.idle.empty()) {
    suites.push_back({.name = "rules", .cases = {}});
  }
  for (const IdleRule& idle : check.idle) {
    suites.back().add(
        "rules",
        idle.rule,
        fmt::format("<{} message=\"{}\"/>", idle.fails ? "failure" : "skipped", kNothingToAsk));
  }
  JunitSuite all{.name = check.subject, .cases = {}};
  for (const JunitSuite& suite : suites) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.skipped += suite.skipped;
    all.cases += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escapedMarkup(suite.name),
        suite.tests,
        suite.failures,
        suite.skipped,
        suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}</testsuites>\n",
      escapedMarkup(all.name),
      all.tests,
      all.failures,
      all.skipped,
      all.cases);
}

}  // namespace

void registerJunit(CheckFormatRegistry& registry) {
  registry.add({.id = "junit", .extension = ".xml", .write = junit});
}

}  // namespace ulp::analysis
