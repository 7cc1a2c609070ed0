#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/msit/metrics.h"
#include "core/compat/msit/operation_mapping.h"
#include "core/compat/msit/pairing.h"
#include "core/compat/msit/report_table.h"
#include "core/compat/msit/structure.h"
#include "core/compat/msit/tensor_parts.h"
#include "tests/core/compat/msit/msit_fixture.h"

namespace ulp::compat::msit {
namespace {

using dumps::msit::parseAtbTopology;
using dumps::msit::parseModelTree;
using dumps::msit::Topology;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

constexpr int kLayers = 11;

std::string repeated(const std::string& layer, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string one = layer;
    for (std::size_t at = one.find('#'); at != std::string::npos; at = one.find('#')) {
      one.replace(at, 1, std::to_string(i));
    }
    text += (i == 0 ? "" : ",") + one;
  }
  return text;
}

Topology torchModel(const std::string& children, int count = kLayers) {
  const std::string layer =
      R"({"name": "root.model.layers.#", "type": "Block", "children": [)" + children + "]}";
  auto model =
      parseModelTree(R"({"name": "root", "type": "Lm", "children": [)" + repeated(layer, count) +
                         R"(, {"name": "root.lm_head", "type": "Linear", "children": []}]})",
                     "tree");
  EXPECT_TRUE(model) << model.error().message();
  return *model;
}

Topology atbModel(const std::string& children, int count = kLayers) {
  const std::string layer = R"({"opName": "L_#", "opType": "Layer", "nodes": [)" + children + "]}";
  auto model = parseAtbTopology(R"({"modelName": "M", "nodes": [)" + repeated(layer, count) +
                                    R"(, {"opName": "LmHead_11", "opType": "LmHead"}]})",
                                "model");
  EXPECT_TRUE(model) << model.error().message();
  return *model;
}

/// "root.model.layers.0.mlp <- 0_Layer/1_Mlp" of layer 0, with the files where they are named.
std::vector<std::string> pairsOf(const Topology& golden, const Topology& my, Level level) {
  std::vector<std::string> texts;
  for (const NodePair& pair : pairUp({golden}, {my}, level, true)) {
    const std::string text = golden.nodes[pair.golden.node].folder + pair.goldenPlace.name +
                             " <- " + my.nodes[pair.my.node].folder + pair.myPlace.name;
    if (text.find("layers.0") != std::string::npos && text.find(" 0_Layer") != std::string::npos) {
      texts.push_back(text);
    }
  }
  return texts;
}

TEST(MsitPairingTest, ModelsOfTenLayersOrFewerHaveNoLayers) {
  EXPECT_THAT(layers(torchModel("", 9)), IsEmpty());
  EXPECT_EQ(layers(torchModel("", 10)).size(), 10U);
  EXPECT_THAT(pairsOf(torchModel("", 9), atbModel("", 9), Level::Layer), IsEmpty());
  EXPECT_THAT(pairsOf(torchModel(""), atbModel(""), Level::Layer),
              ElementsAre("root.model.layers.0 <- 0_Layer"));
}

TEST(MsitPairingTest, ModulesArePairedByTheirPaths) {
  const Topology golden = torchModel(
      R"({"name": "root.model.layers.#.self_attn", "type": "A", "children": []},
         {"name": "root.model.layers.#.mlp", "type": "B", "children": []})");
  const Topology my = atbModel(R"({"opName": "a", "opType": "NormOperation"},
                                  {"opName": "b", "opType": "Attention"},
                                  {"opName": "c", "opType": "Mlp"})");
  EXPECT_THAT(pairsOf(golden, my, Level::Module),
              ElementsAre("root.model.layers.0.self_attn <- 0_Layer/1_Attention",
                          "root.model.layers.0.mlp <- 0_Layer/2_Mlp"));
}

TEST(MsitPairingTest, ALinearOperationWithoutBiasIsTheAdditionBehindIt) {
  const Topology golden =
      torchModel(R"({"name": "root.model.layers.#.a", "type": "Linear", "children": []},
                    {"name": "root.model.layers.#.b", "type": "Linear", "children": []})");
  const Topology my = atbModel(
      R"({"opName": "a", "opType": "LinearOperation", "param": {"hasBias": false}},
         {"opName": "b", "opType": "ElewiseOperation", "param": {"elewiseType": 8}},
         {"opName": "c", "opType": "LinearOperation", "param": {"hasBias": true}},
         {"opName": "d", "opType": "ElewiseOperation", "param": {"elewiseType": 8}})");
  EXPECT_THAT(
      pairsOf(golden, my, Level::Api),
      IsSupersetOf({"root.model.layers.0.aoutput.pth <- 0_Layer/1_ElewiseOperationouttensor0.bin",
                    "root.model.layers.0.boutput.pth <- 0_Layer/2_LinearOperationouttensor0.bin"}));
}

TEST(MsitPairingTest, TheLogitsAreWhatTheLastNodesOfBothSidesGive) {
  const Topology golden = torchModel("");
  const Topology my = atbModel("");
  const auto pairs = pairUp({golden}, {my}, Level::Api, true);
  EXPECT_THAT(
      pairs,
      Contains(NodePair{.my = {0, my.nodes.size() - 1}, .golden = {0, golden.nodes.size() - 1}}));
}

TEST(MsitPairingTest, OneStructureCountsForPrefillAndDecode) {
  const auto pairs = pairUp({torchModel("")}, {atbModel(""), atbModel("")}, Level::Layer, true);
  std::set<std::size_t> models;
  for (const NodePair& pair : pairs) {
    EXPECT_EQ(pair.golden.model, 0U);
    models.insert(pair.my.model);
  }
  EXPECT_THAT(models, ElementsAre(0, 1));
}

TEST(MsitMappingTest, AUsersFileAddsAndReplacesTypes) {
  const test::TempDir dir;
  dir.write("op_mapping_file.json",
            R"({"RmsNormOperation": ["MyNorm"], "MyOp_outtensor1": "MyModule_output_0"})");
  const auto mapping = operationMapping(dir.path());
  ASSERT_TRUE(mapping) << mapping.error().message();
  EXPECT_EQ(mapping->size(), builtinMapping().size() + 1);
  EXPECT_EQ(mapping->back().first, "MyOp_outtensor1");
  EXPECT_THAT(mapping->back().second, ElementsAre("MyModule_output_0"));
  const auto bad = operationMapping(dir.write("bad.json", R"({"A": ["../x"]})"));
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message(), AllOf(HasSubstr("bad.json"), HasSubstr("'A'")));
}

