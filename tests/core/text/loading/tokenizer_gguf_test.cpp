#include "core/text/loading/tokenizer_gguf.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"

namespace ulp::text {
namespace {

using tensors::Bytes;
using tensors::GgufFile;
using testing::ElementsAre;
using testing::HasSubstr;

/// Metadata of a GGUF file without tensors.
class Metadata {
 public:
  Metadata& text(std::string_view key, std::string_view value) {
    begin(key, 8).counted(value);
    return *this;
  }
  Metadata& flag(std::string_view key, bool value) {
    begin(key, 7).number<std::uint8_t>(value ? 1 : 0);
    return *this;
  }
  Metadata& count(std::string_view key, std::uint32_t value) {
    begin(key, 4).number(value);
    return *this;
  }
  Metadata& texts(std::string_view key, const std::vector<std::string_view>& values) {
    Bytes& bytes = begin(key, 9).number<std::uint32_t>(8).number<std::uint64_t>(values.size());
    for (const std::string_view value : values) {
      bytes.counted(value);
    }
    return *this;
  }
  template <class Value>
  Metadata& numbers(std::string_view key, std::uint32_t type, const std::vector<Value>& values) {
    Bytes& bytes = begin(key, 9).number(type).template number<std::uint64_t>(values.size());
    for (const Value value : values) {
      bytes.number(value);
    }
    return *this;
  }

  [[nodiscard]] Result<TokenizerPtr> tokenizer() const {
    Bytes file;
    file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(0).number(m_count);
    file.text(m_entries.content()).padTo(32);
    const auto parsed = GgufFile::parse(tensors::sourceOf(file.content(), "model.gguf"));
    EXPECT_TRUE(parsed) << parsed.error().message();
    return parsed ? makeGgufTokenizer(**parsed) : tl::unexpected(parsed.error());
  }

