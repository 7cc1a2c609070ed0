#include "core/study/yaml/yaml_edit.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/yaml/yaml_text.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

std::string yamlOf(const Result<std::string>& result) {
  return result ? *result : "error: " + result.error().message();
}

YamlNode parsedYaml(std::string_view yaml) {
  return parseYaml(yaml, "value").value();
}

std::string set(std::string_view yaml, const YamlPath& path, std::string_view value) {
  return yamlOf(setYaml(yaml, path, parsedYaml(value)));
}

constexpr std::string_view kStudy =
    "# What this is for\n"
    "model:\n"
    "  path: path/to/model          # a folder\n"
    "input: {source: random, seed: 0}   # ids\n"
    "\n"
    "variants:\n"
    "  # plain\n"
    "  bf16:\n"
    "    precision.compute_dtype: bfloat16  # all of it\n"
    "    # and no more\n"
    "\n"
    "  # half\n"
    "  fp16: {precision.compute_dtype: float16}  # flow\n"
    "capture: {level: module, tensors: full}\n";

TEST(YamlEdit, ReplacesAScalarAndNothingElse) {
  EXPECT_EQ(set("a: 1  # one\nb: 'x'   # two\n", {"a"}, "22"), "a: 22  # one\nb: 'x'   # two\n");
  EXPECT_EQ(set("a: 1  # one\nb: 'x'   # two\n", {"b"}, "y"), "a: 1  # one\nb: 'y'   # two\n");
  EXPECT_EQ(set("a: \"x\"\n", {"a"}, "say \"it\""), "a: \"say \\\"it\\\"\"\n");
}

TEST(YamlEdit, ReplacesInsideBrackets) {
  EXPECT_EQ(set("a: {b: 1, c: [x, y]}  # z\n", {"a", "b"}, "3"), "a: {b: 3, c: [x, y]}  # z\n");
  EXPECT_EQ(set("a: {\n  b: 1,  # first\n  c: 2\n}\n", {"a", "c"}, "5"),
            "a: {\n  b: 1,  # first\n  c: 5\n}\n");
}

TEST(YamlEdit, QuotesWhatWouldReadBackAsSomethingElse) {
  for (const std::string_view text : {"a: b",
                                      "x # y",
                                      "[",
                                      "- a",
                                      "",
                                      " x",
                                      "~",
                                      "null",
                                      "a, b",
                                      "*x",
                                      "&x",
                                      "it's",
                                      "%",
                                      "a:"}) {
    const auto edited = setYaml("key: old\n", {"key"}, scalarNode(text));
    ASSERT_TRUE(edited.has_value()) << text;
    EXPECT_EQ(parsedYaml(*edited).entries.at(0).value.text, text) << *edited;
  }
  EXPECT_EQ(writeScalar("\x01\n\t"), "\"\\x01\\n\\t\"");
  EXPECT_EQ(writeScalar("cuda:1"), "cuda:1");
  EXPECT_EQ(writeScalar("-1"), "-1");
  EXPECT_EQ(writeScalar("^decoder\\."), "^decoder\\.");
}

TEST(YamlEdit, GivesAValueToAKeyWithout) {
  EXPECT_EQ(set("a:   # soon\nb: 1\n", {"a"}, "2"), "a: 2   # soon\nb: 1\n");
  EXPECT_EQ(set("x: {a, b: }\n", {"x", "a"}, "2"), "x: {a: 2, b: }\n");
  EXPECT_EQ(set("x: {a, b: }\n", {"x", "b"}, "2"), "x: {a, b: 2 }\n");
  EXPECT_EQ(set("a:\n", {"a", "b"}, "2"), "a:\n  b: 2\n");
  EXPECT_EQ(set("a:  # why", {"a", "b"}, "2"), "a:  # why\n  b: 2");
}

