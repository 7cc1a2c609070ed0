#include "runner/worker/token_input.h"

#include <gtest/gtest.h>

#include "tests/support/fake_engine.h"
#include "tests/support/temp_dir.h"

namespace ulp::worker {
namespace {

class TokenInputTest : public testing::Test {
 protected:
  study::Study tokensFrom(const std::string& json) {
    study::Study study;
    study.inputSource = study::InputSource::Tokens;
    study.inputPath = m_folder.write("ids.json", json);
    return study;
  }

  Error failure(const study::Study& study) {
    auto tokens = loadTokens(study, 100, m_engine);
    EXPECT_FALSE(tokens);
    return tokens ? Error(ErrorCode::Internal, "") : tokens.error();
  }

  test::TempDir m_folder;
  test::FakeEngine m_engine;
};

TEST_F(TokenInputTest, RandomTokensAreTheEngines) {
  study::Study study;
  study.sequenceLength = 7;
  study.microBatchSize = 2;
  study.seed = 3;
  const auto tokens = loadTokens(study, 100, m_engine);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->ids, m_engine.randomTokens(100, 2, 7, 3)->ids);
  EXPECT_EQ(tokens->batch, 2);
  EXPECT_EQ(tokens->length, 7);
}

TEST_F(TokenInputTest, AFileGivesBatchAndLength) {
  const auto tokens = loadTokens(tokensFrom("[[1,2,3,4],[5,6,7,99]]"), 100, m_engine);
  ASSERT_TRUE(tokens) << tokens.error().message();
  EXPECT_EQ(tokens->batch, 2);
  EXPECT_EQ(tokens->length, 3);
  EXPECT_EQ(tokens->ids.back(), 99);
}

TEST_F(TokenInputTest, AnIdBeyondTheVocabularyIsNamedWithItsPlace) {
  for (const char* id : {"100", "-1"}) {
    const Error error = failure(tokensFrom(std::string("[[1,2,3],[4,") + id + ",6]]"));
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_NE(error.message().find("ids.json: [1, 1]: token id " + std::string(id)),
              std::string::npos)
        << error.message();
    EXPECT_NE(error.message().find("0 to 99"), std::string::npos) << error.message();
  }
}

TEST_F(TokenInputTest, SettingsThatContradictTheFileAreNamed) {
  study::Study study = tokensFrom("[[1,2,3,4]]");
  study.sequenceLength = 4;
  EXPECT_NE(failure(study).message().find("input.sequence_length 3"), std::string::npos)
      << failure(study).message();
  study.sequenceLength = 3;
  study.microBatchSize = 2;
  EXPECT_NE(failure(study).message().find("input.micro_batch_size 1"), std::string::npos);
  study.microBatchSize = 1;
  EXPECT_TRUE(loadTokens(study, 100, m_engine));
}

TEST_F(TokenInputTest, TooFewTokensAreRefused) {
  EXPECT_EQ(failure(tokensFrom("[[1]]")).code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(failure(tokensFrom("[[[1,2]]]")).code(), ErrorCode::InvalidArgument);
}

TEST_F(TokenInputTest, AMissingFileIsNamed) {
  study::Study study = tokensFrom("[[1,2]]");
  study.inputPath = m_folder / "none.json";
  EXPECT_EQ(failure(study).code(), ErrorCode::NotFound);
  EXPECT_NE(failure(study).message().find("none.json"), std::string::npos);
}

// python3 -c "import hashlib,struct;
// print(hashlib.sha256(struct.pack('<5q',1,2,7,8,9)).hexdigest())"
TEST(TokenDigest, IsSha256OverShapeAndIds) {
  EXPECT_EQ(*tokenDigest({.ids = {7, 8, 9}, .batch = 1, .length = 2}),
            "4ffd9c01a47aa9360a215c9b34e409b2d2c7489b6b7ee71f12eb51fa8f6dd865");
  EXPECT_NE(*tokenDigest({.ids = {1, 2, 3, 4}, .batch = 1, .length = 3}),
            *tokenDigest({.ids = {1, 2, 3, 4}, .batch = 2, .length = 1}));
}

}  // namespace
}  // namespace ulp::worker
