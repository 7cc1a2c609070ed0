#include "core/text/steps/normalizer.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::text {
namespace {

using testing::HasSubstr;

std::string madeOf(const Normalizer& normalizer, const std::string& text) {
  const auto made = normalizer(AlignedText(text));
  EXPECT_TRUE(made) << made.error().message();
  return made ? made->text() : "";
}

TEST(Normalizers, BertCleansControlsAndBlanks) {
  const Normalizer clean = makeBert({.cleanText = true,
                                     .handleChineseCharacters = false,
                                     .stripAccents = false,
                                     .lowercase = false});
  EXPECT_EQ(madeOf(clean, "a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(madeOf(clean,
                   std::string("a\0b\x01"
                               "c\xEF\xBF\xBD"
                               "d",
                               9)),
            "abcd");
  // What tokenizers 0.23 removes of all characters: Cc, Co, and Cf up to Unicode 8.
  for (const char* removed :
       {"\u00AD", "\u0600", "\u200B", "\uFEFF", "\U000E0001", "\uE000", "\u009F"}) {
    EXPECT_EQ(madeOf(clean, "a" + std::string(removed)), "a") << removed;
  }
  for (const char* kept : {"\uFE6C",
                           "\uFFFE",
                           "\uFFFF",
                           "\u0378",
                           "\u0890",
                           "\u08E2",
                           "\U000110CD",
                           "\U00013430",
                           "\U0001343F"}) {
    EXPECT_EQ(madeOf(clean, kept), kept);
  }
  EXPECT_EQ(madeOf(clean, "A\xC2\xA0\xC3\xA9"), "A \xC3\xA9") << "a no-break space is a blank";
}

TEST(Normalizers, BertPutsBlanksAroundChineseCharacters) {
  const Normalizer isolate = makeBert({.cleanText = false,
                                       .handleChineseCharacters = true,
                                       .stripAccents = false,
                                       .lowercase = false});
  for (const std::string inside : {"\u4E00", "\u9FFF", "\u3400", "\u4DBF", "\U0002FA1F"}) {
    EXPECT_EQ(madeOf(isolate, "a" + inside), "a " + inside + " ");
  }
  for (const std::string outside : {"\u4DFF", "\uA000", "\u33FF", "\u3042", "\U0002FA20"}) {
    EXPECT_EQ(madeOf(isolate, "a" + outside), "a" + outside);
  }
}

TEST(Normalizers, BertTakesAccentsAndCapitalsAway) {
  EXPECT_EQ(madeOf(makeBert({.cleanText = false,
                             .handleChineseCharacters = false,
                             .stripAccents = true,
                             .lowercase = true}),
                   "\u00C9A"),
            "ea");
  EXPECT_EQ(madeOf(makeBert({.cleanText = false,
                             .handleChineseCharacters = false,
                             .stripAccents = false,
                             .lowercase = false}),
                   "\u00C9A"),
            "\u00C9A");
}

TEST(Normalizers, NmtRemovesControlsAndMakesBlanks) {
  const Normalizer nmt = makeNmt();
  EXPECT_EQ(madeOf(nmt,
                   "a\x01\x08\x0B\x0E\x1F\x7F"
                   "b"),
            "ab");
  EXPECT_EQ(madeOf(nmt,
                   "a\tb\nc\x0C"
                   "d\re"),
            "a b c d e");
  EXPECT_EQ(madeOf(nmt, "\u200B\u200F\u2581\uFEFF"), "    ");
  EXPECT_EQ(madeOf(nmt, "\u200A\u2010 ~"), "\u200A\u2010 ~") << "beside what it changes";
}

TEST(Normalizers, StripTakesBlanksOfTheEndsThatAreMeant) {
  EXPECT_EQ(madeOf(makeStrip(true, false), " \ta b "), "a b ");
  EXPECT_EQ(madeOf(makeStrip(false, true), " a b\u00A0 "), " a b");
  EXPECT_EQ(madeOf(makeStrip(true, true), "  "), "");
  EXPECT_EQ(madeOf(makeStrip(true, true), "a b"), "a b") << "a blank within stays";
}

TEST(Normalizers, WhatTheyMakeKnowsWhereItCameFrom) {
  const auto prefixed = withPrefix(AlignedText("\u00E9x"), "__");
  ASSERT_TRUE(prefixed);
  EXPECT_EQ(prefixed->text(), "__\u00E9x");
  EXPECT_EQ(prefixed->sourceOf(0, 2).begin, 0U);
  EXPECT_EQ(prefixed->sourceOf(0, 2).end, 2U) << "of the first character";
  EXPECT_EQ(prefixed->sourceOf(4, 5).begin, 2U);
  const auto spelled = spelledInBytes(AlignedText(" \u00E9"));
  ASSERT_TRUE(spelled);
  EXPECT_EQ(spelled->text(), "\u0120\u00C3\u00A9");
  EXPECT_EQ(spelled->sourceOf(2, 4).begin, 1U);
  EXPECT_EQ(spelled->sourceOf(4, 6).end, 3U);
  EXPECT_EQ(madeOf(makePrepend("_"), ""), "");
  EXPECT_EQ(madeOf(makePrepend("_"), "a"), "_a");
}

TEST(Normalizers, GoOneAfterTheOther) {
  const Normalizer both = makeNormalizers({makeLowercase(), makePrepend("A")});
  EXPECT_EQ(madeOf(both, "BC"), "Abc");
  EXPECT_EQ(madeOf(makeStripAccents(), "e\u0301"), "e");
  EXPECT_EQ(madeOf(makeNormalForm(NormalForm::Nfc), "e\u0301"), "\u00E9");
  EXPECT_EQ(madeOf(makeNormalForm(NormalForm::Nfd), "\u00E9"), "e\u0301");
  EXPECT_EQ(madeOf(makeNormalForm(NormalForm::Nfkc), "\uFB01"), "fi");
}

/// A table of replacements as sentencepiece stores it. Of a double-array trie: the children of unit
/// n stand at its offset, the label of each exclusive-ored into its place.
class Table {
 public:
  Table() { m_trie[0] = kChildren << 10U; }

