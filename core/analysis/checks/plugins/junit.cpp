#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/checks/check_format.h"
#include "core/base/site.h"

namespace ulp::analysis {
namespace {

/// Characters that XML 1.0 does not have become a question mark.
std::string escapedXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string testOutcome(const CheckedRow& row) {
  const std::string reason = escapedXml(row.reason);
  if (row.judgement == Judgement::Failed && !row.isKnown) {
    return fmt::format("<failure type=\"{}\" message=\"{}\"/>", escapedXml(row.rule), reason);
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

/// A run is a suite, a row a test of it.
std::string junit(const Check& check) {
  struct Suite {
    std::string name;
    std::string cases;
    std::size_t tests = 0, failures = 0, skipped = 0;
  };
  std::vector<Suite> suites;
  for (const CheckedRow& row : check.rows) {
    if (suites.empty() || suites.back().name != row.run) {
      suites.push_back({.name = row.run, .cases = {}});
    }
    Suite& suite = suites.back();
    const std::string outcome = testOutcome(row);
    suite.tests += 1;
    suite.failures += outcome.starts_with("<failure") ? 1 : 0;
    suite.skipped += outcome.starts_with("<skipped") ? 1 : 0;
    suite.cases += fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\"",
                               escapedXml(row.run),
                               toString(row.site.pass),
                               escapedXml(row.site.name));
    suite.cases += outcome.empty() ? "/>\n" : fmt::format(">{}</testcase>\n", outcome);
  }
  std::size_t tests = 0, failures = 0, skipped = 0;
  std::string inside;
  for (const Suite& suite : suites) {
    tests += suite.tests;
    failures += suite.failures;
    skipped += suite.skipped;
    inside += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escapedXml(suite.name),
        suite.tests,
        suite.failures,
        suite.skipped,
        suite.cases);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}</testsuites>\n",
      escapedXml(check.subject),
      tests,
      failures,
      skipped,
      inside);
}

}  // namespace

void registerJunit(CheckFormatRegistry& registry) {
  registry.add({.id = "junit", .extension = ".xml", .write = junit});
}

}  // namespace ulp::analysis
