#include "core/analysis/studies/proof.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/list_of.h"
#include "tests/core/analysis/studies/settings_report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kStudy =
    "model.path: m\n"
    "reference: {precision.compute_dtype: bfloat16}\n"
    "variants:\n"
    "  module:\n"
    "    precision.compute_dtype: bfloat16\n"
    "    precision.cast: module # as transformers do\n";

/// Two tensors: where runs differ first, and the logits; `shares`: of equal elements.
std::vector<report::Comparison> rowsOf(const std::array<double, 2>& shares) {
  std::vector<report::Comparison> rows;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    rows.push_back(test::comparisonOf(
        test::layerSite(i == 0 ? "embeddings" : "logits", -1, Pass::Forward), {shares.at(i)}));
  }
  return rows;
}

class ProofTest : public testing::Test {
 protected:
  ProofTest() {
    report::Report report = test::settingsReport(kStudy);
    report.metrics = {{"equal_fraction"}};
    report.runs[1].comparisons = rowsOf({0.5, 0.25});
    const auto shared = std::make_shared<const report::Report>(std::move(report));
    const report::LoadedReport loaded{shared, "runs/a/precision_report.json", "runs/a"};
    m_pair = {.baseline = {loaded, "reference"},
              .candidate = {loaded, "module"},
              .baselineLabel = "reference",
              .candidateLabel = "module",
              .report = shared,
              .rows = &shared->runs[1]};
    m_first = m_pair.rows->comparisons[0].site;
    m_plan = *planProof(m_pair, m_first, proofFolder(m_pair.candidate));
  }

  /// The report of the planned study: shares of equal elements of the control and of each
  /// counterfactual.
  [[nodiscard]] report::Report made(const std::vector<std::array<double, 2>>& shares) const {
    report::Report report;
    report.provenance = m_pair.report->provenance;
    report.studyYaml = "# As run by Ulpscope 1\n" + m_plan.yaml;
    report.reference = "reference";
    report.metrics = {{"equal_fraction"}};
    report.runs.push_back(test::runOf("reference", {}));
    report.runs.push_back(test::runOf(std::string(kUnchangedRun), rowsOf(shares.at(0))));
    for (std::size_t i = 0; i < m_plan.counterfactuals.size(); ++i) {
      report.runs.push_back(test::runOf(m_plan.counterfactuals[i].name, rowsOf(shares.at(i + 1))));
    }
    return report;
  }

  [[nodiscard]] std::string sentences(const Proof& proof) const {
    std::string text;
    for (const report::Sentence& sentence : proofSentences(proof)) {
      text += sentence.text() + "\n";
    }
    return text;
  }

  RunPair m_pair;
  Site m_first;
  CounterfactualStudy m_plan;
};

TEST_F(ProofTest, BelongsBesideTheStudyOfTheCandidate) {
  EXPECT_EQ(proofFolder(m_pair.candidate), "runs/a_cause_module");
  m_pair.candidate.loaded.folder = "runs/a/";
  EXPECT_EQ(proofFolder(m_pair.candidate), "runs/a_cause_module");
}

TEST_F(ProofTest, NamesTheNarrowestChangeThatMakesAllLogitsEqual) {
  const auto proof = judgeProof(m_pair, m_plan, made({{0.5, 0.25}, {1, 1}, {1, 1}}), m_first);
  ASSERT_TRUE(proof.has_value()) << proof.error().message();
  ASSERT_EQ(proof->verdicts.size(), 2U);
  ASSERT_NE(causeOf(*proof), nullptr);
  EXPECT_EQ(causeOf(*proof), &proof->verdicts[0]) << "the other leaves no difference at all";
  EXPECT_TRUE(proof->verdicts[1].isWhole);
  EXPECT_THAT(causeOf(*proof)->keys, ElementsAre("precision.cast"));
  EXPECT_EQ(nearestTo(*proof), causeOf(*proof));
  EXPECT_EQ(sentences(*proof),
            "cause: the rotary tables, whose frequencies (inv_freq) precision.cast: module rounds\n"
            "With the frequencies kept in float32 alone every logit, and every element of all 2 "
            "tensors, is bit-equal to reference (proved by run 'rotary tables of unrounded "
            "frequencies').\n");
}

TEST_F(ProofTest, AsksForEveryTensorWhereTheLogitsDoNotDiffer) {
  const auto proof = judgeProof(m_pair, m_plan, made({{0.5, 1}, {0.75, 1}, {1, 1}}), m_first);
  ASSERT_TRUE(proof.has_value()) << proof.error().message();
  EXPECT_EQ(causeOf(*proof), &proof->verdicts[1]) << "logits that were equal prove nothing";
  EXPECT_EQ(sentences(*proof),
            "cause: precision.cast: module\n"
            "With precision.cast: load alone every element of all 2 tensors is bit-equal to "
            "reference (proved by run 'precision.cast=load').\n");
  const auto open = judgeProof(m_pair, m_plan, made({{0.5, 1}, {0.75, 1}, {0.5, 1}}), m_first);
  EXPECT_EQ(causeOf(*open), nullptr);
  EXPECT_EQ(sentences(*open),
            "No single change makes all tensors equal; most of them are with the frequencies kept "
            "in float32 (1 of 2).\n");
}

