#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/core/comparing/compared_units.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/small_matrices.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using test::compared;
using test::counted;
using test::Matrix;
using test::transposed;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kPath = "h.0.mlp.c_fc";

/// A layer's weight and the gradient of it.
std::shared_ptr<BuiltUnit> unitOf(const std::string& type,
                                  const Matrix& weight,
                                  bool isRecorded = false,
                                  const std::string& path = kPath) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module(path, type);
  unit->matrix(Role::Parameter, "weight", weight, isRecorded);
  unit->entry({.name = "Module." + path + "." + type + ".parameters_grad",
               .kind = EntryKind::Gradient,
               .pass = Pass::ParameterGradient,
               .module = path,
               .operation = type});
  unit->matrix(Role::ParameterGradient, "weight", weight, isRecorded);
  return unit;
}

const Matrix kWide = counted(2, 3, 1);
const Matrix kSquare = counted(3, 3, 1);

TEST(TransposedWeightsTest, ShapesThatAreEachOthersTransposesTellIt) {
  const UnitOutcome outcome = compared(unitOf("Linear", kWide), unitOf("Dense", transposed(kWide)));
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.rowsByElements, 2U);
  EXPECT_EQ(outcome.equalRows, 2U);
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(HasSubstr("2 weights are compared transposed, as the other side holds them: "
                                 "Module.h.0.mlp.c_fc.Dense.forward.0.parameter.weight and 1 "
                                 "more")));
}

TEST(TransposedWeightsTest, StatisticsStayWhatTheyAre) {
  const UnitOutcome outcome =
      compared(unitOf("Linear", kWide, true), unitOf("Conv1D", transposed(kWide), true));
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.rowsByStatistics, 2U);
  EXPECT_LT(outcome.verdict.largestError, 1e-12);
}

TEST(TransposedWeightsTest, OfSquareWeightsTheClassTellsIt) {
  EXPECT_EQ(compared(unitOf("Linear", kSquare), unitOf("Conv1D", transposed(kSquare))).equalRows,
            2U);
  EXPECT_EQ(compared(unitOf("Conv1D", transposed(kSquare)), unitOf("Linear", kSquare)).equalRows,
            2U);
  const UnitOutcome alike =
      compared(unitOf("Conv1D", kSquare), unitOf("Conv1D", transposed(kSquare)));
  EXPECT_EQ(alike.equalRows, 0U);
  EXPECT_THAT(textsOf(alike.notes), IsEmpty());
}

TEST(TransposedWeightsTest, ClassesThatAreMadeOfItCountAsWell) {
  for (const std::string type : {"GPT2FusedLinearConv1D_Row", "QuantConv1D"}) {
    EXPECT_EQ(compared(unitOf("Linear", kSquare), unitOf(type, transposed(kSquare))).equalRows, 2U)
        << type;
  }
}