TEST(YamlEdit, MakesMissingMaps) {
  EXPECT_EQ(set("a: 1\n", {"b", "c"}, "2"), "a: 1\nb:\n  c: 2\n");
  EXPECT_EQ(set("a: 1", {"b", "c"}, "2"), "a: 1\nb:\n  c: 2");
  EXPECT_EQ(set("a: {x: 1}\n", {"b", "c"}, "2"), "a: {x: 1}\nb: {c: 2}\n");
  EXPECT_EQ(set("v:\n    x:\n        y: 1\n", {"v", "z", "y"}, "2"),
            "v:\n    x:\n        y: 1\n    z:\n        y: 2\n");
  EXPECT_EQ(set("v: {}  # none yet\n", {"v", "x"}, "2"), "v: {x: 2}  # none yet\n");
}

TEST(YamlEdit, FillsEmptyDocuments) {
  EXPECT_EQ(set("", {"a", "b"}, "1"), "a:\n  b: 1\n");
  EXPECT_EQ(set("# nothing yet", {"a"}, "1"), "# nothing yet\na: 1\n");
  EXPECT_EQ(set("---\n# nothing\n", {"a"}, "1"), "---\n# nothing\na: 1\n");
  EXPECT_EQ(set("{}\n", {"a"}, "1"), "{a: 1}\n");
}

TEST(YamlEdit, KeepsWindowsLineEnds) {
  EXPECT_EQ(set("a: 1  # x\r\nb:\r\n  c: 2\r\n", {"b", "d"}, "3"),
            "a: 1  # x\r\nb:\r\n  c: 2\r\n  d: 3\r\n");
  EXPECT_EQ(set("a: 1  # x\r\nb: 2\r\n", {"a"}, "5"), "a: 5  # x\r\nb: 2\r\n");
  EXPECT_EQ(yamlOf(removeYaml("a: 1  # x\r\nb: 2\r\n", {"a"})), "# x\r\nb: 2\r\n");
  EXPECT_EQ(yamlOf(moveYaml("a: 1\r\nb: 2\r\n", {}, 0, 1)), "b: 2\r\na: 1\r\n");
  EXPECT_FALSE(moveYaml("a: 1\nb: 2\n", {}, 2, 0).has_value()) << "there are two";
  EXPECT_FALSE(moveYaml("a: 1\nb: 2\n", {}, 0, 2).has_value());
}

TEST(YamlEdit, KeepsAByteOrderMark) {
  EXPECT_EQ(set("\xef\xbb\xbf"
                "a: 1\n",
                {"a"},
                "2"),
            "\xef\xbb\xbf"
            "a: 2\n");
}

TEST(YamlEdit, ChangesListsItemByItem) {
  EXPECT_EQ(set("a: [x, 'y', z]  # c\n", {"a"}, "[x, w, z]"), "a: [x, 'w', z]  # c\n");
  EXPECT_EQ(set("a: [x, y, z]\n", {"a"}, "[x, z]"), "a: [x, z]\n");
  EXPECT_EQ(set("a: [x]\n", {"a"}, "[x, y]"), "a: [x, y]\n");
  EXPECT_EQ(set("a: []  # none\n", {"a"}, "[x]"), "a: [x]  # none\n");
  EXPECT_EQ(set("a:\n  - x  # one\n  # two\n  - y\n", {"a"}, "[x, z]"),
            "a:\n  - x  # one\n  # two\n  - z\n");
  EXPECT_EQ(set("a:\n- x  # one\n- y\nb: 1\n", {"a"}, "[x, y, z]"),
            "a:\n- x  # one\n- y\n- z\nb: 1\n");
  EXPECT_EQ(set("a:\n  - x  # one\n  - y\n", {"a"}, "[y]"), "a:\n  # one\n  - y\n");
}

TEST(YamlEdit, KeepsCommentsOfWhatBecomesShort) {
  EXPECT_EQ(set("a:  # why\n  - x  # one\n  - y\nb: 1\n", {"a"}, "[]"),
            "a: []  # why\n# one\nb: 1\n");
  EXPECT_EQ(set("a:\n  b: 1  # one\n  c: 2\n", {"a"}, "{c: 3}"), "a:\n  # one\n  c: 3\n");
  EXPECT_EQ(set("a: |\n  text\n  more\nb: 1\n", {"a"}, "x"), "a: x\nb: 1\n");
}

