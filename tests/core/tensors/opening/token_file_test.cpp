#include "core/tensors/opening/token_file.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TokenFiles : public testing::Test {
 public:
  [[nodiscard]] Result<TokenFile> json(std::string_view text) const {
    return readTokens(folder.write("ids.json", text));
  }

  /// A safetensors file of the named tensors, each with the elements 1, 2 as dtype.
  [[nodiscard]] Result<TokenFile> safetensors(
      const std::vector<std::pair<std::string, DType>>& tensors) const {
    static constexpr std::array<std::int64_t, 2> kWide{1, 2};
    static constexpr std::array<std::uint8_t, 2> kNarrow{1, 2};
    std::vector<NamedTensor> named;
    for (const auto& [name, dtype] : tensors) {
      const bool wide = itemSize(dtype) == 8;
      named.push_back(
          {name, {wide ? static_cast<const void*>(kWide.data()) : kNarrow.data(), dtype, {1, 2}}});
    }
    EXPECT_TRUE(writeSafetensors(folder / "ids.safetensors", named));
    return readTokens(folder / "ids.safetensors");
  }

  test::TempDir folder;
};

TEST_F(TokenFiles, ReadNestedJsonLists) {
  const auto file = json("[[1, 2, 3],\n [4, 5, 6]]");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->shape, ElementsAre(2, 3));
  EXPECT_THAT(file->tokens, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(json("[7]")->shape, ElementsAre(1));
  EXPECT_THAT(json("[]")->shape, ElementsAre(0));
  EXPECT_THAT(json("[[], []]")->shape, ElementsAre(2, 0));
  EXPECT_THAT(json("[-100]")->tokens, ElementsAre(-100));
}

TEST_F(TokenFiles, NameThePlaceInJson) {
  const std::array<std::pair<const char*, const char*>, 15> cases{{
      {"[[1, 2], [3]]", "[1]: has 1 elements where the lists before it have 2"},
      {"[[1, 2], 3]", "[1]: a number where the elements before it are lists"},
      {"[[], 3]", "[1]: a number where the elements before it are lists"},
      {"[1, [2]]", "[1]: a list where a token id is needed"},
      {"[[1, 2], [3, 1.5]]", "[1][1]: a fraction"},
      {"[[1, \"x\"]]", "[0][1]: a text"},
      {"[null]", "[0]: null"},
      {"[true]", "[0]: a truth value"},
      {"{\"input_ids\": [1]}", "top level: an object"},
      {"5", "top level: a number where a list"},
      {"[1, 2", "byte 6: not valid JSON"},
      {"[18446744073709551615]", "beyond 63 bits"},
      {"[[[[[[[[[1]]]]]]]]]", "nested more than 8 deep"},
      {"[[], [1]]", "[1]: has 1 elements where the lists before it have 0"},
      {"[[1], []]", "[1]: has 0 elements where the lists before it have 1"},
  }};
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(messageOf(json(text)), HasSubstr(message)) << text;
    EXPECT_THAT(messageOf(json(text)), HasSubstr("ids.json: ")) << text;
  }
}

TEST_F(TokenFiles, ReadArraysOfNumPy) {
  const auto path = folder.write(
      "ids.npy",
      npyBytes(
          "<i2", "(1, 2)", Bytes().number<std::int16_t>(9).number<std::int16_t>(-1).content()));
  const auto file = readTokens(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->shape, ElementsAre(1, 2));
  EXPECT_THAT(file->tokens, ElementsAre(9, -1));
}

TEST_F(TokenFiles, RefuseFractionsInNumPy) {
  const auto path =
      folder.write("ids.npy", npyBytes("<f4", "(1,)", Bytes().number(1.0F).content()));
  EXPECT_THAT(messageOf(readTokens(path)), HasSubstr("holds float32 where token ids are integers"));
}

TEST_F(TokenFiles, TakeTheOnlyIntegerTensor) {
  const auto file =
      safetensors({{"mask", DType::Bool}, {"ids", DType::Int64}, {"w", DType::Float64}});
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->tokens, ElementsAre(1, 2));
}

TEST_F(TokenFiles, PreferInputIds) {
  const auto file = safetensors({{"a", DType::Int64}, {"input_ids", DType::UInt8}});
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->tokens, ElementsAre(1, 2));
}

TEST_F(TokenFiles, AskWhichOfSeveralTensors) {
  EXPECT_THAT(messageOf(safetensors({{"a", DType::Int64}, {"b", DType::Int8}})),
              HasSubstr("'a' and 'b': both hold integers; name one of them input_ids"));
  EXPECT_THAT(messageOf(safetensors({{"a", DType::Float64}})), HasSubstr("none holds integers"));
  EXPECT_THAT(messageOf(safetensors({{"input_ids", DType::Float64}})),
              HasSubstr("tensor 'input_ids': holds float64"));
}

TEST_F(TokenFiles, RefuseOtherKindsOfFiles) {
  const auto file = readTokens(folder.write("ids.txt", "1 2 3"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(readTokens(folder / "absent.json").error().code(), ErrorCode::NotFound);
  EXPECT_EQ(readTokens(folder / "absent.npy").error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::tensors
