#include "core/comparing/origin/missing_rows.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/all_findings.h"
#include "core/report/model/finding.h"
#include "tests/core/comparing/compared_units.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// An embedding and three layers, forward, backward, and the gradients of their weights. What
/// `lacks` names is left out: a call ("layers.1.backward") or a row of it.
struct Step {
  std::set<std::string> lacks{};
  std::string type = "Linear";      ///< class of the layers
  std::set<std::string> changed{};  ///< rows that hold twice as much
  bool hasBackward = true;
  bool isRecorded = false;

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto built = std::make_shared<BuiltUnit>();
    call(*built, "embed", "Embedding", Pass::Forward, {{Role::Output, "0"}});
    for (const char* const layer : {"layers.0", "layers.1", "layers.2"}) {
      call(*built, layer, type, Pass::Forward, {{Role::Input, "0"}, {Role::Output, "0"}});
    }
    for (const char* const layer : {"layers.2", "layers.1", "layers.0"}) {
      if (hasBackward) {
        call(*built,
             layer,
             type,
             Pass::Backward,
             {{Role::OutputGradient, "0"}, {Role::InputGradient, "0"}});
      }
    }
    for (const char* const layer : {"embed", "layers.0", "layers.1", "layers.2"}) {
      if (hasBackward) {
        call(*built,
             layer,
             std::string(layer) == "embed" ? "Embedding" : type,
             Pass::ParameterGradient,
             {{Role::ParameterGradient, "weight"}});
      }
    }
    return built;
  }

 private:
  void call(BuiltUnit& built,
            const std::string& module,
            const std::string& itsType,
            Pass pass,
            const std::vector<std::pair<Role, std::string>>& rows) const {
    const std::string name = module + "." + std::string(toString(pass));
    if (lacks.contains(name)) {
      return;
    }
    built.entry({.name = name,
                 .kind = pass == Pass::ParameterGradient ? EntryKind::Gradient : EntryKind::Module,
                 .pass = pass,
                 .module = module,
                 .operation = itsType});
    for (const auto& [role, index] : rows) {
      const std::string row = name + "." + std::string(toString(role)) + "." + index;
      const float value = changed.contains(row) ? 2.F : 1.F;
      if (lacks.contains(row)) {
        continue;
      }
      if (isRecorded) {
        built.recorded(role, index, {value, -2 * value});
      } else {
        built.tensor(role, index, {value, -2 * value});
      }
    }
  }
};

Verdict verdictOf(const Step& baseline, const Step& candidate) {
  return test::compared(baseline.unit(), candidate.unit()).verdict;
}

TEST(MissingRowsTest, ALostGradientOfAParameterIsTheCulpritOfItsStep) {
  for (const bool isRecorded : {false, true}) {
    const Verdict verdict =
        verdictOf({.isRecorded = isRecorded},
                  {.lacks = {"layers.1.parameter_gradient"}, .isRecorded = isRecorded});
    ASSERT_THAT(verdict.culprits, SizeIs(1));
    const Culprit& culprit = verdict.culprits.front();
    EXPECT_EQ(culprit.kind, CulpritKind::Missing);
    EXPECT_EQ(toString(culprit.kind), "missing");
    EXPECT_EQ(culprit.name, "layers.1.parameter_gradient");
    EXPECT_EQ(culprit.site.name, "layers.1.weight");
    EXPECT_EQ(culprit.site.pass, Pass::ParameterGradient);
    EXPECT_EQ(culprit.sureness, Sureness::High);
    EXPECT_EQ(culprit.reason.text(),
              "the candidate ran the same forward call and has no parameter_gradient.weight");
    EXPECT_TRUE(std::isnan(culprit.error));
    EXPECT_EQ(culprit.structure, "");
  }
}

TEST(MissingRowsTest, AGradientThatTheCandidateAloneHasIsOneAsWell) {
  const Verdict verdict = verdictOf({.lacks = {"layers.1.parameter_gradient"}}, {});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].reason.text(),
            "the baseline ran the same forward call and has no parameter_gradient.weight");
}

TEST(MissingRowsTest, TheOnlyCallOfItsClassIsMissedWhereAllOthersRanAlike) {
  const Verdict verdict = verdictOf({}, {.lacks = {"embed.parameter_gradient"}});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].name, "embed.parameter_gradient");
  EXPECT_EQ(verdict.culprits[0].sureness, Sureness::Medium);
}

TEST(MissingRowsTest, ABranchThatIsCutOffStandsBeforeWhatDiffersForItsLack) {
  const Verdict verdict = verdictOf({},
                                    {.lacks = {"layers.2.backward.input_gradient.0",
                                               "layers.1.backward",
                                               "layers.1.parameter_gradient"},
                                     .changed = {"layers.0.backward.output_gradient.0"}});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].name, "layers.2.backward");
  EXPECT_EQ(verdict.culprits[0].rowName, "layers.2.backward.input_gradient.0");
  EXPECT_EQ(verdict.culprits[0].structure,
            "the candidate lacks layers.1.backward, layers.1.parameter_gradient");
}