TEST(YamlEdit, RemovesKeysAndKeepsTheirComments) {
  EXPECT_EQ(yamlOf(removeYaml(kStudy, {"model", "path"})).substr(0, 41),
            "# What this is for\nmodel:\n  # a folder\nin");
  EXPECT_EQ(yamlOf(removeYaml("a: 1\nb: 2", {"b"})), "a: 1\n");
  EXPECT_EQ(yamlOf(removeYaml("a: {b: 1, c: 2, d: 3}\n", {"a", "c"})), "a: {b: 1, d: 3}\n");
  EXPECT_EQ(yamlOf(removeYaml("a: {b: 1, c: 2}\n", {"a", "c"})), "a: {b: 1}\n");
  EXPECT_EQ(yamlOf(removeYaml("a: {b: 1}\n", {"a", "b"})), "a: {}\n");
  EXPECT_EQ(yamlOf(removeYaml("a: {\n  b: 1, # one\n  c: 2 # two\n}\n", {"a", "b"})),
            "a: {\n   # one\n  c: 2 # two\n}\n");
  EXPECT_EQ(yamlOf(removeYaml("a: {\n  b: 1, # one\n  c: 2 # two\n}\n", {"a", "c"})),
            "a: {\n  b: 1 # one\n   # two\n}\n");
}

TEST(YamlEdit, DropsAnEntryWithItsComments) {
  const std::string text = yamlOf(removeYaml(kStudy, {"variants", "bf16"}, Comments::Drop));
  EXPECT_EQ(text.find("plain"), std::string::npos);
  EXPECT_EQ(text.find("no more"), std::string::npos);
  EXPECT_NE(
      text.find("variants:\n\n  # half\n  fp16: {precision.compute_dtype: float16}  # flow\n"),
      std::string::npos)
      << text;
}

TEST(YamlEdit, RenamesAKeyInPlace) {
  EXPECT_EQ(yamlOf(renameYaml("a: 1 # x\n'b': 2\n", {"a"}, "c d")), "c d: 1 # x\n'b': 2\n");
  EXPECT_EQ(yamlOf(renameYaml("a: 1\n'b': 2\n", {"b"}, "c")), "a: 1\n'c': 2\n");
  EXPECT_EQ(yamlOf(renameYaml("v: {x: {}}\n", {"v", "x"}, "y: z")), "v: {'y: z': {}}\n");
  const auto taken = renameYaml("a: 1\nb: 2\n", {"a"}, "b");
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().code(), ErrorCode::InvalidArgument);
}

