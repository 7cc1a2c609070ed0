#include "core/study/yaml/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(YamlTree, KeepsOrderPositionsAndQuotes) {
  const auto root = parseYaml("a: 1\nb:\n  - 'x'\n  - ~\n", "s.yaml");
  ASSERT_TRUE(root.has_value()) << root.error().message();
  ASSERT_EQ(root->entries.size(), 2U);
  EXPECT_EQ(root->entries[0].key, "a");
  EXPECT_EQ(root->entries[0].value.text, "1");
  EXPECT_EQ(root->entries[0].value.position.line, 1);
  EXPECT_EQ(root->entries[0].value.position.column, 4);
  const YamlNode& list = root->entries[1].value;
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_TRUE(list.items[0].quoted);
  EXPECT_EQ(list.items[0].position.line, 3);
  EXPECT_EQ(list.items[1].kind, YamlNode::Kind::Null);
}

TEST(YamlTree, KeepsRepeatedKeys) {
  const auto root = parseYaml("a: 1\na: 2\n", "s.yaml");
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->entries.size(), 2U);
}

TEST(YamlTree, PutsFileLineAndColumnBeforeSyntaxErrors) {
  for (const std::string_view text : {"a: [1, 2\n", "a:\n\tb: 1\n", "a: 1\n b: 2\n", "a: *x\n"}) {
    const auto root = parseYaml(text, "s.yaml");
    ASSERT_FALSE(root.has_value()) << text;
    EXPECT_EQ(root.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(root.error().message(), testing::MatchesRegex("s.yaml:[0-9]+:[0-9]+: .*")) << text;
    EXPECT_EQ(root.error().message().find('\n'), std::string::npos);
  }
}

TEST(YamlTree, NamesTheTabThatBreaksTheIndentation) {
  const auto root = parseYaml("a:\n \tb: 1\n", "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_EQ(root.error().message(), "s.yaml:2:2: a tab cannot indent YAML; use spaces");
}

TEST(YamlTree, RefusesSecondDocument) {
  const auto root = parseYaml("a: 1\n---\nb: 2\n", "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_THAT(root.error().message(), HasSubstr("one YAML document"));
}

TEST(YamlTree, DoesNotHangOnDocumentsWithoutEnd) {
  for (const std::string_view text : {", a", ", a: {b: 1}\n", "]", "a: 1\n}"}) {
    const auto root = parseYaml(text, "s.yaml");
    ASSERT_FALSE(root.has_value()) << text;
    EXPECT_EQ(root.error().code(), ErrorCode::InvalidArgument);
  }
}

TEST(YamlTree, RefusesMapAsKey) {
  const auto root = parseYaml("? {a: 1}\n: 2\n", "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_THAT(root.error().message(), HasSubstr("a key must be a word"));
}

TEST(YamlTree, RefusesAliasesThatExplode) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    std::string list = alias;
    for (int k = 0; k < 9; ++k) {
      list += ", " + alias;
    }
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + list + "]\n";
  }
  const auto root = parseYaml(bomb, "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_THAT(root.error().message(), HasSubstr("too large"));
}

TEST(YamlTree, AliasesStandForWhatTheyName) {
  const auto root = parseYaml(
      "a: &x {k: [1, ~], l: &y '2'}\n"
      "b: *x\n"
      "&z c: [*x, *y, &x 3]\n"
      "*z : [*x, &n ~, *n]\n",
      "s.yaml");
  ASSERT_TRUE(root.has_value()) << root.error().message();
  EXPECT_EQ(toJsonText(*root),
            R"({"a":{"k":[1,null],"l":"2"},"b":{"k":[1,null],"l":"2"},)"
            R"("c":[3,null,null]})")
      << "of a key that stands there twice the last counts in JSON";
  ASSERT_EQ(root->entries.size(), 4U);
  EXPECT_EQ(toJsonText(root->entries[2].value), R"([{"k":[1,null],"l":"2"},"2",3])");
  const YamlNode& alias = root->entries[1].value;
  EXPECT_EQ(alias.position.line, 1) << "where it is written";
  EXPECT_EQ(alias.position.column, root->entries[0].value.position.column);
  EXPECT_EQ(root->entries[3].key, "c");
  EXPECT_EQ(root->entries[3].position.line, 3);
}

TEST(YamlTree, RefusesAnAliasOfAMapAsKey) {
  const auto root = parseYaml("a: &x {b: 1}\n*x : 2\n", "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_THAT(root.error().message(), HasSubstr("a key must be a word"));
}

TEST(YamlTree, TextsWithoutANodeAreNull) {
  for (const std::string_view text :
       {"", " ", "# a\n", "---\n", "--- # a\n...\n", "%YAML 1.2\n---\n"}) {
    const auto root = parseYaml(text, "s.yaml");
    ASSERT_TRUE(root.has_value()) << text << ": " << root.error().message();
    EXPECT_EQ(root->kind, YamlNode::Kind::Null) << text;
  }
}

TEST(YamlTree, RefusesAliasOfItself) {
  EXPECT_FALSE(parseYaml("a: &a [*a]\n", "s.yaml").has_value());
}

TEST(YamlTree, RefusesDeepNesting) {
  const auto root = parseYaml(std::string(200, '[') + std::string(200, ']'), "s.yaml");
  ASSERT_FALSE(root.has_value());
  EXPECT_THAT(root.error().message(), StartsWith("s.yaml"));
}

TEST(YamlTree, WritesJsonByTheCoreSchema) {
  const auto root = parseYaml(
      R"({n: 12, f: 1.5, t: true, z: null, s: '12', w: word, l: [-1, "\u00e9"]})", "s.yaml");
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(toJsonText(*root),
            R"({"n":12,"f":1.5,"t":true,"z":null,"s":"12","w":"word","l":[-1,"é"]})");
}

TEST(YamlTree, LimitsAreReachedAndNotExceeded) {
  const auto listOf = [](std::size_t items) {
    std::string text;
    for (std::size_t i = 0; i < items; ++i) {
      text += "- a\n";
    }
    return parseYaml(text, "s.yaml");
  };
  EXPECT_TRUE(listOf(99'999)) << "and the list itself";
  EXPECT_FALSE(listOf(100'000));
  const auto nested = [](std::size_t levels) {
    return parseYaml(std::string(levels, '[') + std::string(levels, ']'), "s.yaml");
  };
  EXPECT_TRUE(nested(65));
  EXPECT_FALSE(nested(66));
}

}  // namespace
}  // namespace ulp::study
