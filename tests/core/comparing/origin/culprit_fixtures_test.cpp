#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/dumps/importers/importer.h"
#include "tests/support/data/fixture_case.h"

/// Real dumps of msprobe with one thing wrong: what msprobe makes of them is in its own reports.
namespace ulp::analysis {
namespace {

struct Case {
  std::string target;   ///< name of the case
  std::string golden;   ///< case that holds the baseline
  std::string culprit;  ///< entry; empty: healthy
  std::string row{};    ///< that shows it
  bool isBroken = false;
};

std::ostream& operator<<(std::ostream& out, const Case& its) {
  return out << its.target;
}

class CulpritOfFixture : public testing::TestWithParam<Case> {};

TEST_P(CulpritOfFixture, IsTheTrueOrigin) {
  const auto baseline = dumps::openDump(test::msprobeCase(GetParam().golden) / "golden");
  ASSERT_TRUE(baseline) << baseline.error().message();
  const auto candidate = dumps::openDump(test::msprobeCase(GetParam().target) / "target");
  ASSERT_TRUE(candidate) << candidate.error().message();
  const auto comparison = compareDumps(**baseline, **candidate, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  for (const UnitOutcome& unit : comparison->units) {
    std::string all;
    for (const Culprit& culprit : unit.verdict.culprits) {
      all += culprit.name + ": " + culprit.reason.text() + "\n";
    }
    if (GetParam().culprit.empty()) {
      EXPECT_EQ(all, "") << unit.label;
      continue;
    }
    ASSERT_FALSE(unit.verdict.culprits.empty()) << unit.label;
    const Culprit& first = unit.verdict.culprits.front();
    EXPECT_EQ(first.name, GetParam().culprit) << all;
    EXPECT_EQ(first.rowName, GetParam().row) << all;
    EXPECT_EQ(first.isBroken, GetParam().isBroken) << all;
    EXPECT_EQ(first.sureness, Sureness::High) << first.sureBecause.text();
  }
}

std::string nameOf(const testing::TestParamInfo<Case>& tested) {
  return tested.param.target;
}

const std::string kEmbedding = "Module.model.embed_tokens.Embedding.forward.0";
const std::string kDown = "Functional.linear.13.forward";
const std::string kUp = "Functional.linear.12.forward";
const std::string kDownModule = "Module.model.layers.1.mlp.down_proj.Linear.forward.0";
const std::string kUpModule = "Module.model.layers.1.mlp.up_proj.Linear.forward.0";

INSTANTIATE_TEST_SUITE_P(
    Msprobe,
    CulpritOfFixture,
    testing::Values(
        Case{"v26_stat_w", "v26_stat_w", kDown, kDown + ".input.1"},
        Case{"v26_stat_nan", "v26_stat_w", kUp, kUp + ".input.1", true},
        Case{"v26_stat_inf", "v26_stat_w", kUp, kUp + ".input.1", true},
        Case{"v26_stat_bf16", "v26_stat_w", ""},
        Case{"v26_md5_w", "v26_md5_w", kDown, kDown + ".input.1"},
        Case{"v26_md5_bf16", "v26_md5_w", ""},
        Case{"v26_tensor_L0_w", "v26_tensor_L0_w", kDownModule, kDownModule + ".parameters.weight"},
        Case{"v26_tensor_L0_nan",
             "v26_tensor_L0_w",
             kUpModule,
             kUpModule + ".parameters.weight",
             true},
        Case{"v26_tensor_L0_bf16", "v26_tensor_L0_w", ""},
        Case{"v26_tensor_L0_shape", "v26_tensor_L0_w", kEmbedding, kEmbedding + ".input.0"},
        Case{"v26_tensor_mix_w", "v26_tensor_mix_w", kDown, kDown + ".input.1"},
        Case{"v26_multirank", "v26_multirank", ""},
        Case{"v83_stat_w", "v83_stat_w", kDown, kDown + ".input.1"},
        Case{"v83_stat_nan", "v83_stat_w", kUp, kUp + ".input.1", true},
        Case{"v83_stat_bf16", "v83_stat_w", ""},
        Case{"v83_md5_w", "v83_md5_w", kDown, kDown + ".input.1"},
        Case{"v83_tensor_L0_w", "v83_tensor_L0_w", kDownModule, kDownModule + ".parameters.weight"},
        Case{"v83_tensor_L0_nan",
             "v83_tensor_L0_w",
             kUpModule,
             kUpModule + ".parameters.weight",
             true},
        Case{"v83_tensor_L0_bf16", "v83_tensor_L0_w", ""},
        Case{"v83_tensor_mix_w", "v83_tensor_mix_w", kDown, kDown + ".input.1"}),
    nameOf);

}  // namespace
}  // namespace ulp::analysis
