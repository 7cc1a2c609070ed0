#include "runner/worker/input/token_texts_of.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

/// Three tokens: a word, a part of a character, a line break.
class ThreeTokens final : public text::Tokenizer {
 public:
  [[nodiscard]] Result<std::vector<text::Token>> encode(std::string_view /*text*/) const override {
    return fail(ErrorCode::Unsupported, "not needed here");
  }
  [[nodiscard]] Result<std::vector<text::Token>> encodePart(std::string_view text) const override {
    return encode(text);
  }
  [[nodiscard]] std::int64_t size() const override { return 3; }
  [[nodiscard]] std::string spelling(std::int64_t id) const override { return bytes(id); }
  [[nodiscard]] std::string bytes(std::int64_t id) const override {
    return id == 0 ? " is" : id == 1 ? "\xE4\xB8" : "\n";
  }
  [[nodiscard]] bool dropsFirstSpace() const override { return false; }
  [[nodiscard]] bool isSpecial(std::int64_t /*id*/) const override { return false; }
  [[nodiscard]] std::optional<std::int64_t> endOfText() const override { return std::nullopt; }
  [[nodiscard]] std::string description() const override { return "three tokens"; }
};

TEST(TokenTextsOf, TakesEveryMicroBatchInOrderAndLeavesPaddingWithoutText) {
  const std::vector<engine::TokenBatch> batches{{.ids = {0, 1, 2}, .batch = 1, .length = 2},
                                                {.ids = {2, 0, -100}, .batch = 1, .length = 2}};
  const report::TokenTexts tokens = tokenTextsOf(batches, std::make_shared<ThreeTokens>());
  EXPECT_EQ(tokens.sequences, 2);
  EXPECT_EQ(tokens.length, 2);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{0, 1, 2, 2, 0, -100}));
  EXPECT_EQ(tokens.tokenizer, "three tokens");
  EXPECT_EQ(tokens.texts,
            (std::map<std::int64_t, std::string>{{0, " is"}, {1, "<0xE4><0xB8>"}, {2, "\n"}}));
}

TEST(TokenTextsOf, WithoutATokenizerAreIdsAlone) {
  const std::vector<engine::TokenBatch> batches{{.ids = {4, 5}, .batch = 1, .length = 1}};
  const report::TokenTexts tokens = tokenTextsOf(batches, nullptr);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{4, 5}));
  EXPECT_TRUE(tokens.tokenizer.empty());
  EXPECT_TRUE(tokens.texts.empty());
}

}  // namespace
}  // namespace ulp::worker