tensors::Tensor tensorOf(const std::vector<float>& values, std::vector<std::int64_t> shape) {
  const auto owner = std::make_shared<std::vector<float>>(values);
  return {.view = {owner->data(), DType::Float32, std::move(shape)}, .owner = owner};
}

TEST(MsitTensorPartsTest, PartsOfDevicesAreJoinedWhereTheOtherSideIsAsLarge) {
  const std::vector<tensors::Tensor> parts{tensorOf({1, 2, 5, 6}, {2, 2}),
                                           tensorOf({3, 4, 7, 8}, {2, 2})};
  const std::vector<tensors::Tensor> one{tensorOf({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4})};
  ASSERT_EQ(joinDimension(parts, one), 1U);
  const auto whole = joined(parts, 1);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_THAT(asFloats(whole->view), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(whole->view.shape, ElementsAre(2, 4));
  EXPECT_EQ(joinDimension(parts, {tensorOf({1, 2, 3}, {3, 1})}), std::nullopt);
  EXPECT_FALSE(joined({parts[0], tensorOf({1, 2, 3}, {3, 1})}, 1));
}

TEST(MsitTensorPartsTest, ATableOfRotationsIsCutToTheRowOfTheToken) {
  const tensors::Tensor table = tensorOf({1, 2, 3, 4, 5, 6}, {1, 1, 3, 2});
  const auto row = rotaryRow(table, 2, 0);
  ASSERT_TRUE(row);
  EXPECT_THAT(row->view.shape, ElementsAre(1, 2));
  EXPECT_THAT(asFloats(row->view), ElementsAre(3, 4));
  const auto half = rotaryRow(tensorOf({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}), 1, 1);
  ASSERT_TRUE(half);
  EXPECT_THAT(half->view.shape, ElementsAre(1, 2));
  EXPECT_THAT(asFloats(half->view), ElementsAre(2, 4));
  const auto columns = withoutRepeatedColumns(tensorOf({1, 1, 2, 2}, {1, 4}));
  ASSERT_TRUE(columns);
  EXPECT_THAT(asFloats(columns->view), ElementsAre(1, 2));
}

TEST(MsitMetricsTest, ReasonsAreThoseOfTheOriginal) {
  const std::vector<float> good{1, 2};
  const std::vector<float> bad{NAN, 2};
  EXPECT_EQ(reasonAgainst(good, good, true), "");
  EXPECT_EQ(reasonAgainst(bad, bad, false),
            "data shape doesn't match. golden_data includes NAN or inf. my_data includes NAN or "
            "inf.");
}

TEST(MsitMetricsTest, AnErrorAtAZeroOfTheReferenceIsNotSeen) {
  const std::vector<float> golden{0, 4};
  const std::vector<float> my{100, 5};
  const Metrics metrics = compareValues(golden, my);
  EXPECT_EQ(metrics.maxAbsoluteError, 1);
  EXPECT_EQ(metrics.maxRelativeError, 0.25F);
  EXPECT_EQ(metrics.meanRelativeError, 0.125F);
  const std::vector<float> zero{0, 0};
  EXPECT_EQ(compareValues(zero, zero).cosineSimilarity, 1);
  EXPECT_EQ(compareValues(zero, my).cosineSimilarity, 0);
  EXPECT_EQ(compareValues(zero, my).relativeEuclideanDistance, 0);
}

TEST(MsitMetricsTest, FewNumbersAreAddedFourAtATimeAsTorchDoes) {
  // One after the other they make 0.30833337.
  EXPECT_EQ(rangeOf(std::vector<float>{0.5F, -1.25F, 2.0F, 0.1F, 0.2F, 0.3F})->mean,
            0.3083333373069763F);
}

TEST(MsitReportTest, EveryOtherRowOfInt8OnOneSideStays) {
  std::vector<ReportRow> rows(4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].token = "0";
    rows[i].id = i;
    rows[i].golden.dtype = "torch.float16";
    rows[i].my.dtype = i < 3 ? "torch.int8" : "torch.float16";
  }
  rows[3].reason = "data shape doesn't match.";
  const test::Table table = test::parseCsv(reportCsv(rows));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1][1], "1");
}

}  // namespace
}  // namespace ulp::compat::msit
