#include "core/comparing/origin/token_layout.h"

#include <memory>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/tensor_unit.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using Piece = dumps::Run;  // testing::Test has a Run of its own
using test::TensorUnit;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr TokenLayout kSamplesFirst{.samples = 2, .positions = 5};
constexpr TokenLayout kSequenceFirst{.samples = 2, .positions = 5, .isSequenceFirst = true};
constexpr TokenIndex kToken{.sample = 1, .position = 3};

TensorCut cut(const TokenLayout& layout, std::vector<std::int64_t> shape) {
  return cutTo(layout, kToken, shape);
}

TEST(TokenCutTest, HiddenStatesAreCutToSampleAndPosition) {
  EXPECT_THAT(cut(kSamplesFirst, {2, 5, 8}), ElementsAre(Piece{1, 1}, Piece{3, 1}, Piece{0, 8}));
  EXPECT_THAT(cut(kSequenceFirst, {5, 2, 8}), ElementsAre(Piece{3, 1}, Piece{1, 1}, Piece{0, 8}));
  EXPECT_THAT(cut(kSamplesFirst, {2, 5}), ElementsAre(Piece{1, 1}, Piece{3, 1})) << "token ids";
  EXPECT_THAT(
      cutTo({.positions = 5}, {.sample = 0, .position = 3}, std::vector<std::int64_t>{1, 5, 8}),
      ElementsAre(Piece{0, 1}, Piece{3, 1}, Piece{0, 8}));
}

TEST(TokenCutTest, TokensThatStandInOneDimensionAreCountedAsTheLayoutHasThem) {
  EXPECT_THAT(cut(kSamplesFirst, {10, 8}), ElementsAre(Piece{8, 1}, Piece{0, 8})) << "1 * 5 + 3";
  EXPECT_THAT(cut(kSequenceFirst, {10, 8}), ElementsAre(Piece{7, 1}, Piece{0, 8})) << "3 * 2 + 1";
  constexpr TokenLayout kInRow{.positions = 10, .embeddedRows = 2};
  constexpr TokenIndex kPlace{.sample = 0, .position = 8};
  EXPECT_THAT(cutTo(kInRow, kPlace, std::vector{2L, 5L, 8L}),
              ElementsAre(Piece{1, 1}, Piece{3, 1}, Piece{0, 8}))
      << "logits of all tokens in a row, and hidden states of two samples";
  EXPECT_THAT(cutTo(kInRow, kPlace, std::vector{2L, 5L, 10L}),
              ElementsAre(Piece{1, 1}, Piece{3, 1}, Piece{0, 10}))
      << "hidden states as wide as there are tokens";
  EXPECT_THAT(cutTo(kInRow, kPlace, std::vector{5L, 2L, 8L}), IsEmpty())
      << "five experts with two tokens each";
}

TEST(TokenCutTest, ALastDimensionAsLongAsTheSequenceIsNoSequence) {
  EXPECT_THAT(cut(kSamplesFirst, {10, 5}), ElementsAre(Piece{8, 1}, Piece{0, 5}))
      << "tokens in a row, of the hidden size 5";
  EXPECT_THAT(cut(kSequenceFirst, {1, 10, 5}), ElementsAre(Piece{0, 1}, Piece{7, 1}, Piece{0, 5}));
  EXPECT_THAT(cut(kSamplesFirst, {10, 4, 5}), ElementsAre(Piece{8, 1}, Piece{0, 4}, Piece{0, 5}))
      << "heads of the size 5";
  EXPECT_THAT(cut(kSamplesFirst, {7, 5}), IsEmpty()) << "tokens as they were sent to an expert";
  const TokenIndex token{.sample = 0, .position = 3};
  EXPECT_THAT(cutTo({.positions = 5}, token, std::vector{7L, 5L}), IsEmpty());
  EXPECT_THAT(cutTo({.positions = 5}, token, std::vector{1L, 7L, 5L}), IsEmpty());
  EXPECT_THAT(cutTo({.positions = 5}, token, std::vector{1L, 5L}),
              ElementsAre(Piece{0, 1}, Piece{3, 1}))
      << "token ids";
  EXPECT_THAT(cutTo({.positions = 5}, token, std::vector{5L}), ElementsAre(Piece{3, 1}));
}

TEST(TokenCutTest, ATokenThatTheLayoutDoesNotHaveIsNotCut) {
  const std::vector<std::int64_t> shape{2, 5, 8};
  EXPECT_THAT(cutTo(kSamplesFirst, {.sample = 2, .position = 3}, shape), IsEmpty());
  EXPECT_THAT(cutTo(kSamplesFirst, {.sample = 1, .position = 5}, shape), IsEmpty());
  EXPECT_THAT(cutTo(kSamplesFirst, {.sample = -1, .position = 3}, shape), IsEmpty());
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_THAT(cutTo({.samples = kHuge, .positions = kHuge}, {}, std::vector{kHuge, 8L}), IsEmpty())
      << "more tokens than any number of them";
}