TEST(YamlEdit, CopiesAnEntryWithItsComments) {
  const std::string text = yamlOf(copyYaml(kStudy, {"variants", "bf16"}, "copy"));
  EXPECT_NE(text.find("    # and no more\n"
                      "  # plain\n"
                      "  copy:\n"
                      "    precision.compute_dtype: bfloat16  # all of it\n"
                      "    # and no more\n\n"
                      "  # half\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(yamlOf(copyYaml("v: {x: {a: 1}, y: 2}\n", {"v", "x"}, "z")),
            "v: {x: {a: 1}, z: {a: 1}, y: 2}\n");
}

TEST(YamlEdit, MovesEntriesWithTheirComments) {
  const std::string text = yamlOf(moveYaml(kStudy, {"variants"}, 0, 1));
  EXPECT_NE(text.find("variants:\n"
                      "  # half\n"
                      "  fp16: {precision.compute_dtype: float16}  # flow\n"
                      "\n"
                      "  # plain\n"
                      "  bf16:\n"
                      "    precision.compute_dtype: bfloat16  # all of it\n"
                      "    # and no more\n"
                      "capture:"),
            std::string::npos)
      << text;
  EXPECT_EQ(yamlOf(moveYaml(text, {"variants"}, 1, 0)), kStudy);
  EXPECT_EQ(yamlOf(moveYaml("a: {x: 1, y: 2,  z: 3}\n", {"a"}, 2, 0)), "a: {z: 3, x: 1,  y: 2}\n");
  EXPECT_EQ(yamlOf(moveYaml("a: 1\nb: 2", {}, 1, 0)), "b: 2\na: 1");
}

TEST(YamlEdit, InsertsAtAnIndex) {
  const YamlNode::Entry entry{"n", {}, scalarNode("9")};
  EXPECT_EQ(yamlOf(insertYaml("# top\na: 1\nb: 2\n", {}, 0, entry)), "# top\nn: 9\na: 1\nb: 2\n");
  EXPECT_EQ(yamlOf(insertYaml("a: 1 # x\nb: 2\n", {}, 1, entry)), "a: 1 # x\nn: 9\nb: 2\n");
  EXPECT_EQ(yamlOf(insertYaml("a: {x: 1}\n", {"a"}, 0, entry)), "a: {n: 9, x: 1}\n");
  EXPECT_FALSE(insertYaml("n: 1\n", {}, 0, entry).has_value());
}

TEST(YamlEdit, RefusesWhatWouldChangeMoreThanWasAsked) {
  const std::string_view shared = "a: &x {b: 1}\nc: *x\n";
  const auto both = setYaml(shared, {"a", "b"}, scalarNode("2"));
  ASSERT_FALSE(both.has_value());
  EXPECT_EQ(both.error().code(), ErrorCode::Unsupported);
  const auto through = setYaml(shared, {"c", "b"}, scalarNode("2"));
  ASSERT_FALSE(through.has_value());
  EXPECT_EQ(through.error().code(), ErrorCode::Unsupported);
  EXPECT_FALSE(moveYaml(shared, {}, 1, 0).has_value());
  EXPECT_FALSE(removeYaml(shared, {"a"}).has_value());
}

TEST(YamlEdit, ChangesBesideAnchorsAndTags) {
  EXPECT_EQ(set("a: &x 1\nb: 2\n", {"a"}, "3"), "a: &x 3\nb: 2\n");
  EXPECT_EQ(set("a: &x {b: 1}\nc: *x\nd: 4\n", {"d"}, "5"), "a: &x {b: 1}\nc: *x\nd: 5\n");
  EXPECT_EQ(set("a: &x\n  b: 1\nd: 4\n", {"a", "b"}, "5"), "a: &x\n  b: 5\nd: 4\n");
}

TEST(YamlEdit, RefusesWhatIsNoYamlAndKeysThatAreNotThere) {
  EXPECT_EQ(setYaml("a: [1\n", {"a"}, scalarNode("2")).error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(removeYaml("a: 1\n", {"b"}).error().code(), ErrorCode::NotFound);
  EXPECT_EQ(setYaml("a: 1\n", {"a", "b"}, scalarNode("2")).error().code(),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(setYaml("only words\n", {"a"}, scalarNode("2")).error().message(),
            "the text is no map and cannot take the key 'a'");
  EXPECT_EQ(setYaml("? a\n: 1\n", {"a"}, scalarNode("2")).error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(moveYaml("a: 1\n", {}, 0, 3).error().code(), ErrorCode::InvalidArgument);
}

struct NamedText {
  const char* name;
  std::string_view text;
};

/// Every scalar of every document, changed to something else and back, leaves the text as it was.
class YamlRoundTrip : public testing::TestWithParam<NamedText> {
 protected:
  static void collect(const YamlNode& node, const YamlPath& path, std::vector<YamlPath>& paths) {
    for (const YamlNode::Entry& entry : node.entries) {
      YamlPath child = path;
      child.push_back(entry.key);
      if (entry.value.kind == YamlNode::Kind::Scalar) {
        paths.push_back(child);
      }
      collect(entry.value, child, paths);
    }
  }
  static const YamlNode& at(const YamlNode& root, const YamlPath& path) {
    const YamlNode* node = &root;
    for (const std::string& key : path) {
      for (const YamlNode::Entry& entry : node->entries) {
        if (entry.key == key) {
          node = &entry.value;
          break;
        }
      }
    }
    return *node;
  }
};

TEST_P(YamlRoundTrip, ThereAndBackIsTheSameText) {
  const YamlNode tree = parsedYaml(GetParam().text);
  std::vector<YamlPath> paths;
  collect(tree, {}, paths);
  ASSERT_FALSE(paths.empty());
  for (const YamlPath& path : paths) {
    const auto there = setYaml(GetParam().text, path, scalarNode("x y"));
    ASSERT_TRUE(there.has_value()) << path.back() << ": " << there.error().message();
    EXPECT_EQ(yamlOf(setYaml(*there, path, scalarNode(at(tree, path).text))), GetParam().text);
  }
}

TEST_P(YamlRoundTrip, AKeyThatComesAndGoesLeavesNoTrace) {
  const auto there =
      insertYaml(GetParam().text, {}, 99, {"extra", {}, mapNode({{"a", {}, scalarNode("1")}})});
  ASSERT_TRUE(there.has_value()) << there.error().message();
  const auto back = removeYaml(*there, {"extra"});
  ASSERT_TRUE(back.has_value()) << back.error().message();
  EXPECT_EQ(*back, GetParam().text);
}

std::vector<std::string> commentsOf(std::string_view text) {
  std::vector<std::string> comments;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    line = line.substr(0, line.find('\r'));
    if (const std::size_t hash = commentStart(line); hash < line.size()) {
      comments.emplace_back(line.substr(hash));
    }
    start = end + 1;
  }
  return comments;
}

TEST_P(YamlRoundTrip, NoCommentIsLostWhenKeysGo) {
  const YamlNode tree = parsedYaml(GetParam().text);
  std::vector<YamlPath> paths;
  collect(tree, {}, paths);
  for (const YamlNode::Entry& entry : tree.entries) {
    paths.push_back({entry.key});
  }
  int removed = 0;
  for (const YamlPath& path : paths) {
    const auto without = removeYaml(GetParam().text, path);
    if (without) {
      ++removed;
      EXPECT_THAT(commentsOf(*without),
                  testing::UnorderedElementsAreArray(commentsOf(GetParam().text)))
          << path.back() << ":\n"
          << *without;
    }
  }
  EXPECT_GT(removed, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Documents,
    YamlRoundTrip,
    testing::Values(NamedText{"study", kStudy},
                    NamedText{"comments_and_blank_lines", "a: 1\nb: two words  # c\n\n\n# end\n"},
                    NamedText{"document_marks", "---\n# head\na: 1 # x\n...\n"},
                    NamedText{"flow_map", "{a: 1, b: {c: x, d: [1, 2]}}\n"},
                    NamedText{"wide_indentation",
                              "a:\n    b:\n        c: 1\n    d: '#no comment'  # but this\n"},
                    NamedText{"hashes_that_are_no_comments",
                              "a: \"x # y\" # z\nb: it's # here\nc: http://x/y#z\n"},
                    NamedText{"list_at_the_margin",
                              "list:\n- x\n- y\nmap: {k: v,\n  # inside\n  l: w}\n"},
                    NamedText{"carriage_returns", "a: 1\r\nb:\r\n  c: 2  # d\r\n"},
                    NamedText{"umlauts", "umläut: größe # ü\nb: 1\n"},
                    NamedText{"blanks_before_colons", "a :   1\n\"b c\" : 2\n"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(YamlEdit, AnEmptyItemDoesNotTakeTheNextOne) {
  EXPECT_EQ(set("a:\n  -\n  - b\nc: 1\n", {"c"}, "2"), "a:\n  -\n  - b\nc: 2\n");
  EXPECT_EQ(set("a:\n  -\n  - b\n", {"a"}, "[~, d]"), "a:\n  -\n  - d\n");
}

TEST(YamlComments, BeginBehindABlankAndOutsideOfQuotes) {
  EXPECT_EQ(commentStart("a: 1 # c"), 5U);
  EXPECT_EQ(commentStart("# c"), 0U);
  EXPECT_EQ(commentStart("\t# c"), 1U);
  EXPECT_EQ(commentStart("a: b#c"), 6U);
  for (const std::string before : {"a: ", "[", "{", "a,", "a:", "\t", ""}) {
    for (const std::string quote : {"'", "\""}) {
      EXPECT_EQ(commentStart(before + quote + "x # y" + quote + " # c"), before.size() + 8)
          << before << quote;
    }
  }
  // Within a word and in the other's quotes it opens nothing.
  EXPECT_EQ(commentStart("it's # c"), 5U);
  EXPECT_EQ(commentStart("\"it's\" # c"), 7U);
}

}  // namespace
}  // namespace ulp::study
