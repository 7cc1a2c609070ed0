#include "core/dumps/msit/pairing.h"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/msit/topology.h"

namespace ulp::dumps::msit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

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

}  // namespace
}  // namespace ulp::dumps::msit
