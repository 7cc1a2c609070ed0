#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kUnpadded = 29;
constexpr int kPadded = 32;
constexpr int kPaddedTokens = 2;
constexpr int kEmbedded = 3;

/// Of entry `entry` of the vocabulary; what is padding is much likelier than anything else.
float logit(int token, int entry) {
  return entry < kUnpadded ? static_cast<float>((entry * 5 + token * 3) % kUnpadded) : 100.F;
}

/// Entries [first, first + count) of the vocabulary, for each token.
std::vector<float> logits(int first, int count) {
  std::vector<float> values;
  for (int token = 0; token < kPaddedTokens; ++token) {
    for (int entry = first; entry < first + count; ++entry) {
      values.push_back(logit(token, entry));
    }
  }
  return values;
}

std::vector<float> weight(int first, int count) {
  std::vector<float> values;
  for (int i = first * kEmbedded; i < (first + count) * kEmbedded; ++i) {
    values.push_back(i < kUnpadded * kEmbedded ? static_cast<float>(i) : -7.F);
  }
  return values;
}

/// [sequence, batch, vocabulary] as Megatron has them, or [batch, sequence, vocabulary].
struct EmbeddingNames {
  std::string embedding = "embed_tokens";
  std::string head = "lm_head";
  bool isSequenceFirst = false;
};

std::shared_ptr<BuiltUnit> unitOf(int first, int count, const EmbeddingNames& names) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto shape = [&](std::int64_t last) -> std::vector<std::int64_t> {
    return names.isSequenceFirst ? std::vector<std::int64_t>{kPaddedTokens, 1, last}
                                 : std::vector<std::int64_t>{1, kPaddedTokens, last};
  };
  unit->module(names.embedding, "Embedding");
  unit->tensor(Role::Parameter, "weight", weight(first, count));
  unit->shape({count, kEmbedded});
  unit->tensor(Role::Output, "0", {1, 2, 3, 4, 5, 6});
  unit->shape(shape(kEmbedded));
  unit->module(names.head, "Linear");
  unit->tensor(Role::Parameter, "weight", weight(first, count));
  unit->shape({count, kEmbedded});
  unit->tensor(Role::Output, "0", logits(first, count));
  unit->shape(shape(count));
  unit->api("Torch.vocab_parallel_cross_entropy", 0);
  unit->tensor(Role::Input, "0", logits(first, count));
  unit->shape(shape(count));
  return unit;
}

