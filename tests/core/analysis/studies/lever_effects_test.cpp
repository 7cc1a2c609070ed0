#include "core/analysis/studies/lever_effects.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

/// Variants of a 2 × 2 sweep over residual and LM head; the error at the logits is given.
report::Report sweep(const std::vector<double>& logits, const std::string& metric = "rms_rel") {
  report::Report report;
  report.metrics = {{metric}};
  report.model.layers = 1;
  report.reference = "reference";
  report.runs.resize(1);
  report.runs[0].name = "reference";
  report.effectiveJson = R"({"reference":{"residual":{"value":"fp32"},"head":{"value":"fp32"}})";
  for (std::size_t i = 0; i < logits.size(); ++i) {
    report::Run run;
    run.name = "v" + std::to_string(i);
    run.comparisons = {
        test::comparisonOf(test::layerSite("logits", -1, Pass::Forward), {logits[i]})};
    report.runs.push_back(run);
    report.effectiveJson += ",\"" + run.name + R"(":{"residual":{"value":")" +
                            (i % 2 == 0 ? "bf16" : "fp32") + R"("},"head":{"value":")" +
                            (i / 2 % 2 == 0 ? "bf16" : "fp32") + R"("},"seed":{"value":"1"}})";
  }
  report.effectiveJson += "}";
  return report;
}

constexpr std::size_t kLogits = 4;
using test::kNan;

TEST(LeverEffects, ANoiseFloorIsNoVariant) {
  report::Report report = sweep({0.2, 0.05});
  report.runs.back().role = report::RunRole::Floor;
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->variants, std::vector<std::string>{"v0"});
  EXPECT_TRUE(table->levers.empty());
}

TEST(LeverEffects, AreMeansOverPairsThatDifferInOneKeyAlone) {
  const auto table = leverTable(sweep({0.2, 0.05, 0.2, 0.0125}), "rms_rel");
  ASSERT_TRUE(table.has_value());
  EXPECT_TRUE(table->isRatio);
  ASSERT_EQ(table->levers.size(), 2U) << "a key in which all agree is no lever";
  EXPECT_EQ(table->levers[0].key, "head");
  EXPECT_EQ(table->levers[1].values, (std::vector<std::string>{"bf16", "fp32"}));
  EXPECT_EQ(table->levers[1].settings, (std::vector<int>{0, 1, 0, 1}));
  ASSERT_EQ(table->moves.size(), 2U);
  const LeverMove& residual = table->moves[1];
  EXPECT_EQ(residual.lever, 1U);
  EXPECT_EQ(residual.pairs.size(), 2U);
  const LeverCell& cell = residual.cells[kLogits];
  EXPECT_EQ(cell.pairs, 2U);
  EXPECT_NEAR(cell.low, 0.0625, 1e-12);
  EXPECT_NEAR(cell.high, 0.25, 1e-12);
  EXPECT_NEAR(cell.effect, 0.125, 1e-12);
  const LeverCell& head = table->moves[0].cells[kLogits];
  EXPECT_NEAR(head.effect, 0.5, 1e-12);
  EXPECT_NEAR(head.high, 1, 1e-12);
}

TEST(LeverEffects, OfScoresAreDifferences) {
  const auto table = leverTable(sweep({10, 25}, "sqnr_db"), "sqnr_db");
  ASSERT_TRUE(table.has_value());
  EXPECT_FALSE(table->isRatio);
  ASSERT_EQ(table->moves.size(), 1U);
  EXPECT_DOUBLE_EQ(table->moves[0].cells[kLogits].effect, 15);
}

TEST(LeverEffects, NeedAPairInWhichNothingElseMoved) {
  report::Report report = sweep({0.2, 0.05, 0.2, 0.0125});
  // What is left differs in both keys.
  report.runs.erase(report.runs.begin() + 2, report.runs.begin() + 4);
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->levers.size(), 2U);
  EXPECT_TRUE(table->moves.empty());
}

TEST(LeverEffects, WhatFollowsALeverIsNoChangeOfItsOwn) {
  report::Report report = sweep({0.2, 0.05});
  report.effectiveJson =
      R"({"v0":{"head":{"value":"bf16"},"logits":{"value":"bf16","follows":true}},)"
      R"("v1":{"head":{"value":"fp32"},"logits":{"value":"fp32","follows":true}}})";
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->levers.size(), 1U) << "what no variant sets is no lever";
  EXPECT_EQ(table->levers[0].key, "head");
  ASSERT_EQ(table->moves.size(), 1U);
  EXPECT_NEAR(table->moves[0].cells[kLogits].effect, 0.25, 1e-12);
}

TEST(LeverEffects, OneFunctionThatChangesTheModelIsNoRemedyForAnother) {
  report::Report report = sweep({0.2, 0.0, 0.05});
  report.effectiveJson =
      R"({"v0":{"python.prepare":{"value":"toy.py:swap"}},)"
      R"("v1":{"python.prepare":{"value":"toy.py:scale"}},"v2":{"python.prepare":{"value":""}}})";
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->moves.size(), 2U);
  for (const LeverMove& move : table->moves) {
    EXPECT_TRUE(table->levers[0].values[static_cast<std::size_t>(move.to)].empty());
  }
}

