#include "core/dumps/msit/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::dumps::msit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TopologyTest, AModelTreeIsReadDepthFirst) {
  const auto model = parseModelTree(
      R"({"name": "root", "type": "Lm", "children": [
          {"children": [{"name": "root.a.b", "type": "B", "children": []}], "name": "root.a",
           "type": "A"},
          {"name": "root.c", "type": "C", "children": []}]})",
      "model_tree.json");
  ASSERT_TRUE(model) << model.error().message();
  ASSERT_EQ(model->nodes.size(), 4U);
  EXPECT_EQ(model->nodes[0].type, "Lm");
  EXPECT_THAT(model->nodes[0].children, ElementsAre(1, 3));
  EXPECT_EQ(model->nodes[1].name, "root.a");
  EXPECT_EQ(model->nodes[2].name, "root.a.b");
  EXPECT_EQ(model->nodes[2].parent, 1U);
  EXPECT_EQ(model->nodes[2].folder, "root.a.b");
}

TEST(TopologyTest, OperationsOfAtbAreCountedFromTheNumberOfTheFirst) {
  const std::string text =
      R"({"modelName": "Decode", "inTensors": [["x", {"nodes": [1]}]], "nodes": [
          {"opName": "Layer_15", "opType": "Layer", "param": {"deep": {"hasBias": true}}, "nodes": [
            {"opName": "Linear_15_0", "opType": "LinearOperation",
             "param": {"hasBias": true, "elewiseType": 8}}]},
          {"opName": "Head_16", "opType": "LmHead"}]})";
  const auto model = parseAtbTopology(text, "m.json");
  ASSERT_TRUE(model) << model.error().message();
  ASSERT_EQ(model->nodes.size(), 4U);
  EXPECT_EQ(model->nodes[0].type, "Decode");
  EXPECT_EQ(model->nodes[1].folder, "15_Layer");
  EXPECT_FALSE(model->nodes[1].hasBias);
  EXPECT_EQ(model->nodes[2].folder, "15_Layer/0_LinearOperation");
  EXPECT_TRUE(model->nodes[2].hasBias);
  EXPECT_EQ(model->nodes[2].elewiseType, 8);
  EXPECT_EQ(model->nodes[3].folder, "16_LmHead");
  const auto shifted = parseAtbTopology(text, "m.json", 1);
  ASSERT_TRUE(shifted);
  EXPECT_EQ(shifted->nodes[1].folder, "16_Layer");
}

TEST(TopologyTest, AModelOfAtbWithoutOperationsIsItsRootAlone) {
  const auto model = parseAtbTopology(R"({"modelName": "Empty", "nodes": []})", "m.json", 7);
  ASSERT_TRUE(model) << model.error().message();
  ASSERT_EQ(model->nodes.size(), 1U);
  EXPECT_EQ(model->nodes[0].name, "root");
  EXPECT_EQ(model->nodes[0].type, "Empty");
}

std::string messageOf(const Result<Topology>& topology) {
  EXPECT_FALSE(topology);
  return topology ? "" : topology.error().message();
}

TEST(TopologyTest, NamesThatLeaveTheDumpAreRefused) {
  EXPECT_THAT(messageOf(parseModelTree(R"({"name": "../../etc", "type": "A", "children": []})",
                                       "tree.json")),
              AllOf(HasSubstr("tree.json"), HasSubstr("'../../etc'")));
  EXPECT_THAT(
      messageOf(parseAtbTopology(
          R"({"modelName": "m", "nodes": [{"opName": "a_0", "opType": "../x"}]})", "m.json")),
      AllOf(HasSubstr("m.json"), HasSubstr("'../x'")));
  EXPECT_FALSE(isFolderName(".."));
  EXPECT_FALSE(isFolderName(""));
  EXPECT_FALSE(isFolderName(std::string(300, 'a')));
  EXPECT_TRUE(isFolderName("root.model"));
}