TEST(MissingRowsTest, AnErrorBeforeItStandsFirst) {
  const Verdict verdict = verdictOf(
      {}, {.lacks = {"layers.0.parameter_gradient"}, .changed = {"layers.1.forward.output.0"}});
  ASSERT_THAT(verdict.culprits, SizeIs(2));
  EXPECT_EQ(verdict.culprits[0].name, "layers.1.forward");
  EXPECT_EQ(verdict.culprits[1].kind, CulpritKind::Missing);
}

TEST(MissingRowsTest, WhatIsRecordedOtherwiseIsANoteAlone) {
  const auto expectNone = [](const Step& candidate, const char* what) {
    EXPECT_THAT(verdictOf({}, candidate).culprits, IsEmpty()) << what;
    EXPECT_THAT(test::compared(Step().unit(), candidate.unit()).onlyBaseline,
                testing::Not(IsEmpty()))
        << what;
    EXPECT_THAT(verdictOf(candidate, {}).culprits, IsEmpty()) << what << ", the other way round";
  };
  expectNone({.hasBackward = false}, "a forward pass alone");
  expectNone({.lacks = {"layers.1.forward", "layers.1.backward", "layers.1.parameter_gradient"}},
             "a list of modules");
  expectNone({.lacks = {"layers.0.parameter_gradient",
                        "layers.1.parameter_gradient",
                        "layers.2.parameter_gradient"}},
             "a class whose gradients go elsewhere");
  expectNone({.lacks = {"layers.1.parameter_gradient"}, .type = "ColumnParallelLinear"},
             "modules of another framework");
  expectNone({.lacks = {"layers.2.backward.input_gradient.0"}}, "a hook that misses a gradient");
}

TEST(MissingRowsTest, WhatAFusedProjectionCannotSayOfItsPartsIsANoteAlone) {
  const auto build = [](const std::vector<std::pair<std::string, int>>& projections) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      for (const auto& [name, parts] : projections) {
        unit->entry({.name = name + "." + std::string(toString(pass)),
                     .kind = EntryKind::Module,
                     .pass = pass,
                     .module = "layers.0." + name,
                     .operation = "Linear"});
        const bool isForward = pass == Pass::Forward;
        unit->recorded(isForward ? Role::Input : Role::OutputGradient,
                       "0",
                       std::vector<double>(isForward ? 2 : 2 * parts, 1.5));
        unit->recorded(isForward ? Role::Output : Role::InputGradient,
                       "0",
                       std::vector<double>(isForward ? 2 * parts : 2, name == "o_proj" ? 3 : 2));
      }
    }
    return unit;
  };
  const auto split = build({{"q_proj", 1}, {"k_proj", 1}, {"v_proj", 1}, {"o_proj", 1}});
  const auto fused = build({{"qkv_proj", 3}, {"o_proj", 1}});
  for (const bool isFusedFirst : {true, false}) {
    const auto unit = isFusedFirst ? test::compared(fused, split) : test::compared(split, fused);
    EXPECT_THAT(unit.onlyBaseline, testing::Not(IsEmpty())) << isFusedFirst;
    EXPECT_THAT(unit.verdict.culprits, IsEmpty()) << isFusedFirst;
  }
}

TEST(MissingRowsTest, ParametersWithoutAGradientAreTheReportsMissingGradients) {
  test::BuiltDump baseline;
  baseline.path = "a";
  baseline.add(Step().unit());
  test::BuiltDump candidate;
  candidate.path = "b";
  candidate.add(Step{.lacks = {"layers.1.parameter_gradient"}}.unit());
  auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  const report::Report report = toReport(std::move(*comparison));
  EXPECT_THAT(report.runs[1].missingGradients, ElementsAre("layers.1.weight"));
  const auto findings = allFindings(report);
  ASSERT_TRUE(findings);
  EXPECT_TRUE(std::ranges::any_of(*findings, [](const report::Finding& finding) {
    return finding.rule == "missing_gradient";
  }));
}

TEST(MissingRowsTest, OtherToolsHookIntoOtherGradients) {
  test::BuiltDump baseline;
  baseline.importer = "msprobe";
  baseline.add(Step().unit());
  test::BuiltDump candidate;
  candidate.importer = "ulpscope_recording";
  candidate.add(Step{.lacks = {"layers.1.parameter_gradient"}}.unit());
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->units[0].verdict.culprits, IsEmpty());
}

TEST(MissingRowsTest, WhatALostGradientMovesInLaterStepsIsAccountedFor) {
  const auto unit = Step{.isRecorded = true}.unit();
  const auto other = Step{.lacks = {"layers.1.parameter_gradient"}, .isRecorded = true}.unit();
  // One of four gradients of equal norm.
  EXPECT_NEAR(test::compared(unit, other).gradients.error, 0.5, 1e-9);
}

}  // namespace
}  // namespace ulp::analysis