  /// A letter that is replaced.
  Table& letter(unsigned char c, std::uint32_t replacement) {
    const std::uint32_t place = kChildren ^ c;
    constexpr std::uint32_t kLeaves = 0x200;
    m_trie[place] = c | 0x100U | kLeaves << 10U;
    m_trie[place ^ kLeaves] = 0x80000000U | replacement;
    return *this;
  }
  /// A character of two bytes that is replaced.
  Table& pair(unsigned char first, unsigned char second, std::uint32_t replacement) {
    const std::uint32_t place = kChildren ^ first;
    constexpr std::uint32_t kSeconds = 0x400;
    m_trie[place] = first | kSeconds << 10U;
    const std::uint32_t other = place ^ kSeconds ^ second;
    constexpr std::uint32_t kLeaves = 0x800;
    // The wide form: its offset counts in units of 256.
    m_trie[other] = second | 0x100U | 0x200U | (kLeaves >> 8U) << 10U;
    m_trie[other ^ kLeaves] = 0x80000000U | replacement;
    return *this;
  }
  /// Sets the unit of a letter.
  Table& at(unsigned char c, std::uint32_t unit) {
    m_trie[kChildren ^ c] = unit;
    return *this;
  }
  [[nodiscard]] std::string with(std::string_view replacements) const {
    std::string table(sizeof(std::uint32_t) + m_trie.size() * sizeof(std::uint32_t), '\0');
    const auto bytes = static_cast<std::uint32_t>(m_trie.size() * sizeof(std::uint32_t));
    std::memcpy(table.data(), &bytes, sizeof bytes);
    std::memcpy(table.data() + sizeof bytes, m_trie.data(), bytes);
    return table + std::string(replacements);
  }

 private:
  static constexpr std::uint32_t kChildren = 0x100;
  std::vector<std::uint32_t> m_trie = std::vector<std::uint32_t>(0x1000);
};

TEST(PrecompiledNormalizer, ReplacesWhatItsTableNames) {
  const std::string table =
      Table().letter('A', 0).letter('B', 2).pair(0xC3, 0xA9, 5).with(std::string("a\0bb\0z", 6));
  const auto normalizer = makePrecompiled(table);
  ASSERT_TRUE(normalizer) << normalizer.error().message();
  EXPECT_EQ(madeOf(*normalizer, "ABC"), "abbC");
  EXPECT_EQ(madeOf(*normalizer, "\u00E9\u00E8x"), "z\u00E8x");
  EXPECT_EQ(madeOf(*normalizer, ""), "");
  EXPECT_EQ(madeOf(*normalizer, "A\u0301\u0301"), "a") << "a cluster of five bytes is one";
  EXPECT_EQ(madeOf(*normalizer, "A\u0301\u0301\u0301"), "a\u0301\u0301\u0301");
}

TEST(PrecompiledNormalizer, ADamagedTableIsRefused) {
  const auto message = [](std::string_view table) {
    const auto normalizer = makePrecompiled(table);
    EXPECT_FALSE(normalizer);
    return normalizer ? std::string() : normalizer.error().message();
  };
  EXPECT_THAT(message("abc"), HasSubstr("too short"));
  EXPECT_THAT(message(std::string("\x08\0\0\0abcd", 8)), HasSubstr("a trie of 8 bytes in 4"));
  EXPECT_THAT(message(std::string("\0\0\0\0", 4)), HasSubstr("a trie of 0 bytes in 0"));
  EXPECT_THAT(message(std::string("\x05\0\0\0abcde", 9)), HasSubstr("a trie of 5 bytes in 5"));
  EXPECT_THAT(message(Table().with("\xFF")), HasSubstr("not UTF-8"));
  // sentencepiece follows a trie without looking where it leads.
  constexpr std::string_view kLeadsOut = "leads out of the table";
  EXPECT_THAT(message(std::string("\x04\0\0\0\0\0\0\0", 8)), HasSubstr(kLeadsOut));
  EXPECT_THAT(message(Table().letter('A', 1).with("a")), HasSubstr(kLeadsOut))
      << "a value behind the replacements";
  EXPECT_THAT(message(Table().letter('A', 0).at('A', 'A' | 0x1000U << 10U).with("a")),
              HasSubstr(kLeadsOut))
      << "children behind the end";
  EXPECT_THAT(message(Table().letter('A', 0).at('A', 'A' | 0x100U | 0xFFFFU << 10U).with("a")),
              HasSubstr(kLeadsOut))
      << "a leaf behind the end";
  EXPECT_TRUE(makePrecompiled(Table().letter('A', 0).at('A', 'A' | 0x200U | 0xEU << 10U).with("a")))
      << "children in the last block";
}

}  // namespace
}  // namespace ulp::text
