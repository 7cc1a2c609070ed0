#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/verdict/run_verdict.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/report/model/finding.h"
#include "core/report/model/one_dump.h"
#include "tests/support/data/compared_report.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/data/one_dump_report.h"
#include "tests/views/window_language.h"
#include "views/framework/words/term_text.h"

/// What comparisons of dumps say, in the languages of the window.
namespace ulp::views {
namespace {

using dumps::Role;
using test::BuiltUnit;
using testing::IsEmpty;

/// Adds what a sentence is made of and the language does not have.
void addMissing(const Sentence& sentence,
                const test::WindowLanguage& language,
                std::set<std::string>& missing) {
  const bool isWords = !sentence.isLiteral && !sentence.isEmpty();
  if (isWords && !language.has("ulp::Findings", sentence.pattern.c_str())) {
    missing.insert(sentence.pattern);
  }
  for (const Sentence& argument : sentence.arguments) {
    addMissing(argument, language, missing);
  }
}

/// Sentences and names of numbers; KL is a symbol.
void addMissing(const report::Finding& finding,
                const test::WindowLanguage& language,
                std::set<std::string>& missing) {
  addMissing(finding.title, language, missing);
  addMissing(finding.explanation, language, missing);
  for (const report::FindingNumber& number : finding.numbers) {
    if (number.name != "KL") {
      addMissing(Sentence{number.name, {}}, language, missing);
    }
  }
}

report::Report compared(const std::string& golden, const std::string& target, bool readsElements) {
  return test::comparedReport({.baseline = {.path = test::msprobeCase(golden) / "golden"},
                               .candidate = {.path = test::msprobeCase(target) / "target"},
                               .readsElements = readsElements});
}

/// As a window reads it that opens the file.
std::vector<report::Finding> savedFindings(const report::Report& report) {
  const auto again = report::parseReport(report::toJson(report), "saved");
  EXPECT_TRUE(again) << again.error().message();
  const auto findings = report::readFindings(*again);
  EXPECT_TRUE(findings) << findings.error().message();
  return *findings;
}

std::vector<report::Report> reportsOfFixtures() {
  std::vector<report::Report> reports;
  for (const std::string version : {"v26_", "v83_"}) {
    for (const std::string of : {"stat_w", "stat_nan", "stat_bf16"}) {
      reports.push_back(compared(version + "stat_w", version + of, false));
    }
    for (const std::string of : {"tensor_L0_w", "tensor_L0_nan", "tensor_L0_bf16"}) {
      reports.push_back(compared(version + "tensor_L0_w", version + of, true));
    }
    reports.push_back(compared(version + "md5_w", version + "md5_w", false));
    reports.push_back(test::reportOfOneDump(test::msprobeCase(version + "stat_nan") / "target"));
  }
  reports.push_back(compared("v26_stat_w", "v26_stat_inf", false));
  reports.push_back(compared("v26_multirank", "v26_multirank", true));
  reports.push_back(test::reportOfOneDump(test::msprobeCase("v26_stat_inf") / "target"));
  return reports;
}

TEST(DumpSentences, OfASavedComparisonAreGerman) {
  const std::vector<report::Finding> findings =
      savedFindings(compared("v26_stat_w", "v26_stat_nan", false));
  ASSERT_FALSE(findings.empty());
  const report::Finding& first = findings.front();
  EXPECT_EQ(first.title.text(),
            "Functional.linear.12.forward: its parameter input.1 holds NaN or infinity where the "
            "baseline has numbers, and nothing recorded has made it");
  const test::WindowLanguage german(QStringLiteral("de"));
  EXPECT_EQ(sentenceText(first.title).toStdString(),
            "Functional.linear.12.forward: sein Parameter input.1 enthält NaN oder Unendlich, wo "
            "die Basis Zahlen hat, und kein aufgezeichneter Aufruf hat diesen Tensor erzeugt");
  EXPECT_EQ(sentenceText(first.explanation).toStdString(),
            "Sicherheit hoch: weit mehr, als Rundung und mitgebrachte Fehler erklären");
  static const QRegularExpression kEnglish(
      QStringLiteral("\\b(its|the|where|holds|differs|and|sureness|nothing)\\b"));
  for (const report::Finding& finding : findings) {
    for (const Sentence& sentence : {finding.title, finding.explanation}) {
      EXPECT_FALSE(sentenceText(sentence).contains(kEnglish)) << sentence.text();
    }
  }
}

TEST(DumpSentences, OfFixturesAreInEveryLanguage) {
  const std::vector<report::Report> reports = reportsOfFixtures();
  for (const QString& name : {QStringLiteral("de"), QStringLiteral("zh_CN")}) {
    const test::WindowLanguage language(name);
    std::set<std::string> missing;
    std::set<std::string> rules;
    for (const report::Report& report : reports) {
      std::vector<report::Finding> findings = savedFindings(report);
      for (const analysis::RunVerdict& verdict :
           analysis::findVerdicts(report, findings, "rms_rel")) {
        for (const analysis::VerdictPart* part :
             {&verdict.born, &verdict.sureness, &verdict.worst}) {
          addMissing(part->text, language, missing);
        }
      }
      for (report::Finding& found : analysis::findFindings(report)) {
        findings.push_back(std::move(found));
      }
      for (const report::Finding& finding : findings) {
        rules.insert(finding.rule);
        addMissing(finding, language, missing);
      }
    }
    EXPECT_THAT(missing, IsEmpty()) << name.toStdString();
    EXPECT_TRUE(rules.contains(std::string(report::kCulpritRule)));
    EXPECT_TRUE(rules.contains(std::string(report::kOverflowRule)));
  }
}

/// Two ranks, of which the second one's weight is wrong and is summed up by both.
std::shared_ptr<BuiltUnit> rankUnit(double weight, double sum) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Functional.linear", 0);
  unit->recorded(Role::Input, "0", {1, 3});
  unit->recorded(Role::Input, "1", {weight, 1});
  unit->recorded(Role::Output, "0", {weight, 3});
  unit->api("Distributed.all_reduce", 0);
  unit->recorded(Role::Input, "0", {weight, 3});
  unit->recorded(Role::Output, "0", {sum, 3});
  return unit;
}

analysis::DumpComparison comparedRanks(double badWeight) {
  test::BuiltDump baseline;
  test::BuiltDump candidate;
  for (const std::int64_t rank : {0, 1}) {
    const double weight = rank == 0 ? 2 : 8;
    baseline.add(rankUnit(weight, 10), {.step = 0, .rank = rank});
    candidate.add(rankUnit(rank == 0 ? 2 : badWeight, 11), {.step = 0, .rank = rank});
  }
  auto comparison = analysis::compareDumps(baseline, candidate, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return std::move(*comparison);
}

/// A call of every known kind, of which the last one's output differs.
analysis::DumpComparison comparedTwice() {
  const auto build = [](double last) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const char* operation : {"Distributed.all_reduce",
                                  "Tensor.scatter_add_",
                                  "Tensor.put_",
                                  "Tensor.cumsum",
                                  "Torch.bincount",
                                  "Functional.nll_loss",
                                  "Functional.max_unpool2d",
                                  "Functional.conv2d",
                                  "Functional.dropout",
                                  "Torch.empty",
                                  "Torch.sort",
                                  "Tensor.index_add_",
                                  "Functional.linear"}) {
      unit->api(operation, 0);
      unit->recorded(Role::Input, "0", {3, 2});
      const bool isLast = std::string(operation) == "Functional.linear";
      unit->recorded(Role::Output, "0", {isLast ? last : 3, 2});
    }
    return unit;
  };
  test::BuiltDump baseline;
  test::BuiltDump candidate;
  baseline.add(build(3));
  candidate.add(build(3.5));
  auto comparison = analysis::compareDumps(baseline, candidate, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return std::move(*comparison);
}

/// Findings that no fixture has.
std::vector<report::Finding> rareFindings() {
  std::vector<report::Finding> all;
  const auto add = [&](analysis::DumpComparison comparison) {
    for (report::Finding& finding : savedFindings(analysis::toReport(std::move(comparison)))) {
      all.push_back(std::move(finding));
    }
  };
  add(comparedRanks(9));
  add(comparedRanks(8));
  add(comparedTwice());
  analysis::UnitOutcome unit;
  unit.run.axes = UnitAxes{.step = 2, .rank = 1};
  for (const std::int64_t token : {0, 1, 2}) {
    unit.tokens.push_back({.sequence = "cpp/1", .token = token, .position = 7, .kl = 1});
    unit.tokens.back().candidateChoice = token == 0 ? 1 : 0;
    unit.tokens.back().isFinite = token != 2;
    for (report::Finding& finding : analysis::findingsOf(unit, "run")) {
      all.push_back(std::move(finding));
    }
    unit.tokens.clear();
  }
  for (const bool isBaseline : {false, true}) {
    for (const std::size_t expected : {0U, 1U}) {
      all.push_back(analysis::findingOf(
          analysis::UnequalReplicas{
              .isBaseline = isBaseline, .tensors = 1, .expected = expected, .row = "row"},
          "run"));
    }
  }
  return all;
}

TEST(DumpSentences, OfRanksTokensAndRepeatedRunsAreInEveryLanguage) {
  const std::vector<report::Finding> findings = rareFindings();
  std::set<std::string> rules;
  for (const QString& name : {QStringLiteral("de"), QStringLiteral("zh_CN")}) {
    const test::WindowLanguage language(name);
    std::set<std::string> missing;
    for (const report::Finding& finding : findings) {
      rules.insert(finding.rule);
      addMissing(finding, language, missing);
    }
    EXPECT_THAT(missing, IsEmpty()) << name.toStdString();
  }
  EXPECT_THAT(rules, testing::ElementsAre("culprit", "repeatability", "replicas", "tokens"));
}

TEST(DumpSentences, NameTheSideOfAUnitWithoutAPartner) {
  test::BuiltDump baseline;
  test::BuiltDump candidate;
  baseline.add(rankUnit(2, 10), {.step = 0});
  baseline.add(rankUnit(2, 10), {.step = 1});
  candidate.add(rankUnit(2, 10), {.step = 0});
  const auto comparison = analysis::compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_THAT(textsOf(comparison->unpairedUnits), testing::ElementsAre("baseline: step 1"));
  const test::WindowLanguage german(QStringLiteral("de"));
  EXPECT_EQ(sentenceTexts(comparison->unpairedUnits), QStringList{QStringLiteral("Basis: step 1")});
}

}  // namespace
}  // namespace ulp::views
