#include "core/comparing/align/fused_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::pair<std::string, std::string> differing(std::string_view from, std::string_view to) {
  NameDifference difference = differenceOf(from, to);
  return {std::move(difference.from), std::move(difference.to)};
}

using Pair = std::pair<std::string, std::string>;

TEST(NameDifferenceTest, IsOfWholeSegments) {
  EXPECT_EQ(differing("a.qkv_proj.weight", "a.q_proj.weight"), Pair("qkv_proj", "q_proj"));
  EXPECT_EQ(differing("qkv", "q"), Pair("qkv", "q"));
  EXPECT_EQ(differing("qkv.weight", "q.weight"), Pair("qkv", "q"));
  EXPECT_EQ(differing("a.b.qkv", "a.b.q"), Pair("qkv", "q"));
  EXPECT_EQ(differing("a.qkv.x.w", "a.self.q.x.w"), Pair("qkv", "self.q"));
  EXPECT_EQ(differing("ab.w", "bb.w"), Pair("ab", "bb")) << "a common letter is no segment";
}

TEST(NameDifferenceTest, TheLastSegmentsOfTheNameAreReplaced) {
  EXPECT_EQ(replaced("a.qkv.w", {"qkv", "q"}), "a.q.w");
  EXPECT_EQ(replaced("qkv.a.qkv", {"qkv", "q"}), "qkv.a.q");
  EXPECT_EQ(replaced("qkv", {"qkv", "self.q"}), "self.q");
  EXPECT_EQ(replaced("qkv.w", {"qkv", "q"}), "q.w");
  for (const char* const path : {"a.qkvs.w", "a.mqkv.w", "a.q.w", ""}) {
    EXPECT_EQ(replaced(path, {"qkv", "q"}), path);
  }
  EXPECT_EQ(replaced("a.b", {"", "q"}), "a.b");
}

std::vector<std::vector<std::string>> partsOf(const DumpRules& rules, const std::string& path) {
  auto names = FusedNames::make(rules);
  EXPECT_TRUE(names);
  std::vector<std::vector<std::string>> paths;
  for (const FusedParts& parts : names->partsOf(path)) {
    paths.push_back(parts.paths);
  }
  EXPECT_TRUE(names->check());
  return paths;
}

TEST(FusedNamesTest, OfFrameworksAreKnown) {
  const auto qkv = partsOf({}, "layers.0.qkv_proj.weight");
  ASSERT_EQ(qkv.size(), 7U);
  EXPECT_THAT(
      qkv.front(),
      ElementsAre("layers.0.q_proj.weight", "layers.0.k_proj.weight", "layers.0.v_proj.weight"));
  EXPECT_THAT(qkv[4],
              ElementsAre("layers.0.to_q.weight", "layers.0.to_k.weight", "layers.0.to_v.weight"));
  const auto keyValue = partsOf({}, "a.linear_kv");
  ASSERT_EQ(keyValue.size(), 4U);
  EXPECT_THAT(keyValue.front(), ElementsAre("a.k_proj", "a.v_proj"));
  const auto gate = partsOf({}, "mlp.linear_fc1");
  ASSERT_EQ(gate.size(), 3U);
  EXPECT_THAT(gate[1], ElementsAre("mlp.w1", "mlp.w3"));
  EXPECT_THAT(partsOf({}, "mlp.down_proj"), IsEmpty());
  EXPECT_THAT(partsOf({}, "a.qkv_projection"), IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