 private:
  Bytes& begin(std::string_view key, std::uint32_t type) {
    ++m_count;
    return m_entries.counted(key).number(type);
  }
  Bytes m_entries;
  std::uint64_t m_count = 0;
};

Metadata byteLevel(std::string_view pre) {
  Metadata metadata;
  metadata.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre);
  metadata.texts("tokenizer.ggml.tokens",
                 {"<|end|>", "a", "b", "1", "2", "ab", "12", "Ġ", "Ġa", "é", "Ã", "©"});
  metadata.numbers<std::int32_t>(
      "tokenizer.ggml.token_type", 5, {3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  metadata.texts("tokenizer.ggml.merges", {"a b", "1 2", "Ġ a"});
  metadata.count("tokenizer.ggml.eos_token_id", 0);
  return metadata;
}

std::vector<std::int64_t> idsOf(const Metadata& metadata, std::string_view text) {
  const auto tokenizer = metadata.tokenizer();
  EXPECT_TRUE(tokenizer) << tokenizer.error().message();
  std::vector<std::int64_t> ids;
  if (tokenizer) {
    const auto tokens = (*tokenizer)->encode(text);
    EXPECT_TRUE(tokens);
    for (const Token& token : tokens.value_or(std::vector<Token>())) {
      ids.push_back(token.id);
    }
  }
  return ids;
}

TEST(GgufTokenizer, CutsAsItsPreTokenizerSays) {
  EXPECT_THAT(idsOf(byteLevel("gpt-2"), "ab12 a<|end|>"), ElementsAre(5, 6, 8, 0));
  EXPECT_THAT(idsOf(byteLevel("smollm"), "ab12 a"), ElementsAre(5, 3, 4, 8));
  // é as two bytes: no merge joins them.
  EXPECT_THAT(idsOf(byteLevel("gpt-2"), "é"), ElementsAre(10, 11));
}

/// "a" becomes what stands at `value` of the texts "b\0".
std::vector<std::uint8_t> replacements(std::uint32_t value) {
  constexpr std::uint32_t kPlace = 0x100 ^ 'a';
  std::vector<std::uint32_t> trie(512);
  trie[0] = 0x100U << 10U;
  trie[kPlace] = 'a' | 0x100U | (kPlace ^ 1U) << 10U;
  trie[1] = 0x80000000U | value;
  Bytes table;
  table.number<std::uint32_t>(512 * 4);
  for (const std::uint32_t unit : trie) {
    table.number(unit);
  }
  table.text(std::string_view("b\0", 2));
  const std::string content = table.content();
  return {content.begin(), content.end()};
}

Metadata unigramWith(const std::vector<std::uint8_t>& table) {
  Metadata metadata;
  metadata.text("tokenizer.ggml.model", "t5");
  metadata.texts("tokenizer.ggml.tokens", {"<unk>", "\u2581", "b"});
  metadata.numbers<std::int32_t>("tokenizer.ggml.token_type", 5, {2, 1, 1});
  metadata.numbers<float>("tokenizer.ggml.scores", 6, {0, -1, -2});
  metadata.numbers("tokenizer.ggml.precompiled_charsmap", 0, table);
  metadata.flag("tokenizer.ggml.add_eos_token", false);
  return metadata;
}

TEST(GgufTokenizer, ReplacesCharactersAsItsTableSays) {
  EXPECT_THAT(idsOf(unigramWith(replacements(0)), "a"), ElementsAre(1, 2));
}

TEST(GgufTokenizer, ATableThatLeadsOutOfItselfIsRefused) {
  const auto message = [](const std::vector<std::uint8_t>& table) {
    const auto tokenizer = unigramWith(table).tokenizer();
    EXPECT_FALSE(tokenizer);
    return tokenizer ? std::string() : tokenizer.error().message();
  };
  EXPECT_THAT(message(replacements(2)), HasSubstr("its trie leads out of the table"));
  std::vector<std::uint8_t> short40(40);
  short40[0] = 8;
  short40[7] = 0x10;
  EXPECT_THAT(message(short40), HasSubstr("model.gguf: precompiled_charsmap: its trie leads out"));
}

TEST(GgufTokenizer, PutsTokensInFrontAndBehindWhereTheFileAsks) {
  Metadata metadata = byteLevel("gpt-2");
  metadata.count("tokenizer.ggml.bos_token_id", 0);
  EXPECT_THAT(idsOf(metadata, "a"), ElementsAre(1));
  metadata.flag("tokenizer.ggml.add_bos_token", true).flag("tokenizer.ggml.add_eos_token", true);
  EXPECT_THAT(idsOf(metadata, "a"), ElementsAre(0, 1, 0));
  Metadata llama = byteLevel("llama-bpe");
  llama.count("tokenizer.ggml.bos_token_id", 0);
  EXPECT_THAT(idsOf(llama, "a"), ElementsAre(0, 1));
}

TEST(GgufTokenizer, EveryPreTokenizerCompiles) {
  for (const std::string_view name : ggufPreTokenizerNames()) {
    const auto tokenizer = byteLevel(name).tokenizer();
    ASSERT_TRUE(tokenizer) << name << ": " << tokenizer.error().message();
    EXPECT_TRUE((*tokenizer)->encode("ab 12")) << name;
  }
}

TEST(GgufTokenizer, APreTokenizerThatIsNotKnownIsNamed) {
  const auto tokenizer = byteLevel("quite-new").tokenizer();
  ASSERT_FALSE(tokenizer);
  EXPECT_EQ(tokenizer.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(tokenizer.error().message(), HasSubstr("tokenizer.ggml.pre: 'quite-new'"));
  EXPECT_THAT(tokenizer.error().message(), HasSubstr("smollm"));
}

TEST(GgufTokenizer, OfSentencepieceKeepsSpacesAndWritesUnknownCharactersInBytes) {
  Metadata metadata;
  std::vector<std::string> bytes;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(fmt::format("<0x{:02X}>", i));
  }
  std::vector<std::string_view> tokens{"<unk>", "<s>", "</s>", "▁", "a", "▁a", "b"};
  std::vector<float> scores{0, 0, 0, -2, -3, -1, -4};
  std::vector<std::int32_t> kinds{2, 3, 3, 1, 1, 1, 1};
  for (const std::string& byte : bytes) {
    tokens.emplace_back(byte);
    scores.push_back(0);
    kinds.push_back(6);
  }
  metadata.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens);
  metadata.numbers("tokenizer.ggml.scores", 6, scores);
  metadata.numbers("tokenizer.ggml.token_type", 5, kinds);
  EXPECT_THAT(idsOf(metadata, "a  b</s>a"), ElementsAre(1, 5, 3, 3, 6, 2, 4));
  EXPECT_THAT(idsOf(metadata, "aé"), ElementsAre(1, 5, 7 + 0xC3, 7 + 0xA9));
  const auto tokenizer = metadata.tokenizer();
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->bytes(5), " a");
  EXPECT_EQ((*tokenizer)->bytes(7 + 0xC3), "\xC3");
  EXPECT_EQ(decode(**tokenizer, std::vector<std::int64_t>{5, 3, 6}).text, "a b");
  EXPECT_EQ((*tokenizer)->endOfText(), 2);
}

TEST(GgufTokenizer, MetadataThatContradictsItselfIsAnError) {
  Metadata broken;
  broken.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
  broken.texts("tokenizer.ggml.tokens", {"a", "b"});
  broken.texts("tokenizer.ggml.merges", {"a b"});
  const auto unknown = broken.tokenizer();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(unknown.error().message(), HasSubstr("merges[0]: 'ab' is not a token"));
  broken.numbers<std::int32_t>("tokenizer.ggml.token_type", 5, {1});
  EXPECT_THAT(broken.tokenizer().error().message(), HasSubstr("one number a token"));
}

TEST(GgufTokenizer, AFileWithoutOneSaysSo) {
  const auto none = Metadata().text("general.architecture", "llama").tokenizer();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  const auto other = Metadata().text("tokenizer.ggml.model", "rwkv").tokenizer();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(other.error().message(), HasSubstr("'rwkv'"));
}

}  // namespace
}  // namespace ulp::text