TEST_F(ProofTest, NeedsNoLogits) {
  report::Report report = made({{0.5, 0.25}, {0.75, 1}, {1, 1}});
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      row.site.name = row.site.name == "logits" ? "out" : row.site.name;
    }
  }
  const auto proof = judgeProof(m_pair, m_plan, report, m_first);
  ASSERT_TRUE(proof.has_value()) << proof.error().message();
  EXPECT_TRUE(std::isnan(proof->control.logitsShare));
  EXPECT_EQ(causeOf(*proof), &proof->verdicts[1]);
}

TEST_F(ProofTest, CountsWhatDiffersAllTheSame) {
  const auto proof =
      judgeProof(m_pair, m_plan, made({{0.5, 0.25}, {0.75, 1}, {0.5, 0.5}}), m_first);
  ASSERT_TRUE(proof.has_value()) << proof.error().message();
  EXPECT_THAT(sentences(*proof), HasSubstr("every logit is bit-equal to reference"));
  EXPECT_THAT(sentences(*proof), HasSubstr("\n1 of 2 tensors differ all the same.\n"));
}

TEST_F(ProofTest, SaysWhatIsKnownWhereNoChangeIsEnough) {
  const auto proof =
      judgeProof(m_pair, m_plan, made({{0.5, 0.25}, {1, 0.5}, {0.5, 0.75}}), m_first);
  ASSERT_TRUE(proof.has_value()) << proof.error().message();
  EXPECT_EQ(causeOf(*proof), nullptr);
  EXPECT_EQ(nearestTo(*proof), &proof->verdicts[0]);
  EXPECT_THAT(sentences(*proof), HasSubstr("cause of the first difference: the rotary tables"));
  EXPECT_THAT(sentences(*proof),
              HasSubstr("No single change makes all logits equal; most of them are with "
                        "precision.cast: load (75.0 %)."));
}

TEST_F(ProofTest, ProvesNothingWhereTheRunsAreNotRepeated) {
  const auto proof = judgeProof(m_pair, m_plan, made({{0.75, 0.25}, {1, 1}, {1, 1}}), m_first);
  ASSERT_FALSE(proof.has_value());
  EXPECT_EQ(proof.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(proof.error().message(), HasSubstr("so nothing is proved"));
  report::Report other = made({{0.5, 0.25}, {1, 1}, {1, 1}});
  other.provenance.weightsDigest = "of another model";
  EXPECT_THAT(judgeProof(m_pair, m_plan, other, m_first).error().message(),
              HasSubstr("their digests differ"));
}

TEST_F(ProofTest, KnowsTheReportOfItsPlanWhereverItLies) {
  const report::Report report = made({{0.5, 0.25}, {1, 1}, {1, 1}});
  EXPECT_TRUE(isOfPlan(report.studyYaml, m_plan));
  EXPECT_TRUE(isOfPlan(report.studyYaml, *planProof(m_pair, m_first, "elsewhere")));
  CounterfactualStudy other = m_plan;
  other.yaml += "  \"one more\": {precision.cast: load}\n";
  EXPECT_FALSE(isOfPlan(report.studyYaml, other));
}

TEST_F(ProofTest, KnowsItsPlanWithWhatTheCommandLineSetAndWithWholePaths) {
  const std::string plan = "model.path: m\nloss.path: old\nvariants:\n  a: {}\n";
  m_plan.yaml = plan;
  EXPECT_TRUE(
      isOfPlan("# As run by Ulpscope 1\n# --set capture.tensors=none\ndevice: cpu\n"
               "model.path: /x/m\nloss.path: /x/old\ncapture: {tensors: none}\n"
               "variants: {a: {}}\n",
               m_plan));
  EXPECT_FALSE(isOfPlan("capture.tensors: none\n" + plan, m_plan));
  EXPECT_FALSE(isOfPlan(plan + "  b: {}\n", m_plan));
  EXPECT_FALSE(isOfPlan("model: [", m_plan));
}

TEST_F(ProofTest, FindsTheLinesThatSetWhatMatters) {
  const std::vector<std::string> keys{"precision.cast", "precision.compute_dtype"};
  EXPECT_THAT(
      settingPlaces(m_pair.candidate, keys),
      ElementsAre(
          SettingPlace{
              "module", "precision.cast", 6, "precision.cast: module # as transformers do"},
          SettingPlace{
              "module", "precision.compute_dtype", 5, "precision.compute_dtype: bfloat16"}));
  // A default stands nowhere, and what follows another key stands in its line.
  EXPECT_THAT(
      settingPlaces(m_pair.baseline,
                    {"precision.cast", "precision.compute_dtype", "precision.residual_dtype"}),
      ElementsAre(testing::Field(&SettingPlace::line, 2)));
}

TEST_F(ProofTest, SaysWhatWasSetOnTheCommandLine) {
  report::Report report = *m_pair.report;
  const std::string written = R"("precision.cast":{"origin":"variant","value":"module"})";
  const std::size_t at = report.effectiveJson.find(written);
  ASSERT_NE(at, std::string::npos) << report.effectiveJson;
  report.effectiveJson.replace(
      at, written.size(), R"("precision.cast":{"origin":"command_line","value":"module"})");
  m_pair.candidate.loaded.report = std::make_shared<const report::Report>(report);
  EXPECT_THAT(
      settingPlaces(m_pair.candidate, {"precision.cast"}),
      ElementsAre(SettingPlace{"module", "precision.cast", 0, "--set precision.cast=module"}));
  report.studyYaml.clear();
  m_pair.candidate.loaded.report = std::make_shared<const report::Report>(report);
  EXPECT_TRUE(settingPlaces(m_pair.candidate, {"precision.cast"}).empty());
}

}  // namespace
}  // namespace ulp::analysis
