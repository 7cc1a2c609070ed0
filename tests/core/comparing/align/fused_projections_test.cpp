#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/measure/unit_comparison.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/small_matrices.h"

namespace ulp::analysis {
namespace {

using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using test::counted;
using test::flat;
using test::Matrix;
using test::product;
using test::transposed;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// How the weights of a unit lie.
enum class Kept { Elements, Statistics, Checksums };

class UnitMaker {
 public:
  explicit UnitMaker(Kept kept) : m_kept(kept) {}

  void row(Role role, const std::string& index, const Matrix& values) {
    if (m_kept == Kept::Checksums) {
      const std::vector<float> all = flat(values);
      m_unit->checksum(role, index, std::to_string(std::accumulate(all.begin(), all.end(), 0.F)));
      m_unit->shape({static_cast<std::int64_t>(values.size()),
                     static_cast<std::int64_t>(values.front().size())});
    } else {
      m_unit->matrix(role, index, values, m_kept == Kept::Statistics);
    }
  }

  /// Forward, backward and gradient of a linear layer, as a framework records them.
  void linear(const std::string& path, const Matrix& x, const Matrix& weight, const Matrix& dy) {
    const std::size_t module = m_unit->module(path, "Linear");
    row(Role::Input, "0", x);
    row(Role::Parameter, "weight", weight);
    row(Role::Output, "0", product(x, weight, true));
    m_unit->api("Functional.linear", m_calls++, module);
    row(Role::Input, "0", x);
    row(Role::Input, "1", weight);
    row(Role::Output, "0", product(x, weight, true));
    m_unit->entry({.name = "Module." + path + ".Linear.backward.0",
                   .kind = EntryKind::Module,
                   .pass = Pass::Backward,
                   .module = path,
                   .operation = "Linear"});
    row(Role::OutputGradient, "0", dy);
    row(Role::InputGradient, "0", product(dy, weight, false));
    m_unit->entry({.name = "Module." + path + ".Linear.parameters_grad",
                   .kind = EntryKind::Gradient,
                   .pass = Pass::ParameterGradient,
                   .module = path,
                   .operation = "Linear"});
    row(Role::ParameterGradient, "weight", product(transposed(dy), x, false));
  }

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const { return m_unit; }

 private:
  Kept m_kept;
  std::uint64_t m_calls = 0;
  std::shared_ptr<BuiltUnit> m_unit = std::make_shared<BuiltUnit>();
};

/// Rows of q, k and v, one behind the other or in groups.
Matrix fuse(const std::vector<Matrix>& parts, std::size_t groups) {
  Matrix all;
  for (std::size_t group = 0; group < groups; ++group) {
    for (const Matrix& part : parts) {
      const std::size_t size = part.size() / groups;
      for (std::size_t i = 0; i < size; ++i) {
        all.push_back(part[group * size + i]);
      }
    }
  }
  return all;
}

const Matrix kX = counted(3, 6, 1);
const std::vector<Matrix> kWeights{counted(8, 6, 2), counted(4, 6, 3), counted(4, 6, 4)};
const std::vector<Matrix> kGradients{counted(3, 8, 5), counted(3, 4, 6), counted(3, 4, 7)};
const std::string kAttention = "model.layers.0.self_attn.";

DumpUnitPtr split(Kept kept = Kept::Elements) {
  UnitMaker maker(kept);
  const std::array<std::string, 3> names{"q_proj", "k_proj", "v_proj"};
  for (std::size_t i = 0; i < 3; ++i) {
    maker.linear(kAttention + names.at(i), kX, kWeights[i], kGradients[i]);
  }
  return maker.unit();
}

DumpUnitPtr fused(const std::string& path, std::size_t groups, Kept kept = Kept::Elements) {
  UnitMaker maker(kept);
  std::vector<Matrix> gradients;
  for (const Matrix& gradient : kGradients) {
    gradients.push_back(transposed(gradient));
  }
  maker.linear(path, kX, fuse(kWeights, groups), transposed(fuse(gradients, groups)));
  return maker.unit();
}

struct Outcome {
  UnitComparison comparison;
  UnitSides split;