TEST(TokenCutTest, HeadsAreKeptAndScoresAreCutAlongTheQueries) {
  EXPECT_THAT(cut(kSamplesFirst, {2, 4, 5, 16}),
              ElementsAre(Piece{1, 1}, Piece{0, 4}, Piece{3, 1}, Piece{0, 16}));
  EXPECT_THAT(cut(kSamplesFirst, {2, 5, 4, 16}),
              ElementsAre(Piece{1, 1}, Piece{3, 1}, Piece{0, 4}, Piece{0, 16}));
  EXPECT_THAT(cut(kSequenceFirst, {5, 2, 4, 16}),
              ElementsAre(Piece{3, 1}, Piece{1, 1}, Piece{0, 4}, Piece{0, 16}));
  EXPECT_THAT(cut(kSamplesFirst, {2, 4, 5, 5}),
              ElementsAre(Piece{1, 1}, Piece{0, 4}, Piece{3, 1}, Piece{0, 5}));
  EXPECT_THAT(cut(kSequenceFirst, {2, 4, 5, 5}),
              ElementsAre(Piece{1, 1}, Piece{0, 4}, Piece{3, 1}, Piece{0, 5}));
  EXPECT_THAT(cut(kSamplesFirst, {2, 4, 16, 5}),
              ElementsAre(Piece{1, 1}, Piece{0, 4}, Piece{0, 16}, Piece{3, 1}))
      << "keys that are turned for the product";
  EXPECT_THAT(cut(kSamplesFirst, {8, 5, 5}), ElementsAre(Piece{4, 4}, Piece{3, 1}, Piece{0, 5}))
      << "the four heads of each sample stand together";
}

TEST(TokenCutTest, OfAsManySamplesAsPositionsTheLayoutTellsWhichIsWhich) {
  const TokenIndex token{.sample = 1, .position = 2};
  const std::vector<std::int64_t> shape{3, 3, 8};
  EXPECT_THAT(cutTo({.samples = 3, .positions = 3}, token, shape),
              ElementsAre(Piece{1, 1}, Piece{2, 1}, Piece{0, 8}));
  EXPECT_THAT(cutTo({.samples = 3, .positions = 3, .isSequenceFirst = true}, token, shape),
              ElementsAre(Piece{2, 1}, Piece{1, 1}, Piece{0, 8}));
  EXPECT_THAT(cutTo({.samples = 3, .positions = 3, .isSequenceFirst = true},
                    token,
                    std::vector{3L, 4L, 3L, 3L}),
              ElementsAre(Piece{1, 1}, Piece{0, 4}, Piece{2, 1}, Piece{0, 3}))
      << "scores of Megatron stand with the samples first";
}

TEST(TokenCutTest, WhatHasNoPositionsOrCannotBeToldIsLeftWhole) {
  EXPECT_THAT(cut(kSamplesFirst, {16, 8}), IsEmpty());
  EXPECT_THAT(cut(kSamplesFirst, {}), IsEmpty());
  EXPECT_THAT(cutTo({.positions = 4}, {.sample = 0, .position = 1}, std::vector{1L, 4L, 4L, 8L}),
              IsEmpty())
      << "as many heads as positions";
}

TEST(TokenCutTest, ElementsOfACutStandInTheirOrder) {
  std::vector<float> values(12);
  std::iota(values.begin(), values.end(), 0.0F);
  const tensors::Tensor tensor{.view = {values.data(), DType::Float32, {2, 3, 2}},
                               .owner = nullptr};
  EXPECT_THAT(elementsAt(tensor, {{1, 1}, {2, 1}, {0, 2}}), ElementsAre(10, 11));
  EXPECT_THAT(elementsAt(tensor, {{0, 2}, {0, 3}, {1, 1}}), ElementsAre(1, 3, 5, 7, 9, 11));
  EXPECT_THAT(elementsAt(tensor, {{0, 2}, {1, 1}, {0, 2}}), ElementsAre(2, 3, 8, 9));
}

TEST(TokenCutTest, NothingIsReadOutsideOfATensor) {
  const std::vector<float> values(12);
  const tensors::Tensor tensor{.view = {values.data(), DType::Float32, {2, 3, 2}},
                               .owner = nullptr};
  EXPECT_THAT(elementsAt(tensor, {{2, 1}, {2, 1}, {0, 2}}), IsEmpty());
  EXPECT_THAT(elementsAt(tensor, {{1, 2}, {2, 1}, {0, 2}}), IsEmpty());
  EXPECT_THAT(elementsAt(tensor, {{-1, 1}, {2, 1}, {0, 2}}), IsEmpty());
  EXPECT_THAT(elementsAt(tensor, {{1, 1}, {2, 1}}), IsEmpty()) << "of fewer dimensions";
  EXPECT_THAT(elementsAt(tensor, {}), IsEmpty());
}

/// Embeddings of ids, and a head.
struct Model {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> embedded;
  std::vector<std::int64_t> logits;
  std::string head = "lm_head";

