#include "core/study/yaml/yaml_layout.h"

#include <gtest/gtest.h>

#include "core/study/yaml/yaml_text.h"

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
