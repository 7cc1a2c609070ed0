#include "core/comparing/match/structure_pairs.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_ranks.h"
#include "core/comparing/ranks/renumbered_units.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/msit/topology.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::analysis {
namespace {

using dumps::DumpUnit;
using dumps::EntryKind;
using dumps::Role;
using dumps::msit::ModelStructure;
using test::BuiltUnit;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Models of 10 layers or fewer have no layers for msit.
constexpr int kLayers = 11;

std::string layersOf(const std::string& layer) {
  std::string text;
  for (int i = 0; i < kLayers; ++i) {
    std::string one = layer;
    for (std::size_t at = one.find('#'); at != std::string::npos; at = one.find('#')) {
      one.replace(at, 1, std::to_string(i));
    }
    text += (i == 0 ? "" : ",") + one;
  }
  return text;
}

/// Attention and MLP of two or three linear modules each.
std::shared_ptr<const ModelStructure> torchStructure() {
  const std::string start = R"({"name": "root.model.layers.#)";
  const auto leaf = [&](const std::string& path) {
    return start + path + R"(", "type": "Linear", "children": []})";
  };
  const std::string layer = start + R"(", "type": "Block", "children": [)" + start +
                            R"(.self_attn", "type": "A", "children": [)" +
                            leaf(".self_attn.q_proj") + "," + leaf(".self_attn.k_proj") + "," +
                            leaf(".self_attn.v_proj") + "]}," + start +
                            R"(.mlp", "type": "B", "children": [)" + leaf(".mlp.up_proj") + "," +
                            leaf(".mlp.down_proj") + "]}]}";
  auto model = dumps::msit::parseModelTree(
      R"({"name": "root", "type": "Lm", "children": [)" + layersOf(layer) + "]}", "tree");
  EXPECT_TRUE(model) << model.error().message();
  return std::make_shared<const ModelStructure>(ModelStructure{.models = {std::move(*model)}});
}

/// "0_Layer/0_Attention/0_QKVLinearSplitPack", and below "0_Layer/1_Mlp" two linear operations.
std::shared_ptr<const ModelStructure> atbStructure() {
  const std::string layer =
      R"({"opName": "L_#", "opType": "Layer", "nodes": [
           {"opName": "a", "opType": "Attention",
            "nodes": [{"opName": "b", "opType": "QKVLinearSplitPack"}]},
           {"opName": "c", "opType": "Mlp",
            "nodes": [{"opName": "d", "opType": "LinearOperation"},
                      {"opName": "e", "opType": "LinearOperation"}]}]})";
  auto model = dumps::msit::parseAtbTopology(
      R"({"modelName": "M", "nodes": [)" + layersOf(layer) + "]}", "model");
  EXPECT_TRUE(model) << model.error().message();
  return std::make_shared<const ModelStructure>(
      ModelStructure{.models = {std::move(*model)}, .isAtb = true});
}

/// Calls, and tensors of these sizes that belong to them, called "NAME/output_0" and so on.
class Unit {
 public:
  explicit Unit(std::shared_ptr<const ModelStructure> structure) {
    m_unit.structure = std::move(structure);
  }
  Unit& call(const std::string& name, const std::vector<std::int64_t>& outputs) {
    m_unit.entry({.name = name, .kind = EntryKind::Module, .module = name});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      add(Role::Output, "output_", i, outputs[i]);
    }
    return *this;
  }
  /// Of the last call.
  Unit& input(std::int64_t size) {
    add(Role::Input, "input_", 0, size);
    return *this;
  }
  BuiltUnit& operator*() { return m_unit; }
  BuiltUnit* operator->() { return &m_unit; }

 private:
  void add(Role role, const std::string& word, std::size_t index, std::int64_t size) {
    m_unit.tensor(
        role, std::to_string(index), std::vector<float>(static_cast<std::size_t>(size), 1));
    m_unit.rows.back().name = m_unit.entries.back().name + "/" + word + std::to_string(index);
  }

  BuiltUnit m_unit;
};