  [[nodiscard]] std::vector<std::string> names(bool isBaseline) const {
    std::vector<std::string> names;
    const auto& unit = isBaseline ? *split.baseline : *split.candidate;
    const auto& matching = comparison.matching;
    for (const std::size_t i :
         isBaseline ? matching.onlyBaselineEntries : matching.onlyCandidateEntries) {
      names.push_back(unit.entries[i].name);
    }
    for (const std::size_t i :
         isBaseline ? matching.onlyBaselineRows : matching.onlyCandidateRows) {
      names.push_back(unit.rows[i].name);
    }
    return names;
  }
};

Outcome compare(const DumpUnitPtr& baseline,
                const DumpUnitPtr& candidate,
                const std::string& yaml = "",
                bool readsElements = true) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  Outcome outcome{{}, {baseline, candidate}};
  EXPECT_TRUE(splitFused(outcome.split, {*mapping, readsElements}));
  outcome.comparison = *compareUnits(outcome.split.baseline,
                                     outcome.split.candidate,
                                     {.mapping = *mapping, .readsElements = readsElements});
  return outcome;
}

TEST(FusedProjectionsTest, EveryTensorOfTheFusedLayerMeetsItsParts) {
  const Outcome outcome = compare(split(), fused(kAttention + "qkv_proj", 1));
  EXPECT_THAT(outcome.names(true), IsEmpty());
  EXPECT_THAT(outcome.names(false), IsEmpty());
  // Of each part: 3 of the module, 3 of the function, output gradient, weight gradient; and the
  // sum of the gradients that leave.
  EXPECT_EQ(outcome.comparison.rows.size(), 3U * 8 + 1);
  for (std::size_t i = 0; i < outcome.comparison.rows.size(); ++i) {
    EXPECT_EQ(outcome.comparison.rows[i].basis, Basis::Elements);
    EXPECT_TRUE(outcome.comparison.rows[i].isEqual)
        << outcome.split.baseline->rows[outcome.comparison.matching.rows[i].baseline].name;
  }
  EXPECT_THAT(outcome.comparison.problems, IsEmpty());
}

TEST(FusedProjectionsTest, EitherSideMayBeTheFusedOne) {
  const Outcome outcome = compare(fused(kAttention + "qkv_proj", 1), split());
  EXPECT_THAT(outcome.names(true), IsEmpty());
  EXPECT_THAT(outcome.names(false), IsEmpty());
  EXPECT_EQ(outcome.comparison.equalRows(), 3U * 8 + 1);
  EXPECT_EQ(outcome.split.baseline->entries.front().name,
            "Module.model.layers.0.self_attn.qkv_proj.Linear.forward.0[q_proj]");
  EXPECT_EQ(outcome.split.baseline->entries.front().module, kAttention + "q_proj");
}

TEST(FusedProjectionsTest, AnErrorOfOnePartIsAnErrorOfThatPartAlone) {
  UnitMaker maker(Kept::Elements);
  std::vector<Matrix> weights = kWeights;
  weights[1][0][0] += 8;
  maker.linear(kAttention + "qkv_proj", kX, fuse(weights, 1), Matrix(3, std::vector<float>(16)));
  const Outcome outcome = compare(split(), maker.unit());
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < outcome.comparison.rows.size(); ++i) {
    const auto& row = outcome.split.baseline->rows[outcome.comparison.matching.rows[i].baseline];
    if (!outcome.comparison.rows[i].isEqual && row.role == Role::Parameter) {
      wrong.push_back(row.name);
    }
  }
  EXPECT_THAT(wrong,
              ElementsAre("Module.model.layers.0.self_attn.k_proj.Linear.forward.0.parameter."
                          "weight"));
}

TEST(FusedProjectionsTest, GroupsAreFoundAndSaid) {
  const std::string yaml =
      "rules: [{match: '^decoder\\.layers\\.(\\d+)\\.self_attention', replace: "
      "'model.layers.$1.self_attn'}]\n";
  const auto candidate = fused("decoder.layers.0.self_attention.linear_qkv", 4);
  const Outcome outcome = compare(split(), candidate, yaml);
  EXPECT_THAT(outcome.names(true), IsEmpty());
  EXPECT_THAT(outcome.names(false), IsEmpty());
  EXPECT_EQ(outcome.comparison.equalRows(), 3U * 8 + 1);
  EXPECT_THAT(textsOf(outcome.split.candidate->notes),
              ElementsAre(HasSubstr("linear_qkv: its parts agree best when taken from 4 groups")));
}

TEST(FusedProjectionsTest, ARuleNamesPartsLayoutAndGroups) {
  const std::string yaml =
      "fused:\n"
      "  - {match: 'mixer\\.(\\w+)$', parts: [q_proj, k_proj, v_proj], layout: grouped, groups: "
      "2}\n"
      "rules: [{match: '^blocks\\.0\\.', replace: 'model.layers.0.self_attn.'}]\n";
  const Outcome outcome = compare(split(), fused("blocks.0.mixer.all", 2), yaml);
  EXPECT_THAT(outcome.names(true), IsEmpty());
  EXPECT_EQ(outcome.comparison.equalRows(), 3U * 8 + 1);
  const Outcome wrong = compare(split(), fused("blocks.0.mixer.all", 4), yaml);
  EXPECT_LT(wrong.comparison.equalRows(), 3U * 8 + 1);
}

