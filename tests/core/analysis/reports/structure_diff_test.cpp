#include "core/analysis/reports/structure_diff.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;

SiteShape at(const std::string& name,
             std::vector<std::int64_t> shape = {1, 8},
             Pass pass = Pass::Forward,
             int layer = -1) {
  return {{name, name, layer, Level::Module, pass}, std::move(shape)};
}

std::vector<std::string> namesOf(const std::vector<SiteShape>& tensors) {
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const SiteShape& tensor : tensors) {
    names.push_back(tensor.site.name);
  }
  return names;
}

TEST(StructureDiff, CountsOrListsEveryTensorOnce) {
  const std::vector<SiteShape> a{at("x"), at("y"), at("z"), at("x", {1, 8}, Pass::Backward)};
  const std::vector<SiteShape> b{at("w"), at("x"), at("z", {1, 9})};
  const StructureDiff diff = *structureDiff(a, b);
  EXPECT_EQ(diff.matched, 1U);
  ASSERT_EQ(diff.shapes.size(), 1U);
  EXPECT_EQ(diff.shapes[0].baseline.site.name, "z");
  EXPECT_THAT(diff.shapes[0].other.shape, ElementsAre(1, 9));
  EXPECT_THAT(namesOf(diff.onlyInBaseline), ElementsAre("y", "x"));
  EXPECT_EQ(diff.onlyInBaseline[1].site.pass, Pass::Backward);
  EXPECT_THAT(namesOf(diff.onlyInOther), ElementsAre("w"));
}

TEST(StructureDiff, MatchesByMappedNamesButListsOwnOnes) {
  const auto mapping = SiteMapping::make({{"^h\\.", "layers."}}, {});
  ASSERT_TRUE(mapping.has_value());
  const std::vector<SiteShape> a{at("layers.0"), at("layers.1")};
  const std::vector<SiteShape> b{at("h.0"), at("h.7"), at("layers.0")};
  const StructureDiff diff = *structureDiff(a, b, *mapping);
  EXPECT_EQ(diff.matched, 1U);
  EXPECT_THAT(namesOf(diff.onlyInBaseline), ElementsAre("layers.1"));
  EXPECT_THAT(namesOf(diff.onlyInOther), testing::UnorderedElementsAre("h.7", "layers.0"));
}

TEST(StructureDiff, TakesAReportsTensorsOnceInExecutionOrder) {
  const report::Report report = test::sampleReport(1, {"a", "b"});
  EXPECT_THAT(
      namesOf(structureOf(report)),
      ElementsAre(
          "embeddings", "decoder.0", "norm", "logits", "loss", "logits", "norm", "decoder.0"));
}

TEST(SuggestedPairs, AreOfOneShapePassAndLayerMostAlikeFirst) {
  const StructureDiff diff =
      *structureDiff(std::vector{at("model.layers.3.self_attn.q_proj", {4, 4}, Pass::Forward, 3),
                                 at("model.layers.3.mlp.down_proj", {4, 4}, Pass::Forward, 3),
                                 at("model.layers.4.mlp.down_proj", {4, 4}, Pass::Forward, 4),
                                 at("lm_head", {9})},
                     std::vector{at("h.3.mlp.downProj", {4, 4}, Pass::Forward, 3),
                                 at("h.3.attn.q.proj", {4, 4}, Pass::Forward, 3),
                                 at("output", {9}),
                                 at("h.4.mlp.downProj", {5, 4}, Pass::Forward, 4)});
  const auto pairs = suggestPairs(diff);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(diff.onlyInBaseline[pairs[0].baseline].site.name, "model.layers.3.mlp.down_proj");
  EXPECT_EQ(diff.onlyInOther[pairs[0].other].site.name, "h.3.mlp.downProj");
  EXPECT_EQ(diff.onlyInBaseline[pairs[1].baseline].site.name, "model.layers.3.self_attn.q_proj");
  EXPECT_EQ(diff.onlyInOther[pairs[1].other].site.name, "h.3.attn.q.proj");
  EXPECT_DOUBLE_EQ(pairs[0].likeness, 2.0 * 4 / 11);
}

}  // namespace
}  // namespace ulp::analysis