std::vector<std::string> namesOf(const std::vector<StructuralPair>& pairs,
                                 const DumpUnit& baseline,
                                 const DumpUnit& candidate) {
  std::vector<std::string> names;
  for (const StructuralPair& pair : pairs) {
    names.push_back(baseline.rows[pair.baselineRow].name + " = " +
                    candidate.rows[pair.candidateRow].name);
    EXPECT_EQ(baseline.rows[pair.baselineRow].name.rfind(
                  baseline.entries[pair.baselineEntry].name + "/", 0),
              0U);
    EXPECT_EQ(candidate.rows[pair.candidateRow].name.rfind(
                  candidate.entries[pair.candidateEntry].name + "/", 0),
              0U);
  }
  return names;
}

constexpr const char* kLayer = "root.model.layers.0";

TEST(StructurePairsTest, EachProjectionTakesItsPartOfWhatAtbSplits) {
  const std::string attention = std::string(kLayer) + ".self_attn";
  Unit torch(torchStructure());
  torch.call(attention + ".v_proj", {4})
      .call(attention + ".k_proj", {4})
      .call(attention + ".q_proj", {4});
  Unit atb(atbStructure());
  atb.call("0_Layer/0_Attention/0_QKVLinearSplitPack", {4, 4, 4});
  const auto pairs = pairByStructure(*torch, *atb);
  EXPECT_THAT(
      namesOf(pairs, *torch, *atb),
      testing::UnorderedElementsAre(
          attention + ".q_proj/output_0 = 0_Layer/0_Attention/0_QKVLinearSplitPack/output_0",
          attention + ".k_proj/output_0 = 0_Layer/0_Attention/0_QKVLinearSplitPack/output_1",
          attention + ".v_proj/output_0 = 0_Layer/0_Attention/0_QKVLinearSplitPack/output_2"));
}

TEST(StructurePairsTest, AmongSeveralTheOneOfItsShapeIsTakenWithItsInput) {
  const std::string down = std::string(kLayer) + ".mlp.down_proj";
  Unit torch(torchStructure());
  torch.call(down, {2}).input(4);
  Unit atb(atbStructure());
  atb.call("0_Layer/1_Mlp/0_LinearOperation", {4}).input(2);
  atb.call("0_Layer/1_Mlp/1_LinearOperation", {2}).input(4);
  EXPECT_THAT(namesOf(pairByStructure(*torch, *atb), *torch, *atb),
              ElementsAre(down + "/output_0 = 0_Layer/1_Mlp/1_LinearOperation/output_0",
                          down + "/input_0 = 0_Layer/1_Mlp/1_LinearOperation/input_0"));
}

TEST(StructurePairsTest, WholeNumbersThatGoInAreNotCompared) {
  Unit torch(torchStructure());
  torch.call(kLayer, {2}).input(3);
  torch->rows.back().dtype = "torch.int64";
  Unit atb(atbStructure());
  atb.call("0_Layer", {2}).input(3);
  atb->rows.back().dtype = "torch.int64";
  EXPECT_THAT(namesOf(pairByStructure(*torch, *atb), *torch, *atb),
              ElementsAre(std::string(kLayer) + "/output_0 = 0_Layer/output_0"));
}

TEST(StructurePairsTest, OfAnotherShapeIsWhatStandsForNothingElse) {
  Unit torch(torchStructure());
  torch.call(kLayer, {2}).call(std::string(kLayer) + ".mlp.down_proj", {2});
  Unit atb(atbStructure());
  atb.call("0_Layer/1_Mlp/0_LinearOperation", {4})
      .call("0_Layer/1_Mlp/1_LinearOperation", {6})
      .call("0_Layer", {3});
  EXPECT_THAT(namesOf(pairByStructure(*torch, *atb), *torch, *atb),
              ElementsAre(std::string(kLayer) + "/output_0 = 0_Layer/output_0"))
      << "either of the linear operations may be the projection";
}