TEST(FusedProjectionsTest, ARuleThatTakesTooManyStepsIsAnError) {
  UnitSides units{split(), fused(std::string(60, 'a') + "!", 1)};
  const auto mapping =
      SiteMapping::parse("fused:\n  - {match: '^(a+)+$', parts: [q, k, v]}\n", "m.yaml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const auto done = splitFused(units, {*mapping});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::Unsupported);
}

TEST(FusedProjectionsTest, StatisticsArePutTogetherOnTheFusedSide) {
  const Outcome outcome =
      compare(split(Kept::Statistics), fused(kAttention + "qkv_proj", 2, Kept::Statistics));
  // Forward of module and function, output gradient, weight gradient.
  EXPECT_EQ(outcome.comparison.rows.size(), 8U);
  for (const RowDifference& row : outcome.comparison.rows) {
    EXPECT_EQ(row.basis, Basis::Statistics);
    EXPECT_LT(row.error, 1e-12);
  }
  EXPECT_THAT(outcome.names(true),
              Contains("Module.model.layers.0.self_attn.k_proj.Linear.backward.0"));
  const std::string name =
      "Module.model.layers.0.self_attn.k_proj.Linear.backward.0.input_gradient.0";
  EXPECT_EQ(outcome.split.reasons.baseline.at(name),
            "what leaves the parts adds up, which statistics do not tell");
}

TEST(FusedProjectionsTest, WithoutReadingElementsRecordedStatisticsAreUsed) {
  const Outcome outcome =
      compare(split(Kept::Elements), fused(kAttention + "qkv_proj", 1, Kept::Elements), "", false);
  EXPECT_EQ(outcome.split.baseline->entries.size(), 12U) << "nothing recorded: nothing changed";
  EXPECT_THAT(outcome.split.reasons.candidate,
              Contains(testing::Pair(HasSubstr("output.0"), HasSubstr("neither elements nor"))));
}

TEST(FusedProjectionsTest, ChecksumsCannotBeTakenApart) {
  const Outcome outcome =
      compare(split(Kept::Checksums), fused(kAttention + "qkv_proj", 1, Kept::Checksums));
  EXPECT_THAT(outcome.comparison.rows, IsEmpty());
  EXPECT_EQ(outcome.names(true).size(), 12U);
  EXPECT_EQ(outcome.names(false).size(), 4U);
}

TEST(FusedProjectionsTest, WhatDoesNotAddUpStaysAndSaysWhy) {
  UnitMaker maker(Kept::Elements);
  maker.linear(kAttention + "qkv_proj", kX, counted(15, 6, 1), counted(3, 15, 2));
  const Outcome outcome = compare(split(), maker.unit());
  EXPECT_EQ(outcome.names(false).size(), 4U);
  EXPECT_EQ(outcome.split.reasons.candidate.at(
                "Module.model.layers.0.self_attn.qkv_proj.Linear.forward.0.output.0"),
            "[3, 15] is not made of [3, 8] and [3, 4] and [3, 4]");
}

TEST(FusedProjectionsTest, NoneLeavesEverythingAsItIs) {
  const DumpUnitPtr left = split();
  const DumpUnitPtr right = fused(kAttention + "qkv_proj", 1);
  const Outcome outcome = compare(left, right, "fused: none\n");
  EXPECT_EQ(outcome.split.baseline, left);
  EXPECT_EQ(outcome.split.candidate, right);
  EXPECT_THAT(outcome.comparison.rows, IsEmpty());
}

TEST(FusedProjectionsTest, UnitsThatAreBothFusedOrBothSplitComeBackAsTheyAre) {
  for (const auto& make : {+[] { return split(); }, +[] { return fused("a.qkv_proj", 1); }}) {
    const DumpUnitPtr left = make();
    const DumpUnitPtr right = make();
    UnitSides units{left, right};
    ASSERT_TRUE(splitFused(units, {SiteMapping()}));
    EXPECT_EQ(units.baseline, left);
    EXPECT_EQ(units.candidate, right);
  }
}

TEST(FusedProjectionsTest, TensorsOfACheckpointAreCutByTheirNames) {
  UnitMaker left(Kept::Elements);
  UnitMaker right(Kept::Elements);
  const auto tensor = [](UnitMaker& maker, const std::string& name, const Matrix& values) {
    maker.unit()->entry({.name = name, .kind = EntryKind::Tensor});
    maker.row(Role::Value, "", values);
  };
  tensor(left, "model.layers.0.mlp.gate_proj.weight", kWeights[1]);
  tensor(left, "model.layers.0.mlp.up_proj.weight", kWeights[2]);
  tensor(right, "model.layers.0.mlp.gate_up_proj.weight", fuse({kWeights[1], kWeights[2]}, 1));
  const Outcome outcome = compare(left.unit(), right.unit());
  EXPECT_EQ(outcome.comparison.equalRows(), 2U);
  EXPECT_THAT(outcome.names(false), IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
