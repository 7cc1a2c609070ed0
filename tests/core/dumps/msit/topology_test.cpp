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

}  // namespace
}  // namespace ulp::dumps::msit