TEST(StructurePairsTest, TheSidesMayBeExchanged) {
  Unit torch(torchStructure());
  torch.call("root", {1}).call(kLayer, {2});
  Unit atb(atbStructure());
  atb.call("0_Layer", {2});
  EXPECT_THAT(pairByStructure(*torch, *atb), ElementsAre(StructuralPair{1, 1, 0, 0}));
  EXPECT_THAT(pairByStructure(*atb, *torch), ElementsAre(StructuralPair{0, 0, 1, 1}));
}

TEST(StructurePairsTest, DumpsOfOneKindAndThoseOfOtherToolsHaveNone) {
  Unit torch(torchStructure());
  torch.call(kLayer, {2});
  Unit atb(atbStructure());
  atb.call("0_Layer", {2});
  Unit other(nullptr);
  other.call(kLayer, {2});
  EXPECT_THAT(pairByStructure(*torch, *torch), IsEmpty());
  EXPECT_THAT(pairByStructure(*atb, *atb), IsEmpty());
  EXPECT_THAT(pairByStructure(*other, *atb), IsEmpty());
  EXPECT_THAT(pairByStructure(*torch, *other), IsEmpty());
}

TEST(StructurePairsTest, UnitsAreMatchedByThemAndANoteSaysSo) {
  Unit torch(torchStructure());
  torch.call(kLayer, {2}).call("root.lm_head", {5});
  Unit atb(atbStructure());
  atb.call("0_Layer/1_Mlp", {7}).call("0_Layer", {2});
  const UnitMatching matching = *matchUnits(*torch, *atb);
  ASSERT_THAT(matching.rows, SizeIs(1));
  EXPECT_EQ(matching.rows[0].baseline, 0U);
  EXPECT_EQ(matching.rows[0].candidate, 1U);
  EXPECT_THAT(matching.onlyBaselineEntries, ElementsAre(1U));
  EXPECT_THAT(matching.onlyCandidateEntries, ElementsAre(0U));
  EXPECT_THAT(textsOf(matching.notes),
              ElementsAre(HasSubstr("1 tensors are paired by the rules of `msit llm compare`")));
  EXPECT_THAT(matchUnits(*torch, *torch)->notes, IsEmpty());
}

TEST(StructurePairsTest, RanksThatWereMergedAreStillPaired) {
  Unit torch(torchStructure());
  torch.call(kLayer, {2});
  Unit atb(atbStructure());
  atb.call("0_Layer", {2});
  const auto merged = joinStages({{.unit = std::make_shared<BuiltUnit>(*atb)}}, UnitAxes());
  EXPECT_THAT(pairByStructure(*torch, *merged), ElementsAre(StructuralPair{0, 0, 0, 0}));
}

/// Twelve layers, three tokens; from token 1 on the MLP of layer 5 of the ATB side is wrong.
class MsitTorchAgainstAtb : public testing::Test {
 protected:
  void SetUp() override {
    const auto folder = test::msprobeCase("msit_full");
    auto torch = dumps::openDump(folder / "golden");
    ASSERT_TRUE(torch) << torch.error().message();
    auto atb = dumps::openDump(folder / "my");
    ASSERT_TRUE(atb) << atb.error().message();
    m_torch = std::move(*torch);
    m_atb = std::move(*atb);
  }

  dumps::DumpPtr m_torch;
  dumps::DumpPtr m_atb;
};

