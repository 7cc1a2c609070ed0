#include "core/analysis/site_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using testing::HasSubstr;

std::string errorOf(std::string_view yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  return mapping ? "no error" : mapping.error().message();
}

TEST(SiteMapping, AppliesRulesInOrderAndPairsInstead) {
  const auto mapping = SiteMapping::parse(
      "rules:\n"
      "  - {match: '^decoder\\.(\\d+)', replace: 'model.layers.$1'}\n"
      "  - {match: 'attn$', replace: 'self_attn'}\n"
      "pairs:\n"
      "  decoder.0.attn: first\n",
      "m.yaml");
  ASSERT_TRUE(mapping.has_value()) << mapping.error().message();
  EXPECT_EQ(mapping->map("decoder.11.attn"), "model.layers.11.self_attn");
  EXPECT_EQ(mapping->map("decoder.0.attn"), "first");
  EXPECT_EQ(mapping->map("norm"), "norm");
}

TEST(SiteMapping, ReadsWhatItWrites) {
  const auto mapping = SiteMapping::make({{R"(^a\.(\d+)'s "b"$)", "x: $1 #"}, {"", "y"}},
                                         {{"it's", "a: b"}, {"- c", "{d}"}});
  ASSERT_TRUE(mapping.has_value());
  const auto again = SiteMapping::parse(mapping->toYaml(), "again");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(again->rules(), mapping->rules());
  EXPECT_EQ(again->pairs(), mapping->pairs());
  EXPECT_TRUE(SiteMapping::parse(SiteMapping().toYaml(), "empty")->isEmpty());
}

TEST(SiteMapping, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(errorOf("rules:\n  - {match: '(', replace: x}\n"),
              HasSubstr("m.yaml:2:5: '(' is not a regular expression"));
  EXPECT_EQ(errorOf("rules:\n  - {match: a}\n"),
            "m.yaml:2:5: a rule needs both 'match' and 'replace'");
  EXPECT_EQ(errorOf("rules:\n  - {match: a, with: b}\n"),
            "m.yaml:2:16: unknown key 'with'; a rule has 'match' and 'replace'");
  EXPECT_EQ(errorOf("rules: 3\n"), "m.yaml:1:8: 'rules' must be a list");
  EXPECT_EQ(errorOf("pairs: [a]\n"), "m.yaml:1:8: 'pairs' must be a map of name to name");
  EXPECT_EQ(errorOf("pairs: {a: b, a: c}\n"), "m.yaml:1:15: 'a' is paired twice");
  EXPECT_EQ(errorOf("names: {}\n"),
            "m.yaml:1:1: unknown key 'names'; a mapping has 'rules' and 'pairs'");
  EXPECT_EQ(errorOf("[]"), "m.yaml:1:1: a mapping has the keys 'rules' and 'pairs'");
}

}  // namespace
}  // namespace ulp::analysis