TEST(TransposedWeightsTest, OblongWeightsOfTheSameClassesGoBeforeTheirNames) {
  const auto withOblong = [](const std::string& type) {
    auto unit = unitOf(type, kSquare);
    unit->module("h.0.mlp.c_proj", type);
    unit->matrix(Role::Parameter, "weight", kWide, false);
    return unit;
  };
  const UnitOutcome outcome = compared(withOblong("Linear"), withOblong("FusedLinearConv1D"));
  EXPECT_EQ(outcome.equalRows, 3U) << "both hold [out, in]";
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(TransposedWeightsTest, ARuleTellsWhatShapesDoNot) {
  const auto left = unitOf("Linear", kSquare);
  const auto right = unitOf("Linear", transposed(kSquare));
  EXPECT_EQ(compared(left, right).equalRows, 0U);
  EXPECT_EQ(compared(left, right, "transposed: 'c_fc$'\n").equalRows, 2U);
}

TEST(TransposedWeightsTest, ARuleThatTakesTooManyStepsIsAnError) {
  const auto unit = unitOf("Linear", kWide, false, std::string(60, 'a') + "!");
  UnitSides units{unit, unit};
  const auto mapping = SiteMapping::parse("transposed: '^(a+)+$'\n", "m.yaml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const auto done = transposeWeights(units, {*mapping});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::Unsupported);
}

TEST(TransposedWeightsTest, WeightsUnderOtherNamesAreFoundAsTheMappingSays) {
  const UnitOutcome outcome =
      compared(unitOf("Linear", kWide),
               unitOf("Dense", transposed(kWide), false, "decoder.0.fc1"),
               "rules: [{match: '^decoder\\.0\\.fc1', replace: h.0.mlp.c_fc}]\n");
  EXPECT_EQ(outcome.equalRows, 2U);
}

TEST(TransposedWeightsTest, AVectorIsTheSameEitherWay) {
  const UnitOutcome outcome =
      compared(unitOf("Linear", counted(1, 3, 1)), unitOf("Linear", counted(3, 1, 1)));
  EXPECT_EQ(outcome.equalRows, 2U);
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(TransposedWeightsTest, NoneLeavesThemAsTheyAre) {
  const UnitOutcome outcome =
      compared(unitOf("Linear", kWide), unitOf("Linear", transposed(kWide)), "transposed: none\n");
  EXPECT_THAT(outcome.shapesDiffer, SizeIs(2));
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

/// q, k and v of GPT-2, in one Conv1D or in three linear layers.
std::shared_ptr<BuiltUnit> attentionOf(bool isFused) {
  const std::vector<Matrix> weights{counted(3, 3, 1), counted(3, 3, 2), counted(3, 3, 3)};
  auto unit = std::make_shared<BuiltUnit>();
  if (!isFused) {
    const std::array<std::string, 3> names{"q_proj", "k_proj", "v_proj"};
    for (std::size_t i = 0; i < 3; ++i) {
      unit->module("h.0.attn." + names.at(i), "Linear");
      unit->matrix(Role::Parameter, "weight", weights[i], false);
    }
    return unit;
  }
  Matrix all;
  for (const Matrix& weight : weights) {
    all.insert(all.end(), weight.begin(), weight.end());
  }
  unit->module("h.0.attn.c_attn", "Conv1D");
  unit->matrix(Role::Parameter, "weight", transposed(all), false);
  return unit;
}

TEST(TransposedWeightsTest, FusedProjectionsAreTakenApartTheOtherWayRound) {
  for (const bool isCandidateFused : {true, false}) {
    const UnitOutcome outcome =
        compared(attentionOf(!isCandidateFused), attentionOf(isCandidateFused));
    EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
    EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
    EXPECT_EQ(outcome.pairedRows, 3U);
    EXPECT_EQ(outcome.equalRows, 3U);
    EXPECT_THAT(textsOf(outcome.notes),
                Contains(HasSubstr("3 parts of fused weights are compared transposed")));
  }
}

/// The same of a checkpoint, where no class says which way round.
std::shared_ptr<BuiltUnit> checkpointOf(bool isFused, bool isTransposed) {
  const std::vector<Matrix> weights{counted(3, 3, 1), counted(3, 3, 2), counted(3, 3, 3)};
  auto unit = std::make_shared<BuiltUnit>();
  const auto add = [&](const std::string& name, const Matrix& weight) {
    unit->entry({.name = "h.0.attn." + name + ".weight", .kind = EntryKind::Tensor});
    unit->matrix(Role::Value, "", isTransposed ? transposed(weight) : weight, false);
  };
  if (!isFused) {
    add("q_proj", weights[0]);
    add("k_proj", weights[1]);
    add("v_proj", weights[2]);
    return unit;
  }
  Matrix all;
  for (const Matrix& weight : weights) {
    all.insert(all.end(), weight.begin(), weight.end());
  }
  add("c_attn", all);
  return unit;
}

/// The weights of a layer and the embedding, which no layout turns.
std::shared_ptr<BuiltUnit> squaresOf(bool isTransposed, bool isProjectionTransposed) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto add = [&](const std::string& name, const Matrix& weight, bool isTurned) {
    unit->entry({.name = name + ".weight", .kind = EntryKind::Tensor});
    unit->matrix(Role::Value, "", isTurned ? transposed(weight) : weight, false);
  };
  add("wpe", counted(4, 3, 4), false);
  add("h.0.mlp.c_fc", counted(2, 3, 1), isTransposed);
  add("h.0.attn.c_proj", counted(3, 3, 2), isProjectionTransposed);
  return unit;
}

TEST(TransposedWeightsTest, ElementsTellTheWayRoundOfSquareWeightsWhereLayersAreTurned) {
  const UnitOutcome turned = compared(squaresOf(false, false), squaresOf(true, true));
  EXPECT_EQ(turned.equalRows, 3U);
  EXPECT_THAT(textsOf(turned.notes),
              Contains(HasSubstr("2 weights are compared transposed, as the other side holds")));
  const UnitOutcome kept = compared(squaresOf(false, false), squaresOf(true, false));
  EXPECT_EQ(kept.equalRows, 3U) << "its elements agree as they are";
  const UnitOutcome wrong = compared(squaresOf(false, false), squaresOf(false, true));
  EXPECT_EQ(wrong.equalRows, 2U) << "no layout turns it";
  EXPECT_THAT(textsOf(wrong.notes), IsEmpty());
  const UnitOutcome none =
      compared(squaresOf(false, false), squaresOf(true, true), "transposed: none\n");
  EXPECT_EQ(none.equalRows, 1U);
}

TEST(TransposedWeightsTest, ElementsTellTheWayRoundOfSquarePartsWithoutAClass) {
  for (const bool isFusedTransposed : {false, true}) {
    for (const bool arePartsTransposed : {false, true}) {
      const UnitOutcome outcome =
          compared(checkpointOf(false, arePartsTransposed), checkpointOf(true, isFusedTransposed));
      EXPECT_EQ(outcome.equalRows, 3U) << isFusedTransposed << arePartsTransposed;
      EXPECT_EQ(outcome.notes.empty(), isFusedTransposed == arePartsTransposed);
    }
  }
  EXPECT_EQ(compared(checkpointOf(false, false), checkpointOf(true, true), "transposed: none\n")
                .equalRows,
            0U);
}

TEST(TransposedWeightsTest, SquarePartsWhoseFileIsLostAreListed) {
  const auto split = checkpointOf(false, false);
  split->loseFile(0);
  const UnitOutcome outcome = compared(split, checkpointOf(true, true));
  ASSERT_EQ(outcome.onlyCandidate.size(), 1U);
  EXPECT_THAT(outcome.reasons.candidate.at(outcome.onlyCandidate.front().name),
              HasSubstr("a rule of 'transposed' can say it"));
}

TEST(TransposedWeightsTest, ARuleHoldsForFusedProjections) {
  const UnitOutcome outcome =
      compared(attentionOf(false), attentionOf(true), "transposed: 'c_attn$'\n");
  EXPECT_EQ(outcome.pairedRows, 3U);
  EXPECT_EQ(outcome.equalRows, 3U);
}

}  // namespace
}  // namespace ulp::analysis