TEST(LeverEffects, WhatFollowsOnOneSideAloneWasChanged) {
  report::Report report = sweep({0.2, 0.05, 0.1});
  report.effectiveJson =
      R"({"v0":{"head":{"value":"bf16"},"logits":{"value":"bf16","follows":true}},)"
      R"("v1":{"head":{"value":"fp32"},"logits":{"value":"bf16"}},)"
      R"("v2":{"head":{"value":"bf16"},"logits":{"value":"fp32"}}})";
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->levers.size(), 2U);
  ASSERT_EQ(table->moves.size(), 2U);
  EXPECT_EQ(table->moves[0].pairs, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}}))
      << "the logits are the same in both";
  EXPECT_EQ(table->moves[1].pairs, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}}));
}

TEST(LeverEffects, CountPairsWithValuesThatAreNotFinite) {
  report::Report report = sweep({0.2, kNan, 0.2, 0.1});
  report.runs[2].comparisons[0].variantNonFinite.nan = 3;
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  const LeverCell& cell = table->moves[1].cells[kLogits];
  EXPECT_EQ(cell.pairs, 1U);
  EXPECT_EQ(cell.nonFinite, 1U);
  EXPECT_DOUBLE_EQ(cell.effect, 0.5);
  EXPECT_TRUE(std::isnan(table->moves[1].cells[0].effect)) << "no such row in the report";
}

TEST(LeverEffects, AreBetweenVariantsOfOneReference) {
  report::Report report = sweep({0.2, 0.05, 0.2, 0.0125});
  for (const std::size_t run : {3U, 4U}) {
    report.runs[run].reference = "reference (other tokens)";
  }
  const auto table = leverTable(report, "rms_rel");
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->levers.size(), 2U);
  ASSERT_EQ(table->moves.size(), 1U) << "the head moves between the references alone";
  EXPECT_EQ(table->moves[0].lever, 1U);
}

TEST(LeverEffects, AreNoSettingsOfTheStudyNorBetweenRunsOfOtherInputs) {
  report::Report report = sweep({0.2, 0.05});
  const auto study = [](const char* seed, const char* folder, const char* head) {
    return std::string(R"({"input.seed":{"value":")") + seed + R"("},"output_dir":{"value":")" +
           folder + R"("},"head":{"value":")" + head + R"("}})";
  };
  report.effectiveJson =
      "{\"v0\":" + study("0", "a", "bf16") + ",\"v1\":" + study("0", "b", "fp32") + "}";
  const auto same = leverTable(report, "rms_rel");
  ASSERT_TRUE(same.has_value());
  ASSERT_EQ(same->levers.size(), 1U);
  EXPECT_EQ(same->levers[0].key, "head");
  EXPECT_EQ(same->moves.size(), 1U);
  report.effectiveJson =
      "{\"v0\":" + study("0", "a", "bf16") + ",\"v1\":" + study("1", "b", "fp32") + "}";
  EXPECT_TRUE(leverTable(report, "rms_rel")->moves.empty());
}

TEST(LeverEffects, OfAVariantMeasuredAgainstOtherInputsAreNone) {
  report::Report report = sweep({0.2, 0.05});
  const auto ofSeed = [](const char* seed, const char* head) {
    return std::string(R"({"input.seed":{"value":")") + seed + R"("},"head":{"value":")" + head +
           R"("}})";
  };
  const auto config = [&](const char* ofReference) {
    return "{\"reference\":" + ofSeed(ofReference, "fp32") + ",\"v0\":" + ofSeed("1", "bf16") +
           ",\"v1\":" + ofSeed("1", "fp32") + "}";
  };
  report.effectiveJson = config("1");
  EXPECT_EQ(leverTable(report, "rms_rel")->moves.size(), 1U);
  report.effectiveJson = config("0");
  EXPECT_TRUE(leverTable(report, "rms_rel")->moves.empty());
}

TEST(LeverEffects, OfTwoReferencesAreNotAveraged) {
  report::Report report = sweep({0.2, 0.05, 0.4, 0.3});
  report.effectiveJson = R"({"v0":{"head":{"value":"bf16"}},"v1":{"head":{"value":"fp32"}},
      "v2":{"head":{"value":"bf16"}},"v3":{"head":{"value":"fp32"}}})";
  for (report::Run& run : report.runs) {
    run.reference = run.name == "v2" || run.name == "v3" ? "other" : run.reference;
  }
  const auto table = leverTable(report, "rms_rel");
  ASSERT_EQ(table->moves.size(), 1U);
  EXPECT_EQ(table->moves[0].pairs.size(), 1U);
}

TEST(LeverEffects, OfNoErrorOnBothSidesAreNoChange) {
  const auto table = leverTable(sweep({0, 0}), "rms_rel");
  ASSERT_TRUE(table.has_value());
  EXPECT_DOUBLE_EQ(table->moves[0].cells[kLogits].effect, 1);
}

TEST(LeverEffects, SayWhereTheConfigurationIsBroken) {
  report::Report report = sweep({0.2, 0.1});
  report.effectiveJson = R"({"v0": 5})";
  const auto table = leverTable(report, "rms_rel");
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code(), ErrorCode::CorruptData);
}

}  // namespace
}  // namespace ulp::analysis
