#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/dumps/importers/importer.h"
#include "tests/support/data/fixture_case.h"

/// Logs of torchtitan with one thing wrong.
namespace ulp::analysis {
namespace {

UnitOutcome comparedWithPlain(const std::string& run) {
  const auto baseline = dumps::openDump(test::fixture("torchtitan/plain"));
  const auto candidate = dumps::openDump(test::fixture("torchtitan/" + run));
  auto comparison = compareDumps(**baseline, **candidate, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.size(), 1U);
  return std::move(comparison->units.at(0));
}

TEST(TorchtitanFixture, TheOperationThatMadeTheErrorIsNamed) {
  const UnitOutcome unit = comparedWithPlain("w");
  ASSERT_FALSE(unit.verdict.culprits.empty());
  const Culprit& first = unit.verdict.culprits.front();
  EXPECT_EQ(first.name, "model.layers.1.mlp.down_proj/op_0_mm");
  EXPECT_EQ(first.kind, CulpritKind::Operation);
  EXPECT_NEAR(first.error, 0.05, 1e-4);
  EXPECT_EQ(first.carried, 0);
  EXPECT_THAT(first.stack, testing::ElementsAre("llama/modeling_llama.py:164"));
}

TEST(TorchtitanFixture, WhereNanStartsIsNamed) {
  const UnitOutcome unit = comparedWithPlain("nan");
  ASSERT_EQ(unit.verdict.culprits.size(), 1U) << "what comes of it is no origin";
  EXPECT_EQ(unit.verdict.culprits.front().name, "model.layers.1.mlp.up_proj/op_0_mm");
  EXPECT_TRUE(unit.verdict.culprits.front().isBroken);
  EXPECT_EQ(unit.verdict.culprits.front().rowName, "model.layers.1.mlp.up_proj/op_0_mm.input.1");
  EXPECT_THAT(unit.dtypesDiffer, testing::IsEmpty());
}

TEST(TorchtitanFixture, TheSameRunHasNoCulprit) {
  const UnitOutcome unit = comparedWithPlain("plain");
  EXPECT_TRUE(unit.verdict.culprits.empty());
  EXPECT_GT(unit.verdict.equalRows, 500U);
}

}  // namespace
}  // namespace ulp::analysis