  [[nodiscard]] std::optional<PlacedToken> place(std::size_t flat) const {
    TensorUnit unit;
    const auto row = [&](Role role, const char* dtype, const std::vector<std::int64_t>& shape) {
      unit.row({.name = "row", .role = role, .index = "0", .dtype = dtype, .shape = shape});
    };
    unit.entry({.name = "embed_tokens",
                .kind = dumps::EntryKind::Module,
                .module = "model.embed_tokens",
                .operation = "Embedding"});
    row(Role::Input, "torch.int64", ids);
    row(Role::Output, "torch.bfloat16", embedded);
    unit.entry(
        {.name = head, .kind = dumps::EntryKind::Module, .module = head, .operation = "Linear"});
    row(Role::Output, "torch.bfloat16", logits);
    return placeToken(unit, {.entry = 1, .baseline = 2, .candidate = 2}, flat);
  }
};

TEST(PlaceTokenTest, TheHeadsNameAndTheIdsSayWhichDimensionIsTheSequence) {
  const auto huggingFace = Model{{2, 5}, {2, 5, 8}, {2, 5, 99}}.place(8);
  ASSERT_TRUE(huggingFace);
  EXPECT_EQ(huggingFace->layout.text(), "samples × positions: 2 × 5");
  EXPECT_EQ(huggingFace->index.sample, 1);
  EXPECT_EQ(huggingFace->index.position, 3);
  const auto megatron = Model{{2, 5}, {5, 2, 8}, {5, 2, 99}, "output_layer"}.place(7);
  ASSERT_TRUE(megatron);
  EXPECT_EQ(megatron->layout.text(), "positions × samples: 5 × 2");
  EXPECT_EQ(megatron->index.sample, 1);
  EXPECT_EQ(megatron->index.position, 3);
  const auto turned = Model{{5, 2}, {5, 2, 8}, {5, 2, 99}, "output_layer"}.place(7);
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->layout.text(), "samples × positions: 5 × 2") << "ids come before the name";
  const auto square = Model{{3, 3}, {3, 3, 8}, {3, 3, 99}, "output_layer"}.place(7);
  ASSERT_TRUE(square);
  EXPECT_EQ(square->layout.text(), "positions × samples: 3 × 3") << "the name alone tells";
  EXPECT_EQ(square->index.position, 2);
}

TEST(PlaceTokenTest, LogitsOfFewerTokensAreThoseOfTheLastPosition) {
  const auto one = Model{{1, 5}, {1, 5, 8}, {1, 1, 99}}.place(0);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->layout.positions, 5);
  EXPECT_EQ(one->index.position, 4);
  const auto batch = Model{{2, 5}, {2, 5, 8}, {2, 99}}.place(1);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->layout.text(), "samples × positions: 2 × 5");
  EXPECT_EQ(batch->index.sample, 1);
  EXPECT_EQ(batch->index.position, 4);
  EXPECT_FALSE(Model({{1, 6}, {6, 8}, {2, 99}}).place(1)) << "how long each sample is, nobody says";
}

TEST(PlaceTokenTest, LogitsInARowKeepTheRowsOfTheEmbeddings) {
  const auto placed = Model{{2, 5}, {2, 5, 8}, {10, 99}}.place(8);
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->layout.positions, 10);
  EXPECT_EQ(placed->layout.embeddedRows, 2);
  EXPECT_EQ(placed->index.position, 8);
  const auto flat = Model{{10}, {10, 8}, {10, 99}}.place(8);
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->layout.embeddedRows, 0);
}

TEST(PlaceTokenTest, ATokenBeyondTheRecordedShapeHasNoPlace) {
  EXPECT_FALSE(Model({{2, 5}, {2, 5, 8}, {2, 5, 99}}).place(16)) << "the file holds four samples";
  EXPECT_FALSE(Model({{2, 5}, {2, 5, 8}, {2, 99}}).place(3));
  EXPECT_FALSE(Model({{10}, {10, 8}, {10, 99}}).place(10));
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_FALSE(Model({{2, 5}, {2, 5, 8}, {kHuge, kHuge, 99}}).place(3));
}

TEST(PlaceTokenTest, SamplesOfOneTokenEachDoNotFollowEachOther) {
  const auto samples = Model{{4, 1}, {4, 1, 8}, {4, 1, 99}}.place(2);
  ASSERT_TRUE(samples);
  EXPECT_FALSE(samples->layout.isOrdered);
  EXPECT_EQ(samples->index.position, 2);
  const auto sequence = Model{{1, 4}, {4, 1, 8}, {4, 1, 99}, "output_layer"}.place(2);
  ASSERT_TRUE(sequence);
  EXPECT_TRUE(sequence->layout.isOrdered);
  EXPECT_FALSE(Model({{1, 1}, {1, 1, 8}, {1, 1, 99}}).place(0)) << "there is but one";
}

}  // namespace
}  // namespace ulp::analysis
