#include "core/study/yaml/yaml_layout.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/study/yaml/yaml_text.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {
namespace {

std::string_view cut(std::string_view text, TextSpan span) {
  return text.substr(span.begin, span.end - span.begin);
}

TEST(YamlLayout, KnowsWhereKeysAndValuesStand) {
  const std::string_view text =
      "# top\na : 'x y' # c\nb:\n  - one\n  - {k: v}\nc: |\n  long\n\n  text\nd:\n";
  const auto layout = layOutYaml(text);
  ASSERT_TRUE(layout.has_value()) << layout.error().message();
  ASSERT_EQ(layout->entries.size(), 4U);
  EXPECT_EQ(cut(text, layout->entries[0].key), "a");
  EXPECT_EQ(text[layout->entries[0].colon], ':');
  EXPECT_EQ(cut(text, layout->entries[0].value.span), "'x y'");
  const YamlLayout& list = layout->entries[1].value;
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(list.column, 2U);
  EXPECT_EQ(cut(text, list.items[1].span), "{k: v}");
  EXPECT_TRUE(list.items[1].isFlow);
  EXPECT_EQ(cut(text, layout->entries[2].value.span), "|\n  long\n\n  text");
  EXPECT_EQ(layout->entries[3].value.kind, YamlLayout::Kind::Null);
}

TEST(YamlLayout, PlainTextMayGoOnInTheNextLine) {
  const std::string_view text = "a: one\n  two  # c\nb: 1\n";
  const auto layout = layOutYaml(text);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(cut(text, layout->entries[0].value.span), "one\n  two");
  EXPECT_EQ(layout->entries.size(), 2U);
}

TEST(YamlLayout, SaysInWhichLineItGivesUp) {
  const auto layout = layOutYaml("a: 1\n? b\n: 2\n");
  ASSERT_FALSE(layout.has_value());
  EXPECT_EQ(layout.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(layout.error().message().rfind("line 2: ", 0), 0U) << layout.error().message();
}

TEST(YamlLayout, AnyBytesAreSafe) {
  const std::string text = "a: [{b: 'c\"}, - d]\n&x !t *y\n? |>\n\t---\n...\r\n\xef\xbb\xbf#{[\"\\";
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t size = 0; begin + size <= text.size(); ++size) {
      static_cast<void>(layOutYaml(std::string_view(text).substr(begin, size)));
    }
  }
}

/// Line ends behind a block of text are not part of its span.
std::string withoutLineEnds(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

/// Each span, read alone, is what the tree has there.
void expectFits(std::string_view text, const YamlNode& node, const YamlLayout& layout) {
  if (layout.kind == YamlLayout::Kind::Alias) {
    EXPECT_EQ(cut(text, layout.span).front(), '*') << text;
    return;
  }
  if (layout.kind == YamlLayout::Kind::Null) {
    EXPECT_EQ(node.kind, YamlNode::Kind::Null) << text;
    EXPECT_EQ(layout.span.begin, layout.span.end) << text;
    return;
  }
  if (layout.kind == YamlLayout::Kind::Scalar || layout.isFlow) {
    const auto alone = parseYaml(cut(text, layout.span), "span");
    ASSERT_TRUE(alone) << text << ": " << cut(text, layout.span);
    EXPECT_EQ(withoutLineEnds(alone->text), withoutLineEnds(node.text)) << text;
    EXPECT_EQ(alone->quoted, node.quoted) << text;
  }
  ASSERT_EQ(layout.items.size(), node.items.size()) << text;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    expectFits(text, node.items[i], layout.items[i]);
  }
  ASSERT_EQ(layout.entries.size(), node.entries.size()) << text;
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const YamlLayout::Entry& entry = layout.entries[i];
    EXPECT_EQ(parseYaml(cut(text, entry.key), "key")->text, node.entries[i].key) << text;
    EXPECT_TRUE(entry.colon == entry.key.end || text[entry.colon] == ':') << text;
    EXPECT_LE(entry.colon, entry.value.span.begin) << text;
    if (!layout.isFlow) {
      const std::size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
      const std::size_t start = std::max(mark, lineStart(text, entry.key.begin));
      EXPECT_EQ(layout.column, entry.key.begin - start) << text;
      EXPECT_EQ(text[entry.colon], ':') << text;
    }
    expectFits(text, node.entries[i].value, entry.value);
  }
}