TEST(TopologyTest, NestingThatNoModelHasIsRefusedWithoutRecursion) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += R"({"name": "a", "type": "A", "children": [)";
  }
  EXPECT_THAT(messageOf(parseModelTree(text, "tree.json")), HasSubstr("levels deep"));
  const std::string lists = R"({"name": "a", "type": "A", "other": )" + std::string(100'000, '[');
  EXPECT_THAT(messageOf(parseModelTree(lists, "tree.json")), HasSubstr("levels deep"));
}

TEST(TopologyTest, WhatIsNoStructureIsRefusedWithThePlace) {
  EXPECT_THAT(messageOf(parseModelTree("", "tree.json")), HasSubstr("byte"));
  EXPECT_THAT(messageOf(parseModelTree(R"({"name": "root", "type": "A", "children": [{"na)", "t")),
              HasSubstr("not valid JSON"));
  EXPECT_THAT(messageOf(parseModelTree(R"({"name": "root"})", "t")), HasSubstr("'children'"));
  EXPECT_THAT(messageOf(parseModelTree("[1]", "t")), HasSubstr("not an object"));
  EXPECT_THAT(messageOf(parseModelTree(R"({"name": "root", "children": [3]})", "t")),
              HasSubstr("not an object"));
}

TEST(TopologyTest, LimitsAreReachedAndNotExceeded) {
  EXPECT_TRUE(isFolderName(std::string(255, 'a')));
  EXPECT_FALSE(isFolderName(std::string(256, 'a')));
  EXPECT_FALSE(isFolderName("."));
  EXPECT_FALSE(isFolderName("a/b"));
  EXPECT_FALSE(isFolderName("a\\b"));
  EXPECT_FALSE(isFolderName(std::string("a\0b", 3)));
  // A node and its list are two levels.
  const auto nested = [](int nodes) {
    std::string text;
    for (int i = 0; i < nodes; ++i) {
      text += R"({"name": "a", "type": "A", "children": [)";
    }
    for (int i = 0; i < nodes; ++i) {
      text += "]}";
    }
    return parseModelTree(text, "tree.json");
  };
  const auto deepest = nested(400);
  ASSERT_TRUE(deepest) << deepest.error().message();
  EXPECT_EQ(deepest->nodes.size(), 400U);
  EXPECT_THAT(messageOf(nested(401)), HasSubstr("node 400: nested more than 800 levels deep"));
  const auto path = [](std::size_t lastType) {
    std::string text = R"({"modelName": "m", "nodes": [)";
    const std::string name(251, 't');
    for (int i = 0; i < 16; ++i) {
      text += R"({"opName": "a", "opType": ")" + name + R"(", "nodes": [)";
    }
    text += R"({"opName": "last", "opType": ")" + std::string(lastType, 't') + R"("})";
    for (int i = 0; i < 16; ++i) {
      text += "]}";
    }
    return parseAtbTopology(text + "]}", "m.json");
  };
  // Sixteen of "0_", 251 letters and what divides them are 4063.
  const auto longest = path(30);
  ASSERT_TRUE(longest) << longest.error().message();
  EXPECT_EQ(longest->nodes.back().folder.size(), 4096U);
  EXPECT_THAT(messageOf(path(31)),
              HasSubstr("operation 'last': its folder would be longer than a path may be"));
}

/// A root, "A" with the leaves 2 and 3, the leaf 4.
Topology smallModel() {
  return parseModelTree(
             R"({"name": "root", "type": "Lm", "children": [
                 {"name": "a", "type": "A", "children": [
                   {"name": "b", "type": "B", "children": []},
                   {"name": "c", "type": "C", "children": []}]},
                 {"name": "d", "type": "D", "children": []}]})",
             "tree.json")
      .value();
}

TEST(TopologyTest, WhatLiesBelowANodeIsFound) {
  const Topology model = smallModel();
  EXPECT_EQ(endOfSubtree(model, 0), 5U);
  EXPECT_EQ(endOfSubtree(model, 1), 4U);
  EXPECT_EQ(endOfSubtree(model, 2), 3U);
  EXPECT_THAT(leaves(model, 0), ElementsAre(2, 3, 4));
  EXPECT_THAT(leaves(model, 1), ElementsAre(2, 3));
  EXPECT_THAT(leaves(model, 2), testing::IsEmpty()) << "a leaf is not below itself";
  EXPECT_THAT(subtree(model, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(lastChildren(model), ElementsAre(4));
  EXPECT_EQ(nextSibling(model, 0), kNone);
  EXPECT_EQ(nextSibling(model, 1), 4U);
  EXPECT_EQ(nextSibling(model, 2), 3U);
  EXPECT_EQ(nextSibling(model, 3), kNone);
  EXPECT_EQ(nextSibling(model, 4), kNone);
}

/// Children of the root by type, after one with children of its own.
Topology modelOf(const std::vector<std::pair<std::string, int>>& types) {
  std::string children;
  for (const auto& [type, count] : types) {
    for (int i = 0; i < count; ++i) {
      children += std::string(children.empty() ? "" : ",") + R"({"name": "n", "type": ")" + type +
                  R"(", "children": []})";
    }
  }
  return parseModelTree(R"({"name": "root", "type": "Lm", "children": [)" + children + "]}",
                        "tree.json")
      .value();
}

TEST(TopologyTest, LayersAreOfTheTypeThatMoreThanFiveOfMoreThanTenHave) {
  EXPECT_EQ(layers(modelOf({{"A", 6}, {"B", 5}})).size(), 6U);
  EXPECT_EQ(layers(modelOf({{"A", 5}, {"B", 6}})).size(), 6U);
  EXPECT_EQ(layers(modelOf({{"A", 5}, {"B", 5}, {"C", 1}})).size(), 0U);
  EXPECT_EQ(layers(modelOf({{"A", 6}, {"B", 4}})).size(), 0U) << "ten are few";
  // The first of those that are as frequent.
  const Topology tie = modelOf({{"B", 6}, {"A", 6}});
  EXPECT_EQ(layers(tie).front(), 1U);
  EXPECT_EQ(tie.nodes[layers(tie).front()].type, "B");
}

TEST(TopologyTest, OperationsAreCountedByTheNumberBehindTheLastLine) {
  const auto folder = [](const std::string& name, std::uint64_t shift = 0) {
    const auto model =
        parseAtbTopology(R"({"modelName": "m", "nodes": [{"opName": ")" + name +
                             R"(", "opType": "A"}, {"opName": "x_9", "opType": "B"}]})",
                         "m.json",
                         shift);
    EXPECT_TRUE(model) << model.error().message();
    return model->nodes[1].folder + " " + model->nodes[2].folder;
  };
  EXPECT_EQ(folder("a_b_12"), "12_A 13_B");
  EXPECT_EQ(folder("7"), "7_A 8_B");
  EXPECT_EQ(folder("word"), "0_A 1_B");
  EXPECT_EQ(folder("a_5", 2), "7_A 8_B");
}

}  // namespace
}  // namespace ulp::dumps::msit