UnitOutcome compareWith(const std::string& yaml) {
  BuiltDump whole;
  whole.path = "whole";
  whole.add(unitOf(0, kUnpadded, {}));
  auto ranks = std::make_shared<BuiltDump>();
  ranks->path = "ranks";
  const EmbeddingNames megatron{"word_embeddings", "output_layer", true};
  ranks->add(unitOf(0, kPadded / 2, megatron), {.rank = 0});
  ranks->add(unitOf(kPadded / 2, kPadded / 2, megatron), {.rank = 1});
  const auto mapping = SiteMapping::parse("shards: megatron\n" + yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  const auto merged = mergeShards(ranks, mapping->dumps(), false);
  EXPECT_TRUE(merged) << merged.error().message();
  auto comparison = compareDumps(whole, **merged, {.mapping = *mapping});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return std::move(comparison->units.front());
}

TEST(PaddedVocabularyTest, LogitsOfAllRanksAreJudgedWithoutThePadding) {
  const UnitOutcome outcome = compareWith("");
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_THAT(outcome.problems, IsEmpty());
  EXPECT_EQ(outcome.pairedRows, 5U);
  EXPECT_EQ(outcome.equalRows, 5U);
  ASSERT_THAT(outcome.tokens, SizeIs(2));
  EXPECT_EQ(outcome.tokens[0].kl, 0);
  // 28, the largest of 5 e mod 29, is that of entry 23.
  EXPECT_EQ(outcome.tokens[0].candidateChoice, 23U);
  EXPECT_THAT(
      textsOf(outcome.notes),
      Contains(HasSubstr("the vocabulary has 32 entries here, of which 29 are compared: the "
                         "last 3 are padding, left out of 4 tensors")));
}

TEST(PaddedVocabularyTest, NoneLeavesItAsItIs) {
  const UnitOutcome outcome = compareWith("vocabulary: none\n");
  EXPECT_THAT(outcome.shapesDiffer, SizeIs(4));
  EXPECT_THAT(outcome.tokens, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(PaddedVocabularyTest, ANumberCutsBothSides) {
  const UnitOutcome outcome = compareWith("vocabulary: 12\n");
  EXPECT_EQ(outcome.equalRows, 5U);
  EXPECT_THAT(textsOf(outcome.notes), SizeIs(2));
  ASSERT_THAT(outcome.tokens, SizeIs(2));
  EXPECT_EQ(outcome.tokens[1].kl, 0);
}

TEST(PaddedVocabularyTest, ASingleTensorThatIsCutIsNamed) {
  const auto logitsOf = [](int count) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("lm_head", "Linear");
    unit->tensor(Role::Output, "0", logits(0, count));
    unit->shape({1, kPaddedTokens, count});
    auto dump = std::make_shared<BuiltDump>();
    dump->add(unit);
    return dump;
  };
  const auto mapping = SiteMapping::parse("vocabulary: 29\n", "m.yaml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const auto comparison =
      compareDumps(*logitsOf(kUnpadded), *logitsOf(kPadded), {.mapping = *mapping});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().equalRows, 1U);
  EXPECT_THAT(textsOf(comparison->units.front().notes),
              Contains(HasSubstr("left out of 1 tensors")));
}

TEST(PaddedVocabularyTest, SizesAreOfAMultipleOrNot) {
  EXPECT_TRUE(looksPadded(50304, 50257)) << "to a multiple of 128";
  EXPECT_TRUE(looksPadded(51200, 50257)) << "on eight ranks";
  EXPECT_FALSE(looksPadded(32000, 16000)) << "a shard";
  EXPECT_FALSE(looksPadded(32768, 16384)) << "a shard of a power of two";
  EXPECT_FALSE(looksPadded(131072, 65536));
  EXPECT_FALSE(looksPadded(65536, 32000)) << "another vocabulary";
  EXPECT_FALSE(looksPadded(32001, 32000)) << "a token more";
  EXPECT_FALSE(looksPadded(4, 3));
  EXPECT_FALSE(looksPadded(16, 16));
  EXPECT_FALSE(looksPadded(16, 0));
}

/// The embedding's weight and what stands beside it outside of layers, of a checkpoint or, with
/// `hasModules`, of a model.
std::shared_ptr<BuiltUnit> modelOf(std::int64_t vocabulary, std::int64_t hidden, bool hasModules) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto zeros = [](std::int64_t count) {
    return std::vector<float>(static_cast<std::size_t>(count));
  };
  if (hasModules) {
    unit->module("embed_tokens", "Embedding");
  } else {
    unit->entry({.name = "embed_tokens.weight", .kind = dumps::EntryKind::Tensor});
  }
  unit->tensor(hasModules ? Role::Parameter : Role::Value,
               hasModules ? "weight" : "",
               zeros(vocabulary * hidden));
  unit->shape({vocabulary, hidden});
  if (hasModules) {
    unit->module("norm", "RMSNorm");
  } else {
    unit->entry({.name = "norm.weight", .kind = dumps::EntryKind::Tensor});
  }
  unit->tensor(Role::Value, "1", zeros(64));
  return unit;
}

TEST(PaddedVocabularyTest, AHiddenSizeThatIsTheSameNumberIsNotCut) {
  const dumps::DumpUnitPtr narrow = modelOf(60, 64, true);
  const dumps::DumpUnitPtr wide = modelOf(64, 64, true);
  UnitSides units{narrow, wide};
  ASSERT_TRUE(cutVocabularyPadding(units, {SiteMapping()}));
  EXPECT_EQ(units.baseline, narrow);
  EXPECT_THAT(units.candidate->rows[0].shape, ElementsAre(64, 64));
  EXPECT_THAT(units.candidate->rows[1].shape, ElementsAre(64));
  EXPECT_THAT(textsOf(units.candidate->notes),
              ElementsAre("the vocabulary has 64 entries here, of which the last 4 may be padding; "
                          "they are compared as well, since the hidden size is 64 too"));
}

TEST(PaddedVocabularyTest, WholeNumbersAreNoEntriesOfTheVocabulary) {
  const auto wide = modelOf(64, 2, true);
  wide->rows[1].dtype = "torch.int64";
  UnitSides units{modelOf(60, 2, true), wide};
  ASSERT_TRUE(cutVocabularyPadding(units, {SiteMapping()}));
  EXPECT_THAT(units.candidate->rows[0].shape, ElementsAre(60, 2));
  EXPECT_THAT(units.candidate->rows[1].shape, ElementsAre(64)) << "64 positions";
}

TEST(PaddedVocabularyTest, WithoutModulesOnlyTheHeadAndTheEmbeddingsAreCut) {
  UnitSides units{modelOf(60, 2, false), modelOf(64, 2, false)};
  ASSERT_TRUE(cutVocabularyPadding(units, {SiteMapping()}));
  EXPECT_THAT(units.candidate->rows[0].shape, ElementsAre(60, 2));
  EXPECT_THAT(units.candidate->rows[1].shape, ElementsAre(64));
}

}  // namespace
}  // namespace ulp::analysis