TEST_F(MsitTorchAgainstAtb, TheFirstTokenThatFailsAndItsFaultyModuleAreNamed) {
  const auto compared = compareDumps(*m_torch, *m_atb, {});
  ASSERT_TRUE(compared) << compared.error().message();
  ASSERT_THAT(compared->units, SizeIs(3));
  EXPECT_THAT(compared->units[0].verdict.culprits, IsEmpty()) << "float16 accounts for token 0";
  for (const UnitOutcome& unit : compared->units) {
    // Embeddings, norm and head; inputs and outputs of all layers; 12 tensors of each of the four
    // layers of which msit's ATB side has more.
    EXPECT_EQ(unit.pairedRows, 3U + 24U + 48U) << unit.label;
    EXPECT_EQ(unit.rowsByElements, 75U) << unit.label;
    EXPECT_THAT(unit.onlyBaseline, SizeIs(321 - 75)) << unit.label;
    EXPECT_THAT(unit.onlyCandidate, SizeIs(105 - 75)) << unit.label;
    EXPECT_THAT(unit.shapesDiffer, IsEmpty()) << unit.label;
    EXPECT_THAT(textsOf(unit.notes),
                Contains(HasSubstr("75 tensors are paired by the rules of `msit llm")));
    const auto isCalled = [](const char* name) { return Field(&UncomparedRow::name, name); };
    EXPECT_THAT(unit.onlyBaseline, Contains(isCalled("root.model.layers.5.mlp.up_proj/output")));
    EXPECT_THAT(unit.onlyCandidate,
                Contains(isCalled("6_DecoderLayer/4_Mlp/1_SplitOperation/after/outtensor1")));
  }
  const auto first = firstTokenOff(compared->units);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->unit, 1U);
  EXPECT_EQ(compared->earliest, 1U);
  ASSERT_FALSE(compared->units[1].verdict.culprits.empty());
  const Culprit& culprit = compared->units[1].verdict.culprits.front();
  EXPECT_EQ(culprit.name, "root.model.layers.5.mlp.gate_proj");
  EXPECT_EQ(culprit.rowName, "root.model.layers.5.mlp.gate_proj/output");
  EXPECT_EQ(culprit.site.layer, 5);
  EXPECT_EQ(culprit.kind, CulpritKind::Operation);
  EXPECT_NEAR(culprit.error, 0.154763, 1e-6) << "msit's relative_euclidean_distance";
  const std::string answer = tokenAnswer(*compared);
  EXPECT_THAT(answer,
              HasSubstr("The first token whose logits fail is token 1: KL 0.00201 nats, where "));
  EXPECT_THAT(answer, HasSubstr("the chosen token stays 55"));
  EXPECT_THAT(answer,
              HasSubstr("In its network the error starts at root.model.layers.5.mlp.gate_proj"));
}

TEST_F(MsitTorchAgainstAtb, AsTheBaselineAtbNamesItsOwnOperation) {
  const auto compared = compareDumps(*m_atb, *m_torch, {});
  ASSERT_TRUE(compared) << compared.error().message();
  EXPECT_EQ(compared->earliest, 1U);
  ASSERT_FALSE(compared->units.at(1).verdict.culprits.empty());
  const Culprit& culprit = compared->units[1].verdict.culprits.front();
  EXPECT_EQ(culprit.name, "6_DecoderLayer/4_Mlp/1_SplitOperation");
  EXPECT_EQ(culprit.rowName, "6_DecoderLayer/4_Mlp/1_SplitOperation/after/outtensor0");
}

TEST_F(MsitTorchAgainstAtb, WhatAMappingFilePairsStays) {
  const auto mapping = SiteMapping::parse(
      "data: {6_DecoderLayer/4_Mlp/1_SplitOperation/after/outtensor1: "
      "root.model.layers.5.mlp.gate_proj/output}\n",
      "mapping");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const auto torch = m_torch->openUnit(1);
  const auto atb = m_atb->openUnit(1);
  ASSERT_TRUE(torch && atb);
  const UnitMatching matching = *matchUnits(**torch, **atb, *mapping);
  std::vector<std::string> pairs;
  for (const RowPair& pair : matching.rows) {
    pairs.push_back((*torch)->rows[pair.baseline].name + " = " + (*atb)->rows[pair.candidate].name);
  }
  EXPECT_THAT(pairs, SizeIs(75));
  const std::string gate = "root.model.layers.5.mlp.gate_proj/output = 6_DecoderLayer/4_Mlp/";
  EXPECT_THAT(pairs, Contains(gate + "1_SplitOperation/after/outtensor1"));
  EXPECT_THAT(pairs, Not(Contains(gate + "1_SplitOperation/after/outtensor0")));
  EXPECT_THAT(pairs,
              Contains("root.model.layers.5.mlp.act_fn/output = "
                       "6_DecoderLayer/4_Mlp/2_ActivationOperation/after/outtensor0"));
}

}  // namespace
}  // namespace ulp::analysis