TEST(YamlLayout, FitsTheTreeHoweverItIsWritten) {
  for (const std::string_view text :
       {"a: 1\nb: two words  # c\nc:\n",
        "a:\n  b: 1\n  c:\n    d: x\ne: y\n",
        "a:\n- x\n- y: 1\n  z: 2\nb: 3\n",
        "a:\n  - - 1\n    - 2\n  -\n  - c\n",
        "- a\n- b: c\n-\n  d: e\n",
        "a: 'it''s: # x'\nb: \"say \\\"#\\\"\\n\"\n'c: d': e\n\"f g\" : h\n",
        "a: b:c\nurl: http://x#y\nc#d: e\n",
        "a: one\n  two\n\n  three  # c\nb: 1\n",
        "a: |\n  x: y\n  # no comment\n\n  z\nb: >-\n  folded\n  text\nc: 1\n",
        "a:\n  b: |+\n    x\n\n  c: 2\n",
        "a: |\n  to the end",
        "a: {b: 1, c: [x, 'y, z', {d: e}], f: }\ng: []\nh: {}\n",
        "a: {\n  b: 1,  # first\n  \"c\":2\n}\nb: [\n  1, 2,\n  ]\n",
        "a: {b: x:y, c: d e , f: 'g'}\n",
        "a: {b: x#y, c: [ 1 , 2 ] }  # z\n",
        "a: [a b, -c, \"]\", '}']\n",
        "a: &x 1\nb: *x\nc: !t v\nd: &y\n  e: 1\nf: {g: &z 2, h: *z}\n",
        "%YAML 1.2\n---\na: 1\n...\n",
        "--- \n# c\na: 1\n",
        "a: 1\r\nb:\r\n  - c\r\n  - d # e\r\n",
        "\xef\xbb\xbf"
        "a: 1\nb:\n  c: 2\n",
        "a:\t1\nb: 2\t# c\nc: \t\n",
        "a: -1\nb: -x\nc: ?x\n",
        "a:\n    b: 1\n    c: 2\n# end\n",
        "a: 'x\n  y'\nb: \"p\n  q\"\n",
        "a: ~\nb: null\nc: ''\n",
        "a: x\n # comment\nb: y",
        "scalar alone",
        "[1, {a: b}]",
        "# nothing\n"}) {
    const auto tree = parseYaml(text, "text");
    ASSERT_TRUE(tree) << text << ": " << tree.error().message();
    const auto layout = layOutYaml(text);
    ASSERT_TRUE(layout) << text << ": " << layout.error().message();
    expectFits(text, *tree, *layout);
  }
}

TEST(YamlLayout, AnchorsColumnsAndBracketsAreKnown) {
  const std::string_view text = "a: &x 1\nb:\n    c: 2\nd: {e: &y [1]}\nf:\n  - g\n";
  const auto layout = layOutYaml(text);
  ASSERT_TRUE(layout) << layout.error().message();
  const auto& entries = layout->entries;
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_TRUE(entries[0].value.hasAnchor);
  EXPECT_FALSE(entries[1].value.hasAnchor);
  EXPECT_EQ(entries[1].value.column, 4U);
  EXPECT_EQ(cut(text, entries[1].value.span), "c: 2");
  EXPECT_TRUE(entries[2].value.isFlow);
  EXPECT_TRUE(entries[2].value.entries[0].value.hasAnchor);
  EXPECT_EQ(cut(text, entries[2].value.entries[0].value.span), "[1]");
  EXPECT_EQ(entries[3].value.column, 2U);
  EXPECT_FALSE(entries[3].value.isFlow);
}

TEST(YamlLayout, SaysWhatItDoesNotKnow) {
  const auto message = [](const std::string& text) {
    const auto layout = layOutYaml(text);
    EXPECT_FALSE(layout) << text;
    return layout ? std::string() : layout.error().message();
  };
  const std::string behind = " cannot be changed here; edit the text";
  EXPECT_EQ(message("a: 1\nb: 'x\n"), "line 3: a text without closing quote" + behind);
  EXPECT_EQ(message("a: [1,"), "line 1: a bracket that is not closed" + behind);
  EXPECT_EQ(message("a: 'x' y\n"), "line 1: what stands behind the value" + behind);
  EXPECT_EQ(message("a: 1\nb\n"), "line 2: this line" + behind);
  EXPECT_EQ(message("a: {? b}\n"), "line 1: a key of this kind" + behind);
  EXPECT_EQ(message("a: [b: c]\n"), "line 1: this part of the brackets" + behind);
  EXPECT_EQ(message("a: 1\n--- \nb: 2\n"), "line 2: what follows the document" + behind);
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_TRUE(layOutYaml(nested(65)));
  EXPECT_EQ(message(nested(66)), "line 1: what is nested so deep" + behind);
}

TEST(YamlText, FindsTheTextThatBelongsToAnEntry) {
  const std::string_view text = "m:\n  # about a\n  a: 1  # beside\n    # below\n\n  b: 2\n";
  const auto document = YamlText::read(text);
  ASSERT_TRUE(document.has_value());
  const auto place = document->find({"m"});
  ASSERT_TRUE(place.has_value());
  const auto slots = document->slotsOf(*place->layout);
  ASSERT_TRUE(slots.has_value());
  ASSERT_EQ(slots->size(), 2U);
  EXPECT_EQ(cut(text, (*slots)[0].core), "a: 1");
  EXPECT_EQ(cut(text, (*slots)[0].chunk), "  # about a\n  a: 1  # beside\n    # below");
  EXPECT_EQ(cut(text, (*slots)[1].chunk), "  b: 2");
  EXPECT_EQ(document->find({"m", "c"}).error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::study
